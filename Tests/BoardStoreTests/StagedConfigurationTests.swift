import BoardIO
import BoardStore
import Glibc
import Testing

@Suite("A staged configuration")
struct StagedConfigurationTests {
    private func text(_ path: String) -> String { (try? SmallFile.read(path, limit: 10_000).text) ?? "" }

    private func write(_ text: String, to path: String) throws {
        try WrittenFile.write(Array(text.utf8), to: path)
    }

    @Test("changes are not in the files before they are published, and then all are")
    func published() throws {
        let original = try ConfigurationDirectory(["boardd.toml": "[language]\n", "favourites.toml": "# mine\n"])
        let parent = try ConfigurationDirectory()
        let staged = try StagedConfiguration(of: .directory(original.path), in: parent.path)
        try write("[language]\nclock = \"12h\"\n", to: "\(staged.folder)/boardd.toml")
        try write("KEY=1\n", to: "\(staged.folder)/keys.env")
        try write("# town\n", to: "\(staged.folder)/feeds.d/town.toml")
        #expect(text("\(original.path)/boardd.toml") == "[language]\n")
        #expect(text("\(original.path)/keys.env").isEmpty)
        let written = try staged.publish()
        #expect(
            written == ["keys.env", "feeds.d/town.toml", "boardd.toml"].map { "\(original.path)/\($0)" },
            "the unchanged file is not written")
        #expect(text("\(original.path)/boardd.toml") == "[language]\nclock = \"12h\"\n")
        #expect(text("\(original.path)/feeds.d/town.toml") == "# town\n")
        #expect(text("\(original.path)/favourites.toml") == "# mine\n")
        #expect(try SmallFile.read("\(original.path)/keys.env", limit: 9).mode == 0o600)
        staged.remove()
        #expect(try SmallFile.names(in: parent.path).isEmpty)
    }

    @Test("the copy is readable by this user alone")
    func isPrivate() throws {
        let original = try ConfigurationDirectory(["keys.env": "KEY=1\n"])
        let staged = try StagedConfiguration(of: .directory(original.path), in: "/tmp")
        defer { staged.remove() }
        var status = stat()
        #expect(unsafe stat(staged.folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(try SmallFile.read("\(staged.folder)/keys.env", limit: 9).mode == 0o600)
    }

    @Test("a file that another program changed meanwhile is not overwritten, and nothing is written")
    func conflict() throws {
        let original = try ConfigurationDirectory(["boardd.toml": "", "favourites.toml": "# mine\n"])
        let staged = try StagedConfiguration(of: .directory(original.path), in: "/tmp")
        defer { staged.remove() }
        try write("[language]\n", to: "\(staged.folder)/boardd.toml")
        try write("# staged\n", to: "\(staged.folder)/favourites.toml")
        try write("# theirs\n", to: "\(original.path)/favourites.toml")
        let failure = try #require(throws: FileError.self) { try staged.publish() }
        #expect(failure.description == "\(original.path)/favourites.toml was changed in the meantime")
        #expect(failure.number == ESTALE)
        #expect(text("\(original.path)/favourites.toml") == "# theirs\n")
        #expect(text("\(original.path)/boardd.toml").isEmpty)
    }
}
