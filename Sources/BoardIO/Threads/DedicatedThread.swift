internal import CLinux
internal import Glibc

/// Threads for blocking calls, which must not use Swift's cooperative pool with its one thread per core.
///
/// The threads block signals, so that SIGTERM and SIGHUP interrupt no bus transfer, and a connection that an operator
/// closed raises no SIGPIPE.
public enum DedicatedThread {
    /// Starts a detached thread, which ends with `body`.
    ///
    /// - Parameter name: the name for `top -H` and debuggers, of at most 15 bytes.
    /// - Throws: ``ThreadFailure`` when the system provides no thread; `body` does not run then.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadFailure) {
        let job = unsafe Unmanaged.passRetained(Job(name: name, body: body))
        // A thread inherits the signal mask of its creator; set here, the mask applies from its start.
        var masked = maskedSignals()
        var before = sigset_t()
        unsafe pthread_sigmask(SIG_SETMASK, &masked, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { @Sendable argument in
                guard let argument = unsafe argument else { return nil }
                let job = unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
                unsafe pthread_setname_np(pthread_self(), job.name)
                job.body()
                return nil
            }, job.toOpaque())
        guard code == 0 else {
            unsafe job.release()
            throw ThreadFailure(.noThread, code: code)
        }
        pthread_detach(thread)
    }

    /// Runs `body` on a dedicated thread and awaits its result, without blocking a thread of the pool.
    ///
    /// - Parameters:
    ///   - name: the name for `top -H` and debuggers, of at most 15 bytes.
    ///   - event: signalled when the task is cancelled; `body` must return then.
    /// - Throws: ``ThreadFailure`` when the system provides no thread; `body` does not run then.
    public static func run<Value: Sendable>(
        _ name: String, signallingCancellationTo event: WakeEvent? = nil, _ body: @escaping @Sendable () -> Value
    ) async throws(ThreadFailure) -> Value {
        let result: Result<Value, ThreadFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(ThreadFailure) {
                    try start(name) { continuation.resume(returning: .success(body())) }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            event?.signal()
        }
        return try result.get()
    }

    private final class Job: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Every signal except those that a thread's own error raises: a crash must reach the crash handler.
    private static func maskedSignals() -> sigset_t {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&signals, own) }
        return signals
    }
}
