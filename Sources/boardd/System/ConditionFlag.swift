// Built as one module, Swift finds glibc's timespec in CLinux, whose header includes it first.
internal import CLinux
internal import Glibc

/// Wakes one sleeping thread, from any thread.
///
/// The sleep uses CLOCK_MONOTONIC. A semaphore of Dispatch waits with sem_timedwait(3) on Linux, which uses CLOCK_REALTIME:
/// when that is set back by an hour, the sleep lasts an hour longer.
@safe
final class ConditionFlag: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    /// Guarded by the mutex.
    private var isSet = false

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Ends the current sleep, or the next one.
    func set() {
        unsafe pthread_mutex_lock(mutex)
        isSet = true
        unsafe pthread_mutex_unlock(mutex)
        // With the mutex held the sleeper would wake only to wait for the mutex.
        unsafe pthread_cond_signal(condition)
    }

    /// Sleeps until the flag is set, and clears it.
    ///
    /// - Parameter limit: the longest sleep; nil: no limit.
    func wait(atMost limit: Duration?) {
        var end = limit.map(Self.end(after:)) ?? timespec()
        unsafe pthread_mutex_lock(mutex)
        while !isSet {
            let status =
                limit == nil
                ? unsafe pthread_cond_wait(condition, mutex) : unsafe pthread_cond_timedwait(condition, mutex, &end)
            guard status == 0 else { break }
        }
        isSet = false
        unsafe pthread_mutex_unlock(mutex)
    }

    /// The time of CLOCK_MONOTONIC at the end of a sleep that begins now.
    private static func end(after limit: Duration) -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        // A hundred years are long enough and cannot overflow.
        let (seconds, attoseconds) = min(max(limit, .zero), .seconds(3_155_760_000)).components
        let second = 1_000_000_000
        // Rounded up: an early end would only sleep again.
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000) + 1
        return timespec(tv_sec: now.tv_sec + Int(seconds) + nanoseconds / second, tv_nsec: nanoseconds % second)
    }
}
