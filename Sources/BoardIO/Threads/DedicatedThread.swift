import CLinux
import Glibc

/// Threads for blocking calls, which must not use Swift's cooperative pool with its one thread per core.
///
/// The threads block signals, so that SIGTERM and SIGHUP interrupt no bus transfer, and a connection that an operator
/// closed raises no SIGPIPE.
public enum DedicatedThread {
    /// Starts a detached thread, which ends with `body`.
    ///
    /// - Parameter name: the name for `top -H` and debuggers, of at most 15 bytes.
    /// - Throws: ``ThreadError`` when the system provides no thread; `body` does not run then.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
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
            throw ThreadError(.noThread, code: code)
        }
        pthread_detach(thread)
    }

    /// Runs `body` on a dedicated thread and awaits its result, without blocking a thread of the pool.
    ///
    /// - Parameters:
    ///   - name: the name for `top -H` and debuggers, of at most 15 bytes.
    ///   - event: signalled when the task is cancelled; `body` must return then.
    /// - Throws: ``ThreadError`` when the system provides no thread; `body` does not run then.
    public static func run<Value: Sendable>(
        _ name: String, signallingCancellationTo event: WakeEvent? = nil, _ body: @escaping @Sendable () -> Value
    ) async throws(ThreadError) -> Value {
        let result: Result<Value, ThreadError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(ThreadError) {
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

/// A missing system resource.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case noThread
        /// The descriptor of a ``WakeEvent``.
        case noWakeEvent
    }

    public let kind: Kind
    public let code: Int32

    public init(_ kind: Kind, code: Int32) {
        self.kind = kind
        self.code = code
    }

    /// What is missing, why, and what to check.
    public var description: String {
        switch kind {
        case .noThread: "cannot start a thread (\(errnoText(code))): check free memory and TasksMax in the unit"
        case .noWakeEvent:
            "cannot open an event (\(errnoText(code))): check the open files of this process (LimitNOFILE)"
        }
    }
}

/// Asynchronous work that threads and event loops start, as child tasks of ``run()``, which waits for them.
public final class ChildTasks: Sendable {
    public final class Job: Sendable {
        private let body: @Sendable (Job) async -> Void
        /// Ends with the work, or when it is cancelled.
        private let end: AsyncStream<Never>
        private let ending: AsyncStream<Never>.Continuation

        fileprivate init(_ body: @escaping @Sendable (Job) async -> Void) {
            self.body = body
            (end, ending) = AsyncStream.makeStream()
        }

        /// Cancels the work, from any thread, even before it begins.
        public func cancel() { ending.finish() }

        fileprivate func run() async {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await self.body(self)
                    self.ending.finish()
                }
                for await _ in end {}
                group.cancelAll()
            }
        }
    }

    private let jobs: AsyncStream<Job>
    private let starting: AsyncStream<Job>.Continuation

    public init() {
        (jobs, starting) = AsyncStream.makeStream()
    }

    /// Starts work, from any thread; before ``run()`` it waits, and after its end it does not begin.
    @discardableResult
    public func start(_ body: @escaping @Sendable (Job) async -> Void) -> Job {
        let job = Job(body)
        starting.yield(job)
        return job
    }

    /// No more work begins: ``run()`` returns when all that was started has ended.
    public func finish() { starting.finish() }

    /// Runs the work until ``finish()``, once. Cancellation cancels the work, and waits for its end.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job.run() } }
        }
    }
}

/// Wakes one thread, which sleeps in ``wait(atMost:)``, or in poll(2) with other descriptors.
///
/// An eventfd(2): poll(2) measures time by CLOCK_MONOTONIC. A Dispatch semaphore uses CLOCK_REALTIME on Linux
/// (sem_timedwait(3)): when that is set back by an hour, the sleep lasts an hour longer. The descriptor closes with the
/// last reference, so that a late signal never reaches one that has been reused for another file.
public final class WakeEvent: Sendable {
    /// The descriptor to poll for POLLIN.
    public let descriptor: Int32

    /// An event that has not been signalled.
    ///
    /// - Throws: ``ThreadError`` when the process may open no more files.
    public init() throws(ThreadError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw ThreadError(.noWakeEvent, code: errno) }
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
