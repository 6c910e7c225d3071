import BoardCore
import LoopbackServer
import Testing
import Waiting

@testable import BoardFeeds

@Suite("National Rail over a real connection", .endsHangs)
struct RailLoopbackTests {
    private let departure = Departure(
        stop: .rail("AMB"), line: Line(id: "VR", name: "Vale Railways"), destination: "Ashcombe", status: .delayed,
        attributes: TripAttributes(id: "abc/+d=="), madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 0))

    private func curl() -> CurlTransport { CurlTransport(userAgent: "boardd-test/1", clock: VirtualClock()) }

    private func urls(_ server: LoopbackServer) -> [String: String] {
        [
            "board_url": server.url("/board"), "details_url": server.url("/details"),
            "darwin_url": server.url("/ldb12.asmx"),
        ]
    }

    /// Responds as the marketplace; 401 without the right key.
    private func marketplace() throws -> LoopbackServer {
        let board = try Fixtures.own("rail_board.json")
        let details = try Fixtures.own("rail_details.json")
        let keys = Rail.withDetails
        return try LoopbackServer { request in
            let lines = request.split(separator: "\r\n").map(String.init)
            let isBoard = lines[0].hasPrefix("GET /board/GetDepartureBoard/AMB?")
            let key = keys[isBoard ? "RDM_BOARD_KEY" : "RDM_DETAILS_KEY"] ?? ""
            guard lines.contains("x-apikey: \(key)"), lines.contains("User-Agent: boardd-test/1") else {
                return [
                    .reply(
                        401,
                        text: #"{"fault":{"faultstring":"Failed to resolve API Key variable request.header.x-apikey"}}"#
                    )
                ]
            }
            if isBoard { return [.reply(body: board)] }
            return [
                lines[0] == "GET /details/GetServiceDetails/abc%2F%2Bd%3D%3D HTTP/1.1"
                    ? .reply(body: details) : .reply(404)
            ]
        }
    }

    /// Responds as OpenLDBWS: SOAP of the same version, a fault for an unknown station.
    private func darwin() throws -> LoopbackServer {
        let board = try Fixtures.own("rail_board.xml")
        let details = try Fixtures.own("rail_details.xml")
        let token = Rail.darwin["DARWIN_TOKEN"] ?? ""
        let fault =
            "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body><soap:Fault><faultcode>"
            + "soap:Server</faultcode><faultstring>Unexpected server error</faultstring><detail/></soap:Fault></soap:Body>"
            + "</soap:Envelope>"
        let headers = ["Content-Type: text/xml; charset=utf-8"]
        return try LoopbackServer { request in
            let isPost =
                request.hasPrefix("POST /ldb12.asmx HTTP/1.1\r\n")
                && request.contains("\r\nContent-Type: text/xml; charset=utf-8\r\n")
                && !request.contains("Expect:") && request.hasSuffix("</soap:Envelope>")
            guard isPost else { return [.reply(415)] }
            guard request.contains("<typ:TokenValue>\(token)</typ:TokenValue>") else { return [.reply(401)] }
            if request.contains("<ldb:serviceID>abc/+d==</ldb:serviceID>") {
                return [.reply(200, headers, body: details)]
            }
            let elements =
                "<ldb:numRows>60</ldb:numRows><ldb:crs>AMB</ldb:crs><ldb:filterCrs>SHM</ldb:filterCrs>"
                + "<ldb:filterType>to</ldb:filterType><ldb:timeOffset>0</ldb:timeOffset><ldb:timeWindow>120</ldb:timeWindow>"
            return [request.contains(elements) ? .reply(200, headers, body: board) : .reply(500, headers, text: fault)]
        }
    }

    @Test("a recording of either service holds no key, and is replayed without one")
    func recorded() async throws {
        for (keys, server) in [(Rail.withDetails, try marketplace()), (Rail.darwin, try darwin())] {
            let folder = try Fixtures.temporaryFolder()
            let transport = try RecordingTransport(wrapping: curl(), directory: folder)
            let live = try Rail.feed(keys, over: transport, urls(server))
            let feedRequest = FeedRequest(stop: .rail("AMB"), towards: ["SHM"])
            let response = try await live.departures(feedRequest)
            let service = try await live.tripDetails(of: departure)
            server.stop()
            let names = try RecordingFiles.names(in: folder)
            #expect(names.count == 2)
            for name in names {
                let text = String(decoding: try RecordingFiles.read(folder + "/" + name), as: UTF8.self)
                for key in keys.values { #expect(!text.contains(key)) }
            }
            let clock = VirtualClock()
            let replay = try ReplayTransport(directory: folder, clock: clock)
            let replayed = try NationalRailFeed(Feeds.context(Rail.settings([:], urls(server)), over: replay))
            #expect(try await replayed.departures(feedRequest).departures == response.departures)
            #expect(try await replayed.tripDetails(of: departure) == service)
            let present = ReplayedFeed(replayed, from: replay)
            let shift = replay.shift
            #expect(
                try await present.departures(feedRequest).departures
                    == response.departures.map { $0.shifted(by: shift) })
            #expect(try await present.tripDetails(of: departure.shifted(by: shift)) == service?.shifted(by: shift))
            // Another request to the same URL does not match the recording.
            let other = await Rail.failure(replayed, "WEI")
            #expect(other?.detail.contains("the recording has no such") == true)
        }
    }
}
