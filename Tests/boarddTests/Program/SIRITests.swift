import BoardCore
import BoardFeeds
import FoundationEssentials
import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("boardd with an operator of SIRI, as a process, against a server on this machine", .serialized, .endsHangs)
struct SIRITests {
    /// Nothing of the machine itself.
    private func environment(_ folder: TemporaryFolder, key: String? = "sekret-7") -> [String: String] {
        var environment = ["STATE_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": folder.path]
        environment["SIRI_VALE_KEY"] = key
        return environment
    }

    /// Responds with two visits at S1, ten and twenty minutes from now, to a valid key; its other stops have none.
    private func server() throws -> LoopbackServer {
        func time(_ minutes: Double) -> String { Date(timeIntervalSinceNow: minutes * 60).formatted(.iso8601) }
        func visit(_ line: String, _ time: String, _ name: String) -> String {
            #"{"RecordedAtTime":"\#(self.now)","MonitoredVehicleJourney":{"LineRef":"\#(line)","DestinationName":"Harbour","#
                + #""MonitoredCall":{"StopPointName":"Mill Lane","\#(name)":"\#(time)"}}}"#
        }
        let visits = [
            visit("B6", time(10.5), "ExpectedDepartureTime"), visit("12", time(20.5), "AimedDepartureTime"),
        ].joined(separator: ",")
        let good = #"{"Siri":{"ServiceDelivery":{"StopMonitoringDelivery":[{"MonitoredStopVisit":[\#(visits)]}]}}}"#
        let bad =
            #"{"Siri":{"ServiceDelivery":{"StopMonitoringDelivery":[{"Status":"false","ErrorCondition":{"OtherError":"#
            + #"{"ErrorText":"No such stop: S9."}}}]}}}"#
        return try LoopbackServer { head in
            guard head.contains("&key=sekret-7 ") else { return [.reply(403, text: "no")] }
            return [.reply(200, text: head.contains("MonitoringRef=S1&") ? good : bad)]
        }
    }

    private var now: String { Date.now.formatted(.iso8601) }

    private func folder(_ server: LoopbackServer, stops: [String] = ["S1"]) throws -> TemporaryFolder {
        try TemporaryFolder([
            "boardd.toml": """
            [feed.siri.vale]
            title = "Vale"
            url = "\(server.url("/sm"))"
            parameters = "version=2"
            key_parameter = "key"
            attribution = "Vale's own words"
            """,
            "favourites.toml": stops.map { "[[stop]]\nid = \"siri.vale:\($0)\"\n" }.joined(),
        ])
    }

    @Test("departures prints live departures and, as about, scheduled ones; a wrong key is reported, and not printed")
    func departures() async throws {
        let server = try server()
        defer { server.stop() }
        let folder = try folder(server)
        let config = "\(folder.path)/boardd.toml"
        let result = try await run("departures", "siri.vale:S1", "--config", config, environment: environment(folder))
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let rows = result.output.split(separator: "\n").filter { $0.contains("Harbour") }
        #expect(
            rows.count == 2 && rows[0].hasSuffix("  10 min") && rows[1].hasSuffix("about 20 min"), "\(result.output)")
        #expect(
            result.output.hasPrefix("Mill Lane") && result.output.hasSuffix("Vale's own words\n"), "\(result.output)")

        let wrong = try await run(
            "departures", "siri.vale:S1", "--config", config, environment: environment(folder, key: "other-8"))
        #expect(wrong.status != 0 && wrong.output.isEmpty)
        #expect(wrong.errors.contains("SIRI_VALE_KEY rejected: check it in keys.env"), "\(wrong.errors)")
        #expect(!wrong.errors.contains("other-8"))
        let none = try await run(
            "departures", "siri.vale:S1", "--config", config, environment: environment(folder, key: nil))
        #expect(none.errors.hasPrefix("Vale requires an API key: put SIRI_VALE_KEY"), "\(none.errors)")
    }

    @Test("it has no stop list: no command waits for one")
    func noList() async throws {
        let server = try server()
        defer { server.stop() }
        let folder = try folder(server)
        let config = "\(folder.path)/boardd.toml"
        let update = try await run("stops", "update", "siri.vale", "--config", config, environment: environment(folder))
        #expect(update.status != 0 && update.errors == "siri.vale has no stop list\n")
        let lines = try await run("stops", "lines", "siri.vale", environment: environment(folder))
        #expect(lines.status != 0)
        #expect(lines.errors == "siri.vale has no stop list\n", "\(lines.errors)")
        let settings = [FeedName("siri.vale"), FeedName("gtfs.vale"), FeedName("motis")].map { name in
            (name, FeedRegistry.feedOperator(name).map { FeedSettings(defaultsOf: $0.declaration) })
        }
        let all = Dictionary(uniqueKeysWithValues: settings.compactMap { name, one in one.map { (name, $0) } })
        #expect(all.count == 3)
        // Rail, LA Metro and trips have no list configured, and London's is for those who use it.
        #expect(FeedFactory.listed(of: all, using: Set(all.keys)).map(\.description) == ["gtfs.vale"])
        let used = Set(all.keys).union([FeedName("tfl")])
        #expect(FeedFactory.listed(of: all, using: used).map(\.description) == ["tfl", "gtfs.vale"])
    }

    @Test("check --online requests every stop, and reports the one that the operator does not have")
    func check() async throws {
        let server = try server()
        defer { server.stop() }
        let folder = try folder(server, stops: ["S1", "S9"])
        let result = try await run(
            "check", "--online", "--config", "\(folder.path)/boardd.toml", environment: environment(folder))
        #expect(result.status == 1, "\(result.output)\(result.errors)")
        #expect(result.output.contains("siri.vale:S1: good, Mill Lane, departures received\n"), "\(result.output)")
        #expect(result.output.contains("siri.vale:S9: Vale: no such stop"), "\(result.output)")

        try folder.write("[feed.siri.vale]\nurl = \"https://vale.example/?key=sekret-7\"\n", to: "boardd.toml")
        let faulty = try await run(
            "check", "--online", "--config", "\(folder.path)/boardd.toml", environment: environment(folder))
        #expect(faulty.status == 1)
        #expect(
            faulty.output.contains(
                "boardd.toml:2:7: [feed.siri.vale] url: found a URL with user name, password or query"),
            "\(faulty.output)")
        #expect(!faulty.output.contains("sekret"))
    }

    @Test(
        "what nothing can be made of is a fault with its line, of every table, also where no stop of it is a favourite")
    func tables() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            [feed.siri.vale]
            title = "Vale"
            [feed.siri.hill]
            url = "https://hill.example/sm"
            request = "post"
            zone = "Mars/X"
            [feed.gtfs.town]
            title = "Town"
            """, to: "boardd.toml")
        let file = "\(folder.path)/boardd.toml"
        let result = try await run("check", "--config", file, environment: environment(folder))
        #expect(result.status == 1)
        for fault in [
            ":1:12: [feed.siri.vale] url: must be", ":5:11: [feed.siri.hill] request: \"post\" must be",
            ":6:8: [feed.siri.hill] zone: ", ":7:12: [feed.gtfs.town] timetable: must be",
        ] {
            #expect(result.output.contains("boardd.toml\(fault)"), "\(fault)\n\(result.output)")
        }
        let started = try await run("run", "--frames", "1", "--config", file, environment: environment(folder))
        #expect(started.status == ExitStatus.configuration)
        #expect(started.errors.contains("boardd.toml:5:11: [feed.siri.hill] request"), "\(started.errors)")
    }
}
