import BoardCore
import Testing

@testable import BoardFeeds

@Suite("The policy for error responses")
struct ResponseStatusPolicyTests {
    private static let settings = "url in boardd.toml, [feed.town]"

    private func failure(
        _ status: Int, _ body: String, _ policy: ResponseStatusPolicy, headers: [HTTPResponse.Header] = []
    ) throws -> FeedError {
        let url = try #require(HTTPURL("https://town.example/stop"))
        let response = HTTPResponse(status: status, headers: headers, received: Timestamp(seconds: 7))
        return policy.failure(
            response, Array(body.utf8), of: HTTPRequest(url, secrets: [("key", Secret("k3y"))], limit: 9))
    }

    @Test(
        "a feed that declares only its URL setting has a kind and advice for every status",
        arguments: [
            (301, .status(301), "check url in boardd.toml, [feed.town]"),
            (400, .status(400), "check url in boardd.toml, [feed.town]"),
            (403, .status(403), "check url in boardd.toml, [feed.town]"),
            (404, .unknownStop, "unknown stop S1: check it in favourites.toml"),
            (410, .unknownStop, "unknown stop S1: check it in favourites.toml"),
            (
                429, .rateLimited(retryAfter: nil),
                "too many requests: poll less often (interval) or have fewer favourites"
            ), (500, .status(500), "server error. Retrying"), (503, .status(503), "server error. Retrying"),
        ] as [(Int, FeedError.Kind, String)])
    func statuses(_ status: Int, _ kind: FeedError.Kind, _ advice: String) throws {
        let failure = try failure(status, "", ResponseStatusPolicy(settings: Self.settings, stop: "S1"))
        #expect(failure.kind == kind)
        #expect(failure.detail == "https://town.example/stop: status \(status), \(advice)")
    }

    @Test("without a stop in the request, not found means a wrong URL")
    func notFound() throws {
        let failure = try failure(404, "", ResponseStatusPolicy(title: "Town", settings: Self.settings))
        #expect(failure.kind == .status(404))
        #expect(failure.detail == "Town, https://town.example/stop: status 404, not found: check \(Self.settings)")
    }

    @Test("a delay comes from Retry-After, else from the message; the header counts for every status")
    func delays() throws {
        let policy = ResponseStatusPolicy(settings: Self.settings)
        let header = HTTPResponse.Header("Retry-After", "30")
        let message = #"{"message":"Rate limit is exceeded. Try again in 7 seconds."}"#
        #expect(try failure(429, message, policy).kind == .rateLimited(retryAfter: .seconds(7)))
        #expect(try failure(429, message, policy, headers: [header]).kind == .rateLimited(retryAfter: .seconds(30)))
        #expect(try failure(503, "", policy, headers: [header]).retryAfter == .seconds(30))
        let zero = #"{"message":"Try again in 0 seconds."}"#
        #expect(try failure(429, zero, policy).kind == .rateLimited(retryAfter: nil))
    }

    @Test(
        "the operator's message is read from each usual form, as one paragraph without keys",
        arguments: [
            #"{"message":"no <b>k3y</b>\n here"}"#, #"{"error":"no k3y here"}"#, #"{"title":"no k3y here"}"#,
            #"{"fault":{"faultstring":"no k3y here"}}"#, #"{"statusCode":500,"body":"{\"message\":\"no k3y here\"}"}"#,
        ])
    func messages(_ body: String) throws {
        let failure = try failure(500, body, ResponseStatusPolicy(settings: Self.settings))
        #expect(failure.detail.hasSuffix("server error. Retrying; server message: no *** here"), "\(failure.detail)")
    }

    @Test("a long message is cut")
    func longMessages() throws {
        let body = #"{"message":"\#(String(repeating: "a", count: 300))"}"#
        let failure = try failure(500, body, ResponseStatusPolicy(settings: Self.settings))
        #expect(failure.detail.hasSuffix(": " + String(repeating: "a", count: 200)))
    }

    @Test("a request without a response has advice if there is something to do but wait")
    func withoutResponse() throws {
        let url = try #require(HTTPURL("https://town.example/x"))
        func advice(_ kind: HTTPError.Kind) -> String { FeedError(HTTPError(kind, of: url, detail: "broken")).detail }
        #expect(advice(.noNetwork) == "\(url): broken: check this machine's network and name servers")
        #expect(advice(.tls(byDate: true)).contains("timedatectl"))
        #expect(advice(.tls(byDate: false)).contains("ca-certificates"))
        #expect(advice(.timedOut) == "\(url): broken")
    }
}
