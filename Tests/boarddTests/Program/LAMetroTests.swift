import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("boardd with LA Metro's old API, as a process, against a server on this machine", .serialized, .endsHangs)
struct LAMetroTests {
    /// A server that knows one stop of one route, and the folder of a board that asks it.
    private func home(
        stops: [String] = ["30005"]
    ) throws -> (server: LoopbackServer, folder: TemporaryFolder, environment: [String: String]) {
        let server = try LoopbackServer { request in
            let path = request.split(separator: " ")[1]
            return switch path {
            case "/agencies/": [.reply(text: #"[{"id":"lametro","display_name":"Metro Los Angeles"}]"#)]
            case "/agencies/lametro/routes/", "/agencies/lametro/stops/30005/routes/":
                [.reply(text: #"{"items":[{"id":"4","display_name":"4 Hills - Harbor"}]}"#)]
            case "/agencies/lametro/routes/4/runs/":
                [.reply(text: #"{"items":[{"id":"4_1_0","direction_name":"West","display_name":"West to Harbor"}]}"#)]
            case "/agencies/lametro/stops/30005/":
                [.reply(text: #"{"id":"30005","display_name":"Mill / Main","latitude":34.0,"longitude":-118.2}"#)]
            case "/agencies/lametro/stops/30005/predictions/":
                [
                    .reply(
                        text:
                            #"{"items":[{"route_id":"4","run_id":"4_1_0","seconds":1255.0},{"route_id":"4","run_id":"4_1_0","#
                            + #""seconds":330}]}"#)
                ]
            default: [.reply(404)]
            }
        }
        let folder = try TemporaryFolder([
            "boardd.toml": "[feed.lametro]\nurl = \"\(server.url())\"\n",
            "favourites.toml": stops.map { "[[stop]]\nid = \"lametro:\($0)\"\n" }.joined(),
        ])
        return (server, folder, folder.environment)
    }

    @Test("departures prints what is predicted, soonest first, with the names that other questions tell")
    func departures() async throws {
        let (server, folder, environment) = try home()
        defer { server.stop() }
        #expect(folder.read("boardd.toml").contains("[feed.lametro]"))
        let look = try await run("departures", "lametro:30005", environment: environment)
        #expect(look.status == 0, "\(look.errors)")
        let rows = look.output.split(separator: "\n").filter { $0.contains("Harbor") }
        #expect(look.output.contains("Mill / Main") && rows.count == 2, "\(look.output)")
        #expect(rows.first?.contains(" 5m") == true && rows.last?.contains("20m") == true, "\(look.output)")
    }

    @Test("check --online knows its stop and its lines, and says which are none")
    func check() async throws {
        let (server, folder, environment) = try home(stops: ["30005", "99999"])
        defer { server.stop() }
        let look = try await run("check", "--online", environment: environment)
        #expect(look.status == 1, "\(look.output)\(look.errors)")
        #expect(look.output.contains("lametro:30005: good\n"), "\(look.output)")
        #expect(look.output.contains("lametro:99999: LA Metro: no such stop; correct `id`"), "\(look.output)")
        try folder.write("[[stop]]\nid = \"lametro:30005\"\nlines = [\"4\", \"5\"]\n", to: "favourites.toml")
        let lines = try await run("check", "--online", environment: environment)
        #expect(lines.status == 1 && lines.output.contains("5"), "\(lines.output)")
    }
}
