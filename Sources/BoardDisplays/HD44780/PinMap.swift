public import BoardCore

/// A character panel: its size, its character ROM and its pin map. No code depends on a panel's model.
public struct Panel: Hashable, Sendable {
    public let size: DisplaySize
    public let rom: CharacterROM
    /// The wiring between expander and controller.
    public let pins: PinMap

    public init(size: DisplaySize, rom: CharacterROM = .a00, pins: PinMap = .standard) {
        self.size = size
        self.rom = rom
        self.pins = pins
    }

    /// The number of controllers: one has 80 cells, so 40x4 has two, each for two rows.
    public var controllerCount: Int { size.columns * size.rows > 80 ? 2 : 1 }

    /// The DDRAM address of each row's first cell in its controller (HD44780U data sheet, DDRAM map).
    ///
    /// On a four-row panel of one controller rows 2 and 3 continue rows 0 and 1, `columns` later.
    public var rowAddresses: [UInt8] {
        let second: UInt8 = 0x40
        let width = controllerCount == 1 ? UInt8(size.columns) : 0
        return Array([0, second, width, second + width].prefix(size.rows))
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
