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

        /// Cancels the work, from any thread, also before it begins.
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
