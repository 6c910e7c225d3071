import Glibc
package import Testing

/// Cancels a test that hangs and records a failure. Where cancellation does not end it, the whole process exits with the
/// test's name.
///
/// Swift Testing's `.timeLimit` could do the first half, but includes the time in which a test waits for its turn or for a
/// core.
package struct EndsHangs: TestTrait, SuiteTrait, TestScoping {
    /// The sleep of a turn; see ``Patience``.
    private static let turn = Duration.seconds(1)
    /// Longer than any wait inside a test.
    private static let limit = Patience.usual * 3
    /// The time for a test to end after its cancellation.
    private static let end = Duration.seconds(60)

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let (events, event) = AsyncStream<Result<Void, any Error>?>.makeStream()
        let name = "\(test.displayName ?? test.name) (\(test.sourceLocation))"
        let watch = Task {
            try await Self.sleep(Self.limit)
            event.yield(nil)
            try await Self.sleep(Self.end)
            let words = Array("\(name) hangs, even after its cancellation: the process exits here\n".utf8)
            _ = unsafe write(STDERR_FILENO, words, words.count)
            exit(EXIT_FAILURE)
        }
        defer { watch.cancel() }
        // Without an await, it is cancelled at the end of the scope, which awaits it.
        async let _ = Self.perform(function) { event.yield($0) }
        for await case let result in events {
            guard let result else {
                Issue.record(
                    "the test hangs: it has not ended after \(Self.limit), not counting the time in which nothing could run",
                    sourceLocation: test.sourceLocation)
                return
            }
            return try result.get()
        }
    }

    private static func perform(
        _ function: @concurrent @Sendable () async throws -> Void, _ end: @Sendable (Result<Void, any Error>) -> Void
    ) async {
        do {
            end(.success(try await function()))
        } catch {
            end(.failure(error))
        }
    }

    /// Real time, because a hang has no other sign.
    private static func sleep(_ limit: Duration) async throws {
        for _ in 0..<Patience.turns(of: limit, each: turn) { try await Task.sleep(for: turn) }
    }
}

extension Trait where Self == EndsHangs {
    package static var endsHangs: Self { EndsHangs() }
}
