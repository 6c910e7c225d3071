internal import Glibc

/// Something that happens once, for good, and that a thread can wait for in poll(2) beside other descriptors: how a
/// sleeping thread is told to end.
///
/// A pipe that closes with the last reference, so that a late signal never goes to a descriptor that has become another
/// file.
public final class WakeEvent: Sendable {
    /// What to poll for POLLIN.
    public let descriptor: Int32
    private let writer: Int32

    /// An event that has not happened.
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

    /// Makes it happen, from any thread, as often as one likes.
    public func signal() {
        var byte: UInt8 = 1
        _ = unsafe write(writer, &byte, 1)
    }
}
