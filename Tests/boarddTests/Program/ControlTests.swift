import BoardControl
import BoardCore
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("A running board and its clients, as processes", .serialized, .endsHangs)
struct ControlTests {
    private static let a = StopID(feed: SampleDirectory.feed, code: "490000001A")
    private static let b = StopID(feed: SampleDirectory.feed, code: "490000001B")
    private static let firstAsHome = "[pages]\nhome = \"first\"\n"
    private static let bothSides = "[[stop]]\nid = \"\(a)\"\n[[stop]]\nid = \"\(b)\"\n"

    // MARK: Presses

    @Test("a press over the socket changes the page, and refresh is accepted")
    func press() async throws {
        let board = try InstalledBoard(favourites: Self.bothSides)
        let daemon = try await board.start()
        let before = try await board.state()
        #expect(before.display.page.id == "overview")
        let press = try await board.run("press")
        #expect(press.status == 0, "\(press.errors)")
        #expect(press.output.isEmpty)
        // The frame is that of the display, which is drawn after the page has changed.
        let after = await board.state { $0.display.page.id == "\(Self.a)" && $0.display.rows != before.display.rows }
        #expect(after.display.page.id == "\(Self.a)", "\(after.display.rows)")
        #expect(after.display.rows != before.display.rows)
        #expect(try await board.run("refresh").status == 0)
        let wrong = try await board.run("press", "--button", "2")
        #expect(wrong.status == 1)
        #expect(wrong.errors == "there is no button 2: the configuration has 1, counted from 1\n")
        #expect(try await board.run("press", "--button", "1").status == 0)
        #expect(await board.state { $0.display.page.id != "\(Self.a)" }.display.page.id != "\(Self.a)")
        try await board.end(daemon)
    }

