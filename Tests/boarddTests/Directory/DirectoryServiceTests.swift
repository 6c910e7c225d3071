import BoardCore
import BoardIO
import BoardService
import FoundationEssentials
import Synchronization
import Testing
import Waiting

@testable import BoardStore
@testable import boardd

@Suite("The service that updates the stop directory", .endsHangs)
struct DirectoryServiceTests {
    /// The service with a scripted operator, and its reports.
    private final class ServiceFixture: Sendable {
        let folder: TemporaryFolder
        let directory: StopDirectory
        let log = CapturedLog()
        let service: DirectoryService
        private let changes = Counter()

        /// How often it reported a new list.
        var changeCount: Int { changes.count }
        var update: DirectoryState.Update? { service.report[SampleDirectory.feed]?.update }
        var next: Instant? { service.report[SampleDirectory.feed]?.next }

        init(_ catalogue: any StopCatalogue, _ folder: TemporaryFolder, schema: DirectorySchema = .current) {
            self.folder = folder
            directory = StopDirectory(folder: folder.path, schema: schema)
            let changes = changes
            service = DirectoryService(
                directory, folder: folder.path, feeds: { _ in [SampleDirectory.feed] }, clock: SystemClock(),
                log: log.rateLimited(),
                source: { _ in catalogue }, changed: { changes.add() }, startDelay: .zero)
        }

        /// Runs the service during `body`, then ends it.
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

    /// An operator that responds when its gate is open.
    private func patient(_ gate: Latch) -> ScriptedCatalogue {
        ScriptedCatalogue { page throws(FeedError) in
            await gate.pass()
            if Task.isCancelled { throw FeedError(.cancelled, detail: "abandoned") }
            return ScriptedCatalogue.response(
                page, of: [SampleDirectory.poles(1...4), SampleDirectory.poles(5...8)], total: 8)
        }
    }

    @Test("an update is in progress from the moment of its request; further requests meanwhile start no other")
    func request() async throws {
        let gate = Latch()
        let catalogue = patient(gate)
        let fixture = ServiceFixture(catalogue, try TemporaryFolder())
        try await fixture.live {
            fixture.service.request(nil)
            #expect(fixture.update == .running(pages: 0, fraction: nil))
            #expect(fixture.next == nil)
            #expect(await eventually { catalogue.requestedPages == [1] })
            fixture.service.request(nil)
            fixture.service.request(nil)
            gate.open()
            #expect(await eventually { fixture.update == .idle })
            #expect(await eventually { fixture.changeCount == 1 })
            let next = try #require(fixture.next)
            #expect(next - SystemClock().now() > .seconds(6 * 86_400))
        }
        #expect(catalogue.requestedPages == [1, 2, 3])
        #expect(try SampleDirectory.codes(in: fixture.folder.path).count == 8)
        #expect(fixture.log.lines.isEmpty)
    }

    @Test("a shutdown during an update is no fault; the next update resumes at the page")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let catalogue = ScriptedCatalogue { page throws(FeedError) in
            if page == 2 {
                await untilCancelled()
                throw FeedError(.cancelled, detail: "abandoned")
            }
            return (SampleDirectory.poles(1...4), StopPage(entries: 4, total: 8))
        }
        let fixture = ServiceFixture(catalogue, folder)
        try await fixture.live {
            fixture.service.request(nil)
            #expect(await eventually { fixture.update == .running(pages: 1, fraction: 0.5) })
            #expect(await eventually { catalogue.requestedPages == [1, 2] })
        }
        #expect(fixture.update == .idle)
        #expect(fixture.log.lines.isEmpty)
        let gate = Latch()
        gate.open()
        let rest = patient(gate)
        let again = ServiceFixture(rest, folder)
        try await again.live {
            again.service.request(nil)
            #expect(await eventually { again.changeCount == 1 })
        }
        #expect(rest.requestedPages == [2, 3])
    }

