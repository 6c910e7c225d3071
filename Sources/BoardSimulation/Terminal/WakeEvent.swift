internal import Glibc

/// A pipe whose reading end a thread can wait for beside other descriptors, to be told to end. It closes with the last
/// reference, so a late signal never goes to a descriptor that has become another file.
final class WakeEvent: Sendable {
    /// What to poll for reading.
    let descriptor: Int32
    private let writer: Int32

    /// An event that has not happened; nil when the process has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        let status = unsafe pipe(&ends)
        descriptor = ends[0]
        writer = ends[1]
        guard status == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        close(writer)
    }

    /// Makes it happen, for good. Called once.
    func signal() {
        var byte: UInt8 = 1
        _ = unsafe write(writer, &byte, 1)
    }
}
