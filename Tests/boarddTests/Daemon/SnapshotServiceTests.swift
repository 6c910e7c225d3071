import BoardCore
import BoardStore
import FoundationEssentials
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("What is kept of the board over a restart", .endsHangs)
struct SnapshotServiceTests {
    private static let profile = FeedProfile(
        name: FeedName("tfl"), title: "TfL", attribution: "Powered by TfL Open Data", staleAfter: .seconds(180),
        suffixes: [], interval: .seconds(30), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// A board of two stops, of which each was answered.
    private static func snapshot() -> Board.Snapshot {
        let now = Instant(microseconds: 50_000_000)
        let start = Timestamp(seconds: 1_772_453_040)
        let stops = ["490008660N", "490000078A"].map { StopID(feed: profile.name, code: $0) }
        var board = Board(
            Board.Setup(
                favourites: stops.map { Favourite(stop: $0) }, profiles: [profile.name: profile],
                size: Panel.Size(columns: 20, rows: 4), zone: .utc),
            reading: CorrectedClock.Reading(wall: start, isSynchronised: true), seed: 1, at: now)
        for stop in stops {
            let departure = Departure(
                stop: stop, line: Line(id: "73", name: "73"), destination: "Victoria", vehicle: "LTZ1",
                status: .expected(start + .seconds(300)), madeAt: start, expiresAt: start + .seconds(330))
            let answer = FeedResponse(stop: Stop(id: stop, name: "Euston", zone: .utc), departures: [departure])
            _ = board.handle(.polled(answer), at: now)
        }
        return board.snapshot(at: now)
    }

    private static func write(_ snapshot: Board.Snapshot, to file: SnapshotFile) async throws {
        let service = SnapshotService(file, clock: SystemClock(), log: CapturedLog().rateLimited())
        let running = Task { try await service.run() }
        service.save(snapshot)
        running.cancel()
        try await running.value
    }

    @Test("it is found again as it was, kept as a line for the board and one for each favourite")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let file = SnapshotFile("board.json", in: folder.path)
        let snapshot = Self.snapshot()
        try await Self.write(snapshot, to: file)
        let lines = try (file.read() ?? []).split(separator: UInt8(ascii: "\n"))
        #expect(StoredSnapshot.consume(from: file) == snapshot)
        #expect(lines.count == 3)
        // One zone serves all stops: it is in the first line alone.
        let zones = lines.map { String(decoding: $0, as: UTF8.self).contains("firstOffset") }
        #expect(zones == [true, false, false])
    }

    @Test("of what cannot be read in part, nothing is believed", arguments: 0..<3)
    func damaged(line: Int) async throws {
        let folder = try TemporaryFolder()
        let file = SnapshotFile("board.json", in: folder.path)
        try await Self.write(Self.snapshot(), to: file)
        var lines = try (file.read() ?? []).split(separator: UInt8(ascii: "\n"))
        lines[line] = lines[line].dropLast()
        try file.write(Array(lines.joined(separator: [UInt8(ascii: "\n")])))
        #expect(StoredSnapshot.consume(from: file) == nil)
    }

    @Test("a start after nothing was kept finds nothing")
    func nothing() throws {
        let folder = try TemporaryFolder()
        let file = SnapshotFile("board.json", in: folder.path)
        #expect(StoredSnapshot.consume(from: file) == nil)
        try file.write([])
        #expect(StoredSnapshot.consume(from: file) == nil)
    }

    /// Turns at these seconds: whether each changed something, and took answers alone; gives the seconds of those that
    /// kept the board, and the deadlines after each.
    private static func keeping(
        _ turns: [(at: Int, hasChanged: Bool, hasOnlyResponses: Bool)]
    ) -> (kept: [Int], deadlines: [Int?]) {
        let start = Instant(microseconds: 50_000_000)
        var timing = SnapshotTiming()
        var kept: [Int] = []
        var deadlines: [Int?] = []
        for turn in turns {
            let now = start + .seconds(turn.at)
            if timing.isDue(hasChanged: turn.hasChanged, hasOnlyResponses: turn.hasOnlyResponses, at: now) {
                kept.append(turn.at)
            }
            deadlines.append(timing.deadline.map { Int(($0 - start).components.seconds) })
        }
        return (kept, deadlines)
    }

    @Test("the answers of a round are kept together, when the next turn brings none")
    func answers() {
        let (kept, deadlines) = Self.keeping([(0, true, true), (1, true, true), (2, false, false), (3, false, false)])
        #expect(kept == [2])
        #expect(deadlines == [5, 5, nil, nil])
    }

    @Test("answers that go on coming wait five seconds and no longer")
    func patience() {
        let (kept, _) = Self.keeping([(10, true, true), (14, true, true), (15, true, true), (16, true, true)])
        #expect(kept == [15])
    }

    @Test("what a person did is kept at once, with the answers that waited")
    func presses() {
        let (kept, deadlines) = Self.keeping([(0, true, true), (1, true, false), (2, false, false)])
        #expect(kept == [1])
        #expect(deadlines == [5, nil, nil])
    }

    @Test("the daemon's board is kept after answers and after a press")
    func loop() async throws {
        let kept = Mutex(0)
        let feed = ScriptedFeed { question throws(FeedFailure) in
            ScriptedFeed.answer(question.stop, [("73", "Victoria", 4)])
        }
        let house = House(feed, codes: ["1", "2"], save: { _ in kept.withLock { $0 += 1 } })
        try await house.live {
            #expect(await eventually { kept.withLock { $0 } > 0 })
            let before = kept.withLock { $0 }
            house.press()
            #expect(await eventually { kept.withLock { $0 } > before })
        }
    }
}
