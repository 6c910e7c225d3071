internal import BoardCore

extension Timetable {
    /// How far to search for the next departure, and back for the last one: days minus two hours, so that "at 08:10" is
    /// unambiguous.
    private static func reach(days: Int = 1) -> Duration { .seconds(days * 86_400 - 7_200) }

    /// The first matching departure from `end` on, within a day; within a week if the timetable has not started.
    ///
    /// - Parameters:
    ///   - end: the end of the window without departures.
    ///   - now: selects the last departure that has left.
    ///   - startsAt: the start of the timetable, if any.
    func next(
        for request: FeedRequest, from end: Timestamp, now: Timestamp, startsAt: Timestamp? = nil
    ) -> NextDeparture? {
        let (start, days) = startsAt.flatMap { end < $0 ? ($0, 7) : nil } ?? (end, 1)
        guard let call = first(for: request, in: start..<(start + Self.reach(days: days))) else { return nil }
        // A service day lasts past midnight: the current one is that of the last departure that has left.
        let day = lastDay(of: request, in: (now - Self.reach())..<now) ?? zone.localTime(at: now).date
        return call.instance.day > day ? .nextDay(call.departure) : .laterToday(call.departure)
    }

    private func first(for request: FeedRequest, in window: Range<Timestamp>) -> ScheduledCall? {
        let ends = request.towards.map { Set(self.places(of: $0)) }
        return departures(at: places(of: request.stop.code), in: window, most: 1) {
            matches($0, by: request, towards: ends)
        }.first
    }

    private func lastDay(of request: FeedRequest, in window: Range<Timestamp>) -> CivilDate? {
        let places = places(of: request.stop.code)
        let ends = request.towards.map { Set(self.places(of: $0)) }
        var end = window.upperBound
        // In steps of two hours, since it is nearly always among the last ones.
        while end > window.lowerBound {
            let start = max(window.lowerBound, end - .seconds(7_200))
            let found = departures(at: places, in: start..<end) { matches($0, by: request, towards: ends) }
            if let last = found.last { return last.instance.day }
            end = start
        }
        return nil
    }

    private func matches(_ call: ScheduledCall, by request: FeedRequest, towards ends: Set<Int>?) -> Bool {
        let trip = trips[call.instance.trip]
        let route = routes[trip.route]
        let place = calls(of: call.instance.trip).dropFirst(call.position).first?.place
        return request.matches(Line(id: route.id, name: route.name))
            && request.matches(
                platform: place.flatMap { places[Int($0)].platform }, direction: trip.direction.map(String.init))
            && ends.map { calls($0, after: call) } ?? true
    }
}
