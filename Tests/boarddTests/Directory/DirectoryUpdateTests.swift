import BoardCore
import Synchronization
import Testing
import Waiting

@testable import BoardStore
@testable import boardd

@Suite("An update of a stop directory", .endsHangs)
struct DirectoryUpdateTests {
    /// Its waits take no time.
    private let clock = VirtualClock(skipsSleeps: true)

    /// The progress of an update.
    private final class Record: Sendable {
        private let state = Mutex<[DirectoryUpdate.Progress]>([])
        var progress: [DirectoryUpdate.Progress] { state.withLock { $0 } }

        func show(_ progress: DirectoryUpdate.Progress) { state.withLock { $0.append(progress) } }
    }

    private func update(
        _ catalogue: any StopCatalogue, _ folder: TemporaryFolder, _ clock: VirtualClock? = nil
    ) -> DirectoryUpdate {
        DirectoryUpdate(
            feed: SampleDirectory.feed, catalogue: catalogue, folder: folder.path, clock: clock ?? self.clock)
    }

    /// Nine stops on three pages, of which page `failing` fails.
    private func list(failing: Int, _ kind: FeedError.Kind) -> ScriptedCatalogue {
        let pages = [SampleDirectory.poles(1...3), SampleDirectory.poles(4...6), SampleDirectory.poles(7...9)]
        return ScriptedCatalogue { page throws(FeedError) in
            if page == failing { throw FeedError(kind, detail: "page \(page) did not come") }
            return ScriptedCatalogue.response(page, of: pages, total: 9)
        }
    }

