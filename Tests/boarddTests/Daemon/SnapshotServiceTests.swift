import BoardCore
import BoardIO
import BoardStore
import FoundationEssentials
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("Saving the board over a restart", .endsHangs)
struct SnapshotServiceTests {
    private static let profile = FeedProfile(
        name: FeedName("tfl"), title: "TfL", attribution: "Powered by TfL Open Data",
        suffixes: [], interval: .seconds(30), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// A board of two stops, both with a response.
    private static func snapshot() -> Board.Snapshot {
        let now = Instant(microseconds: 50_000_000)
        let start = Timestamp(seconds: 1_772_453_040)
        let stops = ["490008660N", "490000078A"].map { StopID(feed: profile.name, code: $0) }
        var board = Board(
            Board.Setup(
                favourites: stops.map { Favourite(stop: $0) }, profiles: [profile.name: profile],
                size: DisplaySize(columns: 20, rows: 4), zone: .utc),
            reading: CorrectedClock.Reading(wall: start, isSynchronised: true), seed: 1, at: now)
        for stop in stops {
            let departure = Departure(
                stop: stop, line: Line(id: "73", name: "73"), destination: "Victoria", vehicle: "LTZ1",
                status: .expected(start + .seconds(300)), madeAt: start, expiresAt: start + .seconds(330))
            let response = FeedResponse(stop: Stop(id: stop, name: "Euston", zone: .utc), departures: [departure])
            _ = board.handle(.polled(response), at: now)
        }
        return board.snapshot(at: now)
    }

    private static func write(_ snapshot: Board.Snapshot, to file: SnapshotFile) async throws {
        let service = try SnapshotService(
            file, heldFile: SnapshotFile("held", in: "/nonexistent"), clock: SystemClock(),
            log: CapturedLog().rateLimited())
        let running = Task { try await service.run() }
        service.save(snapshot)
        running.cancel()
        try await running.value
    }

    @Test("a snapshot is restored unchanged, from a line for the board and one for each favourite")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let file = SnapshotFile("board.json", in: folder.path)
        let snapshot = Self.snapshot()
        try await Self.write(snapshot, to: file)
        let lines = try (file.read() ?? []).split(separator: UInt8(ascii: "\n"))
        #expect(StoredSnapshot.consume(from: file) == snapshot)
        #expect(try file.read() == nil && StoredSnapshot.consume(from: file) == nil)
        #expect(lines.count == 3)
        // One zone serves all stops: it is in the first line alone.
        let zones = lines.map { String(decoding: $0, as: UTF8.self).contains("firstOffset") }
        #expect(zones == [true, false, false])
    }

    @Test("a snapshot with a malformed part is not used at all", arguments: 0..<3)
    func damaged(line: Int) async throws {
        let folder = try TemporaryFolder()
        let file = SnapshotFile("board.json", in: folder.path)
        try await Self.write(Self.snapshot(), to: file)
        var lines = try (file.read() ?? []).split(separator: UInt8(ascii: "\n"))
        lines[line] = lines[line].dropLast()
        try file.write(Array(lines.joined(separator: [UInt8(ascii: "\n")])))
        #expect(StoredSnapshot.consume(from: file) == nil)
    }

    @Test("without a saved snapshot a start finds nothing")
    func nothing() throws {
        let folder = try TemporaryFolder()
        let file = SnapshotFile("board.json", in: folder.path)
        #expect(StoredSnapshot.consume(from: file) == nil)
        try file.write([])
        #expect(StoredSnapshot.consume(from: file) == nil)
    }

    /// Iterations at these seconds: whether each changed something, and handled only responses; returns the seconds of those
    /// that saved the board, and the deadlines after each.
    private static func saves(
        _ turns: [(at: Int, hasChanged: Bool, hasOnlyResponses: Bool)]
    ) -> (saved: [Int], deadlines: [Int?]) {
        let start = Instant(microseconds: 50_000_000)
        var timing = SnapshotTiming()
        var saved: [Int] = []
        var deadlines: [Int?] = []
        for turn in turns {
            let now = start + .seconds(turn.at)
            if timing.isDue(hasChanged: turn.hasChanged, hasOnlyResponses: turn.hasOnlyResponses, at: now) {
                saved.append(turn.at)
            }
            deadlines.append(timing.deadline.map { Int(($0 - start).components.seconds) })
        }
        return (saved, deadlines)
    }

    @Test("the responses of a round are saved together, when the next iteration brings none")
    func responses() {
        let (saved, deadlines) = Self.saves([(0, true, true), (1, true, true), (2, false, false), (3, false, false)])
        #expect(saved == [2])
        #expect(deadlines == [5, 5, nil, nil])
    }

    @Test("continuing responses are saved after five seconds")
    func maximumDelay() {
        let (saved, _) = Self.saves([(10, true, true), (14, true, true), (15, true, true), (16, true, true)])
        #expect(saved == [15])
    }

    @Test("a press is saved at once, with the responses that waited")
    func presses() {
        let (saved, deadlines) = Self.saves([(0, true, true), (1, true, false), (2, false, false)])
        #expect(saved == [1])
        #expect(deadlines == [5, nil, nil])
    }

    @Test("the daemon's board is saved after responses and after a press")
    func loop() async throws {
        let saved = Mutex(0)
        let feed = ScriptedFeed { request throws(FeedError) in
            ScriptedFeed.response(request.stop, [("73", "Victoria", 4)])
        }
        let testBoard = try TestBoard(feed, codes: ["1", "2"], save: { _ in saved.withLock { $0 += 1 } })
        try await testBoard.live {
            #expect(await eventually { saved.withLock { $0 } > 0 })
            let before = saved.withLock { $0 }
            testBoard.press()
            #expect(await eventually { saved.withLock { $0 } > before })
        }
    }
}
