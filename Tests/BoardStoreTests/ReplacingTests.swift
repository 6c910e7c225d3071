internal import BoardCore
internal import FileCalls
internal import FoundationEssentials
internal import Glibc
internal import Testing

@testable internal import BoardStore

@Suite("A file in the place of another")
struct ReplacingTests {
    /// What was done with files below a folder so far: `fsync NAME`, `rename NAME NAME`; "." is the folder.
    private func calls(in folder: String) -> [String] {
        guard let text = unsafe file_calls(folder) else { return [] }
        defer { unsafe free(text) }
        let lines = unsafe String(cString: text).split(separator: "\n")
        return lines.map { line in
            line.split(separator: " ").map { word in
                if word == folder { return "." }
                return word.hasPrefix(folder + "/") ? String(word.dropFirst(folder.count + 1)) : String(word)
            }
            .joined(separator: " ")
        }
    }

    /// Expects that a file got its name after its bytes were on the disk, and that the name is there, too.
    private func expectDurable(
        _ name: String, in folder: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let calls = calls(in: folder)
        let renames = calls.indices.filter { calls[$0].hasPrefix("rename ") && calls[$0].hasSuffix(" \(name)") }
        #expect(renames.count == 1, "\(calls)", sourceLocation: sourceLocation)
        for index in renames {
            let fresh = calls[index].split(separator: " ")[1]
            #expect(calls[..<index].last == "fsync \(fresh)", "\(calls)", sourceLocation: sourceLocation)
            #expect(calls[index...].dropFirst().first == "fsync .", "\(calls)", sourceLocation: sourceLocation)
        }
    }

    @Test("favourites are on the disk before they get their name, and the name is on the disk when the call returns")
    func favourites() throws {
        let directory = try ConfigurationDirectory()
        try directory.editor.add(Favourite(stop: demo("1")))
        expectDurable("favourites.toml", in: directory.path)
    }

    @Test("so is a stop directory that is published")
    func published() throws {
        let folder = try DirectoryFolder(manyStops(20))
        expectDurable("stops-city.sqlite", in: folder.path)
    }

    @Test("what is kept over a restart on a memory file system is renamed alone: nothing is written to a disk")
    func snapshot() throws {
        let directory = try ConfigurationDirectory()
        try SnapshotFile("board.json", in: directory.path).write([1, 2, 3])
        #expect(calls(in: directory.path) == ["rename .board.json.new board.json"])
    }
}
