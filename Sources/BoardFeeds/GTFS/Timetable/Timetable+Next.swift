internal import BoardCore

extension Timetable {
    /// A day minus two hours, so that "at 08:10" is unambiguous.
    private static let reach = Duration.seconds(86_400 - 7_200)
    /// The most days to search for the next departure: so a line of the summer has one all year.
    private static let mostDays = 366
    /// How long ago the last departure left where that matters: in the morning a night bus is not over, but to come.
    private static let recent = Duration.seconds(4 * 3_600)

    /// The first matching departure from `end` on, within a year.
    ///
    /// - Parameters:
    ///   - end: the end of the window without departures.
    ///   - now: selects the last departure that has left.
    func next(for request: FeedRequest, from end: Timestamp, now: Timestamp) -> NextDeparture? {
        guard let call = first(for: request, in: end..<(end + Self.reach)) ?? later(for: request, than: end) else {
            return nil
        }
        // A service day lasts past midnight: the current one is that of the last departure that has left.
        let isOver = lastDay(of: request, in: (now - Self.recent)..<now).map { call.instance.day > $0 } ?? false
        return isOver ? .nextDay(call.departure) : .laterToday(call.departure)
    }

    /// The first matching departure of the days after tomorrow on which a trip from the stop runs.
    private func later(for request: FeedRequest, than end: Timestamp) -> ScheduledCall? {
        let ends = self.places(towards: request.towards)
        // Few routes, and many calls.
        let isOfLines = routes.map { request.matches(Line(id: $0.id, name: $0.name)) }
        let entries = places(of: request.stop.code).flatMap {
            index.daily(at: $0, in: 0..<(index.latest + 1)) + index.repeating(at: $0)
        }
        let matching = entries.filter { entry in
            isOfLines[trips[Int(entry.trip)].route]
                && matches(Int(entry.trip), at: Int(entry.position), by: request, towards: ends)
        }
        guard !matching.isEmpty else { return nil }
        let services = Set(matching.map { trips[Int($0.trip)].service }).map { self.services[$0] }
        let today = zone.localTime(at: end).date
        for ahead in 0...Self.mostDays {
            let date = today.adding(days: ahead)
            guard services.contains(where: { $0.runs(on: date) }) else { continue }
            let (start, next) = (beginning(of: date), beginning(of: date.adding(days: 1)))
            // Calls of a service day are also after its end.
            if let call = first(for: request, in: max(end, start)..<(next + .seconds(index.latest))) { return call }
        }
        return nil
    }

    private func first(for request: FeedRequest, in window: Range<Timestamp>) -> ScheduledCall? {
        let ends = self.places(towards: request.towards)
        return departures(at: places(of: request.stop.code), in: window, most: 1) {
            matches($0.instance.trip, at: $0.position, by: request, towards: ends)
        }.first
    }

    private func lastDay(of request: FeedRequest, in window: Range<Timestamp>) -> CivilDate? {
        let places = places(of: request.stop.code)
        let ends = self.places(towards: request.towards)
        var end = window.upperBound
        // In steps of two hours, since it is nearly always among the last ones.
        while end > window.lowerBound {
            let start = max(window.lowerBound, end - .seconds(7_200))
            let found = departures(at: places, in: start..<end) {
                matches($0.instance.trip, at: $0.position, by: request, towards: ends)
            }
            if let last = found.last { return last.instance.day }
            end = start
        }
        return nil
    }

    private func matches(_ number: Int, at position: Int, by request: FeedRequest, towards ends: Set<Int>?) -> Bool {
        let (trip, calls) = (trips[number], calls(of: number).dropFirst(position))
        let route = routes[trip.route]
        return request.matches(Line(id: route.id, name: route.name))
            && request.matches(
                platform: calls.first.flatMap { places[Int($0.place)].platform },
                direction: trip.direction.map(String.init))
            && ends.map { ends in calls.dropFirst().contains { ends.contains(Int($0.place)) } } ?? true
    }
}
