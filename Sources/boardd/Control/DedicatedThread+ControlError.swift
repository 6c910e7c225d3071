internal import BoardControl
internal import BoardIO

extension DedicatedThread {
    /// Runs `body` on a thread of its own and waits for it. A thread that cannot be started is a ``ControlError``, too.
    static func attempt<Value: Sendable>(
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
