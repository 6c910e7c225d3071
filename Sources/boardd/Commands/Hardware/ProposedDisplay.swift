internal import BoardCore

/// A display that can be connected, by the addresses on a bus, and the lines of `[display]` for it.
struct ProposedDisplay: Hashable, Sendable {
    /// How likely it is connected: 0 is the most likely.
    let rank: Int
    /// Its keys, with comments about what the address leaves open.
    let lines: [String]
    /// The keys that identify its device, in one line.
    let summary: String

    /// The keys, without comments in lines of their own.
    var settings: [(key: String, value: String)] {
        lines.filter { !$0.hasPrefix("#") }.map { line in
            let key = line.prefix { $0 != " " }
            return (String(key), String(line.dropFirst("\(key) = ".count)))
        }
    }

    /// The displays that the devices at these addresses of a bus can be: one for each backpack and each OLED, and one for all LED
    /// modules if they are enough for a board.
    static func all(at addresses: [UInt8], bus: String) -> [ProposedDisplay] {
        var modules: [UInt8] = []
        var displays: [ProposedDisplay] = []
        for address in addresses.sorted() {
            guard let device = KnownDevice(at: address), let driver = device.driver else { continue }
            switch driver {
            // A sensor can have the last two addresses: they are modules only after one at the address before.
            case .ht16k33: if address <= 0x75 || modules.last == address - 1 { modules.append(address) }
            case .ssd1306: displays.append(oled(at: address, bus: bus, rank: device.rank))
            default: displays.append(lcd(at: address, bus: bus, rank: device.rank))
            }
        }
        return displays + [leds(modules, bus: bus)].compactMap(\.self)
    }

    private static func lcd(at address: UInt8, bus: String, rank: Int) -> ProposedDisplay {
        let expanders = Expander.allCases.filter { $0.addresses.contains { $0.contains(address) } }
        let names = expanders.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        let choice =
            expanders.count > 1 ? ["#expander = \(names), as printed on its chip; without the line \"pcf8574\""] : []
        return ProposedDisplay(
            rank: rank, lines: ["bus = \"\(bus)\"", "address = \(BusFault.hex(address))"] + choice,
            summary: "address = \(BusFault.hex(address)) on \(bus)")
    }

    private static func oled(at address: UInt8, bus: String, rank: Int) -> ProposedDisplay {
        ProposedDisplay(
            rank: rank,
            lines: [
                "driver = \"ssd1306\"   # or \"sh1106\": most of 1.3 inches", "bus = \"\(bus)\"",
                "address = \(BusFault.hex(address))",
            ],
            summary: "driver = \"ssd1306\", address = \(BusFault.hex(address)) on \(bus)")
    }

    /// The panel of all LED modules of a bus; nil if they are too few for any kind.
    private static func leds(_ addresses: [UInt8], bus: String) -> ProposedDisplay? {
        let kinds = LEDModules.Kind.allCases.filter { !LEDModules(kind: $0, addresses: addresses).sizes.isEmpty }
        guard let first = addresses.first, let rank = KnownDevice(at: first)?.rank, !kinds.isEmpty else { return nil }
        let names = kinds.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        let list = "modules = [\(addresses.map(BusFault.hex).joined(separator: ", "))]"
        return ProposedDisplay(
            rank: rank,
            lines: [
                "driver = \"ht16k33\"", "bus = \"\(bus)\"",
                "\(list)   # in the order from left to right, the upper row first",
                "#leds = \(names); without the line \"14-segment\"",
            ],
            summary: "driver = \"ht16k33\", \(list) on \(bus)")
    }
}
