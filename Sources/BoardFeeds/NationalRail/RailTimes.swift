internal import BoardCore

/// Makes moments of National Rail's times, which are "12:45" on London's clocks with no date.
///
/// A time of the board is the one from nineteen hours before to five hours after it was made: a train may be hours
/// late, but no board looks further ahead than 119 minutes and two hours from there. An estimate is the one from one
/// hour before to twelve hours after the booked time.
///
/// When clocks change a time may be there twice: a board is in the order of booked times and lists what is still to
/// come, so that it is the first one that fits both; a call's is the one nearest to the moment in question. Or it may
/// not be there at all, then it is the moment at which a clock left alone would show it.
struct RailTimes: Hashable, Sendable {
    /// What a board's time may be before and after the moment at which it was made, in microseconds as all ranges here.
    private static let boardRange = minutes(-1_140)...minutes(300) - 1_000_000
    /// What a call's time may be before and after that of the call before it.
    private static let callRange = minutes(-120)...minutes(1_320) - 1_000_000
    /// What an estimate may be before and after the booked time.
    private static let estimateRange = minutes(-60)...minutes(720)
    /// The longest time between two calls; beyond it a list is out of order.
    private static let longestRun: Duration = .seconds(720 * 60)

    /// Boards list trains for about so long after they went.
    static let grace: Duration = .seconds(120)

    /// What a text says of a time.
    enum Text: Hashable, Sendable {
        /// A time of day. "10:42*", which is less sure, is one, too.
        case time(hour: Int, minute: Int)
        /// "On time".
        case onTime
        /// "Delayed": late, nobody knows how late.
        case delayed
        /// "Cancelled".
        case cancelled
        /// "No report": it was there, nobody wrote down when.
        case noReport
        /// Nothing, or what nobody ever wrote before.
        case unknown

        /// Reads a text.
        init(_ text: String?) {
            guard let text else {
                self = .unknown
                return
            }
            let utf8 = text.utf8
            if let time = Self.time(utf8.span) {
                self = time
                return
            }
            switch text.lowercased() {
            case "on time": self = .onTime
            case "delayed": self = .delayed
            case "cancelled": self = .cancelled
            case "no report": self = .noReport
            default: self = .unknown
            }
        }

        private static func time(_ bytes: Span<UInt8>) -> Text? {
            guard bytes.count == 5 || bytes.count == 6 && bytes[5] == UInt8(ascii: "*"), bytes[2] == UInt8(ascii: ":"),
                let hour = number(bytes[0], bytes[1]), let minute = number(bytes[3], bytes[4]), hour < 24, minute < 60
            else { return nil }
            return .time(hour: hour, minute: minute)
        }

        private static func number(_ tens: UInt8, _ ones: UInt8) -> Int? {
            let (tens, ones) = (Int(tens) - 48, Int(ones) - 48)
            return (0...9).contains(tens) && (0...9).contains(ones) ? tens * 10 + ones : nil
        }
    }

    /// For so long before and after an answer the clocks must not change to be called steady; no time of it is further.
    private static let reach: Duration = .seconds(4 * 86_400)

    /// When the answer was made.
    let madeAt: Timestamp
    /// The zone of the clocks: London's.
    let zone: Zone
    /// How far the clocks are ahead of UTC, where they do not change for days: on nearly all days one subtraction makes
    /// a moment of a time.
    private let steady: Int64?
    /// The moments around which the days are steady, too.
    private let steadyDays: ClosedRange<Timestamp>

    /// The times of an answer.
    init(madeAt: Timestamp, zone: Zone) {
        self.madeAt = madeAt
        self.zone = zone
        let change = zone.nextChange(after: madeAt - Self.reach)
        steadyDays = madeAt - Self.reach / 2...madeAt + Self.reach / 2
        let isSteady = change.map { $0 > madeAt + Self.reach } ?? true
        steady = isSteady ? zone.offset(at: madeAt).components.seconds : nil
    }

    /// The moment of a board's booked time; nil where the text is none.
    ///
    /// - Parameters:
    ///   - above: the booked time of the row above it; nil: there is none.
    ///   - estimated: what is said of the train that is booked then; nil: nothing.
    func booked(_ text: String?, below above: Timestamp? = nil, estimated: Text = .unknown) -> Timestamp? {
        guard case .time(let hour, let minute) = Text(text) else { return nil }
        return moment(hour, minute, of: madeAt, within: Self.boardRange) { candidates in
            guard Self.isRepeatedHour(candidates) else { return nearest(candidates, to: madeAt) }
            let fitting = candidates.filter { $0 >= above ?? $0 && isToCome($0, estimated) }
            return fitting.min() ?? nearest(candidates, to: madeAt)
        }
    }

    /// Whether moments are those of one time on clocks that went back in between; two may also be a short day apart.
    private static func isRepeatedHour(_ moments: [Timestamp]) -> Bool {
        guard let first = moments.min(), let last = moments.max() else { return false }
        return (.seconds(1)...(.seconds(3_600))).contains(last - first)
    }

