package import BoardCore
import Synchronization

/// A clock that tests advance. What sleeps by it wakes when the clock has reached the end of the sleep.
package final class VirtualClock: MachineClock {
    private struct Sleeper {
        let duration: Duration
        let due: Instant
        let waker: AsyncStream<Never>.Continuation
    }

    private struct State {
        var elapsed = Duration.zero
        var wall: Timestamp
        var sleepers: [Int: Sleeper] = [:]
        var slept: [Duration] = []

        mutating func pass(_ duration: Duration) {
            elapsed += duration
            wall = wall + duration
        }
    }

    private static let start = Instant(microseconds: 0)

    private let state: Mutex<State>
    private let isSynchronised: Bool
    private let skipsSleeps: Bool

    /// - Parameters:
    ///   - isSynchronised: whether the system clock is set.
    ///   - skipsSleeps: each sleep advances the clock and ends at once.
    package init(
        wall: Timestamp = Timestamp(seconds: 1_900_000_000), isSynchronised: Bool = true, skipsSleeps: Bool = false
    ) {
        state = Mutex(State(wall: wall))
        self.isSynchronised = isSynchronised
        self.skipsSleeps = skipsSleeps
    }

    package func now() -> Instant { Self.start + elapsed }
    package func reading() -> CorrectedClock.Reading { .init(wall: wall, isSynchronised: isSynchronised) }
    package var wall: Timestamp { state.withLock { $0.wall } }

    /// What has passed since the clock was made.
    package var elapsed: Duration { state.withLock { $0.elapsed } }
    /// The length of each sleep so far, in order.
    package var slept: [Duration] { state.withLock { $0.slept } }

    package func sleep(until instant: Instant) async {
        let (end, waker) = AsyncStream.makeStream(of: Never.self)
        state.withLock { state in
            let duration = instant - (Self.start + state.elapsed)
            guard duration > .zero else { return waker.finish() }
            let number = state.slept.count
            state.slept.append(duration)
            if skipsSleeps {
                state.pass(duration)
                return waker.finish()
            }
            state.sleepers[number] = Sleeper(duration: duration, due: instant, waker: waker)
            waker.onTermination = { _ in self.state.withLock { $0.sleepers[number] = nil } }
        }
        for await _ in end {}
    }

    /// Advances both clocks, and wakes whose sleep is over.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.pass(duration)
            let now = Self.start + state.elapsed
            return state.sleepers.values.filter { $0.due <= now }.sorted { $0.due < $1.due }
        }
        // Without the lock, which ``sleep(until:)`` takes at the end of a stream.
        for sleeper in due { sleeper.waker.finish() }
    }

    /// Waits until something sleeps for so long, then lets that sleep pass.
    ///
    /// - Returns: false: nothing did.
    package func passSleep(of duration: Duration) async -> Bool {
        let due = await eventually {
            state.withLock { $0.sleepers.values.first { $0.duration == duration }?.due }
        }
        guard let due else { return false }
        advance(by: due - now())
        return true
    }

    /// Advances both clocks until so much has passed; back, too.
    package func go(to elapsed: Duration) { advance(by: elapsed - self.elapsed) }

    /// Sets the system clock alone.
    package func set(_ wall: Timestamp) { state.withLock { $0.wall = wall } }
}
