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
    private struct Place {
        let state: TemporaryFolder
        let runtime: TemporaryFolder
        let files: TemporaryFolder

        init(_ city: City) throws {
            state = try TemporaryFolder()
            runtime = try TemporaryFolder()
            files = try TemporaryFolder(city.files(favourites: "[[stop]]\nid = \"tfl:490000001B\"\n"))
        }

        var config: String { "\(files.path)/boardd.toml" }
        var environment: [String: String] {
            ["STATE_DIRECTORY": state.path, "RUNTIME_DIRECTORY": runtime.path]
        }

        func run(_ arguments: [String]) async throws -> (status: Int32?, output: String, errors: String) {
            let program = try Program(["stops"] + arguments, environment: environment)
            let status = await program.end()
            return (status, program.output, program.errors)
        }

        /// Starts a daemon and waits until its socket responds.
        func daemon() async throws -> Program {
            let daemon = try Program(["run", "--simulate", "--config", config], environment: environment)
            let client = RemoteBoardService(path: "\(runtime.path)/control.sock", timeout: Patience.endless)
            #expect(await eventually { (try? await client.directory()) != nil }, "no daemon: \(daemon.errors)")
            return daemon
        }
    }

    private static let line7 = """
        Line 7  bus  tfl:7

        outbound: High Street → Old Bridge
        ▶   ●  High Street (A)  tfl:490000001A
            ●  Old Bridge (A)   tfl:490000003A

        inbound: Old Bridge → High Street
            ●  Old Bridge (B)   tfl:490000003B
          ★ ●  High Street (B)  tfl:490000001B

        """

    @Test("line sends a request to the operator where no daemon runs, and marks the stop of --stop and favourites")
    func direct() async throws {
        let city = try City()
        let place = try Place(city)
        let result = try await place.run(["line", "tfl:7", "--stop", "490000001a", "--config", place.config])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == Self.line7)
    }

    @Test("show --map --line fetches the line's route, marks its stops, and reports when it is not on the map")
    func map() async throws {
        let city = try City()
        let place = try Place(city)
        try Listed.write(
            [
                Listed.pole("490000001A", letter: "A", at: (51.5009, -0.1)),
                Listed.pole("490000001B", letter: "B", at: (51.5, -0.1)),
                Listed.pole("490000002A", "Far Corner", at: (51.6, -0.2)),
            ], in: place.state.path)
        let result = try await place.run(["show", "490000001A", "--map", "--line", "tfl:7", "--config", place.config])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasSuffix("a  ●  ★  100 m  tfl:490000001B  High Street (B)  bus\n"), "\(result.output)")
        #expect(result.errors.isEmpty, "\(result.errors)")
        let far = try await place.run(["show", "490000002A", "--map", "--line", "tfl:7", "--config", place.config])
        #expect(far.status == 0)
        #expect(far.errors == "remark: line 7 does not pass here\n")
        let none = try await place.run(["show", "490000002A", "--map", "--line", "tfl:77", "--config", place.config])
        #expect(none.status == 1)
        #expect(none.errors.hasPrefix("tfl: no line \"77\""))
    }

    @Test("a running daemon sends the requests, also for an update, which the command follows to its end")
    func daemon() async throws {
        let city = try City()
        let place = try Place(city)
        let daemon = try await place.daemon()
        let update = try await place.run(["update"])
        #expect(update.status == 0, "\(update.errors)")
        #expect(update.output.hasPrefix("tfl: 4 stops and 4 lines, in "))
        #expect(city.requestCount(page: 1) == 1)
        // Without --config only the daemon has this operator's address.
        let result = try await place.run(["line", "7", "--stop", "50001"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == Self.line7)
        let unknown = try await place.run(["line", "tfl:77"])
        #expect(unknown.status == 1)
        #expect(unknown.errors.hasPrefix("tfl: no line \"77\"\ndid you mean"))
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
    }

    @Test("an update during which the daemon is restarted is not reported as done")
    func restarted() async throws {
        let isSlow = Mutex(false)
        let city = try City { page in page == 2 && isSlow.withLock { $0 } ? [.wait] : nil }
        let place = try Place(city)
        let first = try await place.daemon()
        #expect(try await place.run(["update"]).status == 0)
        isSlow.withLock { $0 = true }
        let update = try Program(["stops", "update"], environment: place.environment)
        #expect(await eventually { city.requestCount(page: 2) == 2 })
        first.signal(SIGTERM)
        #expect(await first.end() == 0)
        let second = try await place.daemon()
        #expect(await update.end() == ExitStatus.temporaryFailure)
        #expect(update.output.isEmpty)
        #expect(update.errors.contains("tfl: update interrupted by a restart of the board"), "\(update.errors)")
        second.signal(SIGTERM)
        #expect(await second.end() == 0)
    }

    @Test(
        "line --json is the route; a stop that is not on the line, and an unknown line, exit with 1 and candidates")
    func lineFaults() async throws {
        let city = try City()
        let place = try Place(city)
        let update = try await place.run(["update", "--config", place.config])
        #expect(update.status == 0, "\(update.errors)")
        let json = try await place.run(["line", "tfl:7", "--json", "--config", place.config]).output
        let route = try JSONDecoder().decode(RouteEntry.self, from: Data(json.utf8))
        #expect(route.directions.map(\.name) == ["outbound", "inbound"])
        let far = try await place.run(["line", "tfl:7", "--stop", "tfl:940GZZLUTWN", "--config", place.config])
        #expect(far.status == 1)
        #expect(far.output.isEmpty)
        #expect(
            far.errors.hasPrefix(
                "line 7 does not call at tfl:940GZZLUTWN Town Hall Underground Station\ndid you mean one of these?\n"))
        #expect(far.errors.split(separator: "\n").count == 5)
        let byName = try await place.run(["line", "tfl:7", "--stop", "old bridge", "--config", place.config])
        #expect(byName.output.split(separator: "\n").filter { $0.hasPrefix("▶") }.count == 2)
        let wrongFeed = try await place.run(["line", "lft:7", "--config", place.config])
        #expect(wrongFeed.status == 1)
        #expect(wrongFeed.errors.contains("known feeds: tfl"))
        city.server.stop()
        let stopped = try await place.run(["line", "tfl:7", "--config", place.config])
        #expect(stopped.status == ExitStatus.temporaryFailure)
    }

    @Test("a local update prints its progress in plain lines without a terminal, and its result as JSON")
    func here() async throws {
        let city = try City()
        let place = try Place(city)
        let update = try await place.run(["update", "--config", place.config])
        #expect(update.status == 0, "\(update.errors)")
        #expect(update.output.hasPrefix("tfl: 4 stops and 4 lines, in "))
        #expect(update.errors.hasPrefix("tfl: 0 pages\ntfl: 1 page · 75%\ntfl: 2 pages · 100%\n"), "\(update.errors)")
        let json = try await place.run(["update", "--json", "--config", place.config]).output
        let lists = try JSONDecoder().decode([DirectoryState].self, from: Data(json.utf8))
        #expect(lists.map(\.feed) == ["tfl"])
        #expect(lists.first?.stops == 4)
        #expect(lists.first?.completed != nil)
    }

    @Test("update redraws a bar on a terminal")
    func bar() async throws {
        let city = try City()
        let place = try Place(city)
        let terminal = try PseudoTerminal()
        let program = try Program(
            ["stops", "update", "--config", place.config],
            environment: place.environment.merging(["TERM": "xterm"]) { $1 }, terminal: terminal)
        #expect(await program.end() == 0)
        // The last output arrives a moment after the end.
        #expect(await eventually { terminal.screen.contains("lines, in ") })
        let screen = terminal.screen
        #expect(screen.contains("\r\u{1B}[Ktfl ▕██████████████████░░░░░░▏ 1 page · 75%"), "\(screen.debugDescription)")
        #expect(screen.contains("\r\u{1B}[Ktfl: 4 stops and 4 lines, in "))
    }

    @Test("Ctrl-C leaves the pages for the next update and reports that")
    func interrupted() async throws {
        let city = try City { page in page == 2 ? [.wait] : nil }
        let place = try Place(city)
        let program = try Program(["stops", "update", "--config", place.config], environment: place.environment)
        #expect(await eventually { city.requestCount(page: 2) == 1 })
        program.signal(SIGINT)
        #expect(await program.end() == 130)
        #expect(
            program.errors.hasSuffix("interrupted: the old list stays; the next update resumes at page 2\n"))
        #expect(program.output.isEmpty)
        let next = try City()
        try place.files.write(next.files()["boardd.toml"] ?? "", to: "boardd.toml")
        #expect(try await place.run(["update", "--config", place.config]).status == 0)
        #expect(next.requestCount(page: 1) == 0)
        #expect(next.requestCount(page: 2) == 1)
    }

    @Test("a failed update reports why, and that the old list stays; one without write access reports who has it")
    func failures() async throws {
        let city = try City { page in page == 1 ? City.json("{\"message\":\"no\"}", status: "403 Forbidden") : nil }
        let place = try Place(city)
        let rejected = try await place.run(["update", "--config", place.config])
        #expect(rejected.status == ExitStatus.noPermission)
        #expect(rejected.errors.contains("TFL_APP_KEY") && rejected.errors.contains("The old list stays"))
        let nowhere = try Program(
            ["stops", "update", "--config", place.config],
            environment: ["STATE_DIRECTORY": "/nowhere/boardd", "RUNTIME_DIRECTORY": place.runtime.path])
        #expect(await nowhere.end() == ExitStatus.noPermission)
        #expect(nowhere.errors.hasPrefix("/nowhere/boardd (stop directory) does not exist"))
    }
}
