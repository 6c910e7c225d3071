/// A field of dots, two wide and four high per cell: a terminal's cells are twice as high as wide, so the dots have the same
/// distance in both directions.
struct BrailleCanvas {
    /// A position in dots, from the left and from the top; dot 0 lies between 0 and 1.
    struct Point: Hashable {
        let x: Double
        let y: Double
    }

    /// U+2800 and the bits of its dots, by column and row (Unicode, "Braille Patterns").
    private static let blank: UInt32 = 0x2800
    private static let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// In cells.
    let columns: Int
    let rows: Int
    private var cells: [UInt32]

    init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        cells = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// The dots of a cell as one character; nil where there are none.
    func character(column: Int, row: Int) -> Character? {
        let bits = cells[row * columns + column]
        return bits == 0 ? nil : Unicode.Scalar(Self.blank + bits).map { Character($0) }
    }

    /// Draws a straight line, clipped to the field.
    ///
    /// - Returns: whether any of it is in the field.
    @discardableResult
    mutating func line(from: Point, to: Point) -> Bool {
        guard let (from, to) = clipped(from, to) else { return false }
        // A dot for every step of the longer axis leaves no gaps; clipping bounds the steps.
        let (across, down) = (to.x - from.x, to.y - from.y)
        let steps = Int(max(abs(across), abs(down)).rounded(.up))
        for step in 0...steps {
            let part = steps == 0 ? 0 : Double(step) / Double(steps)
            set(Int(from.x + across * part), Int(from.y + down * part))
        }
        return true
    }

    private mutating func set(_ x: Int, _ y: Int) {
        let (x, y) = (min(max(0, x), columns * 2 - 1), min(max(0, y), rows * 4 - 1))
        cells[y / 4 * columns + x / 2] |= Self.bits[x % 2][y % 4]
    }

    /// The part of a line in the field; nil: none (Liang and Barsky, 1984).
    private func clipped(_ from: Point, _ to: Point) -> (Point, Point)? {
        let (across, down) = (to.x - from.x, to.y - from.y)
        guard across.isFinite, down.isFinite else { return nil }
        var (first, last) = (0.0, 1.0)
        for (way, room) in [
            (-across, from.x), (across, Double(columns * 2) - from.x), (-down, from.y),
            (down, Double(rows * 4) - from.y),
        ] {
            if way == 0 {
                if room < 0 { return nil }
            } else if way < 0 {
                first = max(first, room / way)
            } else {
                last = min(last, room / way)
            }
        }
        guard first <= last else { return nil }
        func point(_ part: Double) -> Point { Point(x: from.x + across * part, y: from.y + down * part) }
        return (point(first), point(last))
    }
}