    /// Whether London's clocks show a text's time at a moment.
    func shows(_ text: String?, at moment: Timestamp) -> Bool {
        guard case .time(let hour, let minute) = Text(text) else { return false }
        let local = zone.localTime(at: moment)
        return local.hour == hour && local.minute == minute
    }

    /// Whether a train that is booked at a moment can be on the board still.
    private func isToCome(_ booked: Timestamp, _ estimated: Text) -> Bool {
        switch estimated {
        case .delayed: return true
        case .onTime, .cancelled, .noReport, .unknown: return booked >= madeAt - Self.grace
        case .time(let hour, let minute):
            // One that is later still is as well the train that is booked an hour later.
            guard let time = estimate(hour: hour, minute: minute, of: booked) else { return false }
            return time >= madeAt - Self.grace && time - booked < .seconds(3_600)
        }
    }

    /// The moment of an estimate on a board; nil where none is near enough to `booked`.
    func estimate(hour: Int, minute: Int, of booked: Timestamp) -> Timestamp? {
        moment(hour, minute, of: booked, within: Self.estimateRange, orElse: false) { candidates in
            guard Self.isRepeatedHour(candidates) else { return nearest(candidates, to: madeAt) }
            let first = max(booked, madeAt - Self.grace)
            return candidates.filter { first <= $0 }.min() ?? nearest(candidates, to: madeAt)
        }
    }

    /// The moment of an estimate, or of what happened, at a calling point; nil where none is near enough to `booked`.
    func estimate(hour: Int, minute: Int, atCallOf booked: Timestamp) -> Timestamp? {
        moment(hour, minute, of: booked, within: Self.estimateRange, orElse: false) { nearest($0, to: booked) }
    }

    /// The booked time of the call that follows one at `previous`; nil where the text is none.
    func booked(_ text: String?, after previous: Timestamp) -> Timestamp? {
        guard case .time(let hour, let minute) = Text(text) else { return nil }
        return moment(hour, minute, of: previous, within: Self.callRange) { candidates in
            candidates.filter { previous <= $0 && $0 - previous <= Self.longestRun }.min()
                ?? nearest(candidates, to: previous)
        }
    }

    /// The booked time of the call that comes before one at `next`; nil where the text is none.
    func booked(_ text: String?, before next: Timestamp) -> Timestamp? {
        guard case .time(let hour, let minute) = Text(text) else { return nil }
        let range = -Self.callRange.upperBound...(-Self.callRange.lowerBound)
        return moment(hour, minute, of: next, within: range) { candidates in
            candidates.filter { $0 <= next && next - $0 <= Self.longestRun }.max() ?? nearest(candidates, to: next)
        }
    }

    /// The moment at which London's clocks show a time, of those in a range around `anchor` the one that is chosen.
    ///
    /// - Parameter orElse: whether the nearest of all will do where none is in the range, as on a day of 25 hours.
    private func moment(
        _ hour: Int, _ minute: Int, of anchor: Timestamp, within range: ClosedRange<Int64>, orElse: Bool = true,
        choose: ([Timestamp]) -> Timestamp?
    ) -> Timestamp? {
        func isNear(_ moment: Timestamp) -> Bool { range.contains(moment.microseconds &- anchor.microseconds) }
        if let steady, steadyDays.contains(anchor) {
            let wall = anchor.seconds + steady
            let midnight = wall - (wall % 86_400 + 86_400) % 86_400
            let time = midnight + Int64(hour * 3_600 + minute * 60) - steady
            let all = (-1...1).lazy.map { Timestamp(seconds: time + $0 * 86_400) }
            // No range is as long as a day: at most one of them is in it.
            return all.first(where: isNear) ?? (orElse ? nearest(all, to: anchor) : nil)
        }
        let all = moments(hour, minute, around: anchor)
        let near = all.filter(isNear)
        return near.isEmpty ? (orElse ? nearest(all, to: anchor) : nil) : choose(near)
    }

    /// The moments on the day of `anchor`, the day before and the day after.
    private func moments(_ hour: Int, _ minute: Int, around anchor: Timestamp) -> [Timestamp] {
        let today = zone.localTime(at: anchor).date.daysSince1970
        return (today - 1...today + 1).flatMap { day in
            LocalTime(CivilDate(daysSince1970: day), hour: hour, minute: minute).map(moments(of:)) ?? []
        }
    }

    private func moments(of local: LocalTime) -> [Timestamp] {
        switch zone.timestamps(of: local) {
        case .unique(let only), .skipped(let only): [only]
        case .ambiguous(let earlier, let later): [earlier, later]
        }
    }

    /// Of two that are equally near the later one, since boards tell what is to come.
    private func nearest(_ moments: some Sequence<Timestamp>, to moment: Timestamp) -> Timestamp? {
        moments.min { left, right in
            let (first, second) = (distance(left, moment), distance(right, moment))
            return first == second ? left > right : first < second
        }
    }

    private static func minutes(_ count: Int64) -> Int64 { count * 60_000_000 }

    private func distance(_ left: Timestamp, _ right: Timestamp) -> Duration {
        left < right ? right - left : left - right
    }
}
