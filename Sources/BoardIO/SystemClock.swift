public import BoardCore
import CLinux
import Glibc

public struct SystemClock: MachineClock {
    public init() {}

    public func now() -> Instant {
        Instant(microseconds: microseconds(of: CLOCK_BOOTTIME))
    }

    public func reading() -> CorrectedClock.Reading {
        CorrectedClock.Reading(
            wall: Timestamp(microseconds: microseconds(of: CLOCK_REALTIME)),
            // Set by timesyncd, chrony, ntpd or a GPS.
            isSynchronised: boardd_clock_is_synchronised() == 1)
    }

    public func sleep(until instant: Instant) async {
        let left = instant - now()
        // Where nothing is left, Task.sleep would still wake a thread of the pool.
        if left > .zero { try? await Task.sleep(for: left) }
    }

    private func microseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

/// The clocks during a replay: the recording's times are moved to the present, so the clock counts as synchronised.
public struct ReplayClock: MachineClock {
    private let system = SystemClock()

    public init() {}

    public func now() -> Instant { system.now() }

    public func reading() -> CorrectedClock.Reading {
        CorrectedClock.Reading(wall: system.reading().wall, isSynchronised: true)
    }

    public func sleep(until instant: Instant) async { await system.sleep(until: instant) }
}
