import BoardCore
import FoundationEssentials
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("The commands, as processes", .endsHangs)
struct CommandTests {
    private let stop = "tfl:490008660N"
    private var demo: [String] { ["--config", Checkout.demo, "--replay", Checkout.recording] }

    @Test("check exits with 0 for valid files and summarises them")
    func good() async throws {
        let check = try await run("check", "--config", Checkout.demo)
        #expect(check.status == 0)
        #expect(
            check.output == """
                the configuration is valid: 5 favourites, 1 button, a display that boardd finds by itself
                \(Checkout.demo): [pages]

                """)
    }

    @Test("check exits with 1 and prints every fault of every file with its position")
    func faults() async throws {
        let folder = try TemporaryFolder([
            "boardd.toml": "[language]\nclock = \"25h\"\nlanguish = \"en\"\n[display]\nsize = \"20x3\"\n",
            "favourites.toml": "[[stop]]\nid = \"tfl:1\"\n[[stop]]\nid = \"tfl:1\"\n[[stop]]\nid = \"bus\"\n",
        ])
        let check = try await run("check", "--config", "\(folder.path)/boardd.toml")
        #expect(check.status == 1)
        let places = check.output.split(separator: "\n").map { line in
            line.dropFirst(folder.path.count + 1).split(separator: ": ")[0]
        }
        #expect(
            places == [
                "boardd.toml:2:9", "boardd.toml:3:1", "boardd.toml:5:8", "favourites.toml:4:6", "favourites.toml:6:6",
            ], "\(check.output)")
    }

    @Test("check reports a stop that its feed's list does not have, with candidates; without a list, nothing")
    func unlistedStop() async throws {
        let board = try InstalledBoard(
            favourites: """
                [[stop]]
                id = "tfl:490000001X"
                [[stop]]
                id = "tfl:490000001a"
                [[stop]]
                id = "rail:PDA"
                """)
        let config = "\(board.path)/etc/favourites.toml"
        #expect(try await board.run("check").status == 0)

        try board.makeDirectory()
        let advice = "Search for it with `boardd stops search NAME`, or fetch a newer list with `boardd stops update`\n"
        let one = try await board.run("check")
        #expect(one.status == 1)
        #expect(
            one.output
                == "\(config):2:6: id: tfl:490000001X is not in the list of stops of tfl; did you mean tfl:490000001A "
                + "(High Street) or tfl:490000001B (High Street) or tfl:490000002A (St James's Park)? \(advice)")

        try board.makeStations()
        let both = try await board.run("check", "--online")
        #expect(both.status == 1)
        #expect(
            both.output.contains(
                "\(config):6:6: id: rail:PDA is not in the list of stops of rail; did you mean rail:PAD "
                    + "(London Paddington)? \(advice)"), "\(both.output)")
        #expect(board.tfl.server.requests.isEmpty, "no request was sent")
    }

    @Test("check exits with 2 when a file cannot be read")
    func blind() async throws {
        let check = try await run("check", "--config", "/nowhere/boardd.toml")
        #expect(check.status == 2)
        #expect(check.output.hasPrefix("/nowhere/boardd.toml: cannot be read"))
    }

    @Test("departures prints a table like the display, with the attribution below")
    func table() async throws {
        let result = try await run("departures", stop, "--config", Checkout.demo, "--replay", Checkout.recording)
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("Oxford Street / Oxford Circus N ") == true)
        #expect(lines.last == "Powered by TfL Open Data")
        #expect(lines.count > 8)
        #expect(lines[1].hasPrefix("73 "))
        #expect(result.errors.isEmpty)
    }

    @Test("departures sorts as requested")
    func sorted() async throws {
        let result = try await run(
            "departures", stop, "--sort", "line", "--config", Checkout.demo, "--replay", Checkout.recording)
        let lines = result.output.split(separator: "\n").dropFirst().dropLast().compactMap {
            $0.split(separator: " ").first
        }
        #expect(lines.first == "7")
        #expect(lines.firstIndex(of: "98") == lines.lastIndex(of: "73").map { $0 + 1 })
    }

    @Test("departures --json has all data, including the vehicle")
    func json() async throws {
        struct Output: Decodable {
            struct Row: Decodable {
                let line: String
                let lineID: String
                let destination: String
                let vehicle: String?
                let status: String
                let expected: String?
                let madeAt: String
                let expiresAt: String
            }
            let stop: String
            let name: String?
            let attribution: String
            let badRows: Int
            let departures: [Row]
        }
        let printed = try await run(
            "departures", stop, "--json", "--config", Checkout.demo, "--replay", Checkout.recording)
        #expect(printed.status == 0, "\(printed.errors)")
        let result = try JSONDecoder().decode(Output.self, from: Data(printed.output.utf8))
        #expect(result.stop == stop)
        #expect(result.badRows == 0)
        #expect(result.departures.count > 8)
        #expect(result.departures.allSatisfy { $0.vehicle != nil && $0.expected != nil && $0.status == "expected" })
        #expect(result.departures.allSatisfy { $0.madeAt < $0.expiresAt && $0.expiresAt.hasSuffix("Z") })
    }

    @Test(
        "departures reports what is wrong with its arguments",
        arguments: [
            (["departures", "oxford"], ExitStatus.unavailable, "\"oxford\" cannot be looked up"),
            (["departures", "unknown:1"], 1, "there is no feed \"unknown\"; known feeds: rail, tfl, motis"),
            (["departures", "tfl:0"], ExitStatus.temporaryFailure, ""),
        ])
    func wrongStop(arguments: [String], status: Int32, words: String) async throws {
        let program = try Program(arguments + demo)
        let end = await program.end()
        #expect(end != 0)
        if !words.isEmpty {
            #expect(end == status)
            #expect(program.errors.contains(words))
        }
        #expect(program.output.isEmpty)
    }

    @Test("a missing recording is a missing input")
    func noRecording() async throws {
        for arguments in [["departures", stop], ["run", "--simulate"]] {
            let program = try Program(arguments + ["--replay", "/nowhere", "--config", Checkout.demo])
            #expect(await program.end() == ExitStatus.noInput)
            #expect(program.errors.contains("/nowhere"))
        }
    }

    @Test(
        "--help of every command describes it, on standard output",
        arguments: [
            ([], ["run", "check", "departures"]),
            (["run"], ["--simulate", "--replay", "--record", "--frames", "--frame-log", "--config", "space"]),
            (["check"], ["--online", "--config", "Exit status"]),
            (["departures"], ["--sort", "--json", "--running", "<stop>"]),
        ])
    func help(command: [String], words: [String]) async throws {
        let program = try Program(command + ["--help"])
        #expect(await program.end() == 0)
        for word in words { #expect(program.output.contains(word), "\(word)") }
        #expect(program.errors.isEmpty)
    }

    @Test("--version is the version, and where new ones are")
    func version() async throws {
        #expect(try await run("--version").output == "boardd \(Version.number)\nnew releases: \(Version.releases)\n")
    }

    @Test(
        "every command exits without unloading libraries under the threads that use them, whatever its result",
        arguments: [
            (["--version"], 0), (["check", "--help"], 0), (["help", "check"], 0), (["check", "--cold"], 64),
            (["--generate-completion-script", "bash"], 0),
            (["departures", "nowhere:1", "--config", Checkout.demo], 1),
            (["check", "--config", Checkout.demo], 0), (["check", "--config", "/nowhere/boardd.toml"], 2),
            (["run", "--config", Checkout.demo, "--replay", Checkout.recording, "--frames", "1"], 0),
        ] as [([String], Int32)])
    func end(arguments: [String], status: Int32) async throws {
        // ld.so(8) reports on standard error what it does with each library.
        let program = try Program(arguments, environment: ["LD_DEBUG": "files"])
        #expect(await program.end() == status, "\(arguments)")
        #expect(program.errors.contains("calling init: "))
        #expect(!program.errors.contains("calling fini: "))
        #expect(program.output.isEmpty == [1, 64].contains(status), "\(program.output)")
    }
}
