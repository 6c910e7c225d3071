/// A picture of one cell: 8 rows of 5 dots, as the controller's character generator RAM holds it.
public struct Glyph: Hashable, Sendable {
    /// How much is lost where a glyph has to give way to its look-alike, since there are more than eight on a frame.
    public enum Rank: Int, Comparable, Sendable {
        /// A letter whose base letter can be read as well.
        case letter
        /// A sign with a poor look-alike.
        case symbol
        /// A mark of the board's own that says something by its picture alone.
        case mark

        /// Less is lost without `left` than without `right`.
        public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// Rows from the top, dots in the low five bits, the leftmost dot highest. The last is the cursor's row.
    public let rows: [UInt8]

    /// A glyph of these rows; missing ones are blank, surplus rows and dots are cut off.
    public init(rows: some Sequence<UInt8>) {
        let kept = rows.prefix(8).map { $0 & 0x1F }
        self.rows = kept + Array(repeating: 0, count: 8 - kept.count)
    }

    /// A glyph drawn as text: `#` is a dot that is on.
    init(picture: some Sequence<Substring>) {
        self.init(rows: picture.map { $0.reduce(0) { $0 << 1 | ($1 == "#" ? 1 : 0) } })
    }

    /// The board's own glyph for a character that some ROM lacks.
    public static func named(_ character: Character) -> Glyph? {
        GlyphLibrary.entries[character]?.glyph
    }

    /// The character that this picture stands for; nil for a picture that is not the board's.
    public var character: Character? { GlyphLibrary.characters[self] }

    /// What stands in the refresh bar's cell after a poll has failed.
    public static let pollFailed: Character = "×"

    /// The bar that drains, from empty to a full cell.
    public static let bar: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
