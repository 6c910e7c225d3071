public import BoardCore
import BoardDisplays

/// A model of an OLED module with an SSD1306 or SH1106, written from their data sheets: the dots that would be lit for the
/// driver's bytes.
///
/// The module's screen has 128 columns and 64 or 32 rows. Its columns are wired to the controller's segments from right to
/// left and its rows from bottom to top, as on all modules with the pins above the picture.
public struct OLEDModel: DeviceModel {
    public enum Chip: Hashable, Sendable {
        case ssd1306
        case sh1106

        /// The columns of the memory.
        var columns: Int { self == .sh1106 ? 132 : 128 }
        /// The memory's column of the screen's first.
        var firstColumn: Int { self == .sh1106 ? 2 : 0 }
    }

    public static let width = 128
    public let chip: Chip
    /// The rows of the screen.
    public let height: Int
    /// What the controller's data sheet does not define.
    public private(set) var violations: [String] = []
    /// From 0 to 255.
    public private(set) var contrast: UInt8 = 0
    /// Whether any dot can be lit: the display and its charge pump are on.
    public var isOn: Bool { isDisplayOn && isPumpOn }

    private var memory: [[UInt8]] = []
    private var page = 0
    private var column = 0
    private var isPageMode = true
    private var isDisplayOn = false
    private var isPumpOn = false
    private var isAllOn = false
    private var isInverted = false
    private var isScrolling = false
    private var isReadModifyWrite = false
    private var startLine = 0
    private var offset = 0
    private var lines = 64
    private var isColumnReversed = false
    private var isRowReversed = false
    private var rowWiring: UInt8 = 0x12
    /// The control byte of the transfer; nil before it.
    private var control: UInt8?
    /// A command that lacks parameters, and its parameters so far.
    private var command: [UInt8] = []

    public init(chip: Chip, height: Int) {
        self.chip = chip
        self.height = height
        powerOn()
    }

    public mutating func powerOn() {
        var random = PowerOnMemory()
        memory = (0..<8).map { _ in (0..<chip.columns).map { _ in random.next() } }
        contrast = chip == .sh1106 ? 0x80 : 0x7F
        (page, column, startLine, offset, lines) = (0, 0, 0, 0, 64)
        (isDisplayOn, isAllOn, isInverted, isScrolling, isReadModifyWrite) = (false, false, false, false, false)
        (isColumnReversed, isRowReversed) = (false, false)
        // The SH1106's converter is on after a reset, the SSD1306's charge pump off.
        isPumpOn = chip == .sh1106
        isPageMode = true
        rowWiring = 0x12
        command = []
        control = nil
    }

    public mutating func begin() { control = nil }

    public mutating func receive(_ byte: UInt8) {
        switch control {
        case nil:
            if byte != 0x00, byte != 0x40 { violations.append("control byte \(byte)") }
            control = byte
        case 0x40: write(byte)
        default: instruct(byte)
        }
    }

    /// The dots of the screen, row by row from the top; all dark while the display is off.
    public var dots: [[Bool]] {
        (0..<height).map(row)
    }

    /// A row of the screen.
    private func row(_ y: Int) -> [Bool] {
        // The output that drives the screen's row, and the line of the picture on this output.
        let output = (height - 1 - y - offset + 64) % 64
        guard isOn, isAllOn || output < lines else { return Array(repeating: false, count: Self.width) }
        if isAllOn { return Array(repeating: true, count: Self.width) }
        let scanned = isRowReversed ? lines - 1 - output : output
        // A setting for other wiring scrambles the rows.
        let expected: UInt8 = height == 64 ? 0x12 : 0x02
        let line = rowWiring == expected ? scanned : (scanned * 2) % lines
        let row = (line + startLine) % 64
        let (page, bit) = (memory[row / 8], UInt8(1) << UInt8(row % 8))
        return (0..<Self.width).map { x in
            let place = isColumnReversed ? x : Self.width - 1 - x
            return (page[place + chip.firstColumn] & bit != 0) != isInverted && !isScrolling
        }
    }

    private mutating func write(_ byte: UInt8) {
        if !command.isEmpty { violations.append("data within command \(command)") }
        guard isPageMode else { return violations.append("data outside page mode") }
        guard column < chip.columns else { return violations.append("data beyond the last column") }
        memory[page][column] = byte
        // The SSD1306's column returns to the first; the SH1106's stays at the last.
        column += 1
        if column == chip.columns, chip == .ssd1306 { column = 0 }
        if isReadModifyWrite { violations.append("data in read-modify-write mode") }
    }

