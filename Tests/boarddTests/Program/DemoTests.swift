import LoopbackServer
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("boardd demo, as a process", .serialized, .endsHangs)
struct DemoTests {
    /// Has two stops with the same name, one of them with quotes in it.
    private func operatorOfVale() throws -> LoopbackServer {
        try LoopbackServer { request in
            let target = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            if target.hasPrefix("/api/v1/geocode?") {
                guard target.contains("text=Mill%3A%20Lane&") else { return [.reply(text: "[]")] }
                let rows = ["xx_1", "xx_2"].map {
                    #"{"type":"STOP","id":"\#($0)","name":"Mill: \"Lane\"","lat":51,"lon":-1.5}"#
                }
                return [.reply(text: "[\(rows.joined(separator: ","))]")]
            } else if target.hasPrefix("/api/v5/stoptimes?stopId=xx_1&") {
                return [.reply(text: #"{"place":{"name":"Mill Lane","lat":51,"lon":-1.5},"stopTimes":[]}"#)]
            }
            return [.reply(404, text: #"{"error":"no such stop"}"#)]
        }
    }

    /// A board with a favourite, at this server.
    private func board(_ server: LoopbackServer) throws -> InstalledBoard {
        let board = try InstalledBoard()
        try board.folder.write("[feed.motis]\nurl = \"\(server.url())\"\n", to: "etc/boardd.toml")
        try board.folder.write("[[stop]]\nid = \"motis:xx_9\"\n", to: "etc/favourites.toml")
        return board
    }

    @Test("without a terminal it prints some frames of the recording")
    func recording() async throws {
        let demo = try await run("demo", "--frames", "2", environment: ["BOARDD_SHARE": "\(Checkout.path)/etc"])
        #expect(demo.status == 0, "\(demo.errors)")
        #expect(demo.output.contains("┌────────────────────┐"))
    }

    @Test("--size chooses the display, and one that does not exist is reported")
    func size() async throws {
        let environment = ["BOARDD_SHARE": "\(Checkout.path)/etc"]
        let small = try await run("demo", "--frames", "2", "--size", "16x2", environment: environment)
        #expect(small.status == 0, "\(small.errors)")
        #expect(small.output.contains("┌────────────────┐"), "\(small.output)")
        let wrong = try await run("demo", "--frames", "2", "--size", "16x3", environment: environment)
        #expect(wrong.status != 0 && wrong.errors.contains("16x3"), "\(wrong.errors)")
    }

    @Test("in a terminal q ends it, and a board with a stop of one's own is offered")
    func offered() async throws {
        let board = try InstalledBoard()
        let terminal = try PseudoTerminal()
        let program = try Program(
            ["demo"],
            environment: board.environment.merging(["TERM": "xterm", "BOARDD_SHARE": "\(Checkout.path)/etc"]) { $1 },
            terminal: terminal)
        #expect(await eventually { terminal.takesKeys && terminal.screen.contains("Oxford St N") })
        terminal.type("q")
        #expect(await eventually { terminal.screen.contains("Set up a board with a stop of yours? [Y/n] ") })
        terminal.type("n\n")
        #expect(await program.end() == 0)
    }

    @Test("--live finds a stop by a name with a colon, reports which one it uses, and shows its board alone")
    func byName() async throws {
        let server = try operatorOfVale()
        let board = try board(server)
        let demo = try await board.run("demo", "--live", "--frames", "4", "--contact", "me@example.org", "Mill: Lane")
        #expect(demo.status == 0, "\(demo.errors)")
        #expect(demo.errors.contains(#"Mill: "Lane" (motis:xx_1)"#), "\(demo.errors)")
        #expect(demo.output.contains("Mill Lane"), "\(demo.output)")
        #expect(!server.requests.contains { $0.contains("xx_9") })
        #expect(board.favourites == "[[stop]]\nid = \"motis:xx_9\"\n")
        server.stop()
    }

    @Test("--live takes an identifier unchanged, and rejects a malformed contact")
    func byIdentifier() async throws {
        let server = try operatorOfVale()
        let board = try board(server)
        let demo = try await board.run("demo", "--live", "--frames", "3", "motis:xx_1")
        #expect(demo.status == 0, "\(demo.errors)")
        #expect(!server.requests.contains { $0.contains("/geocode?") })
        let wrong = try await board.run("demo", "--live", "--contact", "(me)", "motis:xx_1")
        #expect(wrong.status == ExitStatus.usage && wrong.errors.contains("mail or web address"), "\(wrong.errors)")
        server.stop()
    }

    @Test("a stop that was shown is added to the board when the person confirms")
    func added() async throws {
        let server = try operatorOfVale()
        let board = try board(server)
        let terminal = try PseudoTerminal()
        let program = try Program(
            ["demo", "--live", "motis:xx_1"], environment: board.environment.merging(["TERM": "xterm"]) { $1 },
            terminal: terminal)
        #expect(await eventually { terminal.takesKeys && terminal.screen.contains("Mill Lane") })
        terminal.type("q")
        #expect(await eventually { terminal.screen.contains("Keep this stop on your board? [Y/n] ") })
        terminal.type("\n")
        #expect(await program.end() == 0, "\(terminal.screen)")
        #expect(board.favourites.contains("\"motis:xx_9\"") && board.favourites.contains("\"motis:xx_1\""))
        server.stop()
    }

    @Test("--live ends where there is no such stop, or no name is given")
    func nowhere() async throws {
        let server = try operatorOfVale()
        let board = try board(server)
        let unknown = try await board.run("demo", "--live", "Nowhere")
        #expect(unknown.status == 1 && unknown.errors.contains("no stop is called \"Nowhere\""), "\(unknown.errors)")
        let nothing = try await board.run("demo", "--live")
        #expect(nothing.status == ExitStatus.usage && nothing.errors.contains("or a stop"), "\(nothing.errors)")
        server.stop()
    }
}
