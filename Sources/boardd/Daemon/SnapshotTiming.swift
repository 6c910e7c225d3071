internal import BoardCore

/// When a snapshot is saved: at once after a press; for responses together, since those of a round come within moments.
struct SnapshotTiming {
    /// The longest delay after a response. An earlier wake-up saves it too, and so costs none of its own.
    static let maximumDelay = Duration.seconds(5)

    /// Since when there are unsaved changes.
    private var since: Instant?

    /// The latest time for the next iteration; nil: everything is saved.
    var deadline: Instant? { since.map { $0 + Self.maximumDelay } }

    /// Registers an iteration of the loop; returns whether to save now.
    ///
    /// - Parameters:
    ///   - hasChanged: whether the iteration changed what a snapshot holds.
    ///   - hasOnlyResponses: whether the iteration handled only responses: more may follow at once.
    mutating func isDue(hasChanged: Bool, hasOnlyResponses: Bool, at now: Instant) -> Bool {
        if hasChanged { since = since ?? now }
        guard let since, !hasOnlyResponses || now - since >= Self.maximumDelay else { return false }
        self.since = nil
        return true
    }
}
