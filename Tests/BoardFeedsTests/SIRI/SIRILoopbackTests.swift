import BoardCore
import LoopbackServer
import Testing
import Waiting

@testable import BoardFeeds

@Suite("SIRI over a real connection", .endsHangs)
struct SIRILoopbackTests {
    private static let key = "sekret-7"

    private func curl() -> CurlTransport { CurlTransport(userAgent: "boardd-test/1", clock: VirtualClock()) }

    /// Responds as an operator that requires its key and one of the three request formats.
    private func server(_ form: String) throws -> LoopbackServer {
        let way = Node(
            "OnwardCalls",
            [Node("OnwardCall", [Node("StopPointName", "Harbour"), Node("ExpectedArrivalTime", Vale.time("08:20"))])])
        let visit = Vale.visit(expected: "08:05", aimed: "08:03", attributes: [way])
        let body = Vale.body([Vale.delivery([visit])], form == "get" ? .rootless : form == "xml" ? .xml : .soap)
        return try LoopbackServer { request in
            let isRight =
                switch form {
                case "get":
                    request.hasPrefix("GET /sm?version=2&") && request.contains("MonitoringRef=S1&key=\(Self.key) ")
                case "xml":
                    request.hasPrefix("POST /sm HTTP") && request.contains("\r\nAuthorization: \(Self.key)\r\n")
                        && request.contains("\r\nContent-Type: text/xml; charset=utf-8\r\n")
                        && !request.contains("Expect:") && request.contains("<MonitoringRef>S1</MonitoringRef>")
                default:
                    request.hasPrefix("POST /sm HTTP") && request.contains("\r\nSOAPAction: \"GetStopMonitoring\"\r\n")
                        && request.contains("<siri:RequestorRef>\(Self.key)</siri:RequestorRef>")
                        && request.contains("<siri:MonitoringRef>S1</siri:MonitoringRef>")
                }
            return [isRight ? .reply(200, body: body) : .reply(403, text: "no")]
        }
    }

    private func settings(_ form: String, _ server: LoopbackServer) -> [String: String] {
        var settings = ["url": server.url("/sm"), "request": form]
        if form == "get" { settings["key_parameter"] = "key" }
        if form == "xml" { settings["key_header"] = "Authorization" }
        settings["parameters"] = form == "get" ? "version=2" : "version=2.0"
        return settings
    }

    @Test(
        "each request format is sent as configured, and a recording of it holds no key and replays the response",
        arguments: ["get", "xml", "soap"])
    func forms(_ form: String) async throws {
        let server = try server(form)
        let folder = try Fixtures.temporaryFolder()
        let recording = try RecordingTransport(wrapping: curl(), directory: folder)
        let feed = try Vale.make(settings(form, server), key: Self.key, over: recording)
        let feedRequest = FeedRequest(stop: Vale.stop)
        let response = try await feed.departures(feedRequest)
        #expect(Vale.rows(response) == ["B6 Harbour 08:05, booked 08:03"])
        let departure = try #require(response.departures.first)
        let service = try await feed.tripDetails(of: departure)
        #expect(service?.calls.map(\.name) == ["Mill Lane", "Harbour"])
        #expect(try await feed.check(Vale.stop).subject == .departures)
        let wrong = try Vale.make(settings(form, server), key: "other", over: curl())
        #expect(await Vale.failure(wrong)?.kind == .keyRejected)
        server.stop()
        for name in try RecordingFiles.names(in: folder) {
            let text = String(decoding: try RecordingFiles.read(folder + "/" + name), as: UTF8.self)
            #expect(!text.contains(Self.key))
        }
        // Requested at another time, without a key.
        let clock = VirtualClock(wall: Timestamp(seconds: 1_950_000_000))
        let replay = try ReplayTransport(directory: folder, clock: clock)
        let context = Feeds.context(try Vale.settings(settings(form, server)), over: replay, clock: clock)
        let replayed = try SIRIFeed(Vale.feed, context)
        #expect(try await replayed.departures(feedRequest).departures == response.departures)
        #expect(try await replayed.tripDetails(of: departure) == service)
        let moved = ReplayedFeed(replayed, from: replay)
        #expect(
            try await moved.departures(feedRequest).departures
                == response.departures.map { $0.shifted(by: replay.shift) })
        let other = FeedRequest(stop: StopID(feed: Vale.feed, code: "S9"))
        let failure = await #expect(throws: FeedError.self) { try await replayed.departures(other) }
        #expect(failure?.detail.contains("the recording has no such") == true)
    }
}
