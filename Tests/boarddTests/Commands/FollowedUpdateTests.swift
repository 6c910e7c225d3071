import BoardCore
import BoardFeeds
import BoardIO
import BoardService
import Synchronization
import Testing
import Waiting

@testable import BoardStore
@testable import boardd

@Suite("Following an update of stop lists", .endsHangs)
struct FollowedUpdateTests {
    /// Updates whose states a test sets; a request replaces them.
    private final class ScriptedUpdates: DirectoryUpdating {
        typealias States = [FeedName: DirectoryState.Update]

        private let states = Mutex<States>([:])
        private let requested: States

        init(whenRequested requested: States) {
            self.requested = requested
        }

        var report: [FeedName: (update: DirectoryState.Update, next: Instant?)] {
            states.withLock { $0.mapValues { ($0, nil) } }
        }

        func request(_ feed: FeedName?) { states.withLock { $0 = requested } }
    }

    private static let gtfs = FeedName("gtfs.town")
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func update(
        _ updates: ScriptedUpdates,
        _ progress: UpdateProgress = UpdateProgress(isTerminal: false, clock: SystemClock(), write: { _ in })
    ) throws -> FollowedUpdate {
        let declaration = try #require(FeedRegistry.feedOperator(SampleDirectory.feed)?.declaration)
        var configuration = Configuration()
        configuration.feeds[SampleDirectory.feed] = FeedSettings(defaultsOf: declaration)
        let directory = StopDirectory(folder: folder.path)
        let active = ActiveConfiguration(
            configuration: configuration, feeds: [:], favourites: FavouriteResolution([], in: directory))
        let service = LocalBoardService(
            directory: directory,
            editor: FavouritesEditor(
                path: "\(folder.path)/favourites.toml", declarations: FeedRegistry.declarations),
            clock: SystemClock(), active: { active }, catalogue: { _ in ScriptedCatalogue([]) }, updates: updates)
        return FollowedUpdate(
            service: service, feed: SampleDirectory.feed, progress: progress, interruption: { "interrupted" })
    }

    @Test("a failure at once is reported, and another feed's update is not awaited")
    func otherFeed() async throws {
        let updates = ScriptedUpdates(whenRequested: [
            SampleDirectory.feed: .failed(ServiceError(.notAllowed, "no route")),
            Self.gtfs: .running(pages: 3, fraction: nil),
        ])
        let outcome = try await update(updates).run()
        #expect(outcome.errors == [ServiceError(.notAllowed, "tfl: no route. The old list stays")])
        #expect(outcome.updated.isEmpty && !outcome.isInterrupted)
    }

    @Test(
        "a download that gets nothing is reported after 10 s, on a terminal and in a pipe, and then ever more seldom",
        arguments: [false, true])
    func silence(isTerminal: Bool) {
        let clock = VirtualClock()
        let written = Mutex("")
        let progress = UpdateProgress(isTerminal: isTerminal, clock: clock) { text in written.withLock { $0 += text } }
        for _ in 0..<140 {
            progress.show(Self.gtfs, .init(pages: 0, fraction: nil))
            clock.advance(by: .milliseconds(500))
        }
        progress.show(Self.gtfs, .init(pages: 1, fraction: nil))
        let lines = written.withLock { $0 }.split { $0 == "\n" || $0 == "\r" }.filter { $0.contains("still trying") }
        #expect(lines.count == 3)
        #expect(lines.first?.hasSuffix("gtfs.town: no further page for 10 s; still trying") == true)
        #expect(lines.last?.contains("40 s") == true)
    }

    @Test("a cancelled update reports the interruption, not a restart of the board")
    func interrupted() async throws {
        let update = try update(
            ScriptedUpdates(whenRequested: [SampleDirectory.feed: .running(pages: 0, fraction: nil)]))
        let running = Task { try await update.run() }
        running.cancel()
        let outcome = try await running.value
        #expect(outcome.isInterrupted)
        #expect(outcome.errors.map(\.message) == ["interrupted"])
    }
}
