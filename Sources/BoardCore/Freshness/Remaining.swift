/// What a person reads of a departure's time.
public enum Remaining: Hashable, Sendable {
    /// Less than 30 s, until the estimate is void.
    case due
    /// Whole minutes, rounded down, 1–60.
    case minutes(Int)
    /// More than an hour: the time itself.
    case time(Timestamp)
    /// More than a day: its day stands in the row, and what it costs, where that is told.
    case later(Timestamp)
    /// Late, with no estimate.
    case delayed
    /// It does not run.
    case cancelled

    /// The last 30 seconds are "due" (mbta/realtime_signs and every printed board agree within seconds).
    static let dueWithin = Duration.seconds(30)
    /// From here on minutes are counted.
    static let minutesWithin = Duration.seconds(3_600)
    /// From here on a time of day says which day is meant.
    static let dayWithin = Duration.seconds(86_400)

    /// The minutes shown: 0 for "due"; nil where no minutes are shown.
    var wholeMinutes: Int? {
        switch self {
        case .due: 0
        case .minutes(let count): count
        case .time, .later, .delayed, .cancelled: nil
        }
    }

    /// Minutes as shown: 0 is "due".
    static func whole(minutes: Int) -> Remaining {
        minutes == 0 ? .due : .minutes(minutes)
    }

    /// What is shown of a time that is `duration` away.
    static func until(_ time: Timestamp, at now: Timestamp) -> Remaining {
        let duration = time - now
        if duration < dueWithin { return .due }
        if duration > dayWithin { return .later(time) }
        if duration > minutesWithin { return .time(time) }
        return .minutes(max(1, Int(duration.wholeSeconds / 60)))
    }
}

/// How much an estimate is worth.
public enum Freshness: Hashable, Sendable {
    /// A live estimate.
    case live
    /// A live estimate older than the feed's constant.
    case stale
    /// The timetable only.
    case scheduled
}

/// An old number held although the estimate rose by one minute, so that digits do not flap.
struct MinuteHold: Hashable, Sendable, Codable {
    /// The longest time that a number is held.
    static let longest = Duration.seconds(119)

    /// The minutes shown; 0 is "due".
    let minutes: Int
    /// When it is let go.
    let until: Instant
}

extension MinuteHold {
    /// A number that was kept.
    ///
    /// - Throws: `DecodingError` for one that is never shown.
    init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        let minutes = try kept.decode(Int.self, forKey: .minutes)
        guard (0...60).contains(minutes) else { throw DecodingError.invalid("minutes that are not shown", in: decoder) }
        self.init(minutes: minutes, until: try kept.decode(Instant.self, forKey: .until))
    }
}
