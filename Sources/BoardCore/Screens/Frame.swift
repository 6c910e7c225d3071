/// The content of the display: a grapheme in every cell, and the state of the backlight.
public struct Frame: Hashable, Sendable {
    public let columns: Int
    /// The cells, row by row; every row has `columns` cells.
    public private(set) var rows: [[Character]]
    /// Whether the backlight is on. The text stays on the display when it is off.
    public var isLit: Bool

    /// Cuts or pads each row to `columns`.
    public init(columns: Int, rows: [String], isLit: Bool = true) {
        self.columns = columns
        self.rows = rows.map { text in
            let cells = Array(text.prefix(columns))
            return cells + Array(repeating: " ", count: columns - cells.count)
        }
        self.isLit = isLit
    }

    public init(blank size: DisplaySize, isLit: Bool = true) {
        self.init(columns: size.columns, rows: Array(repeating: "", count: size.rows), isLit: isLit)
    }

    public var lines: [String] { rows.map { String($0) } }

    /// Puts `text` at a position, cut at the end of the row; ignores a row that does not exist.
    public mutating func put(_ text: some Sequence<Character>, row: Int, column: Int = 0) {
        guard rows.indices.contains(row) else { return }
        for (index, cell) in zip(column..., text) where rows[row].indices.contains(index) {
            rows[row][index] = cell
        }
    }
}

/// The cells of a display.
public struct DisplaySize: Hashable, Sendable, CustomStringConvertible {
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
}
