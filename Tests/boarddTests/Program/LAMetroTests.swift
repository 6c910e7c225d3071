import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("boardd with LA Metro's old API, as a process, against a server on this machine", .serialized, .endsHangs)
struct LAMetroTests {
    /// A server with one stop of one route, and the folder of a board that polls it.
    private func board(
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

    @Test("departures prints predictions, soonest first, with names from other requests")
    func departures() async throws {
        let (server, folder, environment) = try board()
        defer { server.stop() }
        #expect(folder.read("boardd.toml").contains("[feed.lametro]"))
        let result = try await run("departures", "lametro:30005", environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        let rows = result.output.split(separator: "\n").filter { $0.contains("Harbor") }
        #expect(result.output.contains("Mill / Main") && rows.count == 2, "\(result.output)")
        #expect(rows.first?.contains(" 5 min") == true && rows.last?.contains("20 min") == true, "\(result.output)")
    }

    @Test("check --online accepts its stop and its lines, and reports unknown ones")
    func check() async throws {
        let (server, folder, environment) = try board(stops: ["30005", "99999"])
        defer { server.stop() }
        let result = try await run("check", "--online", environment: environment)
        #expect(result.status == 1, "\(result.output)\(result.errors)")
        #expect(result.output.contains("lametro:30005: good\n"), "\(result.output)")
        #expect(result.output.contains("lametro:99999: LA Metro: no such stop"), "\(result.output)")
        try folder.write("[[stop]]\nid = \"lametro:30005\"\nlines = [\"4\", \"5\"]\n", to: "favourites.toml")
        let lines = try await run("check", "--online", environment: environment)
        #expect(lines.status == 1 && lines.output.contains("5"), "\(lines.output)")
    }
}
