internal import BoardCore

/// How far a message can be trusted: some operators answer for hours with the same one.
struct RealtimeMessageAge: Hashable, Sendable {
    /// A message that is older than this is not believed, and no message is of use for longer: what it tells is past by then
    /// (feeds.md §4.3). They are made every 15 to 60 seconds.
    static let frozenAfter = Duration.seconds(600)

    /// How old it was when it came; nil where it does not say when it was made. Negative: it is from the future.
    let age: Duration?

    /// - Parameters:
    ///   - message: what came.
    ///   - date: when it came by the operator's own clock (HTTP `Date`), else by ours.
    init(_ message: RealtimeMessage, at date: Timestamp) {
        age = message.madeAt.map { date - $0 }
    }

    /// Whether the operator has stopped making them: nothing in it is live.
    var isFrozen: Bool { age.map { $0 > Self.frozenAfter } ?? false }
}
