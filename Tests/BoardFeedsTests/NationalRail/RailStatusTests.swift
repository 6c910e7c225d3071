import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("National Rail's error responses", .endsHangs)
struct RailStatusTests {
    private func failure(
        _ keys: [String: String], _ status: Int, _ body: String, towards: String? = nil
    ) async throws -> FeedError {
        let transport = CannedTransport { _ in (status, Array(body.utf8)) }
        let failure = await Rail.failure(try Rail.feed(keys, over: transport), towards: towards)
        return try #require(failure)
    }

    private static let apigee =
        #"{"fault":{"faultstring":"Invalid ApiKey","detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}"#
    private static let unexpected =
        "<soap:Envelope><soap:Body><soap:Fault><faultcode>soap:Server</faultcode>"
        + "<faultstring>Unexpected server error</faultstring></soap:Fault></soap:Body></soap:Envelope>"

    @Test("a wrong key is named, with advice and the operator's message")
    func wrongKey() async throws {
        for status in [401, 403] {
            let failure = try await failure(Rail.marketplace, status, Self.apigee)
            #expect(failure.kind == .keyRejected)
            #expect(
                failure.detail.contains("check RDM_BOARD_KEY in keys.env; it must be the consumer key (not the secret)")
            )
            #expect(failure.detail.hasSuffix("server message: Invalid ApiKey"))
        }
        let darwin = try await failure(Rail.darwin, 401, "")
        #expect(darwin.kind == .keyRejected)
        #expect(darwin.detail.contains("check DARWIN_TOKEN in keys.env"))
    }

    @Test("a key in the place of another causes a warning before any request, from its format alone")
    func doubted() throws {
        let token = Secret(try #require(Rail.darwin["DARWIN_TOKEN"]))
        let key = Secret(try #require(Rail.marketplace["RDM_BOARD_KEY"]))
        let declaration = NationalRailFeed.declaration
        for name in ["RDM_BOARD_KEY", "RDM_DETAILS_KEY"] {
            let warning = "\(name) looks like a Darwin token: put it into DARWIN_TOKEN"
            #expect(declaration.warning(about: token, named: name) == warning)
            #expect(declaration.warning(about: Secret(token.revealed.uppercased()), named: name) == warning)
            #expect(declaration.warning(about: key, named: name) == nil)
            #expect(declaration.warning(about: Secret("0a1b2c3d-1111-2222-3333-0123456789xy"), named: name) == nil)
        }
        #expect(
            declaration.warning(about: key, named: "DARWIN_TOKEN")
                == "DARWIN_TOKEN looks like a consumer key of the Rail Data Marketplace: put it into RDM_BOARD_KEY")
        #expect(declaration.warning(about: token, named: "DARWIN_TOKEN") == nil)
        #expect(declaration.warning(about: Secret("short1"), named: "DARWIN_TOKEN") == nil)
    }

    @Test("the gateway's page for a blocked client does not concern the key")
    func edge() async throws {
        let failure = try await failure(Rail.marketplace, 403, "<html><body>Access Denied</body></html>")
        #expect(failure.kind == .status(403))
        #expect(failure.detail.contains("not a key error"))
    }

    @Test("the marketplace reports an invalid code, and Darwin's server error may mean one")
    func unknownStation() async throws {
        let marketplace = try await failure(Rail.marketplace, 400, #"{"Message":"Invalid crs"}"#, towards: "XXX")
        #expect(marketplace.kind == .unknownStop)
        #expect(marketplace.detail.contains("unknown stop AMB or XXX: check it in favourites.toml"))
        for status in [500, 200] {
            let darwin = try await failure(Rail.darwin, status, Self.unexpected)
            #expect(darwin.kind == .status(500))
            #expect(darwin.detail.contains("server error, or AMB is not a station (same response): check the code"))
            #expect(darwin.detail.hasSuffix("server message: Unexpected server error"))
        }
        let unknown = try await failure(
            Rail.darwin, 500, Self.unexpected.replacing("Unexpected server error", with: "Invalid crs code supplied"))
        #expect(unknown.kind == .unknownStop)
    }

    @Test("a URL of another subscription, a quota and a server error are distinguished")
    func others() async throws {
        let lost = try await failure(
            Rail.marketplace, 404,
            #"{"fault":{"faultstring":"Unable to identify proxy","detail":{"errorcode":"messaging.adaptors.http.flow.ApplicationNotFound"}}}"#
        )
        #expect(lost.kind == .status(404))
        #expect(lost.detail.contains("compare board_url in boardd.toml"))
        #expect(try await failure(Rail.marketplace, 429, "").kind == .rateLimited(retryAfter: nil))
        #expect(try await failure(Rail.darwin, 429, "").kind == .rateLimited(retryAfter: nil))
        let html = "<!DOCTYPE html><html><body>Bad Gateway</body></html>"
        let down = try await failure(Rail.darwin, 502, html)
        #expect(down.kind == .status(502))
        #expect(down.detail.contains("status 502, server error"))
        #expect(try await failure(Rail.marketplace, 502, html).detail.contains("status 502, server error"))
    }

    @Test("a key that an operator quotes is masked even if the message is cut in the middle of it")
    func cutKey() async throws {
        for (keys, status, body) in Self.quoting {
            let failure = try await failure(keys, status, body)
            let key = try #require(keys.values.first)
            #expect(!failure.detail.contains(key.prefix(6)), "\(failure.detail)")
            #expect(failure.detail.contains("*"), "\(failure.detail)")
        }
    }

    /// Responses that quote the key at the place where boardd cuts the message.
    private static var quoting: [(keys: [String: String], status: Int, body: String)] {
        let key = marketplaceKey
        let token = Rail.darwin["DARWIN_TOKEN"] ?? ""
        let long = String(repeating: "no ", count: 63)
        let fault = "<soap:Envelope><soap:Body><soap:Fault><faultstring>"
        let end = "</faultstring></soap:Fault></soap:Body></soap:Envelope>"
        return [
            (Rail.marketplace, 403, #"{"message":"\#(long)\#(key)"}"#),
            (Rail.marketplace, 200, #"{"message":"\#(long)\#(key)"}"#),
            // With an escape.
            (Rail.marketplace, 403, #"{"message":"\#(long)\u0061\#(key.dropFirst())"}"#),
            (Rail.marketplace, 200, "no key \(key)"),
            (Rail.darwin, 500, fault + long + token + end), (Rail.darwin, 200, fault + long + token + end),
            (Rail.darwin, 200, "no token \(token)"),
        ]
    }

    private static var marketplaceKey: String { Rail.marketplace["RDM_BOARD_KEY"] ?? "" }

    @Test("a response of another kind is described")
    func unreadable() async throws {
        for (keys, body, message) in [
            (Rail.marketplace, "<html/>", "found HTML or XML where JSON was expected"),
            (Rail.marketplace, "{}", "found JSON with an unexpected structure"),
            (Rail.marketplace, Self.apigee, "server message: Invalid ApiKey"),
            (Rail.darwin, "<html><p></html>", "found HTML where XML was expected"),
            (Rail.darwin, "{}", "found JSON where XML was expected"),
            (Rail.darwin, "<a/>", "found XML with an unexpected structure"),
            (Rail.darwin, "", "found an empty response where XML was expected"),
        ] {
            let failure = try await failure(keys, 200, body)
            #expect(failure.kind == .unreadable, "\(body)")
            #expect(failure.detail.contains(message), "\(failure.detail)")
        }
    }

    @Test("a wrong details URL is reported, and not taken for a train that is no longer available")
    func detailsAddress() async throws {
        let body =
            #"{"fault":{"faultstring":"x","detail":{"errorcode":"messaging.adaptors.http.flow.ApplicationNotFound"}}}"#
        let transport = CannedTransport { _ in (404, Array(body.utf8)) }
        let feed = try Rail.feed(Rail.withDetails, over: transport)
        let departure = Departure(
            stop: .rail("AMB"), line: Line(id: "", name: ""), destination: "", status: .delayed,
            attributes: TripAttributes(id: "1"), madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 0))
        let failure = await #expect(throws: FeedError.self) { try await feed.tripDetails(of: departure) }
        #expect(failure?.detail.contains("compare details_url") == true)
    }
}
