import BoardCore
import BoardIO
import Glibc
import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("boardd with trips, as a process, against a server on this machine", .serialized, .endsHangs)
struct TripsTests {
    private static let saved = "c4449ff0-1cb9-11e9-b9f8-b3ba95b35000"

    /// A server with one trip in three weeks, and the folder of a board that polls it.
    private func board() throws -> (server: LoopbackServer, folder: TemporaryFolder, environment: [String: String]) {
        let now = SystemClock().reading().wall.seconds
        let trip =
            #"{"currency":"EUR","created_at":\#((now - 86_400) * 1_000),"airlines":"FR","departure_at":\#((now + 1_814_400) * 1_000),"#
            + #""destination":{"city":"Malaga","country_code":"ES","airport_code":"AGP"},"flight_number":4048,"#
            + #""departure":{"city":"Copenhagen","country_code":"DK","airport_code":"CPH"},"price":72,"#
            + #""id":"\#(Self.saved)","expires_at":\#((now + 1_900_000) * 1_000)}"#
        let server = try LoopbackServer { request in
            switch request.split(separator: " ")[1] {
            case "/trips", "/trips/scd": [.reply(text: "[\(trip)]")]
            case "/regions": [.reply(text: #"[{"id":"scd","name":"Scandinavia","country_codes":["DK"]}]"#)]
            case "/airports/CPH": [.reply(text: #"{"statusCode":200,"body":"{\"tz\":\"UTC\"}"}"#)]
            default: [.reply(404)]
            }
        }
        let folder = try TemporaryFolder([
            "boardd.toml": "[feed.trips]\nurl = \"\(server.url())\"\n", "favourites.toml": "",
        ])
        return (server, folder, folder.environment)
    }

    @Test("departures prints a region by day and price, and all data as JSON")
    func departures() async throws {
        let (server, folder, environment) = try board()
        defer { server.stop() }
        #expect(folder.read("favourites.toml").isEmpty)
        let result = try await run("departures", "trips:scd", environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("Scandinavia") && result.output.contains(" Malaga "), "\(result.output)")
        #expect(result.output.contains(" 72EUR\n"), "\(result.output)")
        let json = try await run("departures", "trips:scd", "--json", environment: environment)
        #expect(json.output.contains("\"amount\" : 72,\n") && json.output.contains("\"currency\" : \"EUR\""))
        #expect(json.output.contains("\"id\" : \"\(Self.saved)\""))
    }

    @Test("favourites add saves a trip, which is on the page of saved ones from then on, also without a network")
    func saving() async throws {
        let (server, folder, environment) = try board()
        defer { server.stop() }
        for stop in ["trips:\(Self.saved)", "trips:saved"] {
            let add = try await run("favourites", "add", stop, environment: environment)
            #expect(add.status == 0, "\(add.errors)")
        }
        #expect(folder.read("favourites.toml").contains("\"trips:\(Self.saved)\""))
        let check = try await run("check", "--online", environment: environment)
        #expect(check.status == 0, "\(check.output)")
        let result = try await run("departures", "trips:saved", environment: environment)
        #expect(result.output.contains(" 72EUR\n"), "\(result.output)\(result.errors)")
        #expect(folder.read("trips.saved.json").contains(Self.saved))
        server.stop()
        try folder.write("[feed.trips]\nurl = \"http://127.0.0.1:1\"\n", to: "boardd.toml")
        let offline = try await run("departures", "trips:saved", environment: environment)
        #expect(offline.output.contains(" 72EUR\n"), "\(offline.output)\(offline.errors)")
        #expect(offline.status == ExitStatus.temporaryFailure && !offline.errors.isEmpty)
        let blind = try await run("check", "--online", environment: environment)
        #expect(blind.status == 2 && blind.output.contains("not checked"), "\(blind.output)")
        let gone = try await run("favourites", "remove", "trips:\(Self.saved)", environment: environment)
        #expect(gone.status == 0, "\(gone.errors)")
        let nothing = try await run("departures", "trips:saved", environment: environment)
        #expect(!nothing.output.contains("EUR"), "\(nothing.output)")
    }

    @Test(
        "a running daemon stores a trip that is saved meanwhile, and forgets removed ones; viewing one stores nothing"
    )
    func live() async throws {
        let (server, folder, environment) = try board()
        defer { server.stop() }
        let result = try await run("departures", "trips:\(Self.saved)", environment: environment)
        #expect(result.output.contains(" 72EUR\n"), "\(result.output)\(result.errors)")
        #expect(folder.read("trips.saved.json").isEmpty)
        try folder.write("[[stop]]\nid = \"trips:saved\"\n", to: "favourites.toml")
        let daemon = try Program(["run", "--simulate"], environment: environment)
        #expect(await eventually { daemon.output.contains("│Trips ") }, "\(daemon.output)\(daemon.errors)")
        let add = try await run("favourites", "add", "trips:\(Self.saved)", environment: environment)
        #expect(add.status == 0, "\(add.errors)")
        let isSaved = await eventually { folder.read("trips.saved.json").contains(Self.saved) }
        #expect(isSaved, "\(daemon.output)\(daemon.errors)")
        #expect(try await run("press", environment: environment).status == 0)
        #expect(await eventually { daemon.output.contains(" Malaga ") }, "\(daemon.output)")
        let remove = try await run("favourites", "remove", "trips:\(Self.saved)", environment: environment)
        #expect(remove.status == 0, "\(remove.errors)")
        #expect(await daemon.terminate() == 0)
    }
}
