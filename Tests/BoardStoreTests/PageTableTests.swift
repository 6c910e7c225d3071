import BoardCore
import BoardIO
import BoardStore
import Testing

@Suite("[page]")
struct PageTableTests {
    @Test("every key of [page] sets its option")
    func keys() throws {
        let page = try load(
            """
            [page]
            read = "paired"
            change = "nobody"
            setup = false
            names = ["Board.example.org", "boardpi.home"]
            networks = ["100.64.0.0/10", "fd00::/8"]
            frames = ["http://homeassistant.local:8123"]
            [map]
            tiles = "https://tile.example.org/{z}/{x}/{y}.png"
            attribution = "© OpenStreetMap contributors"
            """
        ).page
        var expected = PageOptions()
        expected.read = .paired
        expected.change = .nobody
        expected.setup = false
        expected.names = ["board.example.org", "boardpi.home"].compactMap { HostName($0) }
        expected.networks = [try NetworkPrefix(written: "100.64.0.0/10"), try NetworkPrefix(written: "fd00::/8")]
        expected.frames = [try #require(WebOrigin("http://homeassistant.local:8123"))]
        expected.tiles = TileSource("https://tile.example.org/{z}/{x}/{y}.png")
        expected.tilesAttribution = "© OpenStreetMap contributors"
        #expect(page == expected)
        #expect(expected.names.count == 2 && expected.tiles != nil)
    }

    @Test("without the table, and with its empty values, it has the defaults")
    func defaults() throws {
        #expect(try load("").page == PageOptions())
        let text = "page = { names = [], networks = [], frames = [] }\nmap = { tiles = '', attribution = '' }"
        #expect(try load(text).page == PageOptions())
    }

    @Test(
        "while boardd.toml cannot be read, nobody may change something",
        arguments: [
            "[page]\nchange = \"nobody", "[page", "\u{0}", "[page]\nchange = \"Nobody\"", "[page]\nsetup = \"false\"",
        ])
    func unreadable(text: String) throws {
        let folder = try ConfigurationDirectory(["boardd.toml": text])
        let failure = try #require(throws: ConfigurationError.self) { try folder.load() }
        #expect(failure.partial.page.change == .nobody && !failure.partial.page.allowsSetup)
        let other = try ConfigurationDirectory(["boardd.toml": "", "favourites.toml": "[[stop"])
        let fault = try #require(throws: ConfigurationError.self) { try other.load() }
        #expect(fault.partial.page.change == .paired)
    }

    @Test("every fault has its position and what is allowed")
    func everyFault() throws {
        let text = """
            [page]
            read = "nobody"
            change = "all"
            names = ["http://a", "192.168.1.5", "a.example", "A.example"]
            networks = ["192.168.1.5/24", "10.0.0.0", "home", 7]
            frames = ["http://a/b", "*"]
            colour = 1
            [map]
            tiles = "http://t.example/{z}/{x}/{y}.png"
            attribution = 7
            """
        let name = "but must be a host name such as \"board.example.org\", without http:// or a port"
        let origin =
            "but must be http:// or https://, a host and a port, without a path: \"http://homeassistant.local:8123\""
        #expect(
            try faults(text) == [
                "boardd.toml:2:8: read is \"nobody\", but must be \"network\" or \"paired\"",
                "boardd.toml:3:10: change is \"all\", but must be \"paired\", \"network\" or \"nobody\"",
                "boardd.toml:4:10: names is \"http://a\", \(name)",
                "boardd.toml:4:22: names: \"192.168.1.5\" is an IP address, which needs no entry here: "
                    + "every address of this machine is accepted",
                "boardd.toml:4:50: names: \"A.example\" is a duplicate",
                "boardd.toml:5:13: networks: \"192.168.1.5/24\" is an address in a network: write 192.168.1.0/24",
                "boardd.toml:5:31: networks: \"10.0.0.0\" must end with / and a number of bits from 0 to 32",
                "boardd.toml:5:43: networks: \"home\" is not a network: must be an IP address, / and a length, "
                    + "such as 192.168.1.0/24 or fd00::/8",
                "boardd.toml:5:51: networks is 7, but must be a network such as \"100.64.0.0/10\"",
                "boardd.toml:6:11: frames is \"http://a/b\", \(origin)",
                "boardd.toml:6:25: frames is \"*\", \(origin)",
                "boardd.toml:7:1: unknown key \"colour\" in [page]; allowed: read, change, setup, names, networks, frames",
                "boardd.toml:9:9: tiles is \"http://t.example/{z}/{x}/{y}.png\", but must be \"\" or "
                    + "\"openstreetmap\" or an https address with {z}, {x} and {y}, such as \"https://tile.example.org/{z}/{x}/{y}.png\"",
                "boardd.toml:10:15: attribution is 7, but must be \"\" or one line of text that is not empty",
            ])
    }

    @Test("a device that may not look may not change anything")
    func contradiction() throws {
        #expect(
            try faults("[page]\nread = \"paired\"\nchange = \"network\"") == [
                "boardd.toml:3:10: change is \"network\", but read is \"paired\": a device that may not look may "
                    + "not change anything; write change = \"paired\""
            ])
    }
}
