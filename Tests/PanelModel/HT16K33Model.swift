public import BoardCore
public import BoardDisplays

/// A model of an HT16K33, written from its data sheet: which of its 8 x 16 LEDs are lit for the driver's bytes.
public struct HT16K33Model: DeviceModel {
    /// What the data sheet does not define.
    public private(set) var violations: [String] = []
    /// From 1 to 16 sixteenths.
    public private(set) var brightness = 16
    /// Whether any LED can be lit.
    public var isOn: Bool { isOscillating && isDisplayOn }

    private var memory: [UInt8] = []
    private var pointer = 0
    private var isOscillating = false
    private var isDisplayOn = false
    private var blinking: UInt8 = 0
    private var isFirst = true

    public init() { powerOn() }

    public mutating func powerOn() {
        var random = PowerOnMemory()
        memory = (0..<16).map { _ in random.next() }
        (pointer, brightness, blinking) = (0, 16, 0)
        (isOscillating, isDisplayOn) = (false, false)
    }

    public mutating func begin() { isFirst = true }

    public mutating func receive(_ byte: UInt8) {
        defer { isFirst = false }
        guard isFirst else {
            // Only an address of the memory takes data; it increments from 0F to 00.
            memory[pointer] = byte
            pointer = (pointer + 1) % 16
            return
        }
        switch byte {
        case 0x00...0x0F: pointer = Int(byte)
        case 0x20...0x2F: isOscillating = byte & 1 == 1
        case 0x80...0x8F:
            isDisplayOn = byte & 1 == 1
            blinking = byte >> 1 & 3
        case 0xA0...0xAF: if byte & 1 == 1 { violations.append("row 15 is an interrupt") }
        case 0xE0...0xEF: brightness = Int(byte & 0xF) + 1
        default: violations.append("command \(byte.asHex)")
        }
    }

    /// Whether the LED between a common (0 to 7) and a row (0 to 15) is lit.
    public func isLit(common: Int, row: Int) -> Bool {
        isOn && blinking == 0 && memory[2 * common + row / 8] >> UInt8(row % 8) & 1 == 1
    }

    /// The segments of the four characters of a quad module: the outer ones clockwise from the top at rows 0 to 5, the halves
    /// of the middle at rows 6 and 7, the upper inner ones at rows 8 to 10, the lower inner ones at rows 11 to 13, the
    /// point at row 14.
    public var segments: [UInt16] {
        (0..<4).map { common in
            (0..<15).reduce(0) { $0 | (isLit(common: common, row: $1) ? 1 << UInt16($1) : 0) }
        }
    }

    /// The dots of a matrix of 16 or 8 columns, row by row from the top. A matrix of 8 columns has its second column at row
    /// 0 and its first at row 7.
    public func dots(columns: Int) -> [[Bool]] {
        (0..<8).map { common in
            (0..<columns).map { x in isLit(common: common, row: columns == 16 ? x : x == 0 ? 7 : x - 1) }
        }
    }
}

/// What LED modules side by side show.
public enum LEDPicture {
    /// The rows of all modules of a panel, in the order of their addresses.
    public static func lines(_ modules: [HT16K33Model], of kind: LEDModules.Kind, _ size: DisplaySize) -> [String] {
        let perRow = modules.count / size.rows
        return (0..<size.rows).map { row in
            let models = Array(modules[row * perRow..<(row + 1) * perRow])
            guard let width = kind.dots else { return String(characters(models)) }
            return String(characters(models, matrix: width, columns: size.columns))
        }
    }

    /// The characters of quad modules; U+FFFD for segments that are not in the board's font.
    public static func characters(_ modules: [HT16K33Model]) -> [Character] {
        modules.flatMap(\.segments).map { SegmentFont.character(of: $0) ?? "\u{FFFD}" }
    }

    /// The characters of matrices, read with the board's wide font if it fits `columns` characters, else with the narrow one.
    public static func characters(_ modules: [HT16K33Model], matrix width: Int, columns: Int) -> [Character] {
        let rows = (0..<8).map { row in modules.flatMap { $0.dots(columns: width)[row] } }
        let dots = width * modules.count
        let cell = columns * 6 <= dots ? 6 : 4
        let left = (dots - columns * cell) / 2
        return (0..<columns).map { column in
            let x = left + column * cell
            let glyph = Glyph(
                rows: rows.map { row in (0..<cell - 1).reduce(UInt8(0)) { $0 << 1 | (row[x + $1] ? 1 : 0) } })
            let gap = rows.contains { $0[x + cell - 1] }
            let character = cell == 6 ? PixelFont.character(of: glyph) : NarrowFont.character(of: glyph)
            return gap ? "\u{FFFD}" : character ?? "\u{FFFD}"
        }
    }
}