    @Test("fetches page after page up to the empty one, and reports its progress after each")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let record = Record()
        let catalogue = ScriptedCatalogue([
            SampleDirectory.poles(1...4), SampleDirectory.poles(5...8), SampleDirectory.poles(9...10),
        ])
        try await update(catalogue, folder).run { record.show($0) }
        #expect(catalogue.requestedPages == [1, 2, 3, 4])
        #expect(try SampleDirectory.codes(in: folder.path).count == 10)
        #expect(
            record.progress == [
                .init(pages: 0, fraction: nil), .init(pages: 1, fraction: 0.4), .init(pages: 2, fraction: 0.8),
                .init(pages: 3, fraction: 1),
            ])
    }

    @Test("a failed update leaves the old list, and the next one fetches no page again")
    func halfWay() async throws {
        let folder = try TemporaryFolder()
        try SampleDirectory.write(SampleDirectory.poles(100...104), in: folder.path)
        let broken = list(failing: 2, .status(500))
        let failure = await #expect(throws: FeedError.self) { try await update(broken, folder).run { _ in } }
        #expect(failure?.kind == .status(500))
        #expect(broken.requestedPages == [1, 2, 2, 2])
        #expect(clock.slept == [.seconds(10), .seconds(10)])
        #expect(try StopDirectory(folder: folder.path).repair(SampleDirectory.feed) == .valid)
        #expect(try SampleDirectory.codes(in: folder.path) == Set((100...104).map { "490\($0)" }))

        let sound = list(failing: 0, .status(500))
        let rest = Record()
        try await update(sound, folder).run { rest.show($0) }
        #expect(sound.requestedPages == [2, 3, 4])
        #expect(try SampleDirectory.codes(in: folder.path) == Set((1...9).map { "490\($0)" }))
        // The page length is known after the second page.
        #expect(
            rest.progress == [
                .init(pages: 1, fraction: nil), .init(pages: 2, fraction: nil), .init(pages: 3, fraction: 1),
            ])
    }

    @Test("waits for the operator's Retry-After, up to a limit, and gives up where a retry would fail again")
    func waits() async throws {
        for (kind, waits) in [
            (.rateLimited(retryAfter: .seconds(7)), [.seconds(7), .seconds(7)]),
            (.rateLimited(retryAfter: .seconds(9_000)), [.seconds(120), .seconds(120)]), (.keyRejected, []),
            (.certificateDate, []),
        ] as [(FeedError.Kind, [Duration])] {
            let folder = try TemporaryFolder()
            let clock = VirtualClock(skipsSleeps: true)
            await #expect(throws: FeedError.self) {
                try await update(list(failing: 2, kind), folder, clock).run { _ in }
            }
            #expect(clock.slept == waits)
        }
    }

    @Test("a missing network fails on the first page; later, it is retried")
    func noNetwork() async throws {
        let folder = try TemporaryFolder()
        let first = list(failing: 1, .noNetwork)
        await #expect(throws: FeedError.self) { try await update(first, folder).run { _ in } }
        #expect(first.requestedPages == [1])
        let second = list(failing: 2, .noNetwork)
        await #expect(throws: FeedError.self) { try await update(second, folder).run { _ in } }
        #expect(second.requestedPages == [1, 2, 2, 2])
    }

    @Test("some pages are fetched at once, the others every three seconds: departures need the rate limit, too")
    func pace() async throws {
        let folder = try TemporaryFolder()
        let catalogue = ScriptedCatalogue((1...13).map { SampleDirectory.poles($0...$0) })
        try await update(catalogue, folder).run { _ in }
        #expect(catalogue.requestedPages.count == 14)
        #expect(clock.slept == Array(repeating: DirectoryUpdate.pause, count: 14 - DirectoryUpdate.burst))
    }

    @Test("a page without new stops is not the end while the operator's total is larger; without a total it is")
    func nothingNew() async throws {
        let counted = try TemporaryFolder()
        let pages = [SampleDirectory.poles(1...3), SampleDirectory.poles(1...3), SampleDirectory.poles(4...6)]
        try await update(ScriptedCatalogue(pages), counted).run { _ in }
        #expect(try SampleDirectory.codes(in: counted.path).count == 6)

        let others = (try TemporaryFolder(), try TemporaryFolder())
        let repeating = ScriptedCatalogue { _ throws(FeedError) in
            (SampleDirectory.poles(1...3), StopPage(entries: 3, total: nil))
        }
        try await update(repeating, others.0).run { _ in }
        #expect(repeating.requestedPages == [1, 2])

        let overcounting = ScriptedCatalogue { _ throws(FeedError) in
            (SampleDirectory.poles(1...3), StopPage(entries: 3, total: 30))
        }
        try await update(overcounting, others.1).run { _ in }
        #expect(overcounting.requestedPages.count == 10)
    }

    @Test("a cancelled update is no failure, and keeps its complete pages")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let catalogue = ScriptedCatalogue { page throws(FeedError) in
            guard page < 2 else {
                await untilCancelled()
                throw FeedError(.cancelled, detail: "abandoned")
            }
            return (SampleDirectory.poles(1...3), StopPage(entries: 3, total: 6))
        }
        let work = Task { try await update(catalogue, folder).run { _ in } }
        #expect(await eventually { catalogue.requestedPages == [1, 2] })
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        let next = ScriptedCatalogue([SampleDirectory.poles(1...3), SampleDirectory.poles(4...6)])
        try await update(next, folder).run { _ in }
        #expect(next.requestedPages == [2, 3])
        #expect(try SampleDirectory.codes(in: folder.path).count == 6)
    }

    @Test("a full disk is reported as such; the old list stays, and with free space the update resumes")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        try SampleDirectory.write(SampleDirectory.poles(1...5), in: folder.path)
        let pages = (0..<4).map { SampleDirectory.poles((1_000 + $0 * 500)...(1_499 + $0 * 500)) }
        let catalogue = ScriptedCatalogue(pages)
        var small = update(catalogue, folder)
        small.builder = { (folder, feed, moment) throws(StoreError) in
            try DirectoryBuilder(folder: folder, feed: feed, at: moment, maximumPages: 60)
        }
        let failure = await #expect(throws: StoreError.self) { try await small.run { _ in } }
        #expect(failure?.kind == .full)
        #expect(failure?.description.contains("no space is left") == true)
        #expect(try SampleDirectory.codes(in: folder.path).count == 5)
        let taken = catalogue.requestedPages.count - 1
        #expect(taken > 0)
        try await update(catalogue, folder).run { _ in }
        #expect(catalogue.requestedPages == Array(1...(taken + 1)) + Array((taken + 1)...5))
        #expect(try SampleDirectory.codes(in: folder.path).count == 2_000)
    }
}
