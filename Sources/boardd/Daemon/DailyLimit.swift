internal import BoardCore

/// How often a day something is said, so that a fault that comes and goes does not fill the log: an SD card dies of
/// writing.
struct DailyLimit {
    /// Four faults that begin and end.
    static let lines = 8
    private static let day = Duration.seconds(86_400)

    private var said: [Instant] = []

    /// Whether a sentence may be said now, and what belongs at its end.
    ///
    /// - Returns: what is to be added to the sentence; nil when it is not to be said.
    mutating func admit(at now: Instant) -> String? {
        said.removeAll { now - $0 >= Self.day }
        guard said.count < Self.lines else { return nil }
        said.append(now)
        return said.count < Self.lines ? "" : " It comes and goes; nothing more is said of it today."
    }
}
