internal import BoardCore
internal import Glibc

/// Converts the time stamps of GPIO events to instants.
///
/// The kernel stamps edges with CLOCK_MONOTONIC, which stops during suspend; instants use CLOCK_BOOTTIME.
struct EventClock: Sendable {
    let now: @Sendable () -> Instant
    /// The difference CLOCK_BOOTTIME − CLOCK_MONOTONIC in microseconds.
    let aheadOfMonotonic: @Sendable () -> Int64

    static let system = EventClock(
        now: { Instant(microseconds: nanoseconds(CLOCK_BOOTTIME) / 1_000) },
        aheadOfMonotonic: {
            // Read between two readings of the other clock; repeated where the thread was preempted in between.
            var ahead: Int64 = 0
            for _ in 0..<4 {
                let before = nanoseconds(CLOCK_MONOTONIC)
                let boot = nanoseconds(CLOCK_BOOTTIME)
                let after = nanoseconds(CLOCK_MONOTONIC)
                ahead = (boot - before - (after - before) / 2) / 1_000
                if after - before < 50_000 { break }
            }
            return ahead
        })

    /// The instant of an edge.
    ///
    /// Never later than now: kernels before 5.7 stamp with the wall clock, whose values are far in the future.
    func instant(ofMonotonic nanoseconds: UInt64) -> Instant {
        let mapped = Instant(microseconds: Int64(clamping: nanoseconds / 1_000)) + .microseconds(aheadOfMonotonic())
        return min(mapped, now())
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
