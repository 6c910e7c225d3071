import BoardControl
import BoardCore
import BoardService
import BoardStore
import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("boardd with an operator that has a stop search", .serialized, .endsHangs)
struct StopsOperatorTests {
    private static let code = "xx-Vale_mill:1"

    /// Has one stop, found by name and by place, with its departures; every other request fails.
    ///
    /// - Parameter name: the stop's, as JSON has it.
    private func motisServer(_ name: String = "Mill Lane") throws -> LoopbackServer {
        let place = #""name":"\#(name)","lat":5.1E1,"lon":-1.5E0"#
        return try LoopbackServer { request in
            let target = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            if target.lowercased().hasPrefix("/api/v1/geocode?text=mill%20lane&") {
                return [.reply(text: #"[{"type":"STOP","id":"\#(Self.code)",\#(place),"modes":["BUS"],"areas":[]}]"#)]
            } else if target.hasPrefix("/api/v1/geocode?text=outage&") {
                return [.reply(500, text: #"{"error":"internal"}"#)]
            } else if target.hasPrefix("/api/v1/geocode?") {
                return [.reply(text: "[]")]
            } else if target.hasPrefix("/api/v1/map/stops?") {
                return [.reply(text: #"[{"stopId":"\#(Self.code)",\#(place),"modes":["BUS"]}]"#)]
            } else if target.hasPrefix("/api/v5/stoptimes?stopId=xx-Vale_mill%3A1&") {
                return [.reply(text: #"{"place":{\#(place)},"stopTimes":[]}"#)]
            } else if target.hasPrefix("/api/v5/stoptimes?stopId=xx_nameless&") {
                return [.reply(text: #"{"stopTimes":[]}"#)]
            }
            return [.reply(404, text: #"{"error":"no such stop"}"#)]
        }
    }

    /// A favourite whose identifier the operator has dropped.
    private static let gone = "[[stop]]\nid = \"motis:xx_gone\"\nname = \"Mill Lane\"\nlocation = \"51.0,-1.5\"\n"

    private func board(_ server: LoopbackServer, favourites: String = "", more: String = "") throws -> InstalledBoard {
        let board = try InstalledBoard(favourites: favourites)
        try board.folder.write("[feed.motis]\nurl = \"\(server.url())\"\n\(more)", to: "etc/boardd.toml")
        return board
    }

    @Test("search and near use it with --online, without a directory on the machine")
    func online() async throws {
        let server = try motisServer()
        let board = try board(server)
        let search = try await board.run("stops", "search", "mill", "lane", "--online")
        #expect(search.status == 0, "\(search.errors)")
        #expect(search.output.contains("motis:\(Self.code)") && search.output.contains("Mill Lane"))
        let near = try await board.run("stops", "near", "51.001,-1.5", "--online")
        #expect(near.status == 0, "\(near.errors)")
        #expect(near.output.contains("110 m") && near.output.contains("motis:\(Self.code)"), "\(near.output)")
        let nothing = try await board.run("stops", "search", "harbour", "--online")
        #expect(nothing.status == 1, "\(nothing.errors)")
        #expect(nothing.errors.contains("no stop is called \"harbour\""))
        server.stop()
    }

    @Test("without --online it gets no request, unless one of its stops is a favourite")
    func inUse() async throws {
        let server = try motisServer()
        let alone = try await board(server).run("stops", "search", "mill", "lane")
        #expect(alone.errors.contains("Use --online to also search Transitous"), "\(alone.errors)")
        #expect(server.requests.isEmpty)
        let board = try board(server, favourites: "[[stop]]\nid = \"motis:\(Self.code)\"\n")
        let search = try await board.run("stops", "search", "mill", "lane")
        #expect(search.output.contains("★") && search.output.contains("motis:\(Self.code)"), "\(search.output)")
        server.stop()
    }

    @Test("favourites add takes a name that one stop has, and offers --online for more operators")
    func added() async throws {
        let server = try motisServer()
        let board = try board(server)
        let offered = try await board.run("favourites", "add", "mill lane")
        #expect(offered.status == ExitStatus.unavailable)
        #expect(offered.errors.contains("Use --online to also search Transitous"), "\(offered.errors)")
        #expect(server.requests.isEmpty)
        let added = try await board.run("favourites", "add", "mill lane", "--online", "--walk", "4")
        #expect(added.status == 0, "\(added.errors)")
        #expect(board.favourites.contains("\"motis:\(Self.code)\"") && board.favourites.contains("walk     = \"4m\""))
        let near = try await board.run("stops", "near", "mill", "lane")
        #expect(near.status == 0 && near.output.contains("motis:\(Self.code)"), "\(near.errors)")
        try board.makeDirectory()
        let unknown = try await board.run("favourites", "add", "harbour")
        #expect(unknown.status == 1)
        #expect(unknown.errors.hasPrefix("there is no stop \"harbour\". Only downloaded"), "\(unknown.errors)")
        let several = try await board.run("favourites", "add", "high street")
        #expect(
            several.errors.hasPrefix("\"high street\" matches several stops") && !several.errors.contains("--online"))
        server.stop()
    }

    @Test("no response does not mean that there is no stop")
    func unresponsive() async throws {
        let server = try LoopbackServer.unresponsive()
        let board = try board(server)
        let search = try await board.run("stops", "search", "mill", "lane", "--online")
        #expect(search.status == ExitStatus.temporaryFailure)
        #expect(
            search.errors.hasPrefix("no results, but Transitous did not respond: \(server.url())/api/v1/geocode"),
            "\(search.errors)")
        #expect(search.errors.split(separator: "\n").count == 1, "\(search.errors)")
        server.stop()
        let near = try await board.run("stops", "near", "51,-1.5", "--online")
        #expect(near.status == ExitStatus.temporaryFailure, "\(near.errors)")
        let added = try await board.run("favourites", "add", "motis:\(Self.code)")
        #expect(added.status == ExitStatus.temporaryFailure)
        #expect(added.errors.contains("Transitous: request for \(Self.code) failed"), "\(added.errors)")
        #expect(!added.errors.contains("stop directory"))
    }

    @Test("a table of which no feed can be made affects only its own stops")
    func faultyTable() async throws {
        let server = try motisServer()
        let board = try board(server, more: "[feed.siri.vale]\nurl = \"http://vale.example\"\n[feed.tfl]\nzone = 7\n")
        let search = try await board.run("stops", "search", "mill", "lane", "--online")
        #expect(search.output.contains("motis:\(Self.code)"), "\(search.errors)")
        server.stop()
    }

    @Test("the limits of a search are reported")
    func limits() async throws {
        let server = try motisServer()
        let board = try board(server)
        let far = try await board.run("stops", "near", "51.2,-1.5", "--radius", "10km", "--online")
        #expect(far.status == 1)
        #expect(
            far.errors
                == "remark: Transitous searches at most 5.0 km away\nno stop was found within 10.0 km of 51.2,-1.5\n")
        let wide = try await board.run("stops", "near", "51.001,-1.5", "--radius", "10km", "--online")
        #expect(wide.status == 0 && wide.errors.contains("at most 5.0 km"), "\(wide.errors)")
        let tram = try await board.run("stops", "near", "51.001,-1.5", "--mode", "tram", "--online")
        #expect(tram.status == 1)
        #expect(
            tram.errors
                == "remark: modes there: bus\nno stop of tram was found within 500 m of 51.001,-1.5\n")
        let bus = try await board.run("stops", "near", "51.001,-1.5", "--mode", "BUS", "--online")
        #expect(bus.status == 0 && bus.errors.isEmpty, "\(bus.errors)")
        server.stop()
    }

    @Test("show requests its stop, without any directory")
    func show() async throws {
        let server = try motisServer()
        let board = try board(server)
        let shown = try await board.run("stops", "show", "motis:\(Self.code)")
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.output.contains("Mill Lane") && shown.output.contains("51.0,-1.5"), "\(shown.output)")
        let none = try await board.run("stops", "show", "motis:xx_gone")
        #expect(none.status == 1)
        #expect(none.errors.contains("there is no stop motis:xx_gone"), "\(none.errors)")
        server.stop()
    }

    @Test("that it has no list is reported with what to do instead", arguments: ["lines", "update"])
    func noList(command: String) async throws {
        let state = try TemporaryFolder()
        let files = try TemporaryFolder(["boardd.toml": "", "favourites.toml": ""])
        let program = try Program(
            ["stops", command, "motis"],
            environment: [
                "STATE_DIRECTORY": state.path, "RUNTIME_DIRECTORY": state.path, "CONFIGURATION_DIRECTORY": files.path,
            ])
        #expect(await program.end() == 1)
        let message = program.errors
        #expect(message.contains("motis has no stop list") && message.contains("NAME --online"), "\(message)")
    }

    @Test("check --online accepts its stop, and rejects an unknown one")
    func check() async throws {
        let server = try motisServer()
        let good = try await board(server, favourites: "[[stop]]\nid = \"motis:\(Self.code)\"\n").run(
            "check", "--online")
        #expect(good.status == 0, "\(good.output)")
        #expect(good.output.contains("motis:\(Self.code): good"))
        let wrong = try await board(server, favourites: "[[stop]]\nid = \"motis:xx_gone\"\n").run("check", "--online")
        #expect(wrong.status == 1, "\(wrong.output)")
        #expect(wrong.output.contains("Transitous: no such stop"))
        let gone = try await board(server, favourites: Self.gone).run("check", "--online")
        #expect(gone.status == 1, "\(gone.output)")
        #expect(
            gone.output.contains("motis:xx_gone: Transitous now uses the ID motis:\(Self.code) (Mill Lane); set"),
            "\(gone.output)")
        server.stop()
    }

    @Test("a favourite whose identifier is gone is polled and changed as on the board")
    func gone() async throws {
        let server = try motisServer()
        let board = try board(server, favourites: Self.gone)
        let departures = try await board.run("departures", "motis:xx_gone")
        #expect(departures.status == 0, "\(departures.errors)")
        #expect(departures.output.contains("Mill Lane"), "\(departures.output)")
        let lines = try await board.run("favourites", "lines", "motis:xx_gone", "C6")
        #expect(lines.status == 0, "\(lines.errors)")
        #expect(board.favourites.contains("lines"), "\(board.favourites)")
        let list = try await board.run("favourites", "list")
        #expect(list.output.contains("motis:xx_gone  Mill Lane"), "\(list.output)")
        #expect(try await board.run("favourites", "list", "--json").output.contains(#""name" : "Mill Lane""#))
        server.stop()
    }

    @Test("a favourite is written with its name and location, by which it is found again")
    func favourite() async throws {
        let server = try motisServer()
        let board = try board(server)
        let added = try await board.run("favourites", "add", "motis:\(Self.code)")
        #expect(added.status == 0, "\(added.errors)")
        let text = board.favourites
        #expect(text.contains("name     = \"Mill Lane\"") && text.contains("location = \"51.0,-1.5\""), "\(text)")
        #expect(try await board.run("check").status == 0)
        #expect(added.output.contains("Mill Lane is favourite 1 of 1"), "\(added.output)")
        // One request proves that it exists and returns its name.
        #expect(server.requests.count == 1)
        let nameless = try await board.run("favourites", "add", "motis:xx_nameless")
        #expect(nameless.status == 0)
        #expect(nameless.errors.contains("Transitous reports no name for motis:xx_nameless"), "\(nameless.errors)")
        server.stop()
    }

    @Test("before its first poll a favourite has the name in the file")
    func writtenName() throws {
        let stop = StopID(feed: FeedName("motis"), code: "xx_1")
        let state = try TemporaryFolder()
        let favourite = Favourite(stop: stop, name: "Mill Lane")
        let resolution = FavouriteResolution([.stop(favourite)], in: StopDirectory(folder: state.path))
        #expect(resolution.known[stop]?.name == "Mill Lane")
    }

    @Test("a name with a control character is written without it")
    func controlCharacter() async throws {
        let server = try motisServer(#"Mill\u001bLane"#)
        let board = try board(server)
        let added = try await board.run("favourites", "add", "motis:\(Self.code)")
        #expect(added.status == 0, "\(added.errors)")
        #expect(board.favourites.contains("\"Mill Lane\""), "\(board.favourites)")
        server.stop()
    }

    @Test("the control socket looks up its stop, has names of favourites, and reports a failed request")
    func socket() async throws {
        let server = try motisServer()
        let board = try board(server, favourites: Self.gone)
        let daemon = try await board.start()
        let client = board.client
        #expect(try await client.favourites().map(\.name) == ["Mill Lane"])
        #expect(try await client.stop(StopID(feed: FeedName("motis"), code: Self.code)).stop.name == "Mill Lane")
        #expect(
            try await client.stops(matching: "mill lane", limit: 20, isOnline: true).map(\.stop) == [
                "motis:\(Self.code)"
            ])
        await expectError(.notFound) { () throws(ServiceError) in
            _ = try await client.lines(of: FeedName("motis"))
        }
        await expectError(.notFound) { () throws(ServiceError) in
            _ = try await client.stop(StopID(feed: FeedName("motis"), code: "xx_gone"))
        }
        await expectError(.unavailable) { () throws(ServiceError) in
            _ = try await client.stops(matching: "outage", limit: 20, isOnline: true)
        }
        try await board.end(daemon)
        server.stop()
    }

    private func expectError(_ kind: ServiceError.Kind, _ body: () async throws(ServiceError) -> Void) async {
        do throws(ServiceError) {
            try await body()
            Issue.record("it succeeded")
        } catch {
            #expect(error.kind == kind, "\(error)")
        }
    }
}
