internal import CLinux
internal import Glibc

/// Wakes one thread, which sleeps in ``wait(atMost:)``, or in poll(2) beside other descriptors.
///
/// An eventfd(2), whose poll(2) counts the time by CLOCK_MONOTONIC. A semaphore of Dispatch uses CLOCK_REALTIME on Linux
/// (sem_timedwait(3)): when that is set back by an hour, the sleep lasts an hour longer. The descriptor closes with the last
/// reference, so that a late signal never reaches one that has been reused for another file.
public final class WakeEvent: Sendable {
    /// The descriptor to poll for POLLIN.
    public let descriptor: Int32

    /// An event that has not been signalled.
    ///
    /// - Throws: ``ThreadFailure`` when the process may open no more files.
    public init() throws(ThreadFailure) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw ThreadFailure(.noWakeEvent, code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Signals the event, from any thread and any number of times.
    public func signal() {
        eventfd_write(descriptor, 1)
    }

    /// Sleeps until the event is signalled, and clears it.
    ///
    /// - Parameter limit: the longest sleep, at most 24 days; nil: no limit.
    /// - Returns: whether the event was signalled.
    @discardableResult
    public func wait(atMost limit: Duration? = nil) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, limit?.pollLimit ?? -1) > 0 else { return false }
        var count: eventfd_t = 0
        unsafe eventfd_read(descriptor, &count)
        return true
    }
}

extension Duration {
    /// The time limit of poll(2) in milliseconds, at most 24 days. Rounded up: an early end would only sleep again.
    public var pollLimit: Int32 {
        Int32(min(max(self, .zero) / .milliseconds(1), Double(Int32.max - 1)).rounded(.up))
    }
}
