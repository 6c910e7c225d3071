import LoopbackServer
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("The live demo, as a process", .endsHangs)
struct LiveDemoTests {
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

    private func run(
        _ stop: String, contact: String = "", at url: String
    ) async throws -> (status: Int32?, output: String, errors: String) {
        let program = try Program(
            shell: #"exec "$DEMO" "$0" 4 "$@""#, [stop],
            environment: [
                "DEMO": "\(Checkout.path)/Scripts/demo-live", "MOTIS_URL": url, "CONTACT": contact,
                "PATH": "/usr/bin:/bin",
            ])
        let status = await program.end()
        return (status, program.output, program.errors)
    }

    @Test("finds a stop by a name with a colon, reports which one it uses, and shows its board")
    func byName() async throws {
        let server = try operatorOfVale()
        let demo = try await run("Mill: Lane", contact: "me@example.org", at: server.url())
        #expect(demo.status == 0, "\(demo.errors)")
        #expect(demo.errors.contains(#"using the first of 2 stops: Mill: "Lane" (motis:xx_1)"#), "\(demo.errors)")
        #expect(demo.errors.contains("https://transitous.org/sources"))
        #expect(demo.output.contains("Mill Lane"), "\(demo.output)")
        #expect(server.requests.allSatisfy { $0.contains("(me@example.org)") })
        server.stop()
    }

    @Test("takes an identifier unchanged, and rejects a malformed contact")
    func byIdentifier() async throws {
        let server = try operatorOfVale()
        let demo = try await run("motis:xx_1", contact: "call me", at: server.url())
        #expect(demo.status == 0, "\(demo.errors)")
        #expect(demo.errors.contains("CONTACT is ignored: \"call me\""), "\(demo.errors)")
        #expect(!server.requests.contains { $0.contains("/geocode?") })
        server.stop()
    }

    @Test("ends where there is no such stop, or no name is given")
    func nowhere() async throws {
        let server = try operatorOfVale()
        let unknown = try await run("Nowhere", at: server.url())
        #expect(unknown.status != 0 && unknown.errors.contains("no stop is called \"Nowhere\""), "\(unknown.errors)")
        let nothing = try await run("", at: server.url())
        #expect(nothing.status == ExitStatus.usage && nothing.errors.contains("no stop given"), "\(nothing.errors)")
        server.stop()
    }
}
