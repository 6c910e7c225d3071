internal import BoardCore

/// How far a message can be trusted: some operators answer for hours with the same one.
struct RealtimeState: Hashable, Sendable {
    /// What a message's age means.
    enum Trust: Hashable, Sendable {
        /// It was made just now, or does not say when.
        case fresh
        /// It is older than messages are made: worth a warning.
        case late
        /// The operator has stopped making them: nothing in it is live.
        case frozen
    }

    /// From here on a message is late; they are made every 15 to 60 seconds (feeds.md §4.3).
    static let lateAfter = Duration.seconds(90)
    /// From here on it is frozen.
    static let frozenAfter = Duration.seconds(300)

    /// When it was made, by its header; nil where that is not told.
    let made: Timestamp?
    /// How old it was when it came; nil where it does not say when it was made. Negative: it is from the future.
    let age: Duration?

    /// - Parameters:
    ///   - message: what came.
    ///   - date: when it came by the operator's own clock (HTTP `Date`), else by ours.
    init(_ message: RealtimeMessage, at date: Timestamp) {
        made = message.made
        age = message.made.map { date - $0 }
    }

    /// What the age means.
    var trust: Trust {
        guard let age else { return .fresh }
        if age > Self.frozenAfter { return .frozen }
        return age > Self.lateAfter ? .late : .fresh
    }
}
