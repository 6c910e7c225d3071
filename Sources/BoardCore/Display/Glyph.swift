/// The dots of one cell: 8 rows of 5, as in the controller's character generator RAM.
public struct Glyph: Hashable, Sendable {
    /// The loss when a look-alike replaces the glyph, because a frame has more than eight.
    public enum Rank: Comparable, Sendable {
        /// A letter whose base letter is readable.
        case letter
        /// A symbol with a poor look-alike.
        case symbol
        /// A mark of the board whose meaning is only in its picture.
        case mark
    }

    /// Rows from the top, dots in the low five bits, the leftmost dot highest. The last is the cursor's row.
    public let rows: [UInt8]

    /// Missing rows are blank; surplus rows and dots are cut off.
    public init(rows: some Sequence<UInt8>) {
        let used = rows.prefix(8).map { $0 & 0x1F }
        self.rows = used + Array(repeating: 0, count: 8 - used.count)
    }

    /// Parses a picture: `#` is a dot that is on.
    init(picture: some Sequence<Substring>) {
        self.init(rows: picture.map { $0.reduce(0) { $0 << 1 | ($1 == "#" ? 1 : 0) } })
    }

    /// The board's glyph for a character that some ROM lacks.
    public static func named(_ character: Character) -> Glyph? {
        GlyphLibrary.entries[character]?.glyph
    }

    /// The character of this picture; nil for a picture that is not the board's.
    public var character: Character? { GlyphLibrary.characters[self] }

    /// The refresh bar's cell after a failed poll.
    public static let pollFailed: Character = "×"

    /// The refresh bar, from empty to a full cell.
    public static let bar: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