    @Test("a damaged file is moved aside, logged, and downloaded again")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let live = "\(folder.path)/stops-tfl.sqlite"
        try Data(repeating: 0x5A, count: 50_000).write(to: URL(filePath: live))
        let fixture = ServiceFixture(ScriptedCatalogue([SampleDirectory.poles(1...4)]), folder)
        try await fixture.live {
            #expect(await eventually { !fixture.log.lines.isEmpty })
            // The board may still show nearby stops of it.
            #expect(await eventually { fixture.changeCount == 1 })
            // Soon by itself, not in a week; on a busy machine it may have begun already.
            let soon = await eventually {
                fixture.changeCount > 1 || fixture.next.map { $0 - SystemClock().now() < .seconds(30) } ?? true
            }
            #expect(soon)
            fixture.service.request(nil)
            #expect(await eventually { fixture.changeCount > 1 })
        }
        let line = try #require(fixture.log.lines.first)
        #expect(line.hasPrefix("warning: \(live) is damaged"))
        #expect(line.hasSuffix("The damaged file is now \(live).corrupt."))
        #expect(fixture.log.lines.count == 1)
        #expect(FileManager.default.fileExists(atPath: live + ".corrupt"))
        #expect(try SampleDirectory.codes(in: folder.path).count == 4)
    }

    @Test("a file of an older version is migrated at the start, and the board is notified")
    func older() async throws {
        let folder = try TemporaryFolder()
        try SampleDirectory.write(SampleDirectory.poles(1...5), in: folder.path)
        let schema = DirectorySchema(
            steps: DirectorySchema.current.steps + [DirectorySchema.script("ALTER TABLE stop ADD COLUMN colour TEXT")])
        let fixture = ServiceFixture(ScriptedCatalogue([SampleDirectory.poles(1...5)]), folder, schema: schema)
        #expect(fixture.directory.editions().found.isEmpty)
        try await fixture.live {
            #expect(await eventually { fixture.changeCount == 1 })
            #expect(fixture.directory.editions().found.count == 1)
        }
        let version = schema.version
        #expect(
            fixture.log.lines == ["notice: stop list of tfl migrated from version \(version - 1) to \(version)"])
        // A sound file is not logged.
        let again = ServiceFixture(ScriptedCatalogue([SampleDirectory.poles(1...5)]), folder, schema: schema)
        try await again.live {
            #expect(await eventually { again.next.map { $0 - SystemClock().now() > .seconds(86_400) } ?? false })
        }
        #expect(again.changeCount == 0)
    }

    @Test("a file that a query finds damaged later is moved aside, too")
    func damagedLater() async throws {
        let folder = try TemporaryFolder()
        try SampleDirectory.write(SampleDirectory.poles(1...500), in: folder.path)
        let live = "\(folder.path)/stops-tfl.sqlite"
        let fixture = ServiceFixture(ScriptedCatalogue([SampleDirectory.poles(1...500)]), folder)
        try await fixture.live {
            #expect(await eventually { fixture.next.map { $0 - SystemClock().now() > .seconds(86_400) } ?? false })
            // A disk that returns other bytes than were written.
            var bytes = try Data(contentsOf: URL(filePath: live))
            for place in stride(from: 4_096, to: bytes.count, by: 7) { bytes[place] = 0xFF }
            try bytes.write(to: URL(filePath: live))
            #expect(throws: StoreError.self) { try fixture.directory.search("stop", limit: 9) }
            fixture.service.request(nil)
            #expect(await eventually { fixture.changeCount > 0 && fixture.update == .idle })
            #expect(try fixture.directory.search("stop", limit: 9).found.count == 9)
        }
    }

    @Test("a fault is logged when it begins and when it ends; meanwhile the old list is used")
    func faults() async throws {
        let folder = try TemporaryFolder()
        try SampleDirectory.write(SampleDirectory.poles(1...5), in: folder.path)
        let works = Counter()
        let catalogue = ScriptedCatalogue { page throws(FeedError) in
            guard works.count > 0 else { throw FeedError(.keyRejected, detail: "TfL rejects the key") }
            return ScriptedCatalogue.response(page, of: [SampleDirectory.poles(1...6)], total: 6)
        }
        let fixture = ServiceFixture(catalogue, folder)
        try await fixture.live {
            for count in 1...3 {
                fixture.service.request(nil)
                #expect(
                    await eventually {
                        catalogue.requestedPages.count == count
                            && fixture.update == .failed(ServiceError(.notAllowed, "TfL rejects the key"))
                    }
                )
            }
            let next = try #require(fixture.next)
            #expect(next - SystemClock().now() > .seconds(6 * 86_400))
            #expect(try SampleDirectory.codes(in: folder.path).count == 5)
            works.add()
            fixture.service.request(nil)
            #expect(await eventually { fixture.changeCount == 1 })
        }
        #expect(
            fixture.log.lines == [
                "warning: stop list of tfl: update failed: TfL rejects the key. Keeping the old list. Retrying.",
                "notice: stop list of tfl updated: 6 stops, 1 lines",
            ])
    }

    @Test("a missing network is not logged: the board itself shows it")
    func offline() async throws {
        let catalogue = ScriptedCatalogue { _ throws(FeedError) in
            throw FeedError(.noNetwork, detail: "no route")
        }
        let fixture = ServiceFixture(catalogue, try TemporaryFolder())
        try await fixture.live {
            fixture.service.request(nil)
            #expect(await eventually { fixture.update == .failed(ServiceError(.unavailable, "no route")) })
            let next = try #require(fixture.next)
            #expect(next - SystemClock().now() <= DirectorySchedule.offlineRetry)
        }
        #expect(fixture.log.lines.isEmpty)
    }

    @Test("while another process updates the list the service waits, and then uses the new list")
    func other() async throws {
        let folder = try TemporaryFolder()
        let now = SystemClock().reading().wall
        let other = try DirectoryBuilder(folder: folder.path, feed: SampleDirectory.feed, at: now)
        let catalogue = ScriptedCatalogue([SampleDirectory.poles(1...5)])
        let fixture = ServiceFixture(catalogue, folder)
        try await fixture.live {
            fixture.service.request(nil)
            #expect(
                await eventually {
                    fixture.update?.error?.contains("already running") ?? false
                })
            try other.begin(page: 1)
            for stop in SampleDirectory.poles(1...3) { try other.add(stop) }
            try other.commit(page: 1)
            try other.finish(at: now)
            #expect(catalogue.requestedPages.isEmpty)
            fixture.service.request(nil)
            // Once for the update of the other process, once for its own.
            #expect(await eventually { fixture.changeCount == 2 && fixture.update == .idle })
        }
        #expect(fixture.log.lines.isEmpty)
    }

    @Test("the files are not checked while the board starts, unless an update is requested")
    func startDelay() async throws {
        let folder = try TemporaryFolder(["stops-other.sqlite": String(repeating: "no list ", count: 5_000)])
        let catalogue = ScriptedCatalogue([SampleDirectory.poles(1...5)])
        try SampleDirectory.write(SampleDirectory.poles(1...5), in: folder.path)
        let service = DirectoryService(
            StopDirectory(folder: folder.path), folder: folder.path,
            feeds: { _ in [SampleDirectory.feed, FeedName("other")] },
            clock: SystemClock(), log: CapturedLog().rateLimited(),
            source: { feed in feed == SampleDirectory.feed ? catalogue : nil }, changed: {}, startDelay: .seconds(3_600)
        )
        let running = Task { try await service.run() }
        #expect(
            await eventually {
                service.report[SampleDirectory.feed]?.next.map { $0 - SystemClock().now() > .seconds(86_400) } ?? false
            })
        #expect(!folder.read("stops-other.sqlite").isEmpty)
        service.request(nil)
        #expect(await eventually { folder.read("stops-other.sqlite").isEmpty })
        #expect(await eventually { service.report[SampleDirectory.feed]?.update == .idle })
        #expect(catalogue.requestedPages.first == 1)
        running.cancel()
        try await running.value
    }

    @Test("a feed without a list is skipped")
    func noList() async throws {
        let folder = try TemporaryFolder()
        let service = DirectoryService(
            StopDirectory(folder: folder.path), folder: folder.path, feeds: { _ in [SampleDirectory.feed] },
            clock: SystemClock(),
            log: CapturedLog().rateLimited(), source: { _ in nil }, changed: {})
        let running = Task { try await service.run() }
        service.request(nil)
        #expect(await eventually { service.report.isEmpty })
        running.cancel()
        try await running.value
    }
}
