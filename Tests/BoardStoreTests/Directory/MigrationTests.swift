import BoardCore
import Testing

@testable internal import BoardStore

@Suite("Versions of the stop directory")
struct MigrationTests {
    /// This program's schema with two further migrations.
    private static let later = DirectorySchema(
        steps: DirectorySchema.current.steps + [
            DirectorySchema.script("ALTER TABLE stop ADD COLUMN colour TEXT"),
            DirectorySchema.script("UPDATE stop SET colour = 'red' WHERE kind = 3"),
        ])
    /// The same, with a migration that fails after a change.
    private static let broken = DirectorySchema(
        steps: DirectorySchema.current.steps + [DirectorySchema.script("DELETE FROM stop; UPDATE nowhere SET a = 1")])

    @Test("an older file is migrated in a copy that replaces it")
    func migrate() throws {
        let folder = try DirectoryFolder(manyStops(30))
        let later = StopDirectory(folder: folder.path, schema: Self.later)
        let version = DirectorySchema.current.version
        #expect(
            try failure { _ = try later.search("street", limit: 9) } == .older(version: version, supported: version + 2)
        )
        #expect(try later.repair(city) == .migrated(from: version, to: version + 2))
        #expect(try later.search("street", limit: 99).found.count == 30)
        #expect(try later.repair(city) == .valid)
        #expect(folder.names == ["stops-city.sqlite"])
        let reds = try SQLiteConnection(folder.live, .immutable)
            .prepare("SELECT count(*) FROM stop WHERE colour = 'red'").first { row in row.integer(0) }
        #expect(reds == 27)
    }

    @Test("a failed migration changes nothing")
    func failing() throws {
        let folder = try DirectoryFolder(manyStops(30))
        let before = try folder.bytes(folder.live)
        #expect(throws: StoreError.self) { try StopDirectory(folder: folder.path, schema: Self.broken).repair(city) }
        #expect(try folder.bytes(folder.live) == before)
        #expect(folder.names == ["stops-city.sqlite"])
    }

    @Test("queries, repair and update leave a newer boardd's file unchanged")
    func newer() throws {
        let folder = try DirectoryFolder(manyStops(30))
        _ = try StopDirectory(folder: folder.path, schema: Self.later).repair(city)
        let before = try folder.bytes(folder.live)
        let version = DirectorySchema.current.version
        let newer = StoreError.Kind.newer(version: version + 2, supported: version)
        let directory = folder.directory
        #expect(try failure { _ = try directory.search("street", limit: 9) } == newer)
        #expect(try failure { _ = try directory.repair(city) } == newer)
        #expect(try failure { try folder.build(manyStops(40)) } == newer)
        #expect(try folder.bytes(folder.live) == before)
        #expect(directory.editions().failures.map(\.kind) == [newer])
    }

    @Test("the repair of a valid file writes nothing")
    func reading() throws {
        let folder = try DirectoryFolder(manyStops(300))
        let before = try DirectoryFiles.identity(folder.live)
        #expect(try folder.directory.repair(city) == .valid)
        #expect(try DirectoryFiles.identity(folder.live) == before)
        #expect(folder.names == ["stops-city.sqlite"])
    }
}
