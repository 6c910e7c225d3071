package import BoardIO

extension DedicatedThread {
    /// Runs `body` on a thread of its own and waits for it, unless the task was cancelled. A thread that cannot be started is a
    /// ``ServiceError``, too.
    package static func attempt<Value: Sendable>(
        _ name: String = "directory", _ body: @escaping @Sendable () throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        try ServiceError.checkCancellation()
        let result: Result<Value, ServiceError>
        do throws(ThreadFailure) {
            result = try await run(name) { Result { () throws(ServiceError) in try body() } }
        } catch {
            throw ServiceError(.failed, "\(error)")
        }
        return try result.get()
    }
}
