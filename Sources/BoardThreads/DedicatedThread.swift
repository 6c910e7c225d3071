internal import CLinux
internal import Glibc

/// Threads for calls that block: never on Swift's cooperative pool, which has one thread a core.
///
/// Signals stay with the threads that the program has for them, so that SIGTERM and SIGHUP interrupt no transfer on the
/// bus, and a connection that an operator closed raises no SIGPIPE.
public enum DedicatedThread {
    /// The most bytes of a thread's name that the kernel keeps.
    private static let longestName = 15

    /// Starts a thread, detached: it ends with `body`.
    ///
    /// - Parameters:
    ///   - name: what `top -H` and a debugger show; cut to 15 bytes.
    ///   - body: the thread's whole life.
    /// - Throws: ``ThreadFailure`` when the system gives no thread; `body` does not run then.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadFailure) {
        let job = unsafe Unmanaged.passRetained(Job(name: shortened(name), body: body))
        // A thread inherits the mask of the one that makes it; set here, there is no moment without it.
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

    /// Runs `body` on a thread of its own and waits, without holding a thread of the pool, for what it returns.
    ///
    /// - Parameters:
    ///   - name: what `top -H` and a debugger show; cut to 15 bytes.
    ///   - event: happens when the task is cancelled, and nothing else does: `body` must end by it.
    ///   - body: the thread's whole life.
    /// - Throws: ``ThreadFailure`` when the system gives no thread; `body` does not run then.
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

    /// The longest beginning of whole characters that fits.
    private static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > longestName { short.removeLast() }
        return short
    }

    /// Every signal but those that a thread's own mistake raises: a crash must reach whoever reports crashes.
    private static func maskedSignals() -> sigset_t {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&signals, own) }
        return signals
    }
}
