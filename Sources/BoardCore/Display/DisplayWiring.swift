/// The display and its connection: `[display]` of boardd.toml.
public struct DisplayWiring: Hashable, Sendable {
    public enum Driver: String, CaseIterable, Sendable {
        /// A character LCD.
        case hd44780
        /// An OLED of 128 columns of dots.
        case ssd1306
        case sh1106
        /// LED modules.
        case ht16k33
        /// A display that LCDd drives.
        case lcdproc
        /// No display: the board runs for its log and its commands.
        case none
    }

    public enum Bus: Hashable, Sendable {
        /// The header's: /dev/i2c-1, or /dev/i2c-0 on a machine that has no other.
        case auto
        case path(String)
    }

    public enum Address: Hashable, Sendable {
        /// Whichever address responds, of those that the driver's displays can have.
        case auto
        case fixed(UInt8)
    }

    /// The addresses of an SSD1306 or SH1106.
    public static let oledAddresses: ClosedRange<UInt8> = 0x3C...0x3D

    public let driver: Driver
    public let panel: Panel
    public let bus: Bus
    public let address: Address
    /// The interval of preventive re-synchronisation of the controller; nil: never.
    public let resync: Duration?
    /// The rows of dots of an OLED: 64 or 32.
    public let dotRows: Int
    /// The brightness of OLEDs and LED modules in percent, from 1 to 100.
    public let brightness: Int
    public let modules: LEDModules
    /// Where LCDd listens.
    public let server: ServerAddress

    public init(
        driver: Driver = .hd44780, panel: Panel = Panel(size: Panel.Size(columns: 20, rows: 4)), bus: Bus = .auto,
        address: Address = .auto, resync: Duration? = .seconds(60), dotRows: Int = 64, brightness: Int = 50,
        modules: LEDModules = LEDModules(), server: ServerAddress = .lcdd
    ) {
        self.driver = driver
        self.panel = panel
        self.bus = bus
        self.address = address
        self.resync = resync
        self.dotRows = dotRows
        self.brightness = brightness
        self.modules = modules
        self.server = server
    }
}

/// The bus to one device of a display, real or simulated.
public protocol DeviceBus {
    /// Opens the bus and finds the device by reading from it; never writes to an unverified address. May be called
    /// again after a fault, and then starts from the beginning.
    mutating func open() throws(DeviceError)

    /// Writes 1 to 33 bytes in one transfer: an SMBus I2C block with its command byte. May fail after any byte.
    mutating func write(_ bytes: [UInt8]) throws(DeviceError)

    mutating func close()
}

/// The port expander on a backpack.
public enum Expander: String, CaseIterable, Sendable {
    /// Also PCF8574A: eight pins, no registers.
    case pcf8574
    /// Eight pins.
    case mcp23008
    /// Sixteen pins: 0 to 7 are port A, 8 to 15 port B.
    case mcp23017

    public var pinCount: Int { self == .mcp23017 ? 16 : 8 }

    /// The addresses that the chip's address pins select.
    public var addresses: [ClosedRange<UInt8>] {
        self == .pcf8574 ? [0x20...0x27, 0x38...0x3F] : [0x20...0x27]
    }

    /// The pin map of `expander` alone in boardd.toml.
    public var usualPins: PinMap {
        switch self {
        case .pcf8574: .standard
        case .mcp23008: .adafruit
        case .mcp23017: PinMap(expander: self, rs: 0, rw: 1, e: 2, backlight: 3, data: [4, 5, 6, 7])
        }
    }
}

/// The bus to eight pins of a port expander, real or simulated.
///
/// A failed write may stop after any byte: the state of the port is then unknown and the caller starts over.
public protocol ExpanderBus {
    /// The clock of the bus in hertz; valid once ``open()`` has returned.
    var speed: Int { get }

    /// The maximum number of port bytes in one call: an SMBus I2C block has a command byte and up to 32 more. The
    /// command byte is the first port byte, or the register of an expander with registers.
    var maximumWriteSize: Int { get }

    /// Opens the bus, finds the expander by reading from it, and configures it; never writes to an unverified address.
    /// May be called again after a fault, and then starts from the beginning.
    mutating func open() throws(DeviceError)

    /// Sets the expander's registers, whatever state they are in: a power interruption resets them.
    mutating func configure() throws(DeviceError)

    /// Writes these states to the port in order: 1 to ``maximumWriteSize`` bytes; throws for more.
    mutating func write(_ portBytes: [UInt8]) throws(DeviceError)

    mutating func wait(_ duration: Duration)

    mutating func close()
}

