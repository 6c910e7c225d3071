extension Task where Failure == Never {
    /// What the task comes to; nil as soon as the one that waits is cancelled.
    func valueUnlessCancelled() async -> Success? {
        let (values, ended) = AsyncStream.makeStream(of: Success.self)
        Task<Void, Never> {
            ended.yield(await self.value)
            ended.finish()
        }
        for await value in values { return value }
        return nil
    }
}
