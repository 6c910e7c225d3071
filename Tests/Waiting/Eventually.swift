/// Time limits of tests, which only a broken program reaches.
///
/// A limit is counted in turns of the waiting task, not in time. A turn sleeps, then needs a thread of the pool and a core,
/// like everything that it waits for: on a busy machine all of them take longer alike, and a turn counts only its sleep.
package enum Patience {
    /// The sleep of a turn.
    package static let turn = Duration.milliseconds(5)
    /// Several times the longest wait of any test.
    package static let usual = Duration.seconds(150)
    /// A time limit for calls of the program that have their own, in tests of something else: longer than any call takes on
    /// the busiest machine. ``EndsHangs`` ends the test sooner.
    package static let endless = Duration.seconds(7_200)

    /// The number of turns of a limit.
    package static func turns(of limit: Duration, each turn: Duration = turn) -> Int {
        Int((limit / turn).rounded(.up))
    }
}

/// Waits until a condition holds; false when the limit is reached.
package func eventually(within limit: Duration = Patience.usual, _ condition: () async -> Bool) async -> Bool {
    for _ in 0..<Patience.turns(of: limit) {
        if await condition() { return true }
        // Other processes and threads give no event to wait for. A cancelled task would not sleep: its test is over.
        guard (try? await Task.sleep(for: Patience.turn)) != nil else { break }
    }
    return await condition()
}

/// Waits until there is a value; nil when the limit is reached.
package func eventually<Value: Sendable>(
    within limit: Duration = Patience.usual, _ value: () async -> Value?
) async -> Value? {
    var found: Value?
    _ = await eventually(within: limit) {
        found = await value()
        return found != nil
    }
    return found
}
