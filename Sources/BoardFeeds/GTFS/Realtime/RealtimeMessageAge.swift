internal import BoardCore

/// The age of a message, for detecting frozen feeds: some operators send the same message for hours.
struct RealtimeMessageAge: Hashable, Sendable {
    /// The age from which a message is frozen, and the longest use of any message: its estimates are past by then
    /// (feeds.md §4.3). Operators make one every 15 to 60 s.
    static let frozenAfter = Duration.seconds(600)

    /// The age at the response; nil without a timestamp. Negative: from the future.
    let age: Duration?

    /// - Parameter date: the time of the response by the operator's clock (HTTP `Date`), else by ours.
    init(_ message: RealtimeMessage, at date: Timestamp) {
        age = message.madeAt.map { date - $0 }
    }

    /// Whether the operator has stopped making messages, so that nothing in this one is live.
    var isFrozen: Bool { age.map { $0 > Self.frozenAfter } ?? false }
}
