internal import BoardControl
internal import BoardThreads

extension DedicatedThread {
    /// Runs `body` on a thread of its own and waits for it; where the system gives no thread, that is a refusal like those
    /// of `body`.
    static func refusing<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws(ControlError) -> Value
    ) async throws(ControlError) -> Value {
        let result: Result<Value, ControlError>
        do throws(ThreadFailure) {
            result = try await run(name) { Result { () throws(ControlError) in try body() } }
        } catch {
            throw ControlError(.failed, "\(error)")
        }
        return try result.get()
    }
}
