import BoardCore
import BoardDisplays
import BoardIO

// `[display]`.
extension BoardFile {
    static func readDisplay(_ root: inout TableReader, pinMaps: [String: PinMap]) -> DisplayWiring {
        var display = root.table("display", name: "[display]")
        let standard = DisplayWiring()
        let driver = display.value("driver", .choice(), default: standard.driver)
        let dotRows = display.value("dots", .dotRows(of: driver), default: standard.dotRows)
        let modules = readModules(&display, driver: driver)
        let size = readSize(&display, driver: driver, dotRows: dotRows, modules: modules)
        let bus = display.value("bus", .bus, default: standard.bus)
        let address = display.value("address", .address(of: driver), default: standard.address)
        let expander = display.optional("expander", .choice(Expander.self))
        let map = display.optional("pins", .pins(named: pinMaps, of: expander ?? standard.panel.pins.expander))
        var pins = map ?? expander?.usualPins ?? standard.panel.pins
        // A named map includes its backpack's expander and polarity; the next key overrides the polarity.
        if let isHigh = display.optional("backlight_on", .word(["high": true, "low": false], order: ["high", "low"])) {
            pins = pins.backlight(activeHigh: isHigh)
        }
        let rom = display.value("rom", .choice(), default: standard.panel.rom)
        let resync = display.value(
            "resync", .duration(.seconds(10) ... .seconds(86_400)), or: "off", default: standard.resync)
        let brightness = display.value("brightness", .integer(1...100), default: standard.brightness)
        let server = display.value("server", .server, default: standard.server)
        display.finish()
        let panel = Panel(size: size, rom: rom, pins: pins)
        let isReadable = map != nil || display.offset(of: "pins") == nil
        if driver == .hd44780, isReadable { check(panel, expander, address, in: display) }
        return DisplayWiring(
            driver: driver, panel: panel, bus: bus, address: address, resync: resync, dotRows: dotRows,
            brightness: brightness, modules: modules, server: server,
            origin: display.offset == nil ? .searched : .configured)
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
                "address is \(address.asHex), but an \(pins.expander.rawValue) has an address from 0x20 to 0x27")
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

    private static func readSize(
        _ display: inout TableReader, driver: DisplayWiring.Driver, dotRows: Int, modules: LEDModules
    ) -> DisplaySize {
        let usual = DisplayWiring().panel.size
        let sizes: [DisplaySize]
        switch driver {
        case .hd44780, .none: sizes = DisplaySize.lcd
        case .ssd1306, .sh1106: sizes = DisplaySize.oled(dotRows: dotRows)
        // Too few modules are reported separately.
        case .ht16k33: sizes = modules.sizes.isEmpty ? DisplaySize.lcd : modules.sizes
        case .lcdproc: return display.value("size", .anySize, default: usual)
        }
        let isUsual = sizes.contains(usual) && driver != .ssd1306 && driver != .sh1106
        return display.value("size", .size(sizes), default: isUsual ? usual : sizes.first ?? usual)
    }

    /// The LED modules; reports it if they are too few for a board.
    private static func readModules(_ display: inout TableReader, driver: DisplayWiring.Driver) -> LEDModules {
        let kind = display.value("leds", .choice(), default: LEDModules.Kind.segments)
        let addresses =
            driver == .ht16k33
            ? display.required("modules", .moduleAddresses) : display.optional("modules", .moduleAddresses)
        let modules = LEDModules(kind: kind, addresses: addresses ?? [])
        if driver == .ht16k33, addresses != nil, modules.sizes.isEmpty {
            let count = modules.addresses.count
            display.report(
                at: display.offset(of: "modules"),
                "\(count) \(kind.rawValue) \(count == 1 ? "module shows" : "modules show") "
                    + "\(modules.columns(modules: count)) columns of text, but a board needs 16: add modules")
        }
        return modules
    }
}

extension ValueKind<Int> {
    /// The rows of dots of an OLED; all have 128 columns, and an SH1106 drives 64 rows.
    fileprivate static func dotRows(of driver: DisplayWiring.Driver) -> ValueKind {
        let rows = ["128x64": 64].merging(driver == .sh1106 ? [:] : ["128x32": 32]) { first, _ in first }
        return .word(rows, order: rows.keys.sorted().reversed())
    }
}

extension ValueKind<DisplaySize> {
    fileprivate static func size(_ sizes: [DisplaySize]) -> ValueKind {
        .word(Dictionary(uniqueKeysWithValues: sizes.map { ($0.description, $0) }), order: sizes.map(\.description))
    }

    /// The size of a display that another program drives.
    fileprivate static let anySize = parsed("columns and rows from \"16x1\" to \"40x8\", such as \"20x4\"") { text in
        let parts = text.split(separator: "x").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        let size = DisplaySize(columns: parts[0], rows: parts[1])
        return size.fitsBoard && size.description == text ? size : nil
    }
}

extension ValueKind<ServerAddress> {
    fileprivate static let server = parsed(
        "an IP address and a port, such as \"127.0.0.1:13666\" or \"[::1]:13666\""
    ) { ServerAddress($0) }
}

extension ValueKind<[UInt8]> {
    /// The addresses of LED modules, each once.
    fileprivate static let moduleAddresses = {
        let one =
            "an address from \(LEDModules.addresses.lowerBound.asHex) to "
            + "\(LEDModules.addresses.upperBound.asHex), without quotes"
        return ValueKind(allowed: "a list of addresses, such as [0x70, 0x71, 0x72, 0x73]") {
            (node) throws(ValueError) in
            guard case .list(let nodes) = node.value, !nodes.isEmpty else { throw .notAllowed(node) }
            return try ValueError.collect(nodes, isSame: ==) { (element) throws(ValueError) -> UInt8 in
                guard case .integer(let number) = element.value, let address = UInt8(exactly: number),
                    LEDModules.addresses.contains(address)
                else { throw .notAllowed(element, allowed: one) }
                return address
            }
        }
    }()
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
            (node) throws(ValueError) in
            switch node.value {
            case .text(let name):
                guard let map = maps[name] else { throw .notAllowed(node) }
                return map
            case .table(let entries): return try PinTable(entries, of: node, on: expander).map
            default: throw .notAllowed(node)
            }
        }
    }
}

/// `pins` as a table: each line of the controller on its own expander pin.
private struct PinTable {
    static let needed = ["rs", "e", "d4", "d5", "d6", "d7"]
    static let lines = needed + ["rw", "e2", "backlight"]
    let map: PinMap

    init(_ entries: TOMLEntries, of table: TOMLNode, on expander: Expander) throws(ValueError) {
        let last = expander.pinCount - 1
        var errors = ValueError(all: [])
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
