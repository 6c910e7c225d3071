import BoardCore
import Testing

@testable import BoardFeeds

@Suite("URLs, requests and headers")
struct HTTPURLTests {
    @Test(
        "a URL is parsed, normalised and printed",
        arguments: [
            ("https://api.tfl.gov.uk", "https://api.tfl.gov.uk"),
            ("HTTPS://API.TfL.gov.uk:443/", "https://api.tfl.gov.uk/"),
            ("http://127.0.0.1:8080/tfl?x=1", "http://127.0.0.1:8080/tfl?x=1"),
            ("http://[::1]:80/", "http://[::1]/"),
        ])
    func read(text: String, printed: String) {
        #expect(HTTPURL(text)?.description == printed)
    }

    @Test(
        "a URL that could hide a host or a key is rejected",
        arguments: [
            "", "tfl", "ftp://host/", "https://", "https:///path", "https://user:key@host/",
            "http://127.0.0.1@evil.example/",
            "https://host:0/", "https://host:99999/", "https://host:/", "https://ho st/", "https://host/a b",
            "https://host#f", "https://host/\n", "https://hôte/", "https://host\\evil/", "https://host:+80/",
        ])
    func reject(text: String) {
        #expect(HTTPURL(text) == nil)
    }

    @Test(
        "only loopback host names are loopback",
        arguments: [
            ("http://localhost", true), ("http://127.0.0.1", true), ("http://127.200.3.4", true),
            ("http://[::1]", true),
            ("http://127.1", false), ("http://127.0.0.256", false), ("http://127.0.0.01", false),
            ("http://localhost.example.org", false), ("http://10.0.0.1", false),
        ])
    func loopback(text: String, isLoopback: Bool) {
        #expect(HTTPURL(text)?.isLoopback == isLoopback)
    }

    @Test("segments and query items are percent-encoded and follow the path")
    func appending() throws {
        let url = try #require(HTTPURL("http://localhost/base/"))
        let longer = url.appending(["Stop Point", "a/b?c"], query: [("x", "1&2"), ("y", "é")])
        #expect(longer.description == "http://localhost/base/Stop%20Point/a%2Fb%3Fc?x=1%262&y=%C3%A9")
    }

    @Test("a key is masked wherever it is quoted")
    func masking() throws {
        let url = try #require(HTTPURL("https://host/path"))
        let request = HTTPRequest(url, secrets: [("app_key", Secret("a&b"))], limit: 1)
        #expect(request.revealedURL == "https://host/path?app_key=a%26b")
        #expect(request.masking("/path?app_key=a%26b, a&b") == "/path?app_key=*****, ***")
        #expect("\(request)" == "GET https://host/path")
    }

    @Test(
        "Retry-After is a number of seconds or a future date, and nothing else",
        arguments: [
            ("17", Duration.seconds(17)), ("-5", nil), ("0", nil), ("-9223372036854775808", nil), ("soon", nil),
            ("999999999", .seconds(86_400)),
            ("Mon, 02 Mar 2026 08:00:30 GMT", .seconds(30)), ("Mon, 02 Mar 2026 07:00:00 GMT", nil),
            ("Mon, 02 Mar 2026 08:00:00 GMT", nil), ("Sat, 02 Mar 2030 08:00:00 GMT", .seconds(86_400)),
        ])
    func retryAfter(text: String, duration: Duration?) throws {
        let response = HTTPResponse(
            status: 429, headers: [.init("Date", "Mon, 02 Mar 2026 08:00:00 GMT"), .init("retry-after", text)],
            received: Timestamp(seconds: 0))
        #expect(response.retryAfter == duration)
    }
}
