internal import BoardCore

// `[display]`.
extension BoardFile {
    static func readDisplay(_ root: inout TableReader, pinMaps: [String: PinMap]) -> DisplayWiring {
        var display = root.table("display", name: "[display]")
        let standard = DisplayWiring()
        let driver = display.value(
            "driver", .choice(later: ["ssd1306", "sh1106", "ht16k33", "lcdproc"]), default: standard.driver)
        let sizes = Panel.Size.all
        let size = display.value(
            "size",
            .word(
                Dictionary(uniqueKeysWithValues: sizes.map { ($0.description, $0) }), order: sizes.map(\.description)),
            default: standard.panel.size)
        let bus = display.value("bus", .bus, default: standard.bus)
        let address = display.value("address", .expanderAddress, default: standard.address)
        let expander = display.optional("expander", .choice(Expander.self))
        let map = display.optional("pins", .pins(named: pinMaps, of: expander ?? standard.panel.pins.expander))
        var pins = map ?? expander?.usualPins ?? standard.panel.pins
        // A named map contains its backpack's expander, and its polarity, which the next key overrides.
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
        let panel = Panel(size: size, rom: rom, pins: pins)
        let isReadable = map != nil || display.offset(of: "pins") == nil
        if driver == .hd44780, isReadable { check(panel, expander, address, in: display) }
        return DisplayWiring(driver: driver, panel: panel, bus: bus, address: address, resync: resync)
    }

    /// Reports keys that contradict each other.
    private static func check(
        _ panel: Panel, _ expander: Expander?, _ address: DisplayWiring.Address, in display: TableReader
    ) {
        let pins = panel.pins
        if let expander, expander != pins.expander {
            display.report(
                at: display.offset(of: "pins"),
                "pins is a map for \(pins.expander.rawValue), but expander is \"\(expander.rawValue)\": "
                    + "remove one of them")
        } else if case .fixed(let address) = address, !pins.expander.addresses.contains(where: { $0.contains(address) })
        {
            display.report(
                at: display.offset(of: "address"),
                "address is \(BusFault.hex(address)), but an \(pins.expander.rawValue) has an address "
                    + "from 0x20 to 0x27")
        }
        if panel.controllerCount == 2, pins.e2 == nil {
            let advice = pins.expander.pinCount == 8 ? ", in place of rw or backlight if no pin is free" : ""
            display.report(
                at: display.offset(of: "size"),
                "size = \"\(panel.size)\" needs the display's second enable line: "
                    + "write pins as a table with e2\(advice)")
        } else if panel.controllerCount == 1, pins.e2 != nil {
            display.report(
                at: display.offset(of: "pins"), "pins has e2, which only a display of size 40x4 has: remove it")
        }
    }
}

extension ValueKind<DisplayWiring.Bus> {
    /// "auto", or the path of a device.
    static let bus = ValueKind<String>.text("the path of a device, such as \"/dev/i2c-1\"") { $0.hasPrefix("/") }
        .map(DisplayWiring.Bus.path).or("auto", .auto)
}

extension ValueKind<PinMap> {
    /// The name of a pin map, or a table of the expander's pins.
    static func pins(named maps: [String: PinMap], of expander: Expander) -> ValueKind {
        let names = maps.keys.sorted().map { "\"\($0)\"" }
        let example = "{ rs = 0, rw = 1, e = 2, backlight = 3, d4 = 4, d5 = 5, d6 = 6, d7 = 7 }"
        return ValueKind(allowed: (names + ["a table of pins, such as \(example)"]).joinedAsAlternatives()) {
            (node) throws(ValueErrors) in
            switch node.value {
            case .text(let name):
                guard let map = maps[name] else { throw .notAllowed(node) }
                return map
            case .table(let entries):
                return try PinTable(entries, of: node, on: expander).map
            default:
                throw .notAllowed(node)
            }
        }
    }
}

/// `pins` as a table: each line of the controller on its own expander pin.
private struct PinTable {
    static let needed = ["rs", "e", "d4", "d5", "d6", "d7"]
    static let lines = needed + ["rw", "e2", "backlight"]
    let map: PinMap

    init(_ entries: TOMLEntries, of table: TOMLNode, on expander: Expander) throws(ValueErrors) {
        let last = expander.pinCount - 1
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
            guard case .integer(let number) = entry.node.value, (0...last).contains(number) else {
                fail(entry.node, "is not a pin for \(entry.key): must be a whole number from 0 to \(last)")
                continue
            }
            let pin = UInt8(number)
            if let other = pins.first(where: { $0.value == pin })?.key {
                fail(entry.node, "is the pin of both \(other) and \(entry.key)")
            }
            pins[entry.key] = pin
        }
        let missing = Self.needed.filter { entries[$0] == nil }
        if Set(pins.values.map { $0 / 8 }).count > 1 {
            fail(table, "has pins of both ports: all must be from 0 to 7, or all from 8 to 15")
        }
        if !missing.isEmpty { fail(table, "has no \(missing.joined(separator: ", "))") }
        let data = ["d4", "d5", "d6", "d7"].compactMap { pins[$0] }
        guard errors.all.isEmpty, data.count == 4, let rs = pins["rs"], let e = pins["e"] else { throw errors }
        map = PinMap(
            expander: expander, rs: rs, rw: pins["rw"], e: e, e2: pins["e2"], backlight: pins["backlight"], data: data)
    }
}