/// LED modules, each with an HT16K33, that together form one panel.
public struct LEDModules: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// Four characters of 14 segments.
        case segments = "14-segment"
        /// A matrix of 16 columns and 8 rows.
        case wideMatrix = "16x8"
        /// A matrix of 8 columns and 8 rows.
        case matrix = "8x8"

        /// The columns of dots; nil for segments.
        public var dots: Int? {
            switch self {
            case .segments: nil
            case .wideMatrix: 16
            case .matrix: 8
            }
        }
    }

    /// The chip has three address pins.
    public static let addresses: ClosedRange<UInt8> = 0x70...0x77
    /// With fewer columns a departure's row cannot be understood, and no message fits.
    private static let fewestColumns = 16

    public let kind: Kind
    /// From left to right, then the next row.
    public let addresses: [UInt8]

    public init(kind: Kind = .segments, addresses: [UInt8] = []) {
        self.kind = kind
        self.addresses = addresses
    }

    /// The panel sizes that the modules can form: in two rows, then in one.
    public var sizes: [Panel.Size] {
        [2, 1].compactMap { rows in
            guard !addresses.isEmpty, addresses.count.isMultiple(of: rows) else { return nil }
            let columns = columns(modules: addresses.count / rows)
            return columns >= Self.fewestColumns ? Panel.Size(columns: columns, rows: rows) : nil
        }
    }

    /// The columns of text on modules side by side: in the wide font if that gives enough.
    public func columns(modules count: Int) -> Int {
        guard let dots = kind.dots else { return 4 * count }
        let wide = dots * count / PixelFont.cellWidth
        return wide >= Self.fewestColumns ? wide : dots * count / NarrowFont.cellWidth
    }
}

/// An expander, and its pin for each line of the display. Pins without a line are low.
public struct PinMap: Hashable, Sendable {
    public let expander: Expander
    /// Register select.
    public let rs: UInt8
    /// Read (1) or write (0); nil if the display's line is connected to ground.
    public let rw: UInt8?
    /// Enable: the controller reads a nibble at its falling edge.
    public let e: UInt8
    /// The enable line of the second controller, which has the lower two rows of a 40x4; nil on other sizes.
    public let e2: UInt8?
    /// Nil if the expander does not switch the backlight.
    public let backlight: UInt8?
    /// Data lines 4 to 7, in this order.
    public let data: [UInt8]
    /// Whether a 1 switches the backlight on.
    public private(set) var isBacklightActiveHigh: Bool

    /// - Precondition: all pins are on one port of the expander.
    public init(
        expander: Expander = .pcf8574, rs: UInt8, rw: UInt8? = nil, e: UInt8, e2: UInt8? = nil,
        backlight: UInt8? = nil, data: [UInt8], isBacklightActiveHigh: Bool = true
    ) {
        self.expander = expander
        self.rs = rs
        self.rw = rw
        self.e = e
        self.e2 = e2
        self.backlight = backlight
        self.data = data
        self.isBacklightActiveHigh = isBacklightActiveHigh
    }

    /// The most common map: YwRobot, DFRobot, SainSmart, "LCM1602 IIC".
    public static let standard = PinMap(rs: 0, rw: 1, e: 2, backlight: 3, data: [4, 5, 6, 7])

    /// Adafruit's I2C/SPI character LCD backpack (product 292).
    public static let adafruit = PinMap(expander: .mcp23008, rs: 1, e: 2, backlight: 7, data: [3, 4, 5, 6])

    /// All pins that a line uses.
    public var pins: [UInt8] { [rs, e] + [rw, e2, backlight].compactMap(\.self) + data }

    /// The port of all pins: 0 is A, 1 is B of an MCP23017.
    public var port: Int { Int(e) / 8 }

    /// The same map with the other polarity of the backlight.
    public func backlight(activeHigh: Bool) -> PinMap {
        var map = self
        map.isBacklightActiveHigh = activeHigh
        return map
    }

    /// Backpacks by their name in `pins` of boardd.toml, each with its expander and the polarity of its backlight.
    public static let named: [String: PinMap] = [
        // YwRobot, DFRobot, SainSmart, "LCM1602 IIC" and most others: an NPN transistor lights the panel.
        "standard": .standard,
        // "LCM1602 Robot Arduino": the same pins, a PNP transistor.
        "robot-arduino": PinMap.standard.backlight(activeHigh: false),
        // mjkdz, GY-I2CLCD.
        "mjkdz": PinMap(rs: 6, rw: 5, e: 4, backlight: 7, data: [0, 1, 2, 3], isBacklightActiveHigh: false),
        // ElectroFun LCDXIO, lcdproc's default map.
        "lcdxio": PinMap(rs: 4, rw: 5, e: 6, backlight: 7, data: [0, 1, 2, 3], isBacklightActiveHigh: false),
        // Joy-it RB-LCD20x4.
        "joy-it": PinMap(rs: 4, rw: 5, e: 7, backlight: 6, data: [0, 1, 2, 3]),
        "adafruit": .adafruit,
        // WIDE.HK I2C backpack.
        "wide-hk": PinMap(expander: .mcp23008, rs: 4, rw: 5, e: 7, backlight: 6, data: [0, 1, 2, 3]),
        // JeeLabs LCD Plug.
        "jeelabs": PinMap(expander: .mcp23008, rs: 4, e: 6, backlight: 7, data: [0, 1, 2, 3]),
        "elecfreaks": PinMap(expander: .mcp23008, rs: 7, e: 6, backlight: 1, data: [5, 4, 3, 2]),
    ]
}
