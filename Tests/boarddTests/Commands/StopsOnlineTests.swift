import BoardControl
import BoardCore
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("boardd stops line and update, with and without a daemon", .serialized, .endsHangs)
struct StopsOnlineTests {
    private func board(_ tfl: TfLServer) throws -> InstalledBoard {
        try InstalledBoard(tfl, favourites: "[[stop]]\nid = \"tfl:490000001B\"\n")
    }

    private static let line7 = """
        Line 7  bus  tfl:7

        outbound: High Street → Old Bridge
        ▶   High Street (A)  tfl:490000001A
            Old Bridge (A)   tfl:490000003A

        inbound: Old Bridge → High Street
            Old Bridge (B)   tfl:490000003B
          ★ High Street (B)  tfl:490000001B

        """

    @Test("line sends a request to the operator where no daemon runs, and marks the stop of --stop and favourites")
    func direct() async throws {
        let tfl = try TfLServer()
        let board = try board(tfl)
        let result = try await board.run("stops", "line", "tfl:7", "--stop", "490000001a")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == Self.line7)
    }

    @Test("map draws the stops around a stop, and with --line its way, at the cost of a request")
    func map() async throws {
        let tfl = try TfLServer()
        let board = try board(tfl)
        try SampleDirectory.write(
            [
                SampleDirectory.pole("490000001A", letter: "A", at: (51.5009, -0.1)),
                SampleDirectory.pole("490000001B", letter: "B", at: (51.5, -0.1)),
                SampleDirectory.pole("490000002A", "Far Corner", at: (51.6, -0.2)),
            ], in: board.stateFolder)
        let plain = try await board.run("stops", "map", "490000001A")
        #expect(plain.status == 0 && plain.output.hasPrefix("<svg "), "\(plain)")
        #expect(plain.output.components(separatedBy: "High Street").count > 2)
        #expect(!plain.output.contains("class=\"way\"") && !plain.output.contains("<a "), "links of the page")
        // What the path names stays what it is.
        let (file, link) = ("\(board.path)/real.svg", "\(board.path)/map.svg")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let result = try await board.run(
            "stops", "map", "51.5009,", "-0.1", "--line", "tfl:7", "--scale", "5", "--size", "400x300", "-o", link)
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
        let drawn = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        #expect(drawn.contains("class=\"way\"") && drawn.contains("viewBox=\"0 0 400 300\""))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        let far = try await board.run("stops", "map", "490000002A", "--line", "tfl:7", "-o", "-")
        #expect(
            far.status == 0 && far.output.hasPrefix("<svg ") && far.errors == "remark: line tfl:7 does not pass here\n")
        let empty = try await board.run("stops", "map", "-33.9,", "151.2", "-o", "/dev/null")
        #expect(empty.status == 0 && empty.errors.hasPrefix("remark: there is no stop around -33.9,151.2"), "\(empty)")
        let none = try await board.run("stops", "map", "490000001A", "--line", "tfl:77")
        #expect(none.status == 1 && none.errors.hasPrefix("tfl: no line \"77\""), "\(none)")
        let full = try await board.run("stops", "map", "490000001A", "-o", "\(board.path)/missing/map.svg")
        #expect(full.status != 0 && full.errors.hasPrefix("cannot write \(board.path)/missing/map.svg: "), "\(full)")
        for wrong in [["--size", "9x9"], ["--scale", "3"], ["--raduis"]] {
            #expect(try await board.run(["stops", "map", "490000001A"] + wrong).status == ExitStatus.usage)
        }
    }

    @Test("a running daemon sends the requests, also for an update, which the command follows to its end")
    func daemon() async throws {
        let tfl = try TfLServer()
        let board = try board(tfl)
        let daemon = try await board.start()
        let update = try await board.run("stops", "update", "tfl")
        #expect(update.status == 0, "\(update.errors)")
        #expect(update.output.hasPrefix("tfl: 4 stops and 4 lines, in "))
        #expect(tfl.requestCount(page: 1) == 1)
        // Without --config only the daemon has this operator's address.
        let result = try await run(
            "stops", "line", "7", "--stop", "50001",
            environment: board.environment.filter { $0.key != "CONFIGURATION_DIRECTORY" })
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == Self.line7)
        let unknown = try await board.run("stops", "line", "tfl:77")
        #expect(unknown.status == 1)
        #expect(unknown.errors.hasPrefix("tfl: no line \"77\"\ndid you mean"))
        #expect(await daemon.terminate() == 0)
    }

    @Test("an update during which the daemon is restarted is not reported as done")
    func restarted() async throws {
        let isSlow = Mutex(false)
        let tfl = try TfLServer { page in page == 2 && isSlow.withLock { $0 } ? [.wait] : nil }
        let board = try board(tfl)
        let first = try await board.start()
        #expect(try await board.run("stops", "update", "tfl").status == 0)
        isSlow.withLock { $0 = true }
        let update = try Program(["stops", "update", "tfl"], environment: board.environment)
        #expect(await eventually { tfl.requestCount(page: 2) == 2 })
        #expect(await first.terminate() == 0)
        let second = try await board.start()
        #expect(await update.end() == ExitStatus.temporaryFailure)
        #expect(update.output.isEmpty)
        #expect(update.errors.contains("tfl: update interrupted by a restart of the board"), "\(update.errors)")
        #expect(await second.terminate() == 0)
    }

    @Test("line --json is the route; a stop that is not on the line, and an unknown line, exit with 1 and candidates")
    func lineFaults() async throws {
        let tfl = try TfLServer()
        let board = try board(tfl)
        let update = try await board.run("stops", "update", "tfl")
        #expect(update.status == 0, "\(update.errors)")
        let json = try await board.run("stops", "line", "tfl:7", "--json").output
        let route = try JSONDecoder().decode(RouteEntry.self, from: Data(json.utf8))
        #expect(route.directions.map(\.name) == ["outbound", "inbound"])
        let far = try await board.run("stops", "line", "tfl:7", "--stop", "tfl:940GZZLUTWN")
        #expect(far.status == 1)
        #expect(far.output.isEmpty)
        #expect(
            far.errors.hasPrefix("line 7 does not call at tfl:940GZZLUTWN Town Hall Underground Station\n"))
        #expect(far.errors.split(separator: "\n").count == 5)
        let byName = try await board.run("stops", "line", "tfl:7", "--stop", "old bridge")
        #expect(byName.output.split(separator: "\n").filter { $0.hasPrefix("▶") }.count == 2)
        let wrongFeed = try await board.run("stops", "line", "lft:7")
        #expect(wrongFeed.status == 1)
        #expect(wrongFeed.errors.contains("known feeds: tfl"))
        tfl.server.stop()
        let stopped = try await board.run("stops", "line", "tfl:7")
        #expect(stopped.status == ExitStatus.temporaryFailure)
    }

    @Test("a local update prints its progress in plain lines without a terminal, and its result as JSON")
    func here() async throws {
        let tfl = try TfLServer()
        let board = try board(tfl)
        let update = try await board.run("stops", "update", "tfl")
        #expect(update.status == 0, "\(update.errors)")
        #expect(update.output.hasPrefix("tfl: 4 stops and 4 lines, in "))
        #expect(update.errors.hasPrefix("tfl: 0 pages\ntfl: 1 page · 75%\ntfl: 2 pages · 100%\n"), "\(update.errors)")
        let json = try await board.run("stops", "update", "--json").output
        let lists = try JSONDecoder().decode([DirectoryState].self, from: Data(json.utf8))
        #expect(lists.map(\.feed) == ["tfl"])
        #expect(lists.first?.stops == 4)
        #expect(lists.first?.completed != nil)
    }

    @Test("update redraws a bar on a terminal")
    func bar() async throws {
        let tfl = try TfLServer()
        let board = try board(tfl)
        let terminal = try PseudoTerminal()
        let program = try Program(
            ["stops", "update", "tfl"],
            environment: board.environment.merging(["TERM": "xterm"]) { $1 }, terminal: terminal)
        #expect(await program.end() == 0)
        // The last output arrives a moment after the end.
        #expect(await eventually { terminal.screen.contains("lines, in ") })
        let screen = terminal.screen
        #expect(screen.contains("\r\u{1B}[Ktfl ▕██████████████████░░░░░░▏ 1 page · 75%"), "\(screen.debugDescription)")
        #expect(screen.contains("\r\u{1B}[Ktfl: 4 stops and 4 lines, in "))
    }

    @Test("Ctrl-C leaves the pages for the next update and reports that")
    func interrupted() async throws {
        let tfl = try TfLServer { page in page == 2 ? [.wait] : nil }
        let board = try board(tfl)
        let program = try Program(["stops", "update", "tfl"], environment: board.environment)
        #expect(await eventually { tfl.requestCount(page: 2) == 1 })
        program.signal(SIGINT)
        #expect(await program.end() == 130)
        #expect(program.errors.hasSuffix("interrupted: the old list stays; the next update resumes at page 2\n"))
        #expect(program.output.isEmpty)
        let next = try TfLServer()
        try board.folder.write(next.files()["boardd.toml"] ?? "", to: "etc/boardd.toml")
        #expect(try await board.run("stops", "update", "tfl").status == 0)
        #expect(next.requestCount(page: 1) == 0)
        #expect(next.requestCount(page: 2) == 1)
    }

    @Test("a failed update reports why, and that the old list stays; one without write access reports who has it")
    func failures() async throws {
        let tfl = try TfLServer { page in page == 1 ? [.reply(403, text: "{\"message\":\"no\"}")] : nil }
        let board = try board(tfl)
        let rejected = try await board.run("stops", "update", "tfl")
        #expect(rejected.status == ExitStatus.noPermission)
        #expect(rejected.errors.contains("TFL_APP_KEY") && rejected.errors.contains("The old list stays"))
        let nowhere = try Program(
            ["stops", "update", "tfl"],
            environment: [
                "STATE_DIRECTORY": "/nowhere/boardd", "RUNTIME_DIRECTORY": board.path,
                "CONFIGURATION_DIRECTORY": "\(board.path)/etc",
            ])
        #expect(await nowhere.end() == ExitStatus.noPermission)
        #expect(nowhere.errors.hasPrefix("/nowhere/boardd (stop directory) does not exist"))
    }
}
