import BoardCore
import BoardService
import BoardStore
import FoundationEssentials
import ServerTesting
import Testing

@testable import BoardFleet

@Suite("The announcement to Home Assistant")
struct DiscoveryMessageTests {
    private let kitchen: FleetName
    private let hall: FleetName

    init() throws {
        kitchen = try #require(FleetName("kitchen"))
        hall = try #require(FleetName("hall"))
    }

    /// Compares a payload with a file beside this one; BOARDD_GOLDEN=write writes the file.
    static func compare(_ payload: [UInt8], with file: String) throws {
        let lines = try JSONValue(payload).lines
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(file)")
        if ProcessInfo.processInfo.environment["BOARDD_GOLDEN"] == "write" { try Data(lines.utf8).write(to: path) }
        #expect(lines == String(decoding: try Data(contentsOf: path), as: UTF8.self))
    }

    private func json(_ discovery: DiscoveryMessage) throws -> JSONValue {
        let messages = discovery.messages(replacing: nil)
        #expect(messages.count == 1)
        return try JSONValue(try #require(messages.first).payload)
    }

    // Tests/Fleet/home-assistant checks the file, and what it derives from it in the same way, with Home Assistant's own code.
    @Test("the payloads are those that Home Assistant's code checks")
    func golden() throws {
        let sample = SampleBoard()
        let full = sample.discovery(board: kitchen)
        try Self.compare(try #require(full.messages(replacing: nil).first).payload, with: "discovery.json")
        var bare = sample
        bare.favourites = []
        let empty = bare.discovery(board: kitchen, buttons: 0, hub: nil)
        let (before, after) = (try json(full), try json(empty))
        // Without favourites, buttons and a hub it has the other components, and the overview as its only page.
        #expect(after.keys == before.keys && after["origin"] == before["origin"])
        #expect(after["availability"] == before["availability"])
        #expect(after["device"]?.keys == before["device"]?.keys.subtracting(["via_device"]))
        for key in after["device"]?.keys ?? [] { #expect(after["device", key] == before["device", key], "\(key)") }
        let rest: Set<String> = ["light", "message", "next-page", "page", "problem", "refresh"]
        #expect(after["components"]?.keys == rest)
        for key in rest.subtracting(["page"]) {
            #expect(after["components", key] == before["components", key], "\(key)")
        }
        #expect(after["components", "page"]?.keys == before["components", "page"]?.keys)
        for key in after["components", "page"]?.keys ?? [] {
            let value = key == "options" ? JSONValue.list([.text("All stops")]) : before["components", "page", key]
            #expect(after["components", "page", key] == value, "\(key)")
        }
        // A message that removes components is the new one with the platform alone of each that is gone.
        let removing = try JSONValue(try #require(empty.messages(replacing: full.published).first).payload)
        #expect(removing.keys == after.keys)
        for key in removing.keys where key != "components" { #expect(removing[key] == after[key], "\(key)") }
        #expect(removing["components"]?.keys == before["components"]?.keys)
        for key in removing["components"]?.keys ?? [] {
            let gone = before["components", key, "platform"].map { JSONValue.object(["platform": $0]) }
            #expect(removing["components", key] == after["components", key] ?? gone, "\(key)")
        }
    }

    @Test("it is one retained message without an expiry, on a topic that only this board writes")
    func message() throws {
        let message = try #require(SampleBoard().discovery(board: kitchen).messages(replacing: nil).first)
        #expect(message.topic == "homeassistant/device/boardd-kitchen/config")
        #expect(message.isRetained && message.expiry == nil && message.quality == .atLeastOnce)
        #expect(message.payload.count < 64_000)
    }

    @Test("it has what Home Assistant requires, and none of the keys that it has removed")
    func required() throws {
        let json = try json(SampleBoard().discovery(board: kitchen))
        #expect(json["origin", "name"] == .text("boardd"))
        #expect(json["device", "identifiers"]?.elements.count == 1)
        #expect(json["device", "via_device"]?.string == DeviceID(machineID: "hub").description)
        let components = try #require(json["components"])
        for key in components.keys {
            let component = try #require(components[key])
            let platform = try #require(component["platform"]?.string)
            #expect((component["unique_id"] != nil) == (platform != "device_automation"), "\(key)")
            for removed in ["object_id", "default_entity_id", "message_expiry_interval", "retain"] {
                #expect(component[removed] == nil, "\(key)")
            }
            if ["sensor", "binary_sensor"].contains(platform) { #expect(component["expire_after"] == .number(300)) }
        }
    }

    @Test("identifiers are those of the machine: another name of the board changes none")
    func identifiers() throws {
        func identifiers(_ name: FleetName) throws -> Set<String?> {
            let json = try json(SampleBoard().discovery(board: name))
            let components = try #require(json["components"])
            return Set(
                components.keys.map { components[$0, "unique_id"]?.string } + [
                    json["device", "identifiers"]?.elements[0].string
                ])
        }
        #expect(try identifiers(kitchen) == identifiers(hall))
        #expect(DeviceID(machineID: "1") != DeviceID(machineID: "2"))
        #expect(DeviceID(DeviceID(machineID: "1").description) == DeviceID(machineID: "1"))
        for text in ["boardd-", "boardd-0123456789ABCDEF", "0123456789abcdef", "boardd-0123456789abcdef0"] {
            #expect(DeviceID(text) == nil)
        }
    }

    @Test("a stop's key has no character that ends a text in a template, and no two stops share one")
    func keys() {
        let stops = [("a", "b-c"), ("a-b", "c"), ("a", "b_2dc"), ("a", "b c"), ("a", "b'c"), ("ä", "b"), ("a", "B-C")]
        let keys = stops.map { ComponentID.key(of: StopID(feed: FeedName($0.0), code: $0.1)) }
        #expect(Set(keys).count == keys.count)
        #expect(keys.joined().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    }

    @Test("at most nine favourites have sensors, and only those with a walk one of when to leave")
    func stops() throws {
        var sample = SampleBoard()
        sample.favourites += (0..<20).map { Favourite(stop: StopID(feed: FeedName("tfl"), code: "\($0)")) }
        let keys = try #require(try json(sample.discovery(board: kitchen))["components"]).keys
        #expect(keys.count { $0.hasPrefix("next-tfl") || $0.hasPrefix("next-rail") } == 9)
        #expect(keys.filter { $0.hasPrefix("leave-") } == ["leave-rail-RDG"])
    }

    @Test("a favourite outside its hours keeps its sensors, with the label of favourites.toml")
    func outsideHours() throws {
        let sample = SampleBoard()
        let discovery = DiscoveryMessage(
            board: kitchen, device: DeviceID(machineID: "0123"), version: "1", language: .german,
            favourites: sample.favourites, pages: [], buttons: 1)
        let json = try json(discovery)
        #expect(json["components", "next-rail-RDG", "name"] == .text("Reading"))
        #expect(json["components", "leave-rail-RDG", "name"] == .text("Losgehen: Reading"))
    }

    @Test("a component that is gone is sent with its platform alone, then not at all")
    func removed() throws {
        let old = SampleBoard().discovery(board: kitchen)
        var sample = SampleBoard()
        sample.favourites.removeLast()
        let new = sample.discovery(board: kitchen, buttons: 1)
        let messages = new.messages(replacing: old.published)
        #expect(messages.count == 2 && messages.allSatisfy { $0.isRetained })
        let first = try #require(try JSONValue(messages[0].payload)["components"])
        #expect(first["leave-rail-RDG"] == .object(["platform": .text("sensor")]))
        #expect(first["button-2-hold"] == .object(["platform": .text("device_automation")]))
        #expect(first["button-1"] == (try json(new))["components", "button-1"])
        #expect(messages[1] == new.messages(replacing: nil)[0])
        #expect(new.messages(replacing: new.published).count == 1)
    }

    @Test("another name of the board empties the old topic first")
    func renamed() throws {
        let old = SampleBoard().discovery(board: hall)
        let new = SampleBoard().discovery(board: kitchen)
        let messages = new.messages(replacing: old.published)
        #expect(messages.map(\.topic) == ["hall", "kitchen"].map { "homeassistant/device/boardd-\($0)/config" })
        #expect(messages[0].payload.isEmpty && messages[0].isRetained)
        #expect(DiscoveryMessage.removal(of: old.published) == messages[0])
    }

    @Test("what was published can be stored")
    func stored() throws {
        let published = SampleBoard().discovery(board: kitchen).published
        let json = try JSONEncoder().encode(published)
        #expect(try JSONDecoder().decode(PublishedDiscovery.self, from: json) == published)
    }

    @Test("a board is no hub of its own")
    func ownHub() throws {
        let json = try json(SampleBoard().discovery(board: kitchen, hub: DeviceID(machineID: "0123")))
        #expect(json["device", "via_device"] == nil)
    }

    @Test("a gesture is sent once, never retained, and expires in seconds", arguments: Gesture.allCases)
    func gesture(gesture: Gesture) throws {
        let message = GestureMessage.message(gesture, ButtonID(number: 2), of: kitchen)
        #expect(message.topic == "boardd/1/board/kitchen/button/2")
        #expect(!message.isRetained && message.expiry == .seconds(10))
        let event = try JSONValue(message.payload)["event_type"]?.string
        let component = try json(SampleBoard().discovery(board: kitchen))["components", "button-2"]
        #expect(component?["event_types"]?.elements.contains { $0.string == event } == true)
        #expect(component?["state_topic"]?.string == message.topic)
    }
}