    private mutating func instruct(_ byte: UInt8) {
        command.append(byte)
        guard command.count > parameters(of: command[0]) else { return }
        run(command[0], Array(command.dropFirst()))
        command = []
    }

    private func parameters(of command: UInt8) -> Int {
        switch (chip, command) {
        case (_, 0x81), (_, 0xA8), (_, 0xD3), (_, 0xD5), (_, 0xD9), (_, 0xDA), (_, 0xDB): 1
        case (.ssd1306, 0x20), (.ssd1306, 0x8D): 1
        case (.ssd1306, 0x21), (.ssd1306, 0x22), (.ssd1306, 0xA3): 2
        case (.ssd1306, 0x26), (.ssd1306, 0x27): 6
        case (.ssd1306, 0x29), (.ssd1306, 0x2A): 5
        case (.sh1106, 0xAD): 1
        default: 0
        }
    }

    private mutating func run(_ command: UInt8, _ parameters: [UInt8]) {
        let value = parameters.first ?? 0
        switch (chip, command) {
        case (_, 0x00...0x0F): column = column & 0xF0 | Int(command & 0xF)
        case (_, 0x10...0x1F): column = column & 0x0F | Int(command & 0xF) << 4
        case (_, 0xB0...0xB7): page = Int(command & 7)
        case (_, 0x40...0x7F): startLine = Int(command & 0x3F)
        case (_, 0x81): contrast = value
        case (_, 0xA0), (_, 0xA1): isColumnReversed = command == 0xA1
        case (_, 0xA4), (_, 0xA5): isAllOn = command == 0xA5
        case (_, 0xA6), (_, 0xA7): isInverted = command == 0xA7
        case (_, 0xA8): lines = Int(value & 0x3F) + 1
        case (_, 0xAE), (_, 0xAF): isDisplayOn = command == 0xAF
        case (_, 0xC0...0xC7), (_, 0xC8...0xCF): isRowReversed = command >= 0xC8
        case (_, 0xD3): offset = Int(value & 0x3F)
        case (_, 0xD5), (_, 0xD9), (_, 0xDB), (_, 0xE3): break
        case (_, 0xDA): rowWiring = value
        case (.ssd1306, 0x20): isPageMode = value & 3 == 2
        case (.ssd1306, 0x8D): isPumpOn = value == 0x14
        case (.ssd1306, 0x2E), (.ssd1306, 0x2F): isScrolling = command == 0x2F
        case (.ssd1306, 0x21), (.ssd1306, 0x22), (.ssd1306, 0x26), (.ssd1306, 0x27), (.ssd1306, 0x29),
            (.ssd1306, 0x2A), (.ssd1306, 0xA3):
            break
        case (.sh1106, 0xAD): isPumpOn = value == 0x8B
        case (.sh1106, 0xE0), (.sh1106, 0xEE): isReadModifyWrite = command == 0xE0
        case (.sh1106, 0x30...0x33): break
        default: violations.append("command \(command.asHex)")
        }
    }
}

extension OLEDModel {
    /// The characters on the screen, read with the board's font: blanks where nothing is lit, U+FFFD for a picture that is not in
    /// the font.
    ///
    /// The text may be moved to the side, as far as its columns leave room.
    public func cells(_ size: DisplaySize) -> [[Character]] {
        let dots = dots
        let scale = height / 8 / size.rows
        let lit = (0..<Self.width).filter { x in dots.contains { $0[x] } }
        // The right shift has no dot beside the text, and the gaps between the characters at the right places.
        let shifts = (0...(Self.width - size.columns * 6)).filter { shift in
            lit.allSatisfy { (shift..<shift + size.columns * 6).contains($0) }
        }
        let readings = shifts.lazy.map { shift in
            (0..<size.rows).map { row in
                (0..<size.columns).map { column in
                    Self.character(dots, x: shift + column * 6, y: row * 8 * scale, scale: scale)
                }
            }
        }
        return readings.first { !$0.joined().contains("\u{FFFD}") } ?? readings.first ?? []
    }

    private static func character(_ dots: [[Bool]], x: Int, y: Int, scale: Int) -> Character {
        let rows = (0..<8).map { row in
            (0..<5).reduce(UInt8(0)) { $0 << 1 | (dots[y + row * scale][x + $1] ? 1 : 0) }
        }
        let isWhole = (0..<8 * scale).allSatisfy { row in
            (0..<5).allSatisfy { dots[y + row][x + $0] == (rows[row / scale] >> UInt8(4 - $0) & 1 == 1) }
                && (x + 5 >= width || !dots[y + row][x + 5])
        }
        return isWhole ? PixelFont.character(of: Glyph(rows: rows)) ?? "\u{FFFD}" : "\u{FFFD}"
    }
}