    @Test("boardd show, light and message change what the display shows, and the state")
    func remoteActions() async throws {
        let board = try InstalledBoard(favourites: Self.bothSides)
        let daemon = try await board.start()
        #expect(try await board.run("show", "\(Self.b)").status == 0)
        #expect(await board.state { $0.display.page.id == "\(Self.b)" }.display.page.id == "\(Self.b)")
        #expect(try await board.run("show", "1").status == 0)
        #expect(await board.state { $0.display.page.id == "\(Self.a)" }.display.page.id == "\(Self.a)")
        #expect(try await board.run("show", "all stops").status == 0)
        #expect(await board.state { $0.display.page.id == "overview" }.display.page.id == "overview")
        let unknown = try await board.run("show", "address")
        #expect(unknown.status == 1)
        #expect(unknown.errors.hasPrefix("there is no page \"address\""), "\(unknown.errors)")
        #expect(try await board.run("message", "Dinner is ready").status == 0)
        let message = await board.state { $0.display.rows[0].hasPrefix("Dinner is ready") }
        #expect(message.display.rows[0].hasPrefix("Dinner is ready"), "\(message.display.rows)")
        #expect(try await board.run("light", "off").status == 0)
        let dark = await board.state { !$0.display.lit }
        #expect(!dark.display.lit && dark.display.light == .off)
        // The first press lights the board, the second one ends the message.
        for _ in 0..<2 { #expect(try await board.run("press").status == 0) }
        let last = await board.state { !$0.display.rows[0].hasPrefix("Dinner") }
        #expect(last.display.lit && last.display.light == .auto && !last.display.rows[0].hasPrefix("Dinner"))
        try await board.end(daemon)
    }

    @Test("a board without a button is stepped by clients, and reports no button")
    func boardWithoutButton() async throws {
        let board = try InstalledBoard(favourites: Self.bothSides)
        try board.folder.write("button = []\n" + board.folder.read("etc/boardd.toml"), to: "etc/boardd.toml")
        let daemon = try await board.start()
        #expect(try await board.state().buttons.isEmpty)
        #expect(try await board.run("press").status == 0)
        #expect(await board.state { $0.display.page.id == "\(Self.a)" }.display.page.id == "\(Self.a)")
        let wrong = try await board.run("press", "--button", "2")
        #expect(wrong.errors == "there is no button 2: the configuration has 0, counted from 1\n")
        try await board.end(daemon)
    }

    @Test("a hold of the button is stored for later starts, which then show no hint", arguments: [true, false])
    func heldOnce(isHeld: Bool) async throws {
        let board = try InstalledBoard(favourites: Self.bothSides)
        let snapshot = "rt/board.json"
        let daemon = try await board.start()
        if isHeld { #expect(try await board.run("press", "hold").status == 0) }
        try await board.end(daemon)
        #expect(board.folder.read(snapshot).contains("\"hasBeenHeld\":\(isHeld)"))
        // A restart of the machine: only the state folder remains.
        try FileManager.default.removeItem(atPath: "\(board.path)/\(snapshot)")
        try await board.end(try await board.start())
        #expect(board.folder.read(snapshot).contains("\"hasBeenHeld\":\(isHeld)"))
    }

    @Test("status is a page of text, or JSON")
    func status() async throws {
        let board = try InstalledBoard(favourites: Self.bothSides)
        let daemon = try await board.start()
        _ = await board.state { state in state.stops.allSatisfy { $0.status == .live } }
        let page = try await board.run("status")
        #expect(page.status == 0, "\(page.errors)")
        for words in [
            "boardd \(Version.number)\n", "┌────────────────────┐\n│", "page in view: All stops",
            "live, last response ", "2 departures", "Powered by TfL Open Data", "TFL_APP_KEY is not set",
            "button 1, GPIO 17: short next, hold ",
        ] {
            #expect(page.output.contains(words), "\(words)\n\(page.output)")
        }
        let json = try await board.run("status", "--json")
        let state = try JSONDecoder().decode(BoardState.self, from: Data(json.output.utf8))
        #expect(state.stops.map(\.stop) == [Self.a, Self.b])
        try await board.end(daemon)
    }

    @Test("the running board's departures are printed like the operator's, without a request")
    func held() async throws {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"\(Self.a)\"\nlabel = \"Home\"\nlines = [\"N7\"]\n")
        try board.makeDirectory()
        let daemon = try await board.start()
        _ = await board.state { state in state.stops.allSatisfy { $0.status == .live } }
        let requests = board.tfl.server.requests.count
        let held = try await board.run("departures", "home", "--running")
        #expect(held.status == 0, "\(held.errors)")
        let lines = held.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("High Street A ") == true, "\(held.output)")
        #expect(lines.last == "Powered by TfL Open Data")
        #expect(lines.contains { $0.hasPrefix("7 ") } && lines.contains { $0.hasPrefix("88 ") }, "\(held.output)")
        let json = try await board.run("departures", "\(Self.a)", "--running", "--json", "--sort", "line")
        let list = try JSONDecoder().decode(StopReport.self, from: Data(json.output.utf8))
        #expect(list.name == "High Street" && list.status == .live && list.badRows == nil)
        #expect(list.departures.map(\.departure.line.name) == ["7", "88"])
        #expect(list.departures.allSatisfy { $0.minutes != nil })
        #expect(board.tfl.server.requests.count == requests, "no request was sent")
        // The same list from the operator.
        let listing = try await board.run("departures", "High Street A", "--json", "--sort", "line")
        let reported = try JSONDecoder().decode(StopReport.self, from: Data(listing.output.utf8))
        #expect(reported.departures.map(\.departure.vehicle) == list.departures.map(\.departure.vehicle))
        #expect(reported.name == list.name && reported.badRows == 0)
        let other = try await board.run("departures", "\(Self.b)", "--running")
        #expect(other.status == 1)
        #expect(other.errors == "\(Self.b) is not on the board: it is not a favourite, or outside its hours\n")
        try await board.end(daemon)
        let none = try await board.run("departures", "home", "--running")
        #expect(none.status == ExitStatus.unavailable)
        #expect(none.errors.hasPrefix("boardd is not running"))
    }

