/// A number of minutes held although the estimate rose by one minute, so that digits do not alternate.
struct MinuteHold: Hashable, Sendable, Codable {
    static let longest = Duration.seconds(119)
    /// How far beyond its number an estimate may be.
    private static let farthest = Duration.seconds(30)

    /// The minutes shown; 0 is "due".
    let minutes: Int
    let until: Instant

    /// The remaining time from which on these minutes are not held.
    static func reach(of minutes: Int) -> Duration {
        (minutes == 0 ? Remaining.dueWithin : .seconds(60 * (minutes + 1))) + farthest
    }

    /// Whether the minutes are ever shown.
    var isValid: Bool { (0...60).contains(minutes) }
}
