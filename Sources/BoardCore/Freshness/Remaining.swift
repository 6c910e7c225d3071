/// A number of minutes held although the estimate rose by one minute, so that digits do not alternate.
struct MinuteHold: Hashable, Sendable, Codable {
    static let maximumDuration = Duration.seconds(119)
    /// How far beyond its number an estimate may be.
    private static let farthest = Duration.seconds(30)

    /// The minutes shown; 0 is "due".
    let minutes: Int
    let until: Instant

    /// The remaining time from which these minutes are not held.
    static func reach(of minutes: Int) -> Duration {
        (minutes == 0 ? Remaining.dueWithin : .seconds(60 * (minutes + 1))) + farthest
    }

    /// Whether the minutes are ever shown.
    var isValid: Bool { (0...60).contains(minutes) }
}

/// What a row counts: the time until the departure or, with a walk, until a person must leave.
enum Remaining: Hashable, Sendable {
    /// Less than 30 s, until the estimate expires.
    case due
    /// Whole minutes, rounded down, 1–60.
    case minutes(Int)
    /// More than an hour: the time of day.
    case time(Timestamp)
    /// More than a day: the row shows the day, and the fare if there is one.
    case later(Timestamp)
    /// Late, with no estimate.
    case delayed
    case cancelled
    /// Whole minutes until a person must leave, rounded down, 1–60.
    case leaveIn(Int)
    /// More than an hour until a person must leave: the time of day.
    case leaveAt(Timestamp)
    /// A person must leave within this minute.
    case leaveNow
    /// Too late to walk; a person who runs catches it.
    case run

    /// The last 30 seconds are "due" (mbta/realtime_signs and every printed board agree within seconds).
    static let dueWithin = Duration.seconds(30)
    static let minutesWithin = Duration.seconds(3_600)
    static let dayWithin = Duration.seconds(86_400)
    /// A person must leave now: the display's resolution is one minute.
    static let leavingWithin = Duration.seconds(60)

    /// The minutes to the departure: 0 for "due"; nil if no minutes are shown.
    var wholeMinutes: Int? {
        switch self {
        case .due: 0
        case .minutes(let count): count
        case .time, .later, .delayed, .cancelled, .leaveIn, .leaveAt, .leaveNow, .run: nil
        }
    }

    static func until(_ time: Timestamp, at now: Timestamp) -> Remaining {
        let duration = time - now
        if duration < dueWithin { return .due }
        if duration > dayWithin { return .later(time) }
        if duration > minutesWithin { return .time(time) }
        return .minutes(max(1, Int(duration.wholeSeconds / 60)))
    }

    /// Until a person must leave at `leaving`.
    static func untilLeaving(at leaving: Timestamp, walk: Duration, at now: Timestamp) -> Remaining {
        let duration = leaving - now
        // Who is at the stop does not run.
        if duration < .zero, walk > .zero { return .run }
        if duration < leavingWithin { return .leaveNow }
        return duration > minutesWithin ? .leaveAt(leaving) : .leaveIn(Int(duration.wholeSeconds / 60))
    }
}

extension Departure {
    /// When a person with this walking time must leave; nil: no time is known.
    func leaving(walk: Duration) -> Timestamp? { status.time.map { $0 - walk } }

    /// How many minutes later than booked it leaves, from 2; nil: on time, or not known.
    var minutesLate: Int? {
        guard let booked, case .expected(let time) = status, time - booked >= .seconds(120) else { return nil }
        return Int((time - booked).wholeSeconds / 60)
    }

    /// From when a person with this walking time does not even catch it at a run, which takes two thirds of the time;
    /// nil: no time is known, or there is no walk.
    func missed(walk: Duration?) -> Timestamp? {
        guard let walk, walk > .zero else { return nil }
        return status.time.map { $0 - walk * 2 / 3 }
    }
}
