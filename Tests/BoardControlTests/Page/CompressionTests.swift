import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import NIOHTTP1
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

@Suite(.endsHangs) struct CompressionTests {
    private static let gzip = "Accept-Encoding: gzip, deflate"

    // MARK: - What is compressed

    @Test func `only these responses of the API may be compressed`() {
        let routes =
            Route.board + Route.pairing(FakeDevices(), isLocal: false) + Route.setup(FakeSetup())
            + Route.fleet(FakeFleet())
        let allowed = routes.map(\.operation).filter(\.isCompressible).map { "\($0.method) \($0.template)" }
        #expect(
            Set(allowed) == [
                "GET /v1/state", "GET /v1/live", "GET /v1/display.svg", "GET /v1/stops", "GET /v1/stops/{stop}",
                "GET /v1/stops/{stop}/departures", "GET /v1/map.svg", "GET /v1/lines", "GET /v1/lines/{line}",
            ])
    }

    @Test(arguments: ["/", "/find", "/v1/live", "/v1/page"])
    func `a long response to a client that reads gzip is compressed`(target: String) async throws {
        let page = try await RunningPage()
        let plain = try await page.request("GET", target)
        #expect(plain.header("content-encoding") == nil)
        #expect(plain.header("vary") == "Accept-Encoding")
        let packed = try await page.request("GET", target, headers: [Self.gzip])
        #expect(packed.header("content-encoding") == "gzip")
        #expect(packed.header("vary") == "Accept-Encoding")
        #expect(packed.header("content-type") == plain.header("content-type"))
        #expect(packed.header("content-length") == "\(packed.body.count)")
        #expect(packed.body.count < plain.body.count / 2)
        let text = try await Self.unpacked(packed.body)
        #expect(text.hasPrefix(plain.text.prefix(40)) && text.utf8.count == plain.body.count)
    }

    @Test func `a short response, an error, a stream and the response to HEAD are sent as they are`() async throws {
        let page = try await RunningPage()
        for (method, target, status) in [
            ("GET", "/v1/lines?feed=tfl", 200), ("GET", "/v1/stops", 400), ("GET", "/nothing.js", 404),
            ("GET", "/v1/favourites", 200),
        ] {
            let response = try await page.request(method, target, headers: [Self.gzip])
            #expect(response.status == status, "\(target)")
            #expect(response.header("content-encoding") == nil, "\(target)")
        }
        let client = try RawClient(port: page.port)
        try await client.send("HEAD /v1/live HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\(Self.gzip)\r\n\r\n")
        let head = try #require(try await client.head())
        #expect(head.status == 405 && head.header("content-encoding") == nil)
        let viewer = try RawClient(port: page.port)
        try await viewer.send("GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\(Self.gzip)\r\n\r\n")
        let events = try #require(try await viewer.head())
        #expect(events.header("content-type") == "text/event-stream" && events.header("content-encoding") == nil)
        #expect(try await viewer.text(until: "event: state") != nil)
    }

    @Test func `a token and the code of a pairing are never compressed, however long the response`() async throws {
        var request = ControlRequest(method: "POST", target: try RequestTarget("/v1/pairings/a"))
        request.headers = ["accept-encoding": "gzip"]
        let token = try ControlResponse.json(PairingToken(token: String(repeating: "a", count: 5_000)), status: 201)
        #expect(token.compressed(for: request).body == token.body)
    }

    @Test func `the control socket compresses nothing`() async throws {
        let served = try await RunningServer()
        let client = try await RawClient.sending(
            "GET /v1/live HTTP/1.1\r\nHost: localhost\r\n\(Self.gzip)\r\n\r\n", to: served.path)
        let response = try #require(try await client.response())
        #expect(response.body.count > 1_024 && response.text.hasPrefix("{"))
        #expect(response.header("content-encoding") == nil && response.header("vary") == nil)
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("*;q=0.1", true),
        ("gzip; q=1.000", true), ("", false), ("br", false), ("gzip;q=0", false), ("gzip; q=0.000", false),
        ("*, gzip;q=0", false), ("gzip;q=0, *", false), ("*;q=0", false), ("identity", false), ("gzip;q=x", false),
        ("gzip;q=nan", false), ("gzipped", false),
    ])
    func `a client reads gzip that names it with a weight above 0`(accepted: String, isGzip: Bool) throws {
        var request = ControlRequest(method: "GET", target: try RequestTarget("/"))
        #expect(!request.acceptsGzip)
        request.headers = ["accept-encoding": accepted]
        #expect(request.acceptsGzip == isGzip)
    }

    @Test func `what does not become shorter stays as it is`() throws {
        var generator = SystemRandomNumberGenerator()
        var response = ControlResponse(
            status: 200, body: (0..<5_000).map { _ in .random(in: 0...255, using: &generator) })
        response.isCompressible = true
        var request = ControlRequest(method: "GET", target: try RequestTarget("/"))
        request.headers = ["accept-encoding": "gzip"]
        #expect(response.compressed(for: request).body == response.body)
        #expect(!response.compressed(for: request).headers.contains(ControlResponse.gzipCoding))
    }

    // MARK: - Files

    @Test func `a file of the page is sent as its gzip beside it, with a tag of its own`() async throws {
        let page = try await RunningPage()
        let packed = Array("stands for a gzip".utf8)
        try Data(packed).write(to: URL(filePath: "\(page.folder)/page/page.css.gz"))
        let plain = try await page.request("GET", "/page.css", headers: ["Accept-Encoding: gzip;q=0"])
        #expect(plain.header("x-content-type-options") == "nosniff")
        #expect(plain.header("content-security-policy") == nil)
        #expect(plain.text == "body {}" && plain.header("content-encoding") == nil)
        let response = try await page.request("GET", "/page.css", headers: [Self.gzip])
        #expect(response.body == packed)
        #expect(response.header("content-encoding") == "gzip")
        #expect(response.header("content-type") == "text/css; charset=utf-8")
        for response in [plain, response] { #expect(response.header("vary") == "Accept-Encoding") }
        let (tag, other) = (try #require(response.header("etag")), try #require(plain.header("etag")))
        #expect(tag != other)
        let known = try await page.request("GET", "/page.css", headers: [Self.gzip, "If-None-Match: \(tag)"])
        #expect(known.status == 304 && known.header("etag") == tag && known.header("vary") == "Accept-Encoding")
        let unknown = try await page.request("GET", "/page.css", headers: [Self.gzip, "If-None-Match: \(other)"])
        #expect(unknown.status == 200)
    }

    @Test func `a file without a gzip beside it is sent as it is, and its gzip has no address`() async throws {
        let page = try await RunningPage()
        let response = try await page.request("GET", "/page.css", headers: [Self.gzip])
        #expect(response.text == "body {}" && response.header("content-encoding") == nil)
        try Data("a".utf8).write(to: URL(filePath: "\(page.folder)/page/page.css.gz"))
        #expect(try await page.request("GET", "/page.css.gz", headers: [Self.gzip]).status == 404)
    }

    /// The text in a gzip, read by the program of that name.
    private static func unpacked(_ bytes: [UInt8]) async throws -> String {
        let path = "/tmp/boardd-\(UUID().uuidString).gz"
        try Data(bytes).write(to: URL(filePath: path))
        defer { unsafe unlink(path) }
        let text = try await DedicatedThread.run("gzip") { Subprocess.output(["zcat", path], environment: [:]) }
        return try #require(text as String?)
    }
}
