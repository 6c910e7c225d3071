import BoardCore

/// The controllers of OLEDs. They differ in their charge pump and in the columns of their memory.
enum OLEDChip: Hashable, Sendable {
    case ssd1306
    case sh1106
}

/// An OLED of 128 columns of dots: its controller, and the size of its cells.
struct OLEDPanel: Hashable, Sendable {
    static let width = 128

    let chip: OLEDChip
    /// Rows of dots: 64 or 32.
    let height: Int
    let size: DisplaySize
    /// In percent.
    let brightness: Int

    /// The columns that the text leaves free: how far the picture can move.
    var spareColumns: Int { max(0, Self.width - size.columns * PixelFont.cellWidth) }

    /// The column of the memory for the leftmost dot: an SH1106 has 132 columns, of which modules use the middle ones.
    var firstColumn: Int { chip == .sh1106 ? 2 : 0 }

    /// The dots of a frame: eight rows a page, from the top, a byte for each column, the topmost dot in bit 0.
    ///
    /// - Parameter shift: the free columns to the left of the picture.
    func pages(of frame: Frame, shift: Int) -> [[UInt8]] {
        let scale = max(1, height / 8 / size.rows)
        // Two stretched characters side by side would be twice the size already.
        let doubled = scale == 1 ? frame.doubled : []
        // A number for each column, the topmost dot in bit 0.
        var picture = [UInt64](repeating: 0, count: Self.width)
        func draw(_ columns: [UInt64], row: Int, column: Int) {
            // Three departures are two dots apart, so that the texts of one are not read with those of the next.
            let lift = height == 64 && !doubled.isEmpty && row > 1 ? 7 - row / 2 * 2 : 0
            for (x, dots) in columns.enumerated() {
                picture[shift + column * PixelFont.cellWidth + x] |= dots << UInt64(row * scale * 8 - lift)
            }
        }
        for (row, cells) in frame.rows.prefix(size.rows).enumerated() {
            let covered = doubled.filter { $0.rows.contains(row) }
            for (column, character) in cells.prefix(size.columns).enumerated()
            where !covered.contains(where: { $0.columns.contains(column) }) {
                let glyph = PixelFont.glyph(of: character)
                draw(glyph.columns.map { Self.stretched($0, by: scale) }, row: row, column: column)
            }
        }
        for text in doubled where text.rows.upperBound <= size.rows {
            for (character, column) in zip(text.text, stride(from: text.column, to: size.columns - 1, by: 2)) {
                draw(PixelFont.glyph(of: character).doubledColumns, row: text.row, column: column)
            }
        }
        return (0..<height / 8).map { page in picture.map { UInt8(truncatingIfNeeded: $0 >> UInt64(8 * page)) } }
    }

    /// A column of eight dots, each `scale` dots high.
    private static func stretched(_ dots: UInt8, by scale: Int) -> UInt64 {
        (0..<8 * scale).reduce(0) { $0 | UInt64(dots >> UInt8($1 / scale) & 1) << UInt64($1) }
    }
}

extension Glyph {
    /// The five columns from the left, the topmost dot in bit 0.
    var columns: [UInt8] {
        (0..<5).map { column in
            rows.enumerated().reduce(0) { byte, row in
                byte | (row.element >> UInt8(4 - column) & 1) << UInt8(row.offset)
            }
        }
    }
}

/// The connection to an OLED.
///
/// A complete picture takes 110 ms at 100 kHz and 28 ms at 400 kHz, a digit 1 ms.
struct OLEDLink<Bus: DeviceBus>: DisplayLink {
    private let panel: OLEDPanel
    private(set) var bus: Bus
    private var writer: OLEDWriter

    init(panel: OLEDPanel, bus: Bus) {
        self.panel = panel
        self.bus = bus
        writer = OLEDWriter(panel: panel)
    }

    mutating func connect(showing frame: Frame) throws(DeviceError) {
        try bus.open()
        writer = OLEDWriter(panel: panel)
        try write(writer.coldStart(frame))
    }

    mutating func update(_ frame: Frame) throws(DeviceError) {
        try write(writer.update(frame))
    }

    mutating func resync() throws(DeviceError) {
        try write(writer.resync())
    }

    mutating func disconnect() {
        bus.close()
    }

    private mutating func write(_ transfers: [[UInt8]]) throws(DeviceError) {
        for transfer in transfers { try bus.write(transfer) }
    }
}

extension AddressSearch.Candidates {
    /// SSD1306 and SH1106: a resistor on the module selects one of two; almost all modules are at the lower.
    static let oled = Self(common: Array(DisplayWiring.oledAddresses), others: [])
}

/// What an OLED shows, and the transfers that change it. Uses no bus: after a fault, a new writer starts without
/// assumptions about the controller.
struct OLEDWriter: Hashable, Sendable {
    /// The data bytes of one transfer: what an SMBus block has besides its control byte.
    private static let maximumBlockSize = 32

    private let panel: OLEDPanel
    /// The dots in the controller's memory; nil while it has not been initialised.
    private var pages: [[UInt8]]?
    private var frame: Frame
    private var isLit = false
    /// The free columns to the left of the picture.
    private var shift: Int
    /// Whether the picture moves to the right.
    private var isMovingRight = true

    init(panel: OLEDPanel) {
        self.panel = panel
        shift = panel.spareColumns / 2
        frame = Frame(blank: panel.size)
    }

    /// Initialises the controller from any state. The display is off until the picture is complete, so that old memory
    /// is never visible.
    mutating func coldStart(_ frame: Frame) -> [[UInt8]] {
        pages = nil
        return [[OLEDCommand.commands, OLEDCommand.off]] + settings() + draw(frame) + light(frame)
    }

