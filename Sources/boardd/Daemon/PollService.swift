internal import BoardCore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Carries out poll commands: every question in a task of its own, so that an operator that never answers holds nobody
/// up. The transport bounds how many are under way at once.
final class PollService: Service {
    private let feeds: Mutex<[FeedName: any DepartureFeed]>
    private let questions: AsyncStream<FeedQuestion>
    private let continuation: AsyncStream<FeedQuestion>.Continuation
    private let faults: Mutex<FaultLog>
    private let report: @Sendable (Board.Event) -> Void

    init(
        feeds: [FeedName: any DepartureFeed], logger: Logger, report: @escaping @Sendable (Board.Event) -> Void
    ) {
        self.feeds = Mutex(feeds)
        faults = Mutex(FaultLog(logger: logger))
        self.report = report
        (questions, continuation) = AsyncStream.makeStream()
    }

    /// Asks, from any thread; the answer goes to the board.
    func ask(_ question: FeedQuestion) {
        continuation.yield(question)
    }

    /// Takes over the feeds of a new configuration.
    func replace(_ feeds: [FeedName: any DepartureFeed]) {
        self.feeds.withLock { $0 = feeds }
    }

    func run() async throws {
        await withDiscardingTaskGroup { group in
            for await question in questions.cancelOnGracefulShutdown() {
                group.addTask { await self.carryOut(question) }
            }
            group.cancelAll()
        }
    }

    private func carryOut(_ question: FeedQuestion) async {
        guard let feed = feeds.withLock({ $0[question.stop.feed] }) else { return }
        do throws(FeedFailure) {
            let answer = try await feed.departures(question)
            faults.withLock { $0.answered(answer, by: feed.profile) }
            report(.answered(answer))
        } catch {
            faults.withLock { $0.failed(question.stop, error, of: feed.profile) }
            report(.failed(question.stop, error))
        }
    }
}
