internal import BoardCore

// `[display]`.
extension BoardFile {
    static func readDisplay(_ root: inout TableReader, pinMaps: [String: PinMap]) -> DisplayWiring {
        var display = root.table("display", name: "[display]")
        let standard = DisplayWiring()
        let driver = display.value(
            "driver", .choice(later: ["ssd1306", "sh1106", "ht16k33", "lcdproc"]), default: standard.driver)
        let sizes = Panel.Size.singleController
        let size = display.value(
            "size",
            .word(
                Dictionary(uniqueKeysWithValues: sizes.map { ($0.description, $0) }), order: sizes.map(\.description),
                later: ["40x4"]),
            default: standard.panel.size)
        let bus = display.value("bus", .bus, default: standard.bus)
        let address = display.value("address", .expanderAddress, default: standard.address)
        _ = display.optional(
            "expander", .word(["pcf8574": ()], order: ["pcf8574"], later: ["mcp23008", "mcp23017"]))
        var pins = display.value("pins", .pins(named: pinMaps), default: standard.panel.pins)
        // A named map contains its backpack's polarity; the key overrides it.
        if let isHigh = display.optional(
            "backlight_on", .word(["high": true, "low": false], order: ["high", "low"]))
        {
            pins = pins.backlight(activeHigh: isHigh)
        }
        let rom = display.value("rom", .choice(), default: standard.panel.rom)
        let resync = display.value(
            "resync", ValueKind<Duration>.duration(.seconds(10) ... .seconds(86_400)).map(Optional.some).or("off", nil),
            default: standard.resync)
        display.finish()
        return DisplayWiring(
            driver: driver, panel: Panel(size: size, rom: rom, pins: pins), bus: bus, address: address, resync: resync)
    }
}

extension ValueKind<DisplayWiring.Bus> {
    /// "auto", or the path of a device.
    static let bus = ValueKind<String>.text("the path of a device, such as \"/dev/i2c-1\"") { $0.hasPrefix("/") }
        .map(DisplayWiring.Bus.path).or("auto", .auto)
}

extension ValueKind<PinMap> {
    /// The name of a pin map, or a table of expander pins.
    static func pins(named maps: [String: PinMap]) -> ValueKind {
        let names = maps.keys.sorted().map { "\"\($0)\"" }
        let example = "{ rs = 0, rw = 1, e = 2, backlight = 3, d4 = 4, d5 = 5, d6 = 6, d7 = 7 }"
        return ValueKind(allowed: (names + ["a table of all pins, such as \(example)"]).joinedAsAlternatives()) {
            (node) throws(ValueErrors) in
            switch node.value {
            case .text(let name):
                guard let map = maps[name] else { throw .notAllowed(node) }
                return map
            case .table(let entries):
                return try PinTable(entries, of: node).map
            default:
                throw .notAllowed(node)
            }
        }
    }
}

/// `pins` as a table: each line of the controller on its own expander pin.
private struct PinTable {
    static let lines = ["rs", "rw", "e", "backlight", "d4", "d5", "d6", "d7"]
    let map: PinMap

    init(_ entries: TOMLEntries, of table: TOMLNode) throws(ValueErrors) {
        var errors = ValueErrors(all: [])
        func fail(_ node: TOMLNode, _ sentence: String) {
            errors.all.append(.init(reason: .message(sentence), node: node))
        }
        var pins: [String: UInt8] = [:]
        for entry in entries.entries {
            guard Self.lines.contains(entry.key) else {
                let nearest = Spelling.nearest(to: entry.key, of: Self.lines).map { "did you mean \($0)? " } ?? ""
                fail(
                    entry.asKey,
                    "is not a line of the display; \(nearest)allowed: \(Self.lines.joined(separator: ", "))")
                continue
            }
            guard case .integer(let number) = entry.node.value, (0...7).contains(number) else {
                fail(entry.node, "is not a pin for \(entry.key): must be a whole number from 0 to 7")
                continue
            }
            let pin = UInt8(number)
            if let other = pins.first(where: { $0.value == pin })?.key {
                fail(entry.node, "is the pin of both \(other) and \(entry.key)")
            }
            pins[entry.key] = pin
        }
        let missing = Self.lines.filter { entries[$0] == nil }
        if !missing.isEmpty { fail(table, "has no \(missing.joined(separator: ", "))") }
        let data = ["d4", "d5", "d6", "d7"].compactMap { pins[$0] }
        guard errors.all.isEmpty, data.count == 4, let rs = pins["rs"], let rw = pins["rw"], let e = pins["e"],
            let backlight = pins["backlight"]
        else { throw errors }
        map = PinMap(rs: rs, rw: rw, e: e, backlight: backlight, data: data)
    }
}