    /// Repeats the settings and the picture, one column further to the side: a dot that is always lit ages faster than
    /// the others. A controller that lost power meanwhile is then in the state after ``coldStart(_:)``.
    mutating func resync() -> [[UInt8]] {
        move()
        pages = nil
        return settings() + draw(frame) + light(frame)
    }

    /// The transfers that show `frame`: none without a change, one command for the light alone.
    mutating func update(_ frame: Frame) -> [[UInt8]] {
        guard pages != nil else { return coldStart(frame) }
        let changes = draw(frame)
        return changes + (isLit == frame.isLit ? [] : light(frame))
    }

    private mutating func move() {
        if shift >= panel.spareColumns { isMovingRight = false }
        if shift <= 0 { isMovingRight = true }
        if panel.spareColumns > 0 { shift += isMovingRight ? 1 : -1 }
    }

    private func settings() -> [[UInt8]] {
        blocks(of: OLEDCommand.settings(panel), after: OLEDCommand.commands)
    }

    /// An OLED without light shows nothing: the display is off in the dark.
    private mutating func light(_ frame: Frame) -> [[UInt8]] {
        isLit = frame.isLit
        return [[OLEDCommand.commands, isLit ? OLEDCommand.on : OLEDCommand.off]]
    }

    /// Writes the columns that differ: of each page those from the first to the last.
    private mutating func draw(_ frame: Frame) -> [[UInt8]] {
        let new = panel.pages(of: frame, shift: shift)
        var transfers: [[UInt8]] = []
        for (page, columns) in new.enumerated() {
            let changed = columns.indices.filter { column in pages.isNilOr { $0[page][column] != columns[column] } }
            guard let first = changed.first, let last = changed.last else { continue }
            transfers.append(
                [OLEDCommand.commands] + OLEDCommand.address(page: page, column: panel.firstColumn + first))
            transfers += blocks(of: columns[first...last], after: OLEDCommand.data)
        }
        self.frame = frame
        pages = new
        return transfers
    }

    private func blocks(of bytes: some Collection<UInt8>, after control: UInt8) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            blocks.append([control] + rest.prefix(Self.maximumBlockSize))
            rest = rest.dropFirst(Self.maximumBlockSize)
        }
        return blocks
    }
}

/// The commands of the SSD1306 (data sheet, table 9) and the SH1106 (data sheet, table 16) that the driver uses. A
/// transfer begins with a control byte, which makes all other bytes commands or data.
enum OLEDCommand {
    /// The control byte before commands.
    static let commands: UInt8 = 0x00
    /// The control byte before data.
    static let data: UInt8 = 0x40

    static let off: UInt8 = 0xAE
    static let on: UInt8 = 0xAF

    /// Six of these complete the longest command (scrolling, of which noise may have sent the first byte).
    private static let noOperation: UInt8 = 0xE3

    /// Sets the address of the next data: a page of eight rows, and a column of the memory.
    static func address(page: Int, column: Int) -> [UInt8] {
        let column = UInt8(truncatingIfNeeded: column)
        return [0xB0 | UInt8(truncatingIfNeeded: page & 7), column & 0xF, 0x10 | column >> 4]
    }

    /// All settings, from any state of the controller, without display on or off.
    static func settings(_ panel: OLEDPanel) -> [UInt8] {
        let isHigh = panel.height == 64
        var bytes: [UInt8] = Array(repeating: noOperation, count: 6)
        switch panel.chip {
        case .ssd1306:
            bytes += [0x2E]  // no scrolling
            bytes += [0x20, 0x02]  // addresses stay in their page
            bytes += [0x8D, 0x14]  // charge pump on
            bytes += [0xD9, 0xF1, 0xDB, 0x40]  // precharge and deselect level for the charge pump
            bytes += [0xD5, 0x80]  // clock, as after a reset
        case .sh1106:
            bytes += [0xEE]  // no read-modify-write
            bytes += [0xAD, 0x8B]  // charge pump on
            bytes += [0xD9, 0x22, 0xDB, 0x35, 0xD5, 0x50]  // precharge, deselect level and clock, as after a reset
        }
        bytes += [0xA8, UInt8(panel.height - 1)]  // rows
        bytes += [0xD3, 0x00, 0x40]  // the first row of the memory is the top one
        bytes += [0xA1, 0xC8]  // pin header above the picture
        bytes += [0xDA, isHigh ? 0x12 : 0x02]  // rows wired alternately or in sequence
        bytes += [0x81, UInt8(max(1, min(255, panel.brightness * 255 / 100)))]
        bytes += [0xA4, 0xA6]  // the memory's picture, not inverted
        return bytes
    }
}

extension Glyph {
    /// The ten columns of the picture in twice the size (Scale2x, by Andrea Mazzoleni), the topmost of 16 dots in bit 0.
    /// Of the four dots for one, a corner is as the two neighbours beside it if they agree and the opposite two do not.
    var doubledColumns: [UInt64] {
        func isOn(_ x: Int, _ y: Int) -> Bool {
            rows.indices.contains(y) && (0..<PixelFont.width).contains(x)
                && rows[y] >> UInt8(PixelFont.width - 1 - x) & 1 == 1
        }
        return (0..<2 * PixelFont.width).map { column in
            (0..<2 * rows.count).reduce(0) { dots, row in
                let (x, y) = (column / 2, row / 2)
                let (side, otherSide) = (isOn(x - 1 + column % 2 * 2, y), isOn(x + 1 - column % 2 * 2, y))
                let (end, otherEnd) = (isOn(x, y - 1 + row % 2 * 2), isOn(x, y + 1 - row % 2 * 2))
                let isCorner = side == end && side != otherEnd && end != otherSide
                return (isCorner ? side : isOn(x, y)) ? dots | 1 << UInt64(row) : dots
            }
        }
    }
}
