import BoardControl
import BoardCore
import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import LoopbackServer
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("boardd setup, in a terminal", .serialized, .endsHangs)
struct SetupTests {
    /// The most entries from nothing to a board.
    private static let mostEntries = 8

    /// The machine is in London, where the zone is not prompted for.
    private static let london = ["TZ": "Europe/London"]

    /// A MOTIS server with two stops in Lyon, and a tram in some minutes.
    private func lyon() throws -> LoopbackServer {
        try LoopbackServer { request in
            let target = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            if target.hasPrefix("/api/v1/geocode?") {
                guard target.contains("text=part-dieu&") else { return [.reply(text: "[]")] }
                let rows = [("fr_1", "Gare Part-Dieu"), ("fr_2", "Part-Dieu Jules Favre")].map { id, name in
                    #"{"type":"STOP","id":"\#(id)","name":"\#(name)","lat":45.7606,"lon":4.8596,"modes":["TRAM"]}"#
                }
                return [.reply(text: "[\(rows.joined(separator: ","))]")]
            } else if target.hasPrefix("/api/v1/map/stops?") {
                return [.reply(text: #"[{"stopId":"fr_1","name":"Gare Part-Dieu","lat":45.7606,"lon":4.8596}]"#)]
            } else if target.contains("/stoptimes?stopId=fr_1&") {
                return [.reply(text: Self.trams)]
            }
            return [.reply(404, text: #"{"error":"no such stop"}"#)]
        }
    }

    private static var trams: String {
        let now = SystemClock().reading().wall
        let rows = [("T1", "Debourg", 300), ("T3", "Meyzieu", 660)].map { line, headsign, seconds in
            let time = (now + .seconds(seconds)).rfc3339
            return """
                {"place":{"name":"Gare Part-Dieu","lat":45.7606,"lon":4.8596,"tz":"Europe/Paris","departure":"\(time)",
                "scheduledDeparture":"\(time)"},"mode":"TRAM","realTime":true,"headsign":"\(headsign)","tripId":"\(line)",
                "routeShortName":"\(line)","displayName":"\(line)"}
                """
        }
        return """
            {"place":{"name":"Gare Part-Dieu","lat":45.7606,"lon":4.8596,"tz":"Europe/Paris"},"stopTimes":[\(rows.joined(separator: ","))]}
            """
    }

    private func boardOfLyon(_ server: LoopbackServer) throws -> InstalledBoard {
        let board = try InstalledBoard()
        try board.folder.write("# mine\n[feed.motis]\nurl = \"\(server.url())\"\n", to: "etc/boardd.toml")
        return board
    }

    /// A board for stations without favourites.
    private func boardOfRail(_ rail: NationalRailServer, keys: String = "") throws -> InstalledBoard {
        let board = try InstalledBoard()
        for (name, text) in rail.files(keys: keys) where name != "favourites.toml" {
            try board.folder.write(text, to: "etc/\(name)")
        }
        return board
    }

    private static let entriesOfLyon = [
        ("Where are you", "Lyon"), ("Whose departures", ""), ("mail or web address", "me@example.org"),
        ("Name of the stop", "part-dieu"), ("Which", "1"), ("Lines", "T1, debourg"), ("Minutes to walk", "2"),
    ]

    /// The files of a board's configuration, by name.
    private func files(_ board: InstalledBoard) -> [String: String] {
        let names = ["boardd.toml", "favourites.toml", "keys.env"]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, board.folder.read("etc/\($0)")) })
    }

    /// Copies of a configuration that were not removed.
    private func leftovers(_ board: InstalledBoard) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: board.path).filter { $0.hasPrefix("boardd-setup") }
    }

    @Test("from an empty file to Lyon's Part-Dieu on the display, by Transitous, with at most eight entries")
    func transitous() async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        let entries = Self.entriesOfLyon
        #expect(entries.count <= Self.mostEntries)
        let (status, screen) = try await SetupTerminal(board).enter(entries)
        #expect(status == 0, "\(screen)")
        #expect(screen.contains("1  Transitous"))
        #expect(screen.contains(" Debourg"), "\(screen)")
        let favourites = board.folder.read("etc/favourites.toml")
        for line in ["\"motis:fr_1\"", "lines      = [\"T1\"]", "walk       = \"2m\"", "directions = [\"Debourg\"]"] {
            #expect(favourites.contains(line), "\(favourites)")
        }
        let text = board.folder.read("etc/boardd.toml")
        #expect(text == "# mine\n[feed.motis]\ncontact = \"me@example.org\"\nurl = \"\(server.url())\"\n")
        #expect(try await board.run("check").status == 0)
        #expect(try leftovers(board).isEmpty)
        server.stop()
    }

    @Test(
        "a position finds the nearest stop and proposes the minutes of the distance, and the board speaks as the terminal does"
    )
    func position() async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        let (status, screen) = try await SetupTerminal(board, environment: ["LANG": "fr_FR.UTF-8"]).enter([
            ("Where are you", "45.7620,4.8596"), ("Whose departures", "1"), ("mail or web address", ""),
            ("Name of the stop", ""), ("Lines and directions", "Debourg"),
            ("Minutes to walk there (0: do not count) [3]", ""),
        ])
        #expect(status == 0, "\(screen)")
        #expect(board.favourites.contains("= \"3m\""), "\(board.favourites)")
        #expect(board.favourites.contains("directions = [\"Debourg\"]"), "\(board.favourites)")
        #expect(board.folder.read("etc/boardd.toml").hasSuffix("[language]\ncode = \"fr\"\n"))
        server.stop()
    }

    @Test("Boston by its feed in the list of cities, whose stops are searched at once")
    func city() async throws {
        let gtfs = try GTFSServer.trams()
        let board = try InstalledBoard()
        try board.folder.write(
            """
            437\tUS\tMassachusetts\tBoston\tMassachusetts Bay Transportation Authority (MBTA)\t\t\(gtfs.server.url("/gtfs.zip"))\tx\t\t\t\t\t42,-72,43,-70\tstable\t\tMBTA\t\t=\t4467\t
            \ttu\t\(gtfs.server.url("/trips"))\t\t\t
            """, to: "cities.tsv")
        let entries = [
            ("Where are you", "boston"), ("Whose departures", "mass"), ("Name of the stop", "park"),
            ("Minutes to walk", "4"),
        ]
        #expect(entries.count <= Self.mostEntries)
        let (status, screen) = try await SetupTerminal(board, environment: ["BOARDD_SHARE": board.path]).enter(entries)
        #expect(status == 0, "\(screen)")
        #expect(screen.contains("gtfs.mbta: downloading the list of stops"))
        #expect(screen.contains(" Quay"), "\(screen)")
        #expect(board.folder.read("etc/feeds.d/mbta.toml").contains("[feed.gtfs.mbta]"))
        #expect(board.favourites.contains("\"gtfs.mbta:P\""))
        #expect(try await board.run("check").status == 0)
    }

    @Test("Boston after boardd cities add: its feed is one of the choices")
    func addedCity() async throws {
        let gtfs = try GTFSServer.trams()
        let board = try InstalledBoard()
        try board.folder.write(gtfs.config()["boardd.toml"] ?? "", to: "etc/boardd.toml")
        let (status, screen) = try await SetupTerminal(board).enter([
            ("Where are you", "town"), ("Whose departures", "gtfs.town"), ("Name of the stop", "quay"),
            ("Minutes to walk", "0"),
        ])
        #expect(status == 0, "\(screen)")
        #expect(board.favourites.contains("\"gtfs.town:Q\"") && !board.favourites.contains("walk"))
    }

    @Test("London: the list of stops is downloaded when it is needed, and the lines are those of the stop")
    func london() async throws {
        let board = try InstalledBoard()
        let entries = [
            ("Where are you", "London"), ("Whose departures", ""), ("Name of the stop", "high street"), ("Which", "2"),
            ("Lines", "2"), ("Minutes to walk", "4"),
        ]
        #expect(entries.count <= Self.mostEntries)
        let (status, screen) = try await SetupTerminal(board, environment: Self.london).enter(entries)
        #expect(status == 0, "\(screen)")
        #expect(screen.contains("tfl: downloading the list of stops"))
        #expect(
            board.favourites.contains("\"tfl:490000001B\"") && board.favourites.contains("[\"88\"]"),
            "\(board.favourites)")
        #expect(screen.contains(" Town Hall"), "\(screen)")
    }

    @Test(
        "a rail station with a key: a wrong one is reported and typed again, hidden, and the right one is stored for root alone"
    )
    func rail() async throws {
        let rail = try NationalRailServer(.marketplace)
        let board = try boardOfRail(rail)
        let key = rail.service.key
        let entries = [
            ("Where are you", "Ambridge"), ("Whose departures", "rail"),
            ("Name of the stop: only its code", "Ambridge"),
            ("Name of the stop", "amb"), (key.name, "wrong-key-1234567890"), (key.name, key.value),
            ("Lines", ""), ("Only trains that also call at", ""), ("Minutes to walk", "9"),
        ]
        // Two are wrong.
        #expect(entries.count - 2 <= Self.mostEntries)
        let (status, screen) = try await SetupTerminal(board, environment: Self.london).enter(entries)
        #expect(status == 0, "\(screen)")
        #expect(screen.contains("there is no list of its names"), "\(screen)")
        #expect(screen.contains("key rejected: check \(key.name)") && screen.contains("Ashco"), "\(screen)")
        for text in [key.value, "wrong-key"] { #expect(!screen.contains(text)) }
        #expect(board.folder.read("etc/keys.env").contains("\(key.name)=\(key.value)\n"))
        #expect(!board.folder.read("etc/keys.env").contains("wrong-key"))
        #expect(board.favourites.contains("\"rail:AMB\""))
    }

    @Test("without its key a station is set up all the same, and the display shows what is missing")
    func withoutKey() async throws {
        let rail = try NationalRailServer(.marketplace)
        let board = try boardOfRail(rail)
        let (status, screen) = try await SetupTerminal(board).enter([
            ("Where are you", "Ambridge"), ("Whose departures", "rail"), ("Name of the stop", "AMB"),
            (rail.service.key.name, ""), ("Minutes to walk", "0"),
        ])
        #expect(status == 0, "\(screen)")
        #expect(board.favourites.contains("\"rail:AMB\""))
        #expect(screen.contains("key"), "\(screen)")
    }

    @Test("a key that is rejected and left for later is not stored, and other keys stay, also with CRLF")
    func rejectedKey() async throws {
        let rail = try NationalRailServer(.marketplace)
        let board = try boardOfRail(rail, keys: "TFL_APP_KEY=0123456789abcdef\r\n")
        let key = rail.service.key
        let before = board.folder.read("etc/keys.env")
        #expect(before.contains("TFL_APP_KEY"))
        var entries = [
            ("Where are you", "Ambridge"), ("Whose departures", "rail"), ("Name of the stop", "AMB"),
            (key.name, "wrong-key-1234567890"), (key.name, ""), ("Minutes to walk", "0"),
        ]
        #expect(try await SetupTerminal(board).enter(entries).status == 0)
        #expect(board.folder.read("etc/keys.env") == before)
        entries[3].1 = key.value
        entries[4] = ("Lines", "")
        entries.insert(("Only trains that also call at", ""), at: 5)
        #expect(try await SetupTerminal(board).enter(entries).status == 0)
        #expect(board.folder.read("etc/keys.env") == "TFL_APP_KEY=0123456789abcdef\n\(key.name)=\(key.value)\n")
    }

    @Test("while the board runs, a rejected key of /etc is replaced there, and one of nobody goes to its own settings")
    func runningKey() async throws {
        let rail = try NationalRailServer(.marketplace)
        let key = rail.service.key
        for keys in ["\(key.name)=wrong-key-1234567890\n", ""] {
            let board = try boardOfRail(rail, keys: keys)
            let daemon = try await board.start()
            let (status, screen) = try await SetupTerminal(board).enter([
                ("Where are you", "Ambridge"), ("Whose departures", "rail"), ("Name of the stop", "AMB"),
                (key.name, key.value), ("Lines", ""), ("Only trains that also call at", ""), ("Minutes to walk", "0"),
            ])
            #expect(status == 0 && !screen.contains(key.value), "\(screen)")
            let (administrators, own) = ("etc/keys.env", "st/settings/keys.env")
            #expect(board.folder.read(keys.isEmpty ? own : administrators) == "\(key.name)=\(key.value)\n")
            #expect(!board.folder.read(keys.isEmpty ? administrators : own).contains(key.value))
            #expect(screen.contains(keys.isEmpty ? "set: \(key.name)" : "/keys.env"), "\(screen)")
            if keys.isEmpty {
                // By phone: the operator rejects it.
                await #expect(throws: ServiceError.self) {
                    try await board.client.setKey(key.name, to: "mistyped-1234567890")
                }
                #expect(board.folder.read(own) == "\(key.name)=\(key.value)\n")
                #expect(try await board.client.setKey(key.name, to: key.value).keys.contains { $0.isSet })
            }
            try await board.end(daemon)
        }
    }

    @Test("an option for a choice that does not exist is reported", arguments: ["--display"])
    func noChoice(option: String) async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        let result = try await board.run("setup", "--yes", "--stop", "motis:fr_1", "--walk", "5", option, "1")
        #expect(result.status == 64, "\(result.errors)")
        #expect(result.errors.contains("nothing to choose from"))
        #expect(try leftovers(board).isEmpty)
        server.stop()
    }

    @Test("a signal or the end of the input at any prompt changes nothing", arguments: 0..<14)
    func interrupted(number: Int) async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        let before = files(board)
        let session = try SetupTerminal(board)
        var seen = 0
        for (prompt, entry) in Self.entriesOfLyon.prefix(number / 2) {
            try await session.waitForPrompt(prompt, after: &seen)
            session.terminal.type(entry + "\n")
        }
        try await session.waitForPrompt(Self.entriesOfLyon[number / 2].0, after: &seen)
        if number % 2 == 0 {
            session.program.signal(SIGINT)
            #expect(await session.program.end() == 130)
        } else {
            session.terminal.type("\u{4}")
            #expect(await session.program.end() == ExitStatus.noInput)
        }
        #expect(session.terminal.screen.contains("nothing was changed"))
        #expect(session.terminal.echoes)
        #expect(files(board) == before)
        #expect(try leftovers(board).isEmpty)
        server.stop()
    }

    @Test("a signal while a key is typed restores the terminal")
    func interruptedKey() async throws {
        let rail = try NationalRailServer(.marketplace)
        let board = try InstalledBoard()
        for (name, text) in rail.files(keys: "") { try board.folder.write(text, to: "etc/\(name)") }
        let session = try SetupTerminal(board, ["--stop", "rail:AMB"])
        var seen = 0
        try await session.waitForPrompt(rail.service.key.name, after: &seen)
        #expect(await eventually { !session.terminal.echoes })
        session.program.signal(SIGTERM)
        #expect(await session.program.end() == 130)
        #expect(session.terminal.echoes)
    }

    @Test("a wrong entry is reported, and the prompt is repeated")
    func wrongEntries() async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        let (status, screen) = try await SetupTerminal(board).enter([
            ("Where are you", "95,200"), ("Where are you", "Lyon"), ("Whose departures", "9"),
            ("Whose departures", "transitous"), ("mail or web address", "(me)"), ("mail or web address", ""),
            ("Name of the stop", "atlantis"), ("Name of the stop", "95,200"), ("Name of the stop", "part-dieu"),
            ("Which", "3"), ("Which", "1"), ("Lines", "Z9"), ("Minutes to walk", "soon"), ("Minutes to walk", "6"),
        ])
        #expect(status == 0, "\(screen)")
        for words in [
            "no stop is called \"atlantis\"", "must be a number from 1 to 2",
            "remark: \"Z9\" is taken as a line, which none of the next departures has",
            "must be a mail or web address",
            "must be minutes from 0 to 120",
        ] {
            #expect(screen.contains(words), "\(words): \(screen)")
        }
        #expect(board.folder.read("etc/boardd.toml").contains("contact") == false)
        server.stop()
    }

    @Test("with --yes every entry is an option or a default, and a second run changes what the first wrote")
    func options() async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        let first = try await board.run(
            "setup", "--yes", "--stop", "part-dieu", "--feed", "motis", "--number", "1", "--walk", "6")
        #expect(first.status == 0, "\(first.errors)")
        #expect(board.favourites.contains("walk     = \"6m\""))
        let second = try await board.run("setup", "--yes", "--stop", "motis:fr_1", "--lines", "T3", "--size", "16x2")
        #expect(second.status == 0, "\(second.errors)")
        #expect(board.favourites.contains("[\"T3\"]") && board.favourites.contains("\"6m\""), "\(board.favourites)")
        #expect(board.favourites.components(of: "[[stop]]") == 1)
        #expect(board.folder.read("etc/boardd.toml").contains("[display]\nsize = \"16x2\"\n"))
        // The number of a direction comes after those of the lines; other lines leave the directions as they are.
        for (option, value) in [("--directions", "2"), ("--lines", "T1")] {
            let other = try await board.run("setup", "--yes", "--stop", "motis:fr_1", option, value)
            #expect(
                other.status == 0 && other.errors.contains("Directions: Meyzieu")
                    && !other.errors.contains("remark: \""), "\(other.errors)")
        }
        #expect(
            board.favourites.contains("[\"T1\"]") && board.favourites.contains("[\"Meyzieu\"]"), "\(board.favourites)")
        let missing = try await board.run("setup", "--yes")
        #expect(
            missing.status == ExitStatus.usage && missing.errors.contains("--place is missing"), "\(missing.errors)")
        let wrong = try await board.run("setup", "--yes", "--stop", "motis:fr_1", "--size", "20x3")
        #expect(wrong.status == ExitStatus.usage && wrong.errors.contains("20x3"), "\(wrong.errors)")
        #expect(board.folder.read("etc/boardd.toml").contains("16x2"))
        server.stop()
    }

    @Test("--yes never chooses among several stops")
    func several() async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        let setup = try await board.run("setup", "--yes", "--stop", "part-dieu", "--feed", "motis", "--walk", "6")
        #expect(setup.status == ExitStatus.usage && setup.errors.contains("--number is missing"), "\(setup.errors)")
        #expect(board.favourites.isEmpty)
        server.stop()
    }

    @Test("back returns to the step before and forgets its entry, also its files; ? explains")
    func back() async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        let (status, screen) = try await SetupTerminal(board).enter([
            ("Where are you", "back"), ("Where are you", "?"), ("Where are you", "Paris"), ("Whose departures", "back"),
            ("Where are you", "Lyon"), ("Whose departures", ""), ("mail or web address", "wrong@example.org"),
            ("Name of the stop", "back"), ("mail or web address", ""), ("Name of the stop", "part-dieu"),
            ("Which", "2"), ("Minutes to walk", "back"), ("Which", "1"), ("Lines", "T1"), ("Minutes to walk", "back"),
            ("Lines", "T3"), ("Minutes to walk", "2"),
        ])
        #expect(status == 0, "\(screen)")
        #expect(screen.contains("This is the first step") && screen.contains("latitude and longitude, or the link"))
        #expect(board.favourites.contains("\"motis:fr_1\"") && board.favourites.contains("lines    = [\"T3\"]"))
        #expect(!board.folder.read("etc/boardd.toml").contains("wrong@example.org"))
        server.stop()
    }

    @Test("while the board runs, its own settings get what was entered, and it shows the stop")
    func running() async throws {
        let server = try lyon()
        let board = try boardOfLyon(server)
        // /etc has the table of Transitous, for the test's address: it stays there.
        let before = board.folder.read("etc/boardd.toml")
        let daemon = try await board.start()
        // A phone was there before.
        _ = try await board.client.setTable("display", to: [["size": .text("20x2"), "backlight_on": .text("low")]])
        let (status, screen) = try await SetupTerminal(board, ["--size", "16x2"]).enter(Self.entriesOfLyon)
        #expect(status == 0, "\(screen)")
        #expect(screen.contains("set: [display]") && screen.contains("The board shows this now"), "\(screen)")
        let settings = board.folder.read("st/settings/settings.toml")
        #expect(settings.contains("size = \"16x2\"") && settings.contains("backlight_on = \"low\""), "\(settings)")
        #expect(
            board.folder.read("etc/boardd.toml")
                == before.replacing("[feed.motis]\n", with: "[feed.motis]\ncontact = \"me@example.org\"\n"))
        #expect(try await board.state().live.display.rows.count == 2)
        try await board.end(daemon)
        server.stop()
    }

    @Test("without a terminal, and without --yes, it ends with what to do")
    func noTerminal() async throws {
        let setup = try await run("setup")
        #expect(setup.status == ExitStatus.usage)
        #expect(setup.errors.contains("needs a terminal") && setup.errors.contains("--yes"))
    }

    @Test("faulty files are reported before anything is prompted for")
    func faulty() async throws {
        let board = try InstalledBoard()
        try board.folder.write("[display]\nsize = \"20x3\"\n", to: "etc/boardd.toml")
        let setup = try await board.run("setup", "--yes", "--stop", "tfl:490000001A")
        #expect(setup.status == ExitStatus.configuration)
        #expect(
            setup.errors.contains("correct them first") && setup.errors.contains("boardd.toml:2:8"), "\(setup.errors)")
        #expect(board.favourites.isEmpty)
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
