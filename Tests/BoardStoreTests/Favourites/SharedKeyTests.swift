import BoardCore
import BoardStore
import Testing

@Suite("shared of a favourite")
struct SharedKeyTests {
    @Test("is true by default, and only false is written")
    func written() throws {
        let text =
            "[[stop]]\nid = 'demo:1'\n\n[[stop]]\nid = 'demo:2'\nshared = false\n\n[[stop]]\nid = 'demo:3'\nshared = true\n"
        let directory = try ConfigurationDirectory(["favourites.toml": text])
        #expect(try directory.load().favourites.map(\.isShared) == [true, false, true])
        try directory.editor.change(demo("1")) { $0.isShared = false }
        try directory.editor.change(demo("2")) { $0.isShared = true }
        try directory.editor.change(demo("3")) { $0.isShared = false }
        #expect(
            directory.favourites
                == "[[stop]]\nid     = \"demo:1\"\nshared = false\n\n[[stop]]\nid = \"demo:2\"\n\n[[stop]]\nid     = \"demo:3\"\nshared = false\n"
        )
        let added = try edited("") { try $0.add(Favourite(stop: demo("1"), isShared: false)) }
        #expect(added == "[[stop]]\nid     = \"demo:1\"\nshared = false\n")
    }

    @Test("is a boolean", arguments: [("'false'", "\"false\""), ("0", "0")])
    func fault(written: String, found: String) throws {
        let faults = try faults(favourites: "[[stop]]\nid = 'demo:1'\nshared = \(written)\n")
        #expect(faults.map { $0.hasSuffix("but must be true or false") } == [true], "\(faults)")
    }

    @Test("is set from a text, as all fields are")
    func field() throws {
        let field = try #require(FavouriteField.all.first { $0.name == "shared" })
        var favourite = Favourite(stop: demo("1"))
        #expect(field.textsUnlessDefault(favourite).isEmpty)
        try field.set(["false"], in: &favourite)
        #expect(!favourite.isShared && field.textsUnlessDefault(favourite) == ["false"])
        #expect(throws: FavouritesError.self) { try field.set(["no"], in: &favourite) }
        try field.set([], in: &favourite)
        #expect(favourite.isShared)
    }
}