    @Test(
        "without a daemon a command reports that, and how to start it",
        arguments: [["press"], ["refresh"], ["reload"], ["status"], ["status", "--json"]])
    func noDaemon(arguments: [String]) async throws {
        let board = try InstalledBoard()
        let command = try await board.run(arguments)
        #expect(command.status == ExitStatus.unavailable)
        #expect(command.output.isEmpty)
        #expect(command.errors.hasPrefix("boardd is not running: no server at \(board.socket)"))
    }

    // MARK: Favourites

    @Test("a favourite is added, and the board shows it without a restart, after one request")
    func add() async throws {
        let board = try InstalledBoard()
        let daemon = try await board.start()
        let add = try await board.run("favourites", "add", "\(Self.a)", "--label", "Home", "--lines", "7")
        #expect(add.status == 0, "\(add.errors)")
        #expect(add.output == "\(Self.a) is favourite 1 of 1\n")
        #expect(add.errors.isEmpty)
        let state = await board.state { $0.stops.first?.departures.map(\.isShown) == [true, false] }
        #expect(state.stops.map(\.stop) == [Self.a])
        #expect(state.stops.first?.departures.map(\.departure.line.name) == ["7", "88"])
        let requests = board.tfl.server.requests.filter { $0.hasPrefix("GET /StopPoint/\(Self.a.code)") }
        #expect(requests.count { $0.contains("/Arrivals") } == 1, "\(requests)")
        #expect(
            requests.count { $0.contains("/StopPoint/") && !$0.contains("/Arrivals") && !$0.contains("/Disruption") }
                == 1,
            "\(requests)")
        #expect(board.favourites == "[[stop]]\nid    = \"\(Self.a)\"\nlabel = \"Home\"\nlines = [\"7\"]\n")
        try await board.end(daemon)
    }

    @Test("a favourite is found by its name, whatever other stops have it; of two, both are listed")
    func ownNames() async throws {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"\(Self.b)\"\n")
        try board.makeDirectory()
        let one = try await board.run("favourites", "lines", "high street", "7")
        #expect(one.status == 0, "\(one.errors)")
        #expect(one.output.hasPrefix("\(Self.b) High Street B is favourite 1 of 1"))
        try board.folder.write(Self.bothSides, to: "etc/favourites.toml")
        let two = try await board.run("favourites", "remove", "high street")
        #expect(two.status == 1)
        #expect(two.errors.hasPrefix("\"high street\" matches several favourites"), "\(two.errors)")
        #expect(two.errors.contains("\(Self.a)") && two.errors.contains("\(Self.b)"))
    }

    @Test("a favourite is meant by its number in the list, unless another one has this code")
    func numbers() async throws {
        let nearby = "[[nearby]]\nlocation = \"51.6,-0.2\"\n"
        let board = try InstalledBoard(favourites: nearby + Self.bothSides)
        try board.makeDirectory()
        let move = try await board.run("favorites", "move", "3", "2")
        #expect(move.output == "\(Self.b) High Street B is favourite 2 of 3\n", "\(move.errors)")
        let search = try await board.run("favourites", "remove", "1")
        #expect(search.status == 1)
        #expect(search.errors.hasPrefix("entry 1 of the list is a [[nearby]] search: change it in \(board.path)/etc/"))
        let none = try await board.run("favourites", "remove", "4")
        #expect(none.status == 1)
        #expect(none.errors.hasPrefix("\"4\" is not a favourite\ndid you mean one of these?\n"), "\(none.errors)")
        let remove = try await board.run("favourites", "remove", "2")
        #expect(remove.output == "\(Self.b) High Street B removed; 2 favourites left\n", "\(remove.errors)")
        try board.folder.write(Self.bothSides + "[[stop]]\nid = \"tfl:2\"\n", to: "etc/favourites.toml")
        let both = try await board.run("favourites", "remove", "2")
        #expect(both.status == 1)
        #expect(both.errors.hasPrefix("\"2\" matches several favourites; write it as feed:code\n"), "\(both.errors)")
        #expect(both.errors.contains("\(Self.b)") && both.errors.contains("tfl:2"))
    }

    @Test("favourites are moved, limited to lines and removed, and each time the result is printed")
    func change() async throws {
        let board = try InstalledBoard(favourites: "# mine\n[[nearby]]\nlocation = \"51.6,-0.2\"\n\n" + Self.bothSides)
        try board.makeDirectory()
        let daemon = try await board.start()
        let move = try await board.run("favourites", "move", "490000001b", "1")
        #expect(move.output == "\(Self.b) High Street B is favourite 1 of 3\n", "\(move.errors)")
        let lines = try await board.run("favourites", "lines", "High Street A", "7")
        #expect(lines.output == "\(Self.a) High Street A is favourite 3 of 3, with line 7\n", "\(lines.errors)")
        let add = try await board.run("favourites", "add", "town hall", "--position", "2")
        #expect(add.output.hasSuffix("Town Hall Underground Station is favourite 2 of 4\n"), "\(add.errors)")
        let remove = try await board.run("favourites", "remove", "\(Self.b)")
        #expect(remove.output == "\(Self.b) High Street B removed; 3 favourites left\n")
        let list = try await board.run("favourites", "list")
        #expect(
            list.output == """
                1  tfl:940GZZLUTWN  Town Hall Underground Station
                2  near 51.6,-0.2: up to 3 stops within 400 m
                   tfl:490000002A   St James's Park A              0 m
                3  tfl:490000001A   High Street A                       7

                """, "\(list.output)")
        #expect(list.errors.isEmpty)
        let state = try await board.state()
        #expect(state.stops.map(\.stop.description) == ["tfl:940GZZLUTWN", "tfl:490000002A", "\(Self.a)"])
        let wrong = try await board.run("favourites", "lines", "\(Self.a)", "N8")
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("\n  N7\n"), "\(wrong.errors)")
        try await board.end(daemon)
    }

    @Test("of two concurrent additions both succeed, in the file and on the board")
    func together() async throws {
        let board = try InstalledBoard()
        let daemon = try await board.start()
        let adding = try [Self.a, Self.b].map {
            try Program(["favourites", "add", "\($0)"], environment: board.environment)
        }
        for program in adding { #expect(await program.end() == 0, "\(program.errors)") }
        let state = await board.state { $0.stops.count == 2 }
        #expect(Set(state.stops.map(\.stop)) == [Self.a, Self.b])
        #expect(board.favourites.components(separatedBy: "[[stop]]").count == 3)
        try await board.end(daemon)
    }

    @Test("with --config the command edits the file, and the daemon with that configuration notices it")
    func ownConfiguration() async throws {
        let board = try InstalledBoard()
        let daemon = try await board.start(["--config", "\(board.path)/etc/boardd.toml"])
        let add = try await board.run("favourites", "add", "\(Self.a)", "--config", "\(board.path)/etc/boardd.toml")
        #expect(add.status == 0, "\(add.errors)")
        #expect(add.errors.isEmpty)
        #expect(await board.state { $0.stops.count == 1 }.stops.count == 1)
        try await board.end(daemon)
    }

    // MARK: Files

    @Test("an edit by hand is noticed, in place and by renaming a new file over the old one")
    func handEdit() async throws {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"\(Self.a)\"\n")
        let daemon = try await board.start()
        try board.append("[[stop]]\nid = \"\(Self.b)\"\n")
        #expect(await board.state { $0.stops.count == 2 }.stops.count == 2)
        try board.folder.write("[[stop]]\nid = \"\(Self.b)\"\nlabel = \"Elsewhere\"\n", to: "etc/favourites.toml")
        let state = await board.state { $0.stops.count == 1 }
        #expect(state.stops.map(\.label) == ["Elsewhere"])
        try await board.end(daemon)
    }

    @Test("a reload with a faulty file fails with every fault, the display shows where, and the old stops stay")
    func faultyReload() async throws {
        let board = try InstalledBoard(favourites: Self.bothSides)
        let daemon = try await board.start()
        let good = board.folder.read("etc/boardd.toml")
        try board.folder.write(good + "[language]\nlanguish = \"en\"\nclock = \"25h\"\n", to: "etc/boardd.toml")
        let reload = try await board.run("reload")
        #expect(reload.status == ExitStatus.configuration)
        let faults = reload.errors.split(separator: "\n").filter { $0.hasPrefix("\(board.path)/etc/boardd.toml:") }
        #expect(faults.count == 2, "\(reload.errors)")
        await #expect(throws: ServiceError.self) { try await board.client.reload() }
        let state = await board.state { $0.display.rows.contains { $0.contains("boardd.toml") } }
        #expect(state.display.rows.contains { $0.contains("boardd.toml") }, "\(state.display.rows)")
        #expect(state.faults.configuration?.hasPrefix("boardd.toml:") == true)
        #expect(state.stops.count == 2)
        // A favourite is still written to its file, and the failed reload is reported.
        let add = try await board.run("favourites", "remove", "\(Self.b)")
        #expect(add.status == ExitStatus.configuration)
        #expect(add.errors.hasPrefix("favourites.toml was saved, but the reload failed"), "\(add.errors)")
        #expect(!board.favourites.contains("\(Self.b)"))
        try board.folder.write(good, to: "etc/boardd.toml")
        let again = try await board.run("reload")
        #expect(again.output == "configuration reloaded\n", "\(again.errors)")
        #expect(try await board.state().stops.count == 1)
        try await board.end(daemon)
    }

    @Test("nearby stops appear once the directory is there, with their distance on the page")
    func nearby() async throws {
        let board = try InstalledBoard(
            favourites: "[[nearby]]\nlocation = \"51.5010,-0.1010\"\nradius = \"100m\"\n", board: Self.firstAsHome)
        let daemon = try await board.start()
        #expect(try await board.state().stops.isEmpty)
        _ = try await board.client.updateDirectory(SampleDirectory.feed)
        let state = await board.state { state in state.display.rows.first?.contains("0 m") == true }
        #expect(state.stops.map(\.stop) == [Self.a, Self.b])
        #expect(state.stops.allSatisfy { $0.distanceMetres != nil })
        #expect(state.display.rows.first?.contains("0 m") == true, "\(state.display.rows)")
        try await board.end(daemon)
    }

    // MARK: Restarts

    @Test(
        "the first frame after a restart shows the previous departures, when the operator does not respond any more",
        arguments: [SIGKILL, SIGTERM])
    func restart(signal: Int32) async throws {
        let board = try InstalledBoard(favourites: Self.bothSides, board: Self.firstAsHome)
        let daemon = try await board.start()
        // The departures of both stops: the first snapshot may have those of one.
        let isSaved = await eventually { board.folder.read("rt/board.json").ranges(of: "Old Bridge").count > 1 }
        #expect(isSaved, "\(daemon.errors)")
        daemon.signal(signal)
        #expect(await daemon.end() == (signal == SIGKILL ? -SIGKILL : 0))
        board.tfl.server.stop()
        let next = try Program(["run", "--frames", "1"], environment: board.environment)
        #expect(await next.end() == 0, "\(next.errors)")
        #expect(next.output.contains("Old Bridge"), "\(next.output)")
        #expect(next.output.contains("High St"))
        #expect(!next.output.contains("Loading"))
    }

    @Test("a second daemon leaves the first one's socket alone, and reports that")
    func second() async throws {
        let board = try InstalledBoard(favourites: Self.bothSides)
        let daemon = try await board.start()
        let other = try Program(["run", "--simulate"], environment: board.environment)
        #expect(await eventually { other.errors.contains("control.sock") }, "\(other.errors)")
        #expect(daemon.poll() == nil)
        #expect(try await board.run("press").status == 0)
        #expect(await other.terminate() == 0, "\(other.errors)")
        #expect(try await board.state().stops.count == 2, "the socket is still the first one's")
        try await board.end(daemon)
    }
}
