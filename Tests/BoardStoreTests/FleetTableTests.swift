import BoardCore
import BoardStore
import Testing

@Suite("[fleet]")
struct FleetTableTests {
    @Test("every key of [fleet] sets its option")
    func keys() throws {
        let fleet = try load(
            """
            [fleet]
            broker = "mqtts://Broker.example:8884"
            board = "kitchen-2"
            ca = "/etc/boardd/ca.crt"
            patience = "45s"
            list = "office"
            home_assistant = false
            """
        ).fleet
        #expect(fleet.broker?.description == "mqtts://broker.example:8884")
        #expect(fleet.board?.description == "kitchen-2")
        #expect(fleet.certificates == "/etc/boardd/ca.crt")
        #expect(fleet.patience == .wait(.seconds(45)))
        #expect(fleet.list?.description == "office")
        #expect(!fleet.homeAssistant)
    }

    @Test("without the table, and with its empty values, there is no fleet")
    func defaults() throws {
        #expect(try load("").fleet == FleetOptions())
        #expect(try load("fleet = { broker = '', board = '', ca = '' }").fleet == FleetOptions())
        #expect(try load("fleet = { list = '' }").fleet.list == nil)
    }

    @Test("zero patience makes a hub, and \"never\" a board that sends nothing")
    func patience() throws {
        #expect(try load("fleet = { patience = '0s' }").fleet.patience.isHub)
        #expect(try load("fleet = { patience = 'never' }").fleet.patience == .never)
    }

    @Test("every fault has its position and what is allowed, and no password is repeated")
    func everyFault() throws {
        let text = """
            [fleet]
            broker = "mqtt://user:secret@broker:1883"
            board = "Kitchen"
            ca = "ca.crt"
            patience = "2h"
            list = "a b"
            home_assistant = "yes"
            topic = "x"
            """
        let found = try faults(text)
        #expect(found.count == 7)
        #expect(!found.joined().contains("secret"))
        #expect(found[0].hasPrefix("boardd.toml:2:10: broker: an address has a user name or a password in it"))
        #expect(found[1].contains("board is \"Kitchen\", but must be \"\" or a name of 1 to 63 letters from a to z"))
        #expect(found[6].contains("unknown key \"topic\" in [fleet]"))
    }

    @Test(
        "a connection without encryption outside of private networks is a warning",
        arguments: [
            ("mqtt://broker.example.org", true), ("mqtt://8.8.8.8", true), ("mqtts://broker.example.org", false),
            ("mqtt://broker", false), ("mqtt://192.168.1.9", false), ("mqtt://broker.local", false),
            ("mqtt://[::1]:1883", false), ("mqtt://127.0.0.1:1883", false), ("mqtt://[fd00::5]", false),
        ])
    func warning(broker: String, isExpected: Bool) throws {
        let warnings = try load("[fleet]\nbroker = \"\(broker)\"").warnings.filter { "\($0)".contains("not encrypted") }
        #expect(warnings.isEmpty != isExpected)
        if let first = warnings.first { #expect("\(first)".contains("boardd.toml:2:10: ")) }
    }
}
