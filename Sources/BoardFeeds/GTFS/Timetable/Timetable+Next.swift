internal import BoardCore

extension Timetable {
    /// How far a board looks for the next departure, and back for the last one: a day, without the hours after which "at
    /// 08:10" might be tomorrow's.
    private static let reach = Duration.seconds(22 * 3_600)

    /// The first departure from `end` on, in less than a day from then, that a question asks for.
    ///
    /// - Parameters:
    ///   - end: up to there the board knows that there is none.
    ///   - now: decides which departures have gone.
    func next(for question: FeedQuestion, from end: Timestamp, now: Timestamp) -> NextDeparture? {
        guard let call = first(for: question, in: end..<(end + Self.reach)) else { return nil }
        // A service day lasts past midnight: the present one is that of the last departure that has gone.
        let gone = last(for: question, in: (now - Self.reach)..<now)
        let day = gone?.run.day ?? zone.localTime(at: now).date
        return call.run.day > day ? .nextDay(call.departure) : .laterToday(call.departure)
    }

    private func first(for question: FeedQuestion, in window: Range<Timestamp>) -> PlannedCall? {
        let places = places(of: question.stop.code)
        guard question != FeedQuestion(stop: question.stop) else {
            let call = firstDeparture(at: places, from: window.lowerBound, days: 1)
            return call.flatMap { $0.departure < window.upperBound ? $0 : nil }
        }
        let ends = question.towards.map { Set(self.places(of: $0)) }
        return departures(at: places, in: window).first { isWanted($0, by: question, towards: ends) }
    }

    private func last(for question: FeedQuestion, in window: Range<Timestamp>) -> PlannedCall? {
        let ends = question.towards.map { Set(places(of: $0)) }
        return departures(at: places(of: question.stop.code), in: window).last {
            isWanted($0, by: question, towards: ends)
        }
    }

    /// Whether a question asks for a call.
    private func isWanted(_ call: PlannedCall, by question: FeedQuestion, towards ends: Set<Int>?) -> Bool {
        let trip = trips[call.run.trip]
        let route = routes[trip.route]
        let place = calls(of: call.run.trip).dropFirst(call.position).first?.place
        return question.wants(Line(id: route.id, name: route.name))
            && question.wants(
                platform: place.flatMap { places[Int($0)].platform }, direction: trip.direction.map(String.init))
            && ends.map { calls($0, after: call) } ?? true
    }
}
