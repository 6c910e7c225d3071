internal import Glibc

/// A thread for calls that block, outside Swift's cooperative pool, which has one thread a core.
enum OwnThread {
    /// Runs `body` on a new thread; false when the system gives none, and `body` does not run.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = unsafe Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let status = unsafe pthread_create(
            &thread, &attributes,
            { @Sendable argument in
                guard let argument = unsafe argument else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                body.run()
                return nil
            }, box.toOpaque())
        if status != 0 { unsafe box.release() }
        return status == 0
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
