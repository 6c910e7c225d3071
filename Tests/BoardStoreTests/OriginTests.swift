import BoardCore
import BoardIO
import BoardStore
import Testing

@Suite("Names, origins and tiles")
struct OriginTests {
    @Test(
        "a host name is in lower case, without a final dot",
        arguments: [
            ("BoardPi", "boardpi"), ("boardpi.local.", "boardpi.local"), ("a-b.example.org", "a-b.example.org"),
            ("my_pi", "my_pi"), ("3com.example", "3com.example"),
        ])
    func names(text: String, name: String) {
        #expect(HostName(text)?.description == name)
    }

    @Test(
        "other texts are no host name",
        arguments: [
            "", ".", "a..b", "-a", "a-", "a b", "a/b", "a:80", "ü.de", "127.0.0.1", "2130706433", "a.0x7f",
            "*.example.org",
            String(repeating: "a", count: 64), Array(repeating: "abcdefghi", count: 26).joined(separator: "."),
        ])
    func noNames(text: String) {
        #expect(HostName(text) == nil)
    }

    @Test(
        "an origin is written as browsers write it",
        arguments: [
            ("http://homeassistant.local:8123", "http://homeassistant.local:8123"),
            ("HTTP://A.example", "http://a.example"),
            ("http://a:80", "http://a"), ("https://a:443", "https://a"), ("https://a:80", "https://a:80"),
            ("http://192.168.1.5", "http://192.168.1.5"), ("http://[2001:DB8:0::1]:81", "http://[2001:db8::1]:81"),
        ])
    func origins(text: String, written: String) {
        #expect(WebOrigin(text)?.description == written)
    }

    @Test(
        "other texts are no origin",
        arguments: [
            "", "*", "a.example", "ftp://a", "http://", "http://a/", "http://a/x", "http://u@a", "http://a:",
            "http://a:0",
            "http://a:65536", "http://a:+1", "http://[::1", "http://[::1]x", "http://[a]", "http://[1.2.3.4]",
            "http://::1",
            "http://a?x", "http://*.a", "http://a; script-src *",
        ])
    func noOrigins(text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test("tiles have an address with each place once, and the origin of their host")
    func tiles() {
        let text = "https://tile.example.org:8443/osm/{z}/{x}/{y}.png?apikey=abc"
        #expect(TileSource(text)?.description == text)
        #expect(TileSource(text)?.origin.description == "https://tile.example.org:8443")
        #expect(TileSource(text)?.name == "tile.example.org:8443" && TileSource(text)?.credit == nil)
    }

    @Test("openstreetmap is a name for tiles with the address, the attribution and the host that their owner requires")
    func openStreetMap() throws {
        let tiles = try #require(TileSource("openstreetmap"))
        #expect(tiles.description == "https://tile.openstreetmap.org/{z}/{x}/{y}.png")
        #expect(tiles.origin.description == "https://tile.openstreetmap.org")
        #expect(tiles.name == "openstreetmap.org")
        #expect(tiles.credit?.text == "© OpenStreetMap contributors")
        #expect(tiles.credit?.address == "https://www.openstreetmap.org/copyright")
    }

    @Test(
        "tiles without https, a host or a place are none",
        arguments: [
            "", "OpenStreetMap", "http://t.example/{z}/{x}/{y}.png", "https://t.example/{z}/{x}.png",
            "https://t.example/{z}/{x}/{y}/{y}",
            "https://{z}.example/{x}/{y}", "https:///{z}/{x}/{y}", "https://u:p@t.example/{z}/{x}/{y}",
            "https://{s}.t.example/{z}/{x}/{y}.png", "https://t.example/{s}/{z}/{x}/{y}.png",
            "https://t.example/{z}/{x}/{y}.png#a", "https://t.example/{z}/{x}/{y}\".png",
            "https://t.example/{z}/{x}/{y} a",
        ])
    func noTiles(text: String) {
        #expect(TileSource(text) == nil)
    }
}
