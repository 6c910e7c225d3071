extension Zone {
    /// The moments at which a wall clock shows a local time.
    public enum Meaning: Hashable, Sendable {
        /// One moment, the usual case.
        case unique(Timestamp)
        /// The clock was put back: it shows the time twice (or more often; then the first and the last).
        case ambiguous(earlier: Timestamp, later: Timestamp)
        /// The clock was put forward over this time: the moment by the offset before the change.
        case skipped(Timestamp)
    }

    public func timestamps(of local: LocalTime) -> Meaning {
        // No clock is more than 26 hours from UTC (RFC 9636 §3.2), so only the offsets of these hours can apply.
        let wall = local.secondsSince1970
        let before = offsetSeconds(at: wall - 93_600)
        var candidates = [before]
        var moment = wall - 93_600
        while let change = nextChange(after: moment), change <= wall + 93_600 {
            candidates.append(offsetSeconds(at: change))
            moment = change
        }
        let matches = Set(candidates).filter { offsetSeconds(at: wall - Int64($0)) == $0 }
        guard let largest = matches.max(), let smallest = matches.min() else {
            return .skipped(Timestamp(seconds: wall - Int64(offsetBeforeGap(wall, before))))
        }
        let earlier = Timestamp(seconds: wall - Int64(largest))
        return largest == smallest
            ? .unique(earlier) : .ambiguous(earlier: earlier, later: Timestamp(seconds: wall - Int64(smallest)))
    }

    /// The moment at which a wall clock shows `local`; of two moments the one nearest to `moment`.
    public func timestamp(of local: LocalTime, nearest moment: Timestamp) -> Timestamp {
        switch timestamps(of: local) {
        case .unique(let only), .skipped(let only): only
        case .ambiguous(let earlier, let later): moment - earlier <= later - moment ? earlier : later
        }
    }

    /// The moment nearest to `moment` at which a wall clock shows a time of day; nil for an invalid time of day.
    ///
    /// For operators that write "12:45" for the nearest such time, today, yesterday or tomorrow.
    public func timestamp(hour: Int, minute: Int, second: Int = 0, nearest moment: Timestamp) -> Timestamp? {
        let today = localTime(at: moment).date.daysSince1970
        let candidates = (today - 1...today + 1).compactMap { day in
            LocalTime(CivilDate(daysSince1970: day), hour: hour, minute: minute, second: second)
                .map { timestamp(of: $0, nearest: moment) }
        }
        return candidates.min { ($0 - moment).magnitude < ($1 - moment).magnitude }
    }

    /// The offset before the change that skipped `wall`.
    private func offsetBeforeGap(_ wall: Int64, _ first: Int) -> Int {
        var before = first
        var moment = wall - 93_600
        while let change = nextChange(after: moment) {
            let after = offsetSeconds(at: change)
            if change + Int64(before) <= wall, wall < change + Int64(after) { return before }
            guard change <= wall + 93_600 else { break }
            before = after
            moment = change
        }
        return before
    }
}

extension Timestamp {
    /// Parses as ``init(rfc3339:)-(StringProtocol)``; a text without a zone is in `zone`. Of two moments when the clock is
    /// put back it is the nearest to `moment`, or the earlier one.
    public init?(rfc3339 text: some StringProtocol, in zone: Zone, nearest moment: Timestamp? = nil) {
        let utf8 = String(text).utf8
        guard let written = RFC3339Text(utf8.span) else { return nil }
        if let offset = written.offset {
            self.init(written, offset: offset)
            return
        }
        guard let wall = written.time.secondsSince1970(offset: 0) else { return nil }
        let local = LocalTime(secondsSince1970: wall)
        let second = zone.timestamp(of: local, nearest: moment ?? Timestamp(seconds: .min))
        self = second + .microseconds(written.microseconds)
    }
}
