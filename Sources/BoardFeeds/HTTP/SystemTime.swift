public import BoardCore
internal import Glibc

/// The machine's clocks, for those parts of the feeds that are given no other.
public enum SystemTime {
    /// The wall clock, right or wrong.
    @Sendable public static func wall() -> Timestamp {
        let time = read(CLOCK_REALTIME)
        return Timestamp(seconds: Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The time since the machine started, sleep included; no setting of the wall clock moves it.
    @Sendable public static func elapsed() -> Duration {
        let time = read(CLOCK_BOOTTIME)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time
    }
}
