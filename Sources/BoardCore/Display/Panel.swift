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

        /// Whether the board has a layout for it: 16 to 40 columns, 1 to 8 rows.
        public var fitsBoard: Bool { (16...40).contains(columns) && (1...8).contains(rows) }

        /// The sizes of character LCDs.
        public static let lcd: [Size] = [
            Size(columns: 16, rows: 2), Size(columns: 20, rows: 2), Size(columns: 40, rows: 2),
            Size(columns: 16, rows: 4), Size(columns: 20, rows: 4), Size(columns: 40, rows: 4),
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
