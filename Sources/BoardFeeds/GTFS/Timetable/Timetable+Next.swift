internal import BoardCore

extension Timetable {
    /// How far a board looks for the next departure, and back for the last one: a day, without the hours after which "at
    /// 08:10" might be tomorrow's.
    private static func reach(days: Int = 1) -> Duration { .seconds(days * 86_400 - 7_200) }

    /// The first departure from `end` on, in less than a day from then, that a question asks for; of a timetable that has not
    /// begun, in its first week.
    ///
    /// - Parameters:
    ///   - end: up to there the board knows that there is none.
    ///   - now: decides which departures have gone.
    ///   - begins: when the timetable does; nil: it has.
    func next(
        for question: FeedRequest, from end: Timestamp, now: Timestamp, startsAt: Timestamp? = nil
    ) -> NextDeparture? {
        let (start, days) = startsAt.flatMap { end < $0 ? ($0, 7) : nil } ?? (end, 1)
        guard let call = first(for: question, in: start..<(start + Self.reach(days: days)), days: days) else {
            return nil
        }
        // A service day lasts past midnight: the present one is that of the last departure that has gone.
        let day = lastDay(of: question, in: (now - Self.reach())..<now) ?? zone.localTime(at: now).date
        return call.run.day > day ? .nextDay(call.departure) : .laterToday(call.departure)
    }

    private func first(for question: FeedRequest, in window: Range<Timestamp>, days: Int) -> ScheduledCall? {
        let places = places(of: question.stop.code)
        guard question != FeedRequest(stop: question.stop) else {
            let call = firstDeparture(at: places, from: window.lowerBound, days: days)
            return call.flatMap { $0.departure < window.upperBound ? $0 : nil }
        }
        let ends = question.towards.map { Set(self.places(of: $0)) }
        return departures(at: places, in: window, most: 1) { isWanted($0, by: question, towards: ends) }.first
    }

    /// The service day of the last departure in a window; nil: there is none.
    private func lastDay(of question: FeedRequest, in window: Range<Timestamp>) -> CivilDate? {
        let places = places(of: question.stop.code)
        let ends = question.towards.map { Set(self.places(of: $0)) }
        var end = window.upperBound
        // By pieces, as it is nearly always among the last hours.
        while end > window.lowerBound {
            let start = max(window.lowerBound, end - .seconds(7_200))
            let found = departures(at: places, in: start..<end) { isWanted($0, by: question, towards: ends) }
            if let last = found.last { return last.run.day }
            end = start
        }
        return nil
    }

    /// Whether a question asks for a call.
    private func isWanted(_ call: ScheduledCall, by question: FeedRequest, towards ends: Set<Int>?) -> Bool {
        let trip = trips[call.run.trip]
        let route = routes[trip.route]
        let place = calls(of: call.run.trip).dropFirst(call.position).first?.place
        return question.matches(Line(id: route.id, name: route.name))
            && question.matches(
                platform: place.flatMap { places[Int($0)].platform }, direction: trip.direction.map(String.init))
            && ends.map { calls($0, after: call) } ?? true
    }
}
