import BoardControl
import BoardCore
import BoardService
import FoundationEssentials
import Testing
import Waiting

@testable import boardd

@Suite("All settings of a favourite, by command and over the socket", .serialized, .endsHangs)
struct FavouriteKeysTests {
    private static let whole = SmallDirectory.commuter
    private static let options = [
        "--label", "Work", "--sort", "line", "--walk", "7m", "--uncatchable", "mark", "--platforms", "3, 4",
        "--directions", "up", "--when", "weekdays 06:30-09:30", "--when", "sat,sun",
    ]
    private static let written = """
        [[stop]]
        id          = "rail:RDG"
        label       = "Work"
        sort        = "line"
        walk        = "7m"
        uncatchable = "mark"
        towards     = "PAD"
        platforms   = ["3", "4"]
        directions  = ["up"]
        when        = ["weekdays 06:30-09:30", "weekend"]

        """

    private func home(_ favourites: String = "") throws -> Home {
        let home = try Home(favourites: favourites)
        try home.makeDirectory()
        try home.makeStations()
        return home
    }

    @Test("add writes them, with a daemon and without one, and list shows them", arguments: [true, false])
    func add(hasDaemon: Bool) async throws {
        let home = try home()
        let daemon = hasDaemon ? try await home.start() : nil
        let add = try await home.run(["favourites", "add", "reading", "--towards", "paddington"] + Self.options)
        #expect(add.status == 0, "\(add.errors)")
        #expect(add.output == "rail:RDG Reading is favourite 1 of 1\n")
        #expect(home.favourites == Self.written)
        #expect(try await home.run("check").status == 0)
        let list = try await home.run("favourites", "list")
        #expect(
            list.output == """
                1  rail:RDG  Reading  "Work"  sort line; walk 7m; uncatchable mark; towards PAD; platforms 3, 4; \
                directions up; when weekdays 06:30-09:30, weekend

                """)
        if let daemon {
            #expect(try await home.client.favourites().map(\.favourite) == [Self.whole])
            try await home.end(daemon)
        }
    }

    @Test("over the socket they are returned unchanged, and a change of one keeps the others")
    func socket() async throws {
        let home = try home("# mine\n[[stop]]\nid = \"tfl:490000001A\"\n")
        let daemon = try await home.start()
        #expect(try await home.client.addFavourite(Self.whole, at: nil).favourite == Self.whole)
        #expect(home.favourites.hasSuffix(Self.written))
        func changed(_ change: FavouriteChange) async throws -> Favourite {
            try await home.client.changeFavourite(Self.whole.stop, change).favourite
        }
        #expect(try await changed(FavouriteChange(position: 1)) == Self.whole)
        #expect(home.favourites.contains(Self.written))
        var other = Self.whole
        (other.walk, other.label) = (.seconds(240), nil)
        #expect(try await changed(FavouriteChange(position: 2, ["label": [], "walk": ["4m"]])) == other)
        #expect(home.favourites.contains("\nwalk        = \"4m\"\n") && !home.favourites.contains("label"))
        #expect(home.favourites.hasPrefix("# mine\n[[stop]]\n"))
        #expect(try await home.run("favourites", "move", "reading", "1").status == 0)
        #expect(try await home.client.favourites().first?.favourite == other)
        try await home.end(daemon)
    }

    @Test("the daemon rejects what the file does not allow with the file's message, and nothing is written")
    func rejected() async throws {
        let home = try home()
        let daemon = try await home.start()
        let bus = try await home.run("favourites", "add", "tfl:490000001A", "--towards", "490000001B")
        #expect(bus.status == 1)
        #expect(bus.errors.hasPrefix("towards: TfL does not report calling points; it is for stops of rail"))
        let typo = try await home.run("favourites", "add", "rail:RDG", "--towards", "PDA")
        #expect(typo.status == 1)
        #expect(typo.errors.contains("did you mean rail:PAD (London Paddington)?"), "\(typo.errors)")
        let far = Favourite(stop: Self.whole.stop, walk: .seconds(10_800))
        let rejected = await #expect(throws: ServiceError.self) { try await home.client.addFavourite(far, at: nil) }
        #expect(rejected?.kind == .malformed)
        #expect(rejected?.message.hasPrefix("walk is \"3h\", but must be a duration from 30s to 2h") == true)
        #expect(home.favourites.isEmpty)
        try await home.end(daemon)
    }
}
