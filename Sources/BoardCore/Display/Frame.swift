/// One picture of the glass: a grapheme in every cell, and whether the light is on.
public struct Frame: Hashable, Sendable {
    /// Cells in a row.
    public let columns: Int
    /// The cells, row after row; every row has `columns` of them.
    public private(set) var rows: [[Character]]
    /// Whether the backlight is on. The text stays on the glass when it is off.
    public var isLit: Bool

    /// A frame of these rows, each cut or filled with blanks to `columns`.
    public init(columns: Int, rows: [String], isLit: Bool = true) {
        self.columns = columns
        self.rows = rows.map { text in
            let cells = Array(text.prefix(columns))
            return cells + Array(repeating: " ", count: columns - cells.count)
        }
        self.isLit = isLit
    }

    /// A blank frame of a panel's size.
    public init(blank size: Panel.Size, isLit: Bool = true) {
        self.init(columns: size.columns, rows: Array(repeating: "", count: size.rows), isLit: isLit)
    }

    /// The rows as text.
    public var lines: [String] { rows.map { String($0) } }

    /// Puts `text` at a place, cut at the end of the row; a row that is not there is left out.
    public mutating func put(_ text: some Sequence<Character>, row: Int, column: Int = 0) {
        guard rows.indices.contains(row) else { return }
        for (index, cell) in zip(column..., text) where rows[row].indices.contains(index) {
            rows[row][index] = cell
        }
    }
}
