internal import Testing

@testable internal import BoardStore

@Suite("What keys may hold")
struct SchemaTests {
    @Test(
        "a duration is a whole number and a unit",
        arguments: [("0s", 0), ("30s", 30), ("4m", 240), ("1h", 3600), ("90m", 5400), ("007s", 7)])
    func durations(text: String, seconds: Int) {
        #expect(Duration(written: text) == .seconds(seconds))
    }

    @Test(
        "nothing else is a duration",
        arguments: ["", "s", "30", "30 s", "-1s", "+1s", "1.5m", "1d", "1m30s", "٣s", "9223372036854775807h", "30S"])
    func noDurations(text: String) {
        #expect(Duration(written: text) == nil)
    }

    @Test("a duration is written in the largest unit that keeps it whole")
    func written() {
        #expect(
            [0, 10, 60, 90, 3600, 86_400].map { Duration.seconds($0).written } == [
                "0s", "10s", "1m", "90s", "1h", "24h",
            ])
    }

    @Test(
        "http is for this machine alone, by its own spelling",
        arguments: [
            ("http://localhost", true), ("http://LOCALHOST:8080/x", true), ("http://127.0.0.1", true),
            ("http://127.255.0.9:1", true), ("http://[::1]:80/", true), ("http://127.0.0.1.example.com", false),
            ("http://127.1", false), ("http://127.0.0.256", false), ("http://127.0.0.01", false),
            ("http://localhost.example.com", false),
            ("http://[::2]", false), ("http://128.0.0.1", false), ("http://0.0.0.0", false),
        ])
    func loopback(text: String, isLoopback: Bool) throws {
        let address = try #require(WebAddress(text))
        #expect(address.isLoopback == isLoopback)
        #expect(!address.isSecure)
    }

    @Test(
        "what is no address of a host is refused",
        arguments: [
            "", "https://", "https:///x", "https//a", "ftp://a", "HTTPS://a", "https://a b", "https://a:0",
            "https://a:65536", "https://a:x", "https://a:", "https://ü.de", "https://u@h", "https://h?q", "https://h#f",
            "https://[::1", "https://[x]", "https://[::1]x", "https://h\\x", "https://my_host", "https://h\u{F4}te",
            "https://\u{FF41}", "https://h/a|b", "https://h/{stop}", "https://h/a^b", "https://h/`", "https://h/\u{FC}",
            "https://[:]", "https://h:000080",
        ])
    func noAddress(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test("the nearest word is found by letters changed, left out, put in or swapped, and only when near")
    func spelling() {
        let words = ["language", "clock", "home", "return_home", "lines"]
        #expect(Spelling.nearest(to: "clcok", of: words) == "clock")
        #expect(Spelling.nearest(to: "return-home", of: words) == "return_home")
        #expect(Spelling.nearest(to: "Langauge", of: words) == "language")
        #expect(Spelling.nearest(to: "line", of: words) == "lines")
        #expect(Spelling.nearest(to: "colour", of: words) == nil)
        #expect(Spelling.nearest(to: "", of: words) == nil)
        #expect(Spelling.nearest(to: "x", of: []) == nil)
        #expect(Spelling.distance(Array("ca"), Array("abc")) == 3)
    }
}
