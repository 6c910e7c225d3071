internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import Testing

@testable internal import boardd

@Suite("The files that are installed")
struct ShippedFilesTests {
    /// The text of a file under etc/boardd of the checkout.
    private func shipped(_ name: String) throws -> String {
        let text = KernelFile.read("\(Checkout.path)/etc/boardd/\(name)")
        try #require(!text.isEmpty)
        return text
    }

    /// What the program makes of these files.
    private func load(_ board: String, favourites: String = "", keys: String = "") throws -> Configuration {
        let folder = try TemporaryFolder(["boardd.toml": board, "favourites.toml": favourites, "keys.env": keys])
        return try ConfigurationLoader(declarations: FeedRegistry.declarations, pinMaps: PinMap.named)
            .load(.directory(folder.path), environment: [:])
    }

    /// The text with some comments taken as keys: `#key` are defaults, `#  key` are examples.
    private func uncommented(_ text: String, defaults: Bool, examples: Bool) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            if line.hasPrefix("#  ") { return examples ? String(line.dropFirst(3)) : String(line) }
            if defaults, line.hasPrefix("#"), let next = line.dropFirst().first, next.isLetter {
                return String(line.dropFirst())
            }
            return String(line)
        }.joined(separator: "\n")
    }

    @Test("as they are they load without a remark, and are all defaults")
    func asShipped() throws {
        let configuration = try load(try shipped("boardd.toml"), favourites: try shipped("favourites.toml"))
        #expect(configuration == (try load("")))
        #expect(configuration.board == BoardOptions())
        #expect(configuration.display == DisplayWiring())
        #expect(
            configuration.feeds.keys.sorted { $0.description < $1.description }
                == FeedRegistry.operators.map(\.declaration.name).sorted { $0.description < $1.description })
    }

    @Test("every default that a comment shows is the default")
    func defaults() throws {
        let text = uncommented(try shipped("boardd.toml"), defaults: true, examples: false)
        #expect(try load(text) == (try load("")))
    }

    @Test("every key that this version knows is shown")
    func complete() throws {
        let text = try shipped("boardd.toml") + shipped("favourites.toml")
        let keys = [
            "language", "clock", "home", "return_home", "rotate", "refresh_bar", "alerts_row", "wake", "from", "to",
            "days", "driver", "size", "bus", "address", "expander", "pins", "backlight_on", "rom", "resync", "chip",
            "line", "pull", "short", "hold", "long_hold", "double", "url", "interval", "level", "id", "label",
            "lines", "sort", "walk", "uncatchable", "towards", "platforms", "directions", "when", "location", "radius",
            "stops", "modes",
        ]
        for key in keys {
            let isShown = text.split(separator: "\n").contains { line in
                line.drop { $0 == "#" || $0 == " " }.hasPrefix("\(key) = ")
            }
            #expect(isShown, "\(key)")
        }
    }

    @Test("the examples load")
    func examples() throws {
        // The one example that excludes the others: no button at all.
        let board = uncommented(try shipped("boardd.toml"), defaults: true, examples: true)
            .replacing("\nbutton = []", with: "").replacing("\npins = \"standard\"", with: "")
        let favourites = uncommented(try shipped("favourites.toml"), defaults: true, examples: true)
        let configuration = try load(board, favourites: favourites)
        #expect(configuration.board.quiet == [WeeklyWindow(from: 23 * 60, to: 6 * 60)])
        #expect(configuration.board.abbreviations.count == 2)
        #expect(configuration.display == DisplayWiring())
        #expect(configuration.buttons.map(\.wiring.line) == [17, 27])
        #expect(configuration.buttons.map(\.binding) == [ButtonBinding(), .second])
        #expect(configuration.favourites.map(\.stop.description) == ["tfl:490008660N", "rail:RDG"])
        #expect(configuration.favourites.first?.walk == .seconds(240))
        #expect(configuration.favourites.map(\.when.count) == [1, 3])
    }

    @Test("the example of keys.env loads, and holds no key")
    func keys() throws {
        let text = uncommented(try shipped("keys.env.example"), defaults: true, examples: true)
        #expect(text.contains("\nTFL_APP_KEY="))
        #expect(try load("", keys: text) == (try load("")))
    }
}
