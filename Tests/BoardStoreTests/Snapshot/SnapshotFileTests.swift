import BoardCore
import BoardStore
import FoundationEssentials
import Testing

@Suite("A snapshot in a file")
struct SnapshotFileTests {
    @Test("the content is read back, also by another instance; a missing file has none")
    func roundTrip() throws {
        let directory = try ConfigurationDirectory()
        let file = SnapshotFile("board.json", in: directory.path)
        #expect(try file.read() == nil)
        try file.write([1, 2, 3])
        try file.write([])
        #expect(try file.read() == [])
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try file.write(bytes)
        #expect(try SnapshotFile("board.json", in: directory.path).read() == bytes)
        try file.remove()
        try file.remove()
        #expect(try file.read() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test("only this user may read it, and the leftover of a killed process is replaced")
    func mode() throws {
        let directory = try ConfigurationDirectory([".board.new": "half of it"])
        try directory.write([9], to: "board", mode: 0o644)
        let file = SnapshotFile("board", in: directory.path)
        try file.write([1])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["board"])
    }

    @Test("content over the limit is neither written nor read")
    func limit() throws {
        let directory = try ConfigurationDirectory(["board": "12345"])
        let file = SnapshotFile("board", in: directory.path, limit: 4)
        let read = #expect(throws: PlainError.self) { try file.read() }
        #expect(read?.description == "\(file.path): more than 4 bytes")
        let written = #expect(throws: PlainError.self) { try file.write([1, 2, 3, 4, 5]) }
        #expect(written?.description == "\(file.path): more than 4 bytes")
        try file.write([1, 2, 3, 4])
        #expect(try file.read() == [1, 2, 3, 4])
    }

    @Test("a failure reports where and why, and the content stays")
    func failures() throws {
        let lost = SnapshotFile("board", in: "/nonexistent")
        let failure = #expect(throws: PlainError.self) { try lost.write([1]) }
        #expect(failure?.description == "/nonexistent/board cannot be written: No such file or directory")
        #expect(try lost.read() == nil)
        let directory = try ConfigurationDirectory()
        try FileManager.default.createDirectory(atPath: directory.path + "/board", withIntermediateDirectories: true)
        let file = SnapshotFile("board", in: directory.path)
        #expect(throws: PlainError.self) { try file.write([1]) }
        let unreadable = #expect(throws: PlainError.self) { try file.read() }
        #expect(unreadable?.description == "\(file.path) cannot be read: Is a directory")
        #expect(throws: PlainError.self) { try file.remove() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["board"])
    }
}
