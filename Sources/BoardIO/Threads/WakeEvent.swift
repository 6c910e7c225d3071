internal import Glibc

/// A one-time event that a thread can wait for in poll(2) beside other descriptors: it makes a sleeping thread end.
///
/// A pipe that closes with the last reference, so that a late signal never reaches a descriptor that has been reused for
/// another file.
public final class WakeEvent: Sendable {
    /// The descriptor to poll for POLLIN.
    public let descriptor: Int32
    private let writer: Int32

    /// An event that has not been signalled.
    ///
    /// - Throws: ``ThreadFailure`` when the process may open no more files.
    public init() throws(ThreadFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw ThreadFailure(.noWakeEvent, code: errno) }
        descriptor = ends[0]
        writer = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    /// Signals the event, from any thread and any number of times.
    public func signal() {
        var byte: UInt8 = 1
        _ = unsafe write(writer, &byte, 1)
    }
}
