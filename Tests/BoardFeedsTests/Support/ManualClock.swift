import BoardCore
import Synchronization

/// A clock that tests advance.
final class ManualClock: MachineClock {
    private let state: Mutex<(elapsed: Duration, wall: Timestamp)>

    /// A clock at the machine's start, with this wall clock.
    init(wall: Timestamp = Timestamp(seconds: 1_900_000_000)) {
        state = Mutex((.zero, wall))
    }

    func now() -> Instant { Instant(microseconds: 0) + state.withLock { $0.elapsed } }

    func reading() -> CorrectedClock.Reading {
        CorrectedClock.Reading(wall: state.withLock { $0.wall }, isSynchronised: true)
    }

    /// Advances both clocks until the elapsed time is this; back, too.
    func go(to elapsed: Duration) {
        state.withLock { state in
            state.wall = state.wall + (elapsed - state.elapsed)
            state.elapsed = elapsed
        }
    }

    /// Sets the wall clock alone.
    func set(_ wall: Timestamp) {
        state.withLock { $0.wall = wall }
    }
}
