internal import BoardCore
internal import BoardIO

extension DedicatedThread {
    /// Runs code of a feed that blocks.
    ///
    /// - Parameters:
    ///   - name: the thread's name.
    ///   - work: what `body` does, for the failure that there is no thread: "LA Metro: reading stops".
    ///   - failure: makes a feed's failure of an error of `body`.
    static func run<Value: Sendable, Failure: Error>(
        _ name: String, _ work: String, _ body: @escaping @Sendable () throws(Failure) -> Value,
        failure: (Failure) -> FeedFailure
    ) async throws(FeedFailure) -> Value {
        let result: Result<Value, Failure>
        do {
            result = try await run(name) { Result { () throws(Failure) in try body() } }
        } catch {
            throw FeedFailure(.cancelled, detail: "\(work) failed: \(error)")
        }
        return try result.mapError(failure).get()
    }
}
