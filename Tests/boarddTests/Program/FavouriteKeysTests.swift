import BoardControl
import BoardCore
import BoardService
import FoundationEssentials
import Testing
import Waiting

@testable import boardd

@Suite("All settings of a favourite, by command and over the socket", .serialized, .endsHangs)
struct FavouriteKeysTests {
    private static let whole = SampleDirectory.commuter
    private static let options = [
        "--label", "Work", "--sort", "line", "--walk", "7m", "--platforms", "3, 4",
        "--directions", "up", "--when", "weekdays 06:30-09:30", "--when", "sat,sun",
    ]
    private static let written = """
        [[stop]]
        id         = "rail:RDG"
        label      = "Work"
        sort       = "line"
        walk       = "7m"
        towards    = "PAD"
        platforms  = ["3", "4"]
        directions = ["up"]
        when       = ["weekdays 06:30-09:30", "weekend"]

        """

    private func board(_ favourites: String = "") throws -> InstalledBoard {
        let board = try InstalledBoard(favourites: favourites)
        try board.makeDirectory()
        try board.makeStations()
        return board
    }

    @Test("add writes them, with a daemon and without one, and list shows them", arguments: [true, false])
    func add(hasDaemon: Bool) async throws {
        let board = try board()
        let daemon = hasDaemon ? try await board.start() : nil
        let add = try await board.run(["favourites", "add", "reading", "--towards", "paddington"] + Self.options)
        #expect(add.status == 0, "\(add.errors)")
        #expect(add.output == "rail:RDG Reading is favourite 1 of 1\n")
        #expect(add.errors.contains("boardd is not running: the board shows this when it is started") != hasDaemon)
        #expect(board.favourites == Self.written)
        #expect(try await board.run("check").status == 0)
        let list = try await board.run("favourites", "list")
        #expect(
            list.output == """
                1  rail:RDG  Reading  "Work"  sort line; walk 7m; towards PAD; platforms 3, 4; \
                directions up; when weekdays 06:30-09:30, weekend

                """)
        if let daemon {
            #expect(try await board.client.favourites().map(\.favourite) == [Self.whole])
            try await board.end(daemon)
        }
    }

    @Test("change sets and removes single settings, with a daemon and without one", arguments: [true, false])
    func change(hasDaemon: Bool) async throws {
        let board = try board("[[stop]]\nid = \"tfl:490000001A\"\n\n" + Self.written)
        let daemon = hasDaemon ? try await board.start() : nil
        let change = try await board.run(
            "favourites", "change", "2", "--label", "Office", "--walk", "4", "--towards", "oxford", "--when",
            "daily 07:00-08:00",
            "--unset", "platforms", "--unset", "sort")
        #expect(change.status == 0, "\(change.errors)")
        #expect(
            change.output == """
                rail:RDG Reading is favourite 2 of 2: label Office; walk 4m; towards OXF; directions up; \
                when daily 07:00-08:00

                """)
        let list = try await board.run("favourites", "change", "work", "--lines", "7")
        #expect(list.status == 1, "the label is another one now: \(list.output)")
        let wrong = try await board.run("favourites", "change", "1", "--lines", "8")
        #expect(wrong.status == 1)
        #expect(wrong.errors.hasPrefix("line \"8\" does not call at tfl:490000001A"), "\(wrong.errors)")
        let unset = try await board.run(
            ["favourites", "change", "office"]
                + ["label", "walk", "towards", "directions", "when"].flatMap { ["--unset", $0] })
        #expect(
            unset.output == "rail:RDG Reading is favourite 2 of 2: all settings are the defaults\n", "\(unset.errors)")
        #expect(board.favourites.hasSuffix("\n[[stop]]\nid = \"rail:RDG\"\n"), "\(board.favourites)")
        if let daemon { try await board.end(daemon) }
    }
}
