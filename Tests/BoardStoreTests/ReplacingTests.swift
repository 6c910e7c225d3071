import BoardCore
import FileCalls
import FoundationEssentials
import Glibc
import Testing

@testable internal import BoardStore

@Suite("Replacing files")
struct ReplacingTests {
    /// The calls for files below a folder so far: `fsync NAME`, `rename NAME NAME`; "." is the folder.
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

    /// Expects that a file was synchronised before it was renamed, and its folder after.
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

    @Test("favourites are synchronised before they are renamed, and the folder before the call returns")
    func favourites() throws {
        let directory = try ConfigurationDirectory()
        try directory.editor.add(Favourite(stop: demo("1")))
        expectDurable("favourites.toml", in: directory.path)
    }

    @Test("so is a published stop directory")
    func published() throws {
        let folder = try DirectoryFolder(manyStops(20))
        expectDurable("stops-city.sqlite", in: folder.path)
    }

    @Test("a snapshot on a memory file system is only renamed: nothing is synchronised")
    func snapshot() throws {
        let directory = try ConfigurationDirectory()
        try SnapshotFile("board.json", in: directory.path).write([1, 2, 3])
        #expect(calls(in: directory.path) == ["rename .board.json.new board.json"])
    }
}
