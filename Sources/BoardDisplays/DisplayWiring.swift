public import BoardCore
public import BoardIO

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
        /// The pin header's.
        case auto
        case path(String)
    }

    public enum Address: Hashable, Sendable {
        /// Whichever address responds, of those that the driver's displays can have.
        case auto
        case fixed(UInt8)
    }

    /// Where a wiring comes from.
    public enum Origin: Hashable, Sendable {
        /// `[display]`.
        case configured
        /// No file has `[display]`: the display is searched for, and these are the defaults.
        case searched
        /// The search has found it.
        case found
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
    public let origin: Origin

    public init(
        driver: Driver = .hd44780, panel: Panel = Panel(size: DisplaySize(columns: 20, rows: 4)), bus: Bus = .auto,
        address: Address = .auto, resync: Duration? = .seconds(60), dotRows: Int = 64, brightness: Int = 50,
        modules: LEDModules = LEDModules(), server: ServerAddress = .lcdd,
        origin: Origin = .configured
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
        self.origin = origin
    }

    /// Whether the display draws texts of twice the size: an OLED with cells of 6x8 dots.
    public var hasDoubleSize: Bool { isOLED && panel.size.rows * 8 == dotRows }

    public var hasBrightness: Bool { isOLED || driver == .ht16k33 }

    public var isOLED: Bool { driver == .ssd1306 || driver == .sh1106 }

    /// The characters that the display can draw.
    public var drawnText: DrawnText {
        switch driver {
        case .hd44780, .lcdproc: .rom(panel.rom)
        case .ssd1306, .sh1106, .ht16k33: .dots
        case .none: .any
        }
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

extension DisplaySize {
    /// The sizes of character LCDs.
    public static let lcd: [DisplaySize] = [
        DisplaySize(columns: 16, rows: 2), DisplaySize(columns: 20, rows: 2), DisplaySize(columns: 40, rows: 2),
        DisplaySize(columns: 16, rows: 4), DisplaySize(columns: 20, rows: 4), DisplaySize(columns: 40, rows: 4),
    ]

    /// The sizes of an OLED with this many rows of dots: cells of 6x8 dots, the default, or 6x16.
    public static func oled(dotRows: Int) -> [DisplaySize] {
        [8, 16].map { DisplaySize(columns: 20, rows: dotRows / $0) }
    }
}
