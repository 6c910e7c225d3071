import BoardCore
import FoundationEssentials
import Synchronization
import Testing
import Waiting

@testable import BoardStore
@testable import boardd

@Suite("The service that keeps the stop directory", .endsHangs)
struct DirectoryServiceTests {
    /// The service around a scripted operator, and what it told.
    private final class Keeper: Sendable {
        let folder: TemporaryFolder
        let directory: StopDirectory
        let log = CapturedLog()
        let service: DirectoryService
        private let changes = Counter()

        /// How often it told of a new list.
        var told: Int { changes.count }
        var update: DirectoryService.State.Update? { service.report[Listed.feed]?.update }
        var next: Instant? { service.report[Listed.feed]?.next }

        init(
            _ catalogue: any StopCatalogue, _ folder: TemporaryFolder, schema: DirectorySchema = .current
        ) {
            self.folder = folder
            directory = StopDirectory(folder: folder.path, schema: schema)
            let changes = changes
            service = DirectoryService(
                directory, folder: folder.path, feeds: { _ in [Listed.feed] }, clock: SystemClock(),
                log: log.rateLimited(),
                source: { _ in catalogue }, changed: { changes.add() }, startDelay: .zero)
        }

        /// Runs the service while `body` looks, then ends it.
        func live(_ body: () async throws -> Void) async throws {
            let service = service
            let running = Task { try await service.run() }
            defer { running.cancel() }
            try await body()
            running.cancel()
            try await running.value
        }
    }

    private final class Counter: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    /// An operator that answers when its gate is opened.
    private func patient(_ gate: Latch) -> ScriptedCatalogue {
        ScriptedCatalogue { page throws(FeedFailure) in
            await gate.pass()
            if Task.isCancelled { throw FeedFailure(.cancelled, detail: "abandoned") }
            return ScriptedCatalogue.answer(page, of: [Listed.poles(1...4), Listed.poles(5...8)], total: 8)
        }
    }

    @Test("a request is under way from the moment it was made; one more while it runs begins no other")
    func request() async throws {
        let gate = Latch()
        let catalogue = patient(gate)
        let keeper = Keeper(catalogue, try TemporaryFolder())
        try await keeper.live {
            keeper.service.request()
            #expect(keeper.update == .running(.init(pages: 0, fraction: nil)))
            #expect(keeper.next == nil)
            #expect(await eventually { catalogue.asked == [1] })
            keeper.service.request()
            keeper.service.request()
            gate.open()
            #expect(await eventually { keeper.update == .idle })
            #expect(await eventually { keeper.told == 1 })
            let next = try #require(keeper.next)
            #expect(next - SystemClock().now() > .seconds(6 * 86_400))
        }
        #expect(catalogue.asked == [1, 2, 3])
        #expect(try Listed.codes(in: keeper.folder.path).count == 8)
        #expect(keeper.log.lines.isEmpty)
    }

