/// A number of minutes held although the estimate rose by one minute, so that digits do not alternate.
struct MinuteHold: Hashable, Sendable, Codable {
    static let longest = Duration.seconds(119)

    /// The minutes shown; 0 is "due".
    let minutes: Int
    let until: Instant

    /// Whether the minutes are ever shown.
    var isValid: Bool { (0...60).contains(minutes) }
}
