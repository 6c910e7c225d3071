internal import Glibc

/// Runs a closure on a thread of its own, for calls that block: the cooperative pool has one thread a core.
enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a detached thread.
    ///
    /// - Parameter run: what it does; it ends with it.
    /// - Returns: why there is none, or nil.
    static func start(_ run: @escaping @Sendable () -> Void) -> GPIOErrno? {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            unsafe body.release()
            return GPIOErrno(code: code)
        }
        pthread_detach(thread)
        return nil
    }
}

/// A descriptor that becomes readable once, from any thread, and stays so: it ends a poll(2).
final class StopSignal: Sendable {
    /// What to poll for POLLIN.
    let descriptor: Int32
    private let writer: Int32

    init() throws(GPIOErrno) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw GPIOErrno(code: errno) }
        descriptor = ends[0]
        writer = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    /// Makes the descriptor readable for ever.
    func raise() {
        var byte: UInt8 = 1
        _ = unsafe write(writer, &byte, 1)
    }
}
