import BoardControl
import BoardCore
import BoardFeeds
import BoardService
import BoardStore
import FoundationEssentials
import Testing
import Waiting

@testable import boardd

@Suite("boardd stops, as processes", .endsHangs)
struct StopsCommandTests {
    /// A board with a stop directory and a favourite.
    private func board() throws -> InstalledBoard {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"tfl:490000001A\"\n")
        try SampleDirectory.write(
            [
                SampleDirectory.pole("490G000001", "High Street", lines: [], kind: .area),
                SampleDirectory.pole(
                    "490000001A", letter: "A", towards: "Old Bridge", lines: ["7", "N7"], at: (51.5010, -0.1010),
                    parent: "490G000001", shortCode: "50001"),
                SampleDirectory.pole(
                    "490000001B", letter: "B", towards: "Town Hall",
                    lines: ["7", "8", "9", "10", "11", "12", "13", "14", "15", "88"], at: (51.5011, -0.1012),
                    parent: "490G000001", shortCode: "50002"),
                SampleDirectory.pole(
                    "940GZZLUTWN", "Town Hall Station\u{1B}[2J", lines: ["Ring"], at: (51.5030, -0.1000),
                    kind: .station,
                    mode: "tube"),
                SampleDirectory.pole("490000009Z", "Far Corner", lines: ["88"], at: (51.6, -0.2)),
                SampleDirectory.pole("490000010S", "Harbour View", lines: ["333"], at: (-33.8701, 151.2001)),
            ], in: board.stateFolder)
        return board
    }

    @Test("a favourite is meant by its number in the list or its label, by show and map too")
    func numbers() async throws {
        let board = try board()
        try board.append("label = \"Home\"\n")
        for text in ["1", "home"] {
            let shown = try await board.run("stops", "show", text)
            #expect(shown.output.contains("tfl:490000001A"), "\(shown.errors)")
            #expect(try await board.run("stops", "map", text).output.contains("<svg"))
        }
    }

    @Test("search takes words without quotes, and distinguishes poles")
    func search() async throws {
        let result = try await board().run("stops", "search", "high", "str")
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output == """
                   tfl:490G000001  High Street      area: bus
                ★  tfl:490000001A  High Street (A)  bus        → Old Bridge  7 N7
                   tfl:490000001B  High Street (B)  bus        → Town Hall   7 8 9 10 11 12 13 14 +2

                """)
        #expect(result.errors.isEmpty)
    }

    @Test("search accepts the letter and the number on the pole, and has a limit")
    func letters() async throws {
        let board = try board()
        #expect(try await board.run("stops", "search", "high", "street", "b").output.contains("490000001B"))
        let number = try await board.run("stops", "search", "50001").output
        #expect(number.contains("490000001A") && !number.contains("490000001B"))
        #expect(try await board.run("stops", "search", "high", "--limit", "1").output.split(separator: "\n").count == 1)
        #expect(try await board.run("stops", "search", "high", "--limit", "0").status == ExitStatus.usage)
    }

    @Test("a search without results exits with 1 and prints candidates on standard error")
    func nothing() async throws {
        let result = try await board().run("stops", "search", "hihg", "street")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("no stop is called \"hihg street\"\ndid you mean"))
        #expect(result.errors.contains("tfl:490G000001"))
        #expect(
            try await board().run("stops", "search", "zzzzzz").errors
                == "no stop is called \"zzzzzz\". Only downloaded stop lists were searched. Use --online to also search "
                + "Transitous.\n")
    }

    @Test("search --json has all data; without results it is an empty list")
    func searchJSON() async throws {
        let board = try board()
        let result = try await board.run("stops", "search", "high", "street", "a", "--json")
        let stops = try JSONDecoder().decode([StopEntry].self, from: Data(result.output.utf8))
        let first = try #require(stops.first)
        #expect(first.stop == "tfl:490000001A" && first.isFavourite && first.shortCode == "50001")
        #expect(first.lines.map(\.name) == ["7", "N7"])
        let none = try await board.run("stops", "search", "zzzzzz", "--json")
        #expect(none.status == 1)
        #expect(try JSONDecoder().decode([StopEntry].self, from: Data(none.output.utf8)).isEmpty)
    }

    @Test("near lists the nearest first with distance, letter, direction and lines")
    func near() async throws {
        let result = try await board().run("stops", "near", "51.5010,-0.1010")
        #expect(
            result.output == """
                ★    0 m  tfl:490000001A   High Street (A)        bus   → Old Bridge  7 N7
                    20 m  tfl:490000001B   High Street (B)        bus   → Town Hall   7 8 9 10 11 12 13 14 +2
                   230 m  tfl:940GZZLUTWN  Town Hall Station [2J  tube                Ring

                """)
        let tube = try await board().run(
            "stops", "near", "51.5010,-0.1010", "--mode", "tube", "--mode", "dlr", "--json")
        let stops = try JSONDecoder().decode([StopEntry].self, from: Data(tube.output.utf8))
        #expect(stops.map(\.stop) == ["tfl:940GZZLUTWN"])
        #expect(stops.first?.distanceMetres.map { (200..<250).contains($0) } == true)
    }

    @Test("a latitude south of the equator is not an option, with or without a blank after the comma")
    func south() async throws {
        let board = try board()
        for arguments in [["-33.87,151.2"], ["-33.87,", "151.2"], ["-33.87", ",151.2"]] {
            let result = try await board.run(
                "stops", "near", arguments[0], arguments.count > 1 ? arguments[1] : "--limit=3")
            #expect(result.status == 0, "\(arguments) \(result.errors)")
            #expect(result.output.contains("tfl:490000010S"))
        }
        let west = try await board.run("stops", "near", "-33.87,-151.2", "--radius", "1km")
        #expect(west.status == 1)
    }

    @Test(
        "near reports what is wrong with a place",
        arguments: [
            ("151.2,-33.87", "has longitude and latitude swapped: write -33.87,151.2"),
            ("91,200", "must be from"), ("51.5,-190", "has the longitude -190, which must be from -180 to 180"),
            ("51.5", "must be latitude and longitude in degrees"), ("--raduis", "Unknown option '--raduis'"),
        ])
    func wrongPlace(place: String, words: String) async throws {
        let result = try await board().run("stops", "near", place)
        #expect(result.status == ExitStatus.usage)
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test(
        "near takes a stop: an identifier, a code, a name that one stop has, or that the stops of one place have",
        arguments: [
            ["tfl:490000001A"], ["490000001a"], ["high street a"], ["high", "street"], ["high st"], ["hig"],
            ["town hall station"], ["1"], ["https://www.openstreetmap.org/#map=19/51.5010/-0.1010"],
        ])
    func nearStop(place: [String]) async throws {
        let result = try await board().run(["stops", "near"] + place + ["--radius", "400"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output.contains("tfl:490000001A") && result.output.contains("tfl:940GZZLUTWN"), "\(result.output)")
    }

    @Test("near a name that one station and poles of other names begin with is near the station")
    func nearStation() async throws {
        let board = try InstalledBoard()
        try SampleDirectory.write(
            [
                SampleDirectory.pole("490000001A", "Manor House Station", letter: "A", at: (51.5, -0.1)),
                SampleDirectory.pole("490000001B", "Manor House Station", letter: "B", at: (51.5003, -0.1)),
                SampleDirectory.pole("490000002A", "Manor House Avenue", letter: "A", at: (51.52, -0.1)),
                SampleDirectory.pole(
                    "940GZZLUMRH", "Manor House Underground Station", at: (51.5005, -0.1), kind: .station, mode: "tube"),
            ], in: board.stateFolder)
        let near = try await board.run("stops", "near", "manor", "house", "--radius", "400")
        #expect(near.status == 0, "\(near.errors)")
        #expect(near.output.contains("490000001B") && !near.output.contains("490000002A"), "\(near.output)")
    }

    @Test("near a name that distant stops have, or that none has, offers candidates")
    func nearNames() async throws {
        let board = try InstalledBoard()
        try SampleDirectory.write(
            [
                SampleDirectory.pole("490000001A", "Park", letter: "A", at: (51.5, -0.1)),
                SampleDirectory.pole("490000001B", "Park", letter: "B", at: (51.6, -0.1)),
            ], in: board.stateFolder)
        let several = try await board.run("stops", "near", "park")
        #expect(several.status == 1)
        #expect(several.errors.hasPrefix("\"park\" matches several stops"), "\(several.errors)")
        #expect(several.errors.contains("tfl:490000001A") && several.errors.contains("tfl:490000001B"))
        let none = try await board.run("stops", "near", "prak")
        #expect(none.status == 1)
        #expect(none.errors.contains("did you mean") && none.errors.contains("--online"), "\(none.errors)")
    }

    @Test("near without results reports how far the nearest stop is and how to reach it")
    func nothingNear() async throws {
        let board = try board()
        let result = try await board.run("stops", "near", "51.5010,-0.1100")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(
            result.errors
                == "there is no stop within 500 m of 51.501,-0.11; the nearest is High Street (B), tfl:490000001B, 610 m"
                + " away: try --radius 700m\n")
        let wide = try await board.run("stops", "near", "51.5010,-0.1100", "--radius", "700m")
        #expect(wide.status == 0)
        #expect(try await board.run("stops", "near", "51.5,-0.1", "--radius", "near").status == ExitStatus.usage)
        let plane = try await board.run("stops", "near", "51.501,-0.101", "--mode", "plane").errors
        #expect(plane.contains("no stop of plane within 500 m of 51.501,-0.101; no list has such a stop"))
    }

    @Test("near rejects a distance greater than any on Earth")
    func beyondEarth() async throws {
        let board = try board()
        let radius = "99999999999999999999999999km"
        let result = try await board.run("stops", "near", "51,0", "--radius", radius, "--mode", "nosuch")
        #expect(result.status == ExitStatus.usage)
        #expect(result.errors.contains("\"\(radius)\" is farther than anything on Earth"), "\(result.errors)")
        #expect(try await board.run("stops", "near", "51,0", "--radius", "20100km", "--mode", "bus").status == 0)
    }

    @Test("near with swapped numbers reports that where stops would be near")
    func swapped() async throws {
        let result = try await board().run("stops", "near", "-0.1010,51.5010")
        #expect(result.status == 1)
        #expect(result.errors.contains("but there are near 51.501,-0.101: latitude and longitude seem swapped"))
    }

    @Test("lines are in numeric order, with their numbers of stops")
    func lines() async throws {
        let result = try await board().run("stops", "lines", "tfl")
        let rows = result.output.split(separator: "\n").map { String($0) }
        #expect(
            rows.prefix(3) == [
                "7     bus   2 stops  tfl:7", "8     bus   1 stop   tfl:8", "9     bus   1 stop   tfl:9",
            ])
        #expect(rows.last == "Ring  tube  1 stop   tfl:ring")
        let json = try JSONDecoder().decode(
            [LineEntry].self, from: Data(try await board().run("stops", "lines", "--json").output.utf8))
        #expect(json.count == rows.count)
        let wrong = try await board().run("stops", "lines", "lft")
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("known feeds: tfl"))
    }

    @Test(
        "show prints the details, also by the code alone, the number on the pole or the name, in any case",
        arguments: ["tfl:490000001A", "490000001a", "50001", "tfl:50001", "high street a"])
    func show(text: String) async throws {
        let result = try await board().run("stops", "show", text)
        #expect(result.status == 0)
        #expect(
            result.output == """
                High Street (A)  ★ a favourite
                  stop         tfl:490000001A
                  kind         pole
                  towards      Old Bridge
                  bus          7 N7
                  on the pole  50001
                  part of      tfl:490G000001  High Street
                  place        51.501,-0.101
                  map          https://www.openstreetmap.org/?mlat=51.501&mlon=-0.101#map=19/51.501/-0.101

                """)
    }

    @Test("show lists the parts of an area")
    func parts() async throws {
        let board = try board()
        let result = try await board.run("stops", "show", "490G000001")
        #expect(
            result.output.hasSuffix(
                """
                  parts
                    ★  tfl:490000001A  High Street (A)  bus  → Old Bridge  7 N7
                       tfl:490000001B  High Street (B)  bus  → Town Hall   7 8 9 10 11 12 13 14 +2

                """), "\(result.output)")
        let json = try await board.run("stops", "show", "490G000001", "--json").output
        #expect(try JSONDecoder().decode(StopDetail.self, from: Data(json.utf8)).parts.count == 2)
    }

    @Test("a map is drawn around the number on a pole")
    func mapOfPole() async throws {
        let result = try await board().run("stops", "map", "50001")
        #expect(result.status == 0 && result.output.contains("High Street"), "\(result.errors)")
    }

    @Test("a map of a stop without a location reports that and exits with 1")
    func mapOfNowhere() async throws {
        let state = try TemporaryFolder()
        try SampleDirectory.write([SampleDirectory.pole("490000001A", "Nowhere", at: nil)], in: state.path)
        let program = try Program(
            ["stops", "map", "490000001A", "--config", "\(state.path)/boardd.toml"],
            environment: ["STATE_DIRECTORY": state.path, "RUNTIME_DIRECTORY": state.path])
        let result = (status: await program.end(), output: program.output, errors: program.errors)
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("the operator reports no location for tfl:490000001A"), "\(result)")
    }

    @Test("show of an unknown stop prints up to three candidates")
    func unknown() async throws {
        let result = try await board().run("stops", "show", "tfl:490000001C")
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("there is no stop \"tfl:490000001C\"\n"))
        #expect(result.errors.split(separator: "\n").count == 5)
        let other = try await board().run("stops", "show", "tlf:490000001A")
        let feeds = FeedRegistry.operators.map(\.declaration.name.description).joined(separator: ", ")
        #expect(other.status == 1)
        #expect(
            other.errors
                == "there is no feed \"tlf\"; known feeds: \(feeds), gtfs.NAME, siri.NAME\ndid you mean tfl:490000001A (High Street A)?\n"
        )
        let sides = try await board().run("stops", "show", "high street")
        #expect(sides.status == 1)
        #expect(sides.errors.hasPrefix("\"high street\" matches several stops"), "\(sides.errors)")
    }

    @Test("a missing or damaged directory, or one of a newer boardd, exits every command with 69 and what to do")
    func noDirectory() async throws {
        let empty = try TemporaryFolder()
        let broken = try TemporaryFolder()
        try Data(repeating: 0x5A, count: 9_000).write(to: URL(filePath: "\(broken.path)/stops-tfl.sqlite"))
        for (folder, words) in [
            (empty, "yet: run boardd setup, or boardd stops update FEED"),
            (broken, "stops-tfl.sqlite is damaged"),
        ] {
            for arguments in [["search", "a"], ["near", "51,0"], ["lines"], ["show", "tfl:1"]] {
                let result = try await boarddTests.run(["stops"] + arguments, state: folder)
                #expect(result.status == ExitStatus.unavailable, "\(arguments)")
                #expect(result.errors.contains(words), "\(result.errors)")
                // A search of operators does not repair a damaged list.
                let isAdvised = folder.path == empty.path && ["search", "near"].contains(arguments[0])
                #expect(result.errors.contains("--online") == isAdvised, "\(result.errors)")
                #expect(result.output.isEmpty)
            }
        }
    }
}

/// Runs the program to its end with a state folder of its own.
func run(_ arguments: [String], state: TemporaryFolder) async throws -> Program.Result {
    try await Program.run(arguments, environment: ["STATE_DIRECTORY": state.path, "RUNTIME_DIRECTORY": state.path])
}
