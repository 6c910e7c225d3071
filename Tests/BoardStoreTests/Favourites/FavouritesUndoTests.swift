import BoardCore
import BoardStore
import FoundationEssentials
import Testing
import Waiting

@Suite("Taking back a change of favourites.toml")
struct FavouritesUndoTests {
    private let text = """
        # My stops
        [[stop]]
        id = "demo:1"   # north side

        [[stop]]
        id = "demo:2"

        """
    private let clock = VirtualClock()

    private func directory() throws -> ConfigurationDirectory {
        try ConfigurationDirectory(["favourites.toml": text])
    }

    private func editor(_ directory: borrowing ConfigurationDirectory) -> FavouritesEditor {
        directory.editor.recording(in: FavouritesHistory(clock: clock))
    }

    @Test(
        "restores every byte, once, and returns the entries", arguments: ["add", "remove", "move", "change", "shared"])
    func restores(change: String) throws {
        let directory = try directory()
        let editor = editor(directory)
        switch change {
        case "add": try editor.add(Favourite(stop: demo("3")))
        case "remove": try editor.remove(demo("1"))
        case "move": try editor.move(demo("2"), to: 1)
        case "shared": try editor.setShared([Favourite(stop: demo("2")), Favourite(stop: demo("3"))])
        default: try editor.change(demo("1")) { $0.label = "Home" }
        }
        #expect(directory.favourites != text)
        #expect(try editor.undo().named.map(\.stop) == [demo("1"), demo("2")])
        #expect(directory.favourites == text)
        #expect(throws: FavouritesError.nothingToUndo) { try editor.undo() }
    }

    @Test("of the first favourite gives a file without favourites, which is not a lost one", arguments: [true, false])
    func first(isMissing: Bool) throws {
        let directory = try ConfigurationDirectory(isMissing ? [:] : ["favourites.toml": ""])
        let editor = editor(directory)
        try editor.add(Favourite(stop: demo("1")))
        #expect(try editor.undo().isEmpty)
        #expect(directory.favourites == "\n")
        #expect(try editor.entries() == [])
    }

    @Test("restores the values and the position of one change")
    func together() throws {
        let directory = try directory()
        let editor = editor(directory)
        let entries = try editor.change(demo("2"), to: 1) { $0.label = "Home" }
        #expect(entries.named.map(\.stop) == [demo("2"), demo("1")] && entries.named.first?.label == "Home")
        try editor.undo()
        #expect(directory.favourites == text)
    }

    @Test("is possible for ten minutes")
    func expiry() throws {
        let directory = try directory()
        let editor = editor(directory)
        try editor.remove(demo("1"))
        clock.advance(by: .seconds(601))
        #expect(throws: FavouritesError.nothingToUndo) { try editor.undo() }
        #expect(directory.favourites != text)
    }

    @Test("never loses a later edit of the file")
    func edited() throws {
        let directory = try directory()
        let editor = editor(directory)
        try editor.remove(demo("1"))
        try directory.editor.add(Favourite(stop: demo("9")))
        let later = directory.favourites
        #expect(throws: FavouritesError.changedSince) { try editor.undo() }
        #expect(directory.favourites == later)
    }

    @Test("takes back the last change alone, and no failed one")
    func last() throws {
        let directory = try directory()
        let editor = editor(directory)
        try editor.add(Favourite(stop: demo("3")))
        let between = directory.favourites
        try editor.add(Favourite(stop: demo("4")))
        #expect(throws: (any Error).self) { try editor.add(Favourite(stop: demo("4"))) }
        try editor.undo()
        #expect(directory.favourites == between)
    }

    @Test("is not possible without a history")
    func none() throws {
        let directory = try ConfigurationDirectory(["favourites.toml": text])
        try directory.editor.remove(demo("1"))
        #expect(throws: FavouritesError.nothingToUndo) { try directory.editor.undo() }
    }
}
