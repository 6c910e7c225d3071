extension Task where Failure == Never {
    /// The task's value; nil as soon as the waiting task is cancelled.
    func valueUnlessCancelled() async -> Success? {
        let (values, ended) = AsyncStream.makeStream(of: Success.self)
        Task<Void, Never> {
            ended.yield(await self.value)
            ended.finish()
        }
        for await value in values { return value }
        return nil
    }

    /// Waits for the task to finish.
    ///
    /// - Returns: whether it finished in time; nil as soon as the waiting task is cancelled.
    func finishes(within timeout: Duration) async -> Bool? {
        let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
        let alarm = Task<Void, Never> {
            try? await Task<Never, Never>.sleep(for: timeout)
            ended.yield(false)
            ended.finish()
        }
        defer { alarm.cancel() }
        Task<Void, Never> {
            _ = await self.value
            ended.yield(true)
            ended.finish()
        }
        for await end in ends { return end }
        return nil
    }
}
