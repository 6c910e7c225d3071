internal import BoardCore

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
    let size: Panel.Size
    /// In percent.
    let brightness: Int

    /// The columns that the text leaves free: so far the picture can be moved.
    var spareColumns: Int { max(0, Self.width - size.columns * PixelFont.cellWidth) }

    /// The column of the memory for the leftmost dot: an SH1106 has 132 columns, of which modules use those in the middle.
    var firstColumn: Int { chip == .sh1106 ? 2 : 0 }

    /// The dots of a frame: eight rows a page, from the top, a byte for each column, the topmost dot in bit 0.
    ///
    /// - Parameter shift: the columns that are free at the left.
    func pages(of frame: Frame, shift: Int) -> [[UInt8]] {
        let pagesPerRow = max(1, height / 8 / size.rows)
        var pages = Array(repeating: [UInt8](repeating: 0, count: Self.width), count: height / 8)
        for (row, cells) in frame.rows.prefix(size.rows).enumerated() {
            for (column, character) in cells.prefix(size.columns).enumerated() {
                let columns = PixelFont.glyph(of: character).columns
                let left = shift + column * PixelFont.cellWidth
                for (x, dots) in columns.enumerated() {
                    for page in 0..<pagesPerRow {
                        pages[row * pagesPerRow + page][left + x] = Self.stretched(dots, pagesPerRow, page)
                    }
                }
            }
        }
        return pages
    }

    /// One of `count` bytes of a column of eight dots in which each dot is `count` dots high.
    private static func stretched(_ dots: UInt8, _ count: Int, _ index: Int) -> UInt8 {
        var byte: UInt8 = 0
        for bit in 0..<8 {
            let isOn = dots & (1 << UInt8((index * 8 + bit) / count)) != 0
            if isOn { byte |= 1 << UInt8(bit) }
        }
        return byte
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
