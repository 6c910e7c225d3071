/// A character panel as one value: its size, its character ROM and how its pins are wired. Nothing branches on models.
public struct Panel: Hashable, Sendable {
    /// Cells across and down.
    public struct Size: Hashable, Sendable, CustomStringConvertible {
        /// Cells in a row.
        public let columns: Int
        /// Rows.
        public let rows: Int

        /// A size.
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
    }

    /// The size.
    public let size: Size
    /// The character ROM.
    public let rom: CharacterROM
    /// The wiring between expander and controller.
    public let pins: PinMap

    /// A panel.
    public init(size: Size, rom: CharacterROM = .a00, pins: PinMap = .standard) {
        self.size = size
        self.rom = rom
        self.pins = pins
    }

    /// The controller's address of each row's first cell (HD44780U data sheet, DDRAM map).
    ///
    /// A four-row panel is a two-row one folded: rows 2 and 3 go on where rows 0 and 1 end, `columns` later.
    public var rowAddresses: [UInt8] {
        let second: UInt8 = 0x40
        let width = UInt8(size.columns)
        return size.rows <= 2 ? [0, second] : [0, second, width, second + width]
    }
}

/// Which expander pin (0–7) carries which line of the controller.
public struct PinMap: Hashable, Sendable {
    /// Register select.
    public let rs: UInt8
    /// Read (1) or write (0).
    public let rw: UInt8
    /// Enable: the controller takes a nibble when it falls.
    public let e: UInt8
    /// The light.
    public let backlight: UInt8
    /// Data lines 4 to 7, in this order.
    public let data: [UInt8]
    /// Whether a 1 switches the light on.
    public let isBacklightActiveHigh: Bool

    /// A map; `data` holds the pins of D4, D5, D6 and D7.
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

    /// The most used map: YwRobot, DFRobot, SainSmart, "LCM1602 IIC".
    public static let standard = PinMap(rs: 0, rw: 1, e: 2, backlight: 3, data: [4, 5, 6, 7])

    /// The same map with the other polarity of the light.
    public func backlight(activeHigh: Bool) -> PinMap {
        PinMap(rs: rs, rw: rw, e: e, backlight: backlight, data: data, isBacklightActiveHigh: activeHigh)
    }
}
