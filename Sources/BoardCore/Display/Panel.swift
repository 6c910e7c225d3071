/// A character panel: its size, its character ROM and its pin map. No code depends on a panel's model.
public struct Panel: Hashable, Sendable {
    public struct Size: Hashable, Sendable, CustomStringConvertible {
        public let columns: Int
        public let rows: Int

        public init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }

        /// As configuration writes it: `20x4`.
        public var description: String { "\(columns)x\(rows)" }

        /// The sizes that one controller drives.
        public static let singleController: [Size] = [
            Size(columns: 16, rows: 2), Size(columns: 20, rows: 2), Size(columns: 40, rows: 2),
            Size(columns: 16, rows: 4), Size(columns: 20, rows: 4),
        ]

        /// The sizes of an OLED with this many rows of dots: cells of 6x16 or 6x8 dots.
        public static func oled(dotRows: Int) -> [Size] {
            [16, 8].map { Size(columns: 20, rows: dotRows / $0) }
        }
    }

    public let size: Size
    public let rom: CharacterROM
    /// The wiring between expander and controller.
    public let pins: PinMap

    public init(size: Size, rom: CharacterROM = .a00, pins: PinMap = .standard) {
        self.size = size
        self.rom = rom
        self.pins = pins
    }

    /// The DDRAM address of each row's first cell (HD44780U data sheet, DDRAM map).
    ///
    /// On a four-row panel rows 2 and 3 continue rows 0 and 1, `columns` later.
    public var rowAddresses: [UInt8] {
        let second: UInt8 = 0x40
        let width = UInt8(size.columns)
        return size.rows <= 2 ? [0, second] : [0, second, width, second + width]
    }
}

/// The expander pin (0–7) of each of the controller's lines.
public struct PinMap: Hashable, Sendable {
    /// Register select.
    public let rs: UInt8
    /// Read (1) or write (0).
    public let rw: UInt8
    /// Enable: the controller reads a nibble at its falling edge.
    public let e: UInt8
    public let backlight: UInt8
    /// Data lines 4 to 7, in this order.
    public let data: [UInt8]
    /// Whether a 1 switches the backlight on.
    public private(set) var isBacklightActiveHigh: Bool

    public init(
        rs: UInt8, rw: UInt8, e: UInt8, backlight: UInt8, data: [UInt8], isBacklightActiveHigh: Bool = true
    ) {
        self.rs = rs
        self.rw = rw
        self.e = e
        self.backlight = backlight
        self.data = data
        self.isBacklightActiveHigh = isBacklightActiveHigh
    }

    /// The most common map: YwRobot, DFRobot, SainSmart, "LCM1602 IIC".
    public static let standard = PinMap(rs: 0, rw: 1, e: 2, backlight: 3, data: [4, 5, 6, 7])

    /// The same map with the other polarity of the backlight.
    public func backlight(activeHigh: Bool) -> PinMap {
        var map = self
        map.isBacklightActiveHigh = activeHigh
        return map
    }

    /// PCF8574 boards by their names in the setting `pins` of boardd.toml, each with the polarity of its backlight.
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
    ]
}
