import BoardCore
import BoardStore
import FoundationEssentials
import Testing
import Waiting

@testable import boardd

@Suite("The stored snapshot of the board", .endsHangs)
struct StoredSnapshotTests {
    private static let stop = StopID(feed: ScriptedFeed.name, code: "1")
    private static let now = Instant(microseconds: 50_000_000)

    private func snapshot() -> Board.Snapshot {
        let setup = Board.Setup(
            favourites: [Favourite(stop: Self.stop)], profiles: [ScriptedFeed.name: ScriptedFeed.profile],
            size: DisplaySize(columns: 20, rows: 4), zone: .utc)
        let reading = CorrectedClock.Reading(wall: Timestamp(seconds: 1_772_453_040), isSynchronised: false)
        return Board(setup, reading: reading, seed: 1, at: Self.now).snapshot(at: Self.now)
    }

    private func write(_ stored: StoredSnapshot, to file: SnapshotFile) throws {
        try file.write(Array(JSONEncoder().encode(stored)))
    }

    @Test("a snapshot of another boot of the machine is not used, whatever the uptime is now")
    func otherBoot() throws {
        let folder = try TemporaryFolder()
        let file = SnapshotFile("board.json", in: folder.path)
        let bootID = try #require(StoredSnapshot.currentBootID())
        #expect(bootID.count == 36)
        try write(StoredSnapshot(bootID: "another", snapshot: snapshot()), to: file)
        #expect(StoredSnapshot.consume(from: file) == nil)
        #expect(try file.read() == nil)
        // Without a boot ID it cannot be checked.
        try write(StoredSnapshot(bootID: "", snapshot: snapshot()), to: file)
        #expect(StoredSnapshot.consume(from: file, bootID: nil) == nil)
        try write(StoredSnapshot(bootID: bootID, snapshot: snapshot()), to: file)
        #expect(StoredSnapshot.consume(from: file) == snapshot())
    }

    @Test("a file that is no snapshot is removed, too")
    func rubbish() throws {
        let folder = try TemporaryFolder(["board.json": "{\"bootID\": 1"])
        #expect(StoredSnapshot.consume(from: SnapshotFile("board.json", in: folder.path)) == nil)
        #expect(folder.read("board.json").isEmpty)
    }

    @Test("a snapshot with an impossible clock does not end the program at its start")
    func crash() async throws {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"tfl:490000001A\"\n")
        let bootID = try #require(StoredSnapshot.currentBootID())
        let stored = String(
            decoding: try JSONEncoder().encode(StoredSnapshot(bootID: bootID, snapshot: snapshot())), as: UTF8.self)
        let offset = try #require(stored.firstRange(of: /"offset":-?[0-9]+/))
        let text = stored[..<offset.lowerBound] + "\"offset\":-9223372036854775808" + stored[offset.upperBound...]
        try board.folder.write(String(text), to: "rt/board.json")
        let daemon = try await board.start()
        try await board.end(daemon)
    }
}
