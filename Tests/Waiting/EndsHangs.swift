internal import Glibc
package import Testing

/// Ends a test that hangs: it is cancelled and fails. Where even that does not end it, the whole run ends with its name,
/// since nothing else can.
///
/// `.timeLimit` of Swift Testing would do the first half, but counts the time in which a test waits for its turn among
/// all others, or for a core.
package struct EndsHangs: TestTrait, SuiteTrait, TestScoping {
    /// The sleep of a turn; see ``Patience``.
    private static let turn = Duration.seconds(1)
    /// Longer than a test waits for anything in it.
    private static let limit = Patience.usual * 3
    /// How long a test may take to end after it was cancelled.
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
            let words = Array("\(name) hangs, also after it was cancelled: the run ends here\n".utf8)
            _ = unsafe write(STDERR_FILENO, words, words.count)
            exit(EXIT_FAILURE)
        }
        defer { watch.cancel() }
        // Left without an await, it is cancelled, and its end is waited for.
        async let _ = Self.perform(function) { event.yield($0) }
        for await case let result in events {
            guard let result else {
                Issue.record(
                    "it hangs: it has not ended after \(Self.limit), not counting the time in which nothing could run",
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

    private static func sleep(_ limit: Duration) async throws {
        for _ in 0..<Patience.turns(of: limit, each: turn) { try await Task.sleep(for: turn) }
    }
}

extension Trait where Self == EndsHangs {
    /// Ends a test that hangs.
    package static var endsHangs: Self { EndsHangs() }
}
