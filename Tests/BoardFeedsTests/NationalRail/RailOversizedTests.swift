import BoardCore
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds
@testable import BoardFormats

/// Passes requests on, and counts the bytes of their bodies.
private final class CountingTransport: HTTPTransport {
    private let inner = CurlTransport(userAgent: "boardd-test/1", clock: VirtualClock())
    private let counts = Mutex<[(limit: Int, taken: Int)]>([])

    /// For each request its limit, and the bytes passed on.
    var taken: [(limit: Int, taken: Int)] { counts.withLock { $0 } }

    func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        let index = counts.withLock { counts in
            counts.append((request.limit, 0))
            return counts.count - 1
        }
        return try await inner.get(request) { chunk in
            self.counts.withLock { $0[index].taken += chunk.count }
            try body(chunk)
        }
    }
}

@Suite("Oversized responses from National Rail", .endsHangs)
struct RailOversizedTests {
    private static let transports = [Rail.withDetails, Rail.darwin]

    private let departure = Departure(
        stop: .rail("AMB"), line: Line(id: "VR", name: "Vale Railways"), destination: "Ashcombe", status: .delayed,
        attributes: TripAttributes(id: "1"), madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 0))

    private func urls(_ server: LoopbackServer) -> [String: String] {
        ["board_url": server.url("/b"), "details_url": server.url("/d"), "darwin_url": server.url("/s")]
    }

    /// The failures of a request for a board and for a train.
    private func failures(_ keys: [String: String], _ server: LoopbackServer, _ transport: any HTTPTransport)
        async throws -> [FeedFailure?]
    {
        let feed = try Rail.feed(keys, over: transport, urls(server))
        let board = await Rail.failure(feed)
        do throws(FeedFailure) {
            _ = try await feed.tripDetails(of: departure)
            return [board, nil]
        } catch {
            return [board, error]
        }
    }

    @Test(
        "50 MB of board or of train are rejected after two, in every transfer coding", arguments: transports,
        ["", "Transfer-Encoding: chunked", "Content-Length: 52428800"])
    func flood(keys: [String: String], header: String) async throws {
        let isChunked = header.contains("chunked")
        let row = "<service><std>12:00</std><etd>On time</etd></service>\n"
        let text = Array(String(repeating: row, count: 1_240).utf8.prefix(65_536))
        let piece = isChunked ? Array("10000\r\n".utf8) + text + Array("\r\n".utf8) : text
        try #require(text.count == 65_536)
        let headers = ["Content-Type: text/xml", "Connection: close"] + (header.isEmpty ? [] : [header])
        let server = try LoopbackServer { _ in
            [.send(LoopbackServer.Step.head(200, headers)), .flood(piece, times: 800), .close]
        }
        defer { server.stop() }
        let transport = CountingTransport()
        for failure in try await failures(keys, server, transport) {
            #expect(failure?.kind == .unreadable)
            #expect(failure?.detail.contains("larger than 2000000 bytes") == true)
        }
        let taken = transport.taken
        #expect(taken.count == 2)
        for request in taken {
            #expect(request.limit == 2_000_000)
            #expect(request.taken <= request.limit)
            // A body with a Content-Length above the limit is not started.
            #expect((request.taken > 1_000_000) == !header.contains("Length"))
        }
        // The kernel buffers a few megabytes at most between the two.
        #expect(server.record.bytesSent < 40_000_000)
    }

    @Test("bytes that expand on decompression are rejected after two megabytes", arguments: transports)
    func decompressed(keys: [String: String]) async throws {
        let bomb = try Fixtures.own("bomb.json.gz")
        let server = try LoopbackServer { _ in [.reply(200, ["Content-Encoding: gzip"], body: bomb)] }
        defer { server.stop() }
        let transport = CountingTransport()
        for failure in try await failures(keys, server, transport) { #expect(failure?.kind == .unreadable) }
        #expect(transport.taken.allSatisfy { $0.taken <= $0.limit })
    }

    @Test("a billion laughs attack is rejected at its first byte, ten thousand levels at the limit of depth")
    func explosions() async throws {
        let entities = (1...9).map { level in
            "<!ENTITY l\(level) \"\(String(repeating: level == 1 ? "ha" : "&l\(level - 1);", count: 10))\">"
        }
        let open = "<Envelope><Body><GetStationBoardResult><nrccMessages><message>"
        let close = "</message></nrccMessages></GetStationBoardResult></Body></Envelope>"
        let laughs = "<?xml version=\"1.0\"?><!DOCTYPE l [\(entities.joined())]>\(open)&l9;\(close)"
        let quadratic =
            "<!DOCTYPE l [<!ENTITY a \"\(String(repeating: "a", count: 50_000))\">]>\(open)"
            + String(repeating: "&a;", count: 50_000) + close
        // Names that are read, and names that are skipped.
        let deep = ["service", "a"].map { name in
            open + String(repeating: "<\(name)>", count: 10_000) + String(repeating: "</\(name)>", count: 10_000)
                + close
        }
        let levels = (String(repeating: "[", count: 10_000), String(repeating: "]", count: 10_000))
        let objects = (String(repeating: "{\"a\":", count: 10_000), String(repeating: "}", count: 10_000))
        let json = [
            "{\"crs\":\"AMB\",\"generatedAt\":\"2026-03-02T12:00:00Z\",\"trainServices\":\(levels.0)\(levels.1)}",
            "{\"crs\":\"AMB\",\"generatedAt\":\"2026-03-02T12:00:00Z\",\"other\":\(objects.0)1\(objects.1)}",
        ]
        let monsters =
            [laughs, quadratic].map { (Rail.darwin, $0, "found a document type") }
            + deep.map { (Rail.darwin, $0, "more than 64 nested elements") }
            + json.map { (Rail.withDetails, $0, "more than 128 nested brackets") }
        for (keys, body, message) in monsters {
            let server = try LoopbackServer { _ in [.reply(text: body)] }
            defer { server.stop() }
            for failure in try await failures(keys, server, CountingTransport()) {
                #expect(failure?.kind == .unreadable, "\(body.prefix(60))")
                #expect(failure?.detail.contains(message) == true, "\(failure?.detail ?? "")")
            }
        }
    }
}
