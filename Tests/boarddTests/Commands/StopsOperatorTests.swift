import BoardCore
import LoopbackServer
import Testing

@testable import boardd

@Suite("boardd with an operator that searches its stops itself", .serialized)
struct StopsOperatorTests {
    private static let code = "xx-Vale_mill:1"

    /// Knows one stop by name and by place, and what departs there; refuses everything else.
    private func operatorOfVale() throws -> LoopbackServer {
        let place = #""name":"Mill Lane","lat":5.1E1,"lon":-1.5E0"#
        return try LoopbackServer { request in
            let target = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            if target.hasPrefix("/api/v1/geocode?text=mill%20lane&") {
                return [.reply(text: #"[{"type":"STOP","id":"\#(Self.code)",\#(place),"areas":[]}]"#)]
            } else if target.hasPrefix("/api/v1/geocode?") {
                return [.reply(text: "[]")]
            } else if target.hasPrefix("/api/v1/map/stops?") {
                return [.reply(text: #"[{"stopId":"\#(Self.code)",\#(place)}]"#)]
            } else if target.hasPrefix("/api/v5/stoptimes?stopId=xx-Vale_mill%3A1&") {
                return [.reply(text: #"{"place":{\#(place)},"stopTimes":[]}"#)]
            }
            return [.reply(404, text: #"{"error":"no such stop"}"#)]
        }
    }

    private struct Place {
        let state: TemporaryFolder
        let files: TemporaryFolder

        init(_ server: LoopbackServer, favourites: String = "") throws {
            state = try TemporaryFolder()
            files = try TemporaryFolder([
                "boardd.toml": "[feed.motis]\nurl = \"\(server.url())\"\n", "favourites.toml": favourites,
            ])
        }

        func run(_ arguments: String...) async throws -> (status: Int32?, output: String, errors: String) {
            let program = try Program(
                arguments + ["--config", "\(files.path)/boardd.toml"],
                environment: ["STATE_DIRECTORY": state.path, "RUNTIME_DIRECTORY": state.path])
            let status = await program.end()
            return (status, program.output, program.errors)
        }

        var favourites: String { files.read("favourites.toml") }
    }

    @Test("search and near ask it when a person wants that, though there is no directory on the machine")
    func online() async throws {
        let server = try operatorOfVale()
        let place = try Place(server)
        let search = try await place.run("stops", "search", "mill", "lane", "--online")
        #expect(search.status == 0, "\(search.errors)")
        #expect(search.output.contains("motis:\(Self.code)") && search.output.contains("Mill Lane"))
        let near = try await place.run("stops", "near", "51.001,-1.5", "--online")
        #expect(near.status == 0, "\(near.errors)")
        #expect(near.output.contains("110 m") && near.output.contains("motis:\(Self.code)"), "\(near.output)")
        let nothing = try await place.run("stops", "search", "harbour", "--online")
        #expect(nothing.status == 1, "\(nothing.errors)")
        #expect(nothing.errors.contains("no stop is called \"harbour\""))
        server.stop()
    }

    @Test("without being wanted it is told nothing, unless one of its stops is a favourite")
    func inUse() async throws {
        let server = try operatorOfVale()
        let alone = try await Place(server).run("stops", "search", "mill", "lane")
        #expect(alone.errors.contains("with --online Transitous is asked"), "\(alone.errors)")
        #expect(server.requests.isEmpty)
        let place = try Place(server, favourites: "[[stop]]\nid = \"motis:\(Self.code)\"\n")
        let search = try await place.run("stops", "search", "mill", "lane")
        #expect(search.output.contains("★") && search.output.contains("motis:\(Self.code)"), "\(search.output)")
        server.stop()
    }

    @Test("one that gives no answer costs a remark, and the search its time-out at most")
    func silent() async throws {
        let server = try LoopbackServer.silent()
        let place = try Place(server)
        let began = ContinuousClock.now
        let search = try await place.run("stops", "search", "mill", "lane", "--online")
        #expect(ContinuousClock.now - began < .seconds(30))
        #expect(search.status == 1)
        #expect(search.errors.contains("remark: \(server.url())/api/v1/geocode"), "\(search.errors)")
        server.stop()
    }

    @Test("check --online knows its stop, and one that is none")
    func check() async throws {
        let server = try operatorOfVale()
        let good = try await Place(server, favourites: "[[stop]]\nid = \"motis:\(Self.code)\"\n").run(
            "check", "--online")
        #expect(good.status == 0, "\(good.output)")
        #expect(good.output.contains("motis:\(Self.code): good"))
        let wrong = try await Place(server, favourites: "[[stop]]\nid = \"motis:xx_gone\"\n").run("check", "--online")
        #expect(wrong.status == 1, "\(wrong.output)")
        #expect(wrong.output.contains("Transitous knows no such stop; correct `id`"))
        server.stop()
    }

    @Test("a favourite is written with its name and place, by which it is found again")
    func favourite() async throws {
        let server = try operatorOfVale()
        let place = try Place(server)
        let added = try await place.run("favourites", "add", "motis:\(Self.code)")
        #expect(added.status == 0, "\(added.errors)")
        let text = place.favourites
        #expect(text.contains("name     = \"Mill Lane\"") && text.contains("location = \"51.0,-1.5\""), "\(text)")
        #expect(try await place.run("check").status == 0)
        server.stop()
    }
}
