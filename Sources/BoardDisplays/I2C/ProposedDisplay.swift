import BoardCore

/// A display that may be connected, judging by the addresses on a bus.
public struct ProposedDisplay: Hashable, Sendable {
    /// Its wiring, with the usual values for all that an address leaves open.
    public let wiring: DisplayWiring
    /// The addresses of its devices.
    public let addresses: [UInt8]
    /// The path of its bus.
    public let bus: String
    /// How likely it is connected: 0 is the most likely.
    public let rank: Int

    /// The displays that the devices at these addresses of a bus can be, the likeliest first: one for each backpack and each
    /// OLED, and one for all LED modules if they are enough for a board.
    public static func all(at addresses: [UInt8], bus: String) -> [ProposedDisplay] {
        var modules: [UInt8] = []
        var displays: [ProposedDisplay] = []
        for address in addresses.sorted() {
            guard let device = KnownDevice(at: address), let driver = device.driver else { continue }
            switch driver {
            // The last two addresses can be a sensor's: they count as modules only after one at the address before.
            case .ht16k33: if address <= 0x75 || modules.last == address - 1 { modules.append(address) }
            default:
                let size = driver == .hd44780 ? DisplaySize.everyLCD : DisplaySize.oled(dotRows: 64)[0]
                displays.append(
                    ProposedDisplay(
                        wiring: DisplayWiring(
                            driver: driver, panel: Panel(size: size), bus: .path(bus), address: .fixed(address),
                            origin: .found),
                        addresses: [address], bus: bus, rank: device.rank))
            }
        }
        return (displays + [leds(modules, bus: bus)].compactMap(\.self)).sortedByRank
    }

    /// The panel of all LED modules on a bus; nil if they are too few for any kind.
    private static func leds(_ addresses: [UInt8], bus: String) -> ProposedDisplay? {
        let modules = LEDModules(addresses: addresses)
        guard let first = addresses.first, let rank = KnownDevice(at: first)?.rank, let size = modules.sizes.first
        else {
            return nil
        }
        return ProposedDisplay(
            wiring: DisplayWiring(
                driver: .ht16k33, panel: Panel(size: size), bus: .path(bus), modules: modules, origin: .found),
            addresses: addresses, bus: bus, rank: rank)
    }

    /// "0x27", "0x70, 0x71, 0x72, 0x73".
    public var place: String { addresses.map(\.asHex).joined(separator: ", ") }

    /// The expanders that its address can be.
    public var expanders: [Expander] {
        Expander.allCases.filter { expander in
            addresses.contains { address in expander.addresses.contains { $0.contains(address) } }
        }
    }

    /// The kinds of LED modules of which there are enough.
    public var kinds: [LEDModules.Kind] {
        LEDModules.Kind.allCases.filter { !LEDModules(kind: $0, addresses: addresses).sizes.isEmpty }
    }
}

extension [ProposedDisplay] {
    fileprivate var sortedByRank: Self {
        enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    }
}

extension [I2CBusScan] {
    /// The displays that may be connected to any of them, the likeliest first.
    public var displays: [ProposedDisplay] { flatMap(\.displays).sortedByRank }

    /// The bus of the pin header; nil: it is off.
    public var header: I2CBusScan? { first(where: \.isHeader) }
}

extension DisplaySize {
    /// What every character LCD can show: the upper left corner of larger ones.
    static let everyLCD = DisplaySize(columns: 16, rows: 2)
}

/// What a device on an I2C bus can be, by its address alone: a device without a kernel driver cannot be identified
/// without writing to it.
public struct KnownDevice: Hashable, Sendable {
    public let description: String
    /// The driver of the display that it can be; nil: it is not one.
    public let driver: DisplayWiring.Driver?
    /// How likely it is that display: 0 is the most likely.
    public let rank: Int

    /// The meaning of an address; nil: unknown.
    public init?(at address: UInt8) {
        switch address {
        case 0x27: self.init("LCD backpack: PCF8574, or MCP23008, MCP23017", .hd44780, rank: 0)
        case 0x3F: self.init("LCD backpack: PCF8574A", .hd44780, rank: 0)
        case 0x20...0x26: self.init("LCD backpack: PCF8574, MCP23008 or MCP23017", .hd44780, rank: 1)
        case 0x3C, 0x3D: self.init("OLED: SSD1306 or SH1106; or an LCD backpack: PCF8574A", .ssd1306, rank: 1)
        case 0x38, 0x39: self.init("LCD backpack: PCF8574A; or a sensor (AHT20, VEML6070)", .hd44780, rank: 2)
        case 0x3A...0x3E: self.init("LCD backpack: PCF8574A", .hd44780, rank: 2)
        case 0x51: self.init("clock (PCF8563) or memory (EEPROM)")
        case 0x50...0x57: self.init("memory (EEPROM)")
        case 0x68: self.init("clock (DS3231, DS1307) or motion sensor")
        case 0x6F: self.init("clock (MCP7940N)")
        case 0x76, 0x77: self.init("sensor (BME280, BMP280), or LED modules: HT16K33", .ht16k33, rank: 3)
        case 0x70...0x75: self.init("LED modules: HT16K33; or a bus switch", .ht16k33, rank: 3)
        default: return nil
        }
    }

    private init(_ description: String, _ driver: DisplayWiring.Driver? = nil, rank: Int = 0) {
        self.description = description
        self.driver = driver
        self.rank = rank
    }
}
