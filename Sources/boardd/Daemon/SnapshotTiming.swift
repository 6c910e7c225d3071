internal import BoardCore

/// When the board is kept: what a person did at once; answers together, since those of a round come within moments.
struct SnapshotTiming {
    /// How long answers wait at most. Whatever else wakes the board sooner keeps them too: it costs no wake-up of its own.
    static let longestWait = Duration.seconds(5)

    /// Since when there is something that was not kept yet.
    private var since: Instant?

    /// Until when the board must turn again; nil: everything is kept.
    var deadline: Instant? { since.map { $0 + Self.longestWait } }

    /// Takes note of a turn; whether the board is to be kept now.
    ///
    /// - Parameters:
    ///   - hasChanged: whether the turn changed what is kept.
    ///   - areAnswersAlone: whether the turn took nothing but answers in: more may be on their way.
    mutating func isDue(hasChanged: Bool, hasOnlyResponses: Bool, at now: Instant) -> Bool {
        if hasChanged { since = since ?? now }
        guard let since, !hasOnlyResponses || now - since >= Self.longestWait else { return false }
        self.since = nil
        return true
    }
}
