/// How long tests wait for what only a broken program does not do.
///
/// A limit is counted in turns of the waiting task, not in time. A turn sleeps, then needs a thread of the pool and
/// a core, as everything does that is waited for: on a busy machine all of that takes longer alike, and a turn counts as
/// no more than its sleep.
package enum Patience {
    /// The sleep of a turn.
    package static let turn = Duration.milliseconds(5)
    /// Enough for everything that any test waits for, several times over.
    package static let usual = Duration.seconds(150)
    /// A time limit for calls of the program that have one of their own, where a test is not about it: nothing takes
    /// so long, on however busy a machine. ``EndsHangs`` ends the test sooner.
    package static let endless = Duration.seconds(7_200)

    /// How many turns a limit has.
    package static func turns(of limit: Duration, each turn: Duration = turn) -> Int {
        Int((limit / turn).rounded(.up))
    }
}

/// Waits until something holds; false when it did not within the limit, which only a broken program reaches.
package func eventually(within limit: Duration = Patience.usual, _ condition: () async -> Bool) async -> Bool {
    for _ in 0..<Patience.turns(of: limit) {
        if await condition() { return true }
        // A task that was cancelled would not sleep: its test is over.
        guard (try? await Task.sleep(for: Patience.turn)) != nil else { break }
    }
    return await condition()
}

/// Waits until there is a value; nil when there was none within the limit, which only a broken program reaches.
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