    @Test("ending it in the middle of a list is no fault; the next one goes on with the page")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let catalogue = ScriptedCatalogue { page throws(FeedFailure) in
            if page == 2 {
                await Latch().pass()
                throw FeedFailure(.cancelled, detail: "abandoned")
            }
            return (Listed.poles(1...4), StopPage(entries: 4, total: 8))
        }
        let keeper = Keeper(catalogue, folder)
        try await keeper.live {
            keeper.service.request()
            #expect(await eventually { keeper.update == .running(.init(pages: 1, fraction: 0.5)) })
            #expect(await eventually { catalogue.asked == [1, 2] })
        }
        #expect(keeper.update == .idle)
        #expect(keeper.log.lines.isEmpty)
        let gate = Latch()
        gate.open()
        let rest = patient(gate)
        let again = Keeper(rest, folder)
        try await again.live {
            again.service.request()
            #expect(await eventually { again.told == 1 })
        }
        #expect(rest.asked == [2, 3])
    }

    @Test("a damaged file is moved aside, said, and made anew")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let live = "\(folder.path)/stops-tfl.sqlite"
        try Data(repeating: 0x5A, count: 50_000).write(to: URL(filePath: live))
        let keeper = Keeper(ScriptedCatalogue([Listed.poles(1...4)]), folder)
        try await keeper.live {
            #expect(await eventually { !keeper.log.lines.isEmpty })
            // The board may still show near stops of it.
            #expect(await eventually { keeper.told == 1 })
            // Soon by itself, not in a week; on a busy machine it may have begun already.
            let soon = await eventually {
                keeper.told > 1 || keeper.next.map { $0 - SystemClock().now() < .seconds(30) } ?? true
            }
            #expect(soon)
            keeper.service.request()
            #expect(await eventually { keeper.told > 1 })
        }
        let line = try #require(keeper.log.lines.first)
        #expect(line.hasPrefix("warning: \(live) is damaged"))
        #expect(line.hasSuffix("The damaged file is now \(live).corrupt."))
        #expect(keeper.log.lines.count == 1)
        #expect(FileManager.default.fileExists(atPath: live + ".corrupt"))
        #expect(try Listed.codes(in: folder.path).count == 4)
    }

    @Test("a file of an older version is brought up to date at the start, and the board is told")
    func older() async throws {
        let folder = try TemporaryFolder()
        try Listed.keep(Listed.poles(1...5), in: folder.path)
        let schema = DirectorySchema(
            steps: DirectorySchema.current.steps + [DirectorySchema.script("ALTER TABLE stop ADD COLUMN colour TEXT")])
        let keeper = Keeper(ScriptedCatalogue([Listed.poles(1...5)]), folder, schema: schema)
        #expect(keeper.directory.editions().found.isEmpty)
        try await keeper.live {
            #expect(await eventually { keeper.told == 1 })
            #expect(keeper.directory.editions().found.count == 1)
        }
        let version = schema.version
        #expect(
            keeper.log.lines == [
                "notice: the list of tfl's stops was brought from version \(version - 1) to \(version)"
            ])
        // A sound file is no news.
        let again = Keeper(ScriptedCatalogue([Listed.poles(1...5)]), folder, schema: schema)
        try await again.live {
            #expect(await eventually { again.next.map { $0 - SystemClock().now() > .seconds(86_400) } ?? false })
        }
        #expect(again.told == 0)
    }

    @Test("a file that a question finds damaged while it runs is moved aside, too")
    func damagedLater() async throws {
        let folder = try TemporaryFolder()
        try Listed.keep(Listed.poles(1...500), in: folder.path)
        let live = "\(folder.path)/stops-tfl.sqlite"
        let keeper = Keeper(ScriptedCatalogue([Listed.poles(1...500)]), folder)
        try await keeper.live {
            #expect(await eventually { keeper.next.map { $0 - SystemClock().now() > .seconds(86_400) } ?? false })
            // A disk that tells other bytes than were written.
            var bytes = try Data(contentsOf: URL(filePath: live))
            for place in stride(from: 4_096, to: bytes.count, by: 7) { bytes[place] = 0xFF }
            try bytes.write(to: URL(filePath: live))
            #expect(throws: DirectoryFailure.self) { try keeper.directory.search("stop", limit: 9) }
            keeper.service.request()
            #expect(await eventually { keeper.told > 0 && keeper.update == .idle })
            #expect(try keeper.directory.search("stop", limit: 9).found.count == 9)
        }
    }

    @Test("a fault is said when it begins and when it ends; in between the old list serves")
    func faults() async throws {
        let folder = try TemporaryFolder()
        try Listed.keep(Listed.poles(1...5), in: folder.path)
        let works = Counter()
        let catalogue = ScriptedCatalogue { page throws(FeedFailure) in
            guard works.count > 0 else { throw FeedFailure(.keyRejected, detail: "TfL refuses the key") }
            return ScriptedCatalogue.answer(page, of: [Listed.poles(1...6)], total: 6)
        }
        let keeper = Keeper(catalogue, folder)
        try await keeper.live {
            for count in 1...3 {
                keeper.service.request()
                #expect(
                    await eventually {
                        catalogue.asked.count == count && keeper.update == .failed("TfL refuses the key")
                    }
                )
            }
            let next = try #require(keeper.next)
            #expect(next - SystemClock().now() > .seconds(6 * 86_400))
            #expect(try Listed.codes(in: folder.path).count == 5)
            works.add()
            keeper.service.request()
            #expect(await eventually { keeper.told == 1 })
        }
        #expect(
            keeper.log.lines == [
                "warning: the list of tfl's stops: TfL refuses the key. The old list stays, and the new one is tried again.",
                "notice: the list of tfl's stops was taken anew: 6 stops, 1 lines",
            ])
    }

    @Test("without a network nothing is said: the board itself says it")
    func offline() async throws {
        let catalogue = ScriptedCatalogue { _ throws(FeedFailure) in
            throw FeedFailure(.noNetwork, detail: "no route")
        }
        let keeper = Keeper(catalogue, try TemporaryFolder())
        try await keeper.live {
            keeper.service.request()
            #expect(await eventually { keeper.update == .failed("no route") })
            let next = try #require(keeper.next)
            #expect(next - SystemClock().now() <= DirectorySchedule.offlineRetry)
        }
        #expect(keeper.log.lines.isEmpty)
    }

    @Test("while another process updates the list this one waits, and takes over what came of it")
    func other() async throws {
        let folder = try TemporaryFolder()
        let now = SystemClock().reading().wall
        let other = try DirectoryBuilder(folder: folder.path, feed: Listed.feed, at: now)
        let catalogue = ScriptedCatalogue([Listed.poles(1...5)])
        let keeper = Keeper(catalogue, folder)
        try await keeper.live {
            keeper.service.request()
            #expect(
                await eventually {
                    if case .failed(let text) = keeper.update { text.contains("already running") } else { false }
                })
            try other.begin(page: 1)
            for stop in Listed.poles(1...3) { try other.add(stop) }
            try other.commit(page: 1)
            try other.finish(at: now)
            #expect(catalogue.asked.isEmpty)
            keeper.service.request()
            // Once for what the other did, once for its own.
            #expect(await eventually { keeper.told == 2 && keeper.update == .idle })
        }
        #expect(keeper.log.lines.isEmpty)
    }

    @Test("the files are not checked while the board starts, unless somebody asks")
    func calm() async throws {
        let folder = try TemporaryFolder(["stops-other.sqlite": String(repeating: "no list ", count: 5_000)])
        let catalogue = ScriptedCatalogue([Listed.poles(1...5)])
        try Listed.keep(Listed.poles(1...5), in: folder.path)
        let service = DirectoryService(
            StopDirectory(folder: folder.path), folder: folder.path, feeds: { _ in [Listed.feed, FeedName("other")] },
            clock: SystemClock(), log: CapturedLog().rateLimited(),
            source: { feed in feed == Listed.feed ? catalogue : nil }, changed: {}, startDelay: .seconds(3_600))
        let running = Task { try await service.run() }
        #expect(
            await eventually {
                service.report[Listed.feed]?.next.map { $0 - SystemClock().now() > .seconds(86_400) } ?? false
            })
        #expect(!folder.read("stops-other.sqlite").isEmpty)
        service.request()
        #expect(await eventually { folder.read("stops-other.sqlite").isEmpty })
        #expect(await eventually { service.report[Listed.feed]?.update == .idle })
        #expect(catalogue.asked.first == 1)
        running.cancel()
        try await running.value
    }

    @Test("a feed without a list is none of its business")
    func noList() async throws {
        let folder = try TemporaryFolder()
        let service = DirectoryService(
            StopDirectory(folder: folder.path), folder: folder.path, feeds: { _ in [Listed.feed] },
            clock: SystemClock(),
            log: CapturedLog().rateLimited(), source: { _ in nil }, changed: {})
        let running = Task { try await service.run() }
        service.request()
        #expect(await eventually { service.report.isEmpty })
        running.cancel()
        try await running.value
    }
}
