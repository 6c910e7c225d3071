import Testing

@testable internal import BoardStore

@Suite("The kinds of values")
struct SchemaTests {
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
        "an invalid host address is rejected",
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
}
