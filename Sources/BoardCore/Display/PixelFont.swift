/// The board's own font of 5x8 dots, for displays whose controller has no characters.
///
/// It has ASCII, the letters, signs, Greek and Cyrillic letters of both character ROMs, and every picture of
/// ``GlyphLibrary``: unlike a character LCD, a display with dots shows any number of them at once. It has no kana.
public enum PixelFont {
    /// The width of a character without the gap after it.
    public static let width = 5
    /// The width of a character and the gap after it.
    public static let cellWidth = width + 1

    /// The picture of a character; of its nearest one where the font lacks it.
    public static func glyph(of character: Character) -> Glyph {
        glyphs[character.substitute { glyphs[$0] != nil }] ?? blank
    }

    /// The character of a picture, for reading a display; nil for a picture that is not the font's.
    public static func character(of glyph: Glyph) -> Character? { characters[glyph] }

    static let glyphs: [Character: Glyph] = {
        var glyphs = GlyphLibrary.entries.mapValues(\.glyph)
        for (character, glyph) in ascii + others { glyphs[character] = glyph }
        glyphs[" "] = blank
        return glyphs
    }()

    private static let characters: [Glyph: Character] = Dictionary(
        glyphs.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })

    private static let blank = Glyph(rows: [])

    /// Parses sheets of ``GlyphLibrary/sheet(_:)`` with a blank line between them.
    static func sheets(_ drawing: String) -> [(Character, Glyph)] {
        drawing.split(separator: "\n\n").flatMap { GlyphLibrary.sheet(String($0)) }
    }
}

extension Character {
    /// The character to show in its place: itself if `isShown` accepts it, or the first accepted one of those that look the
    /// same, those that are acceptable, and its base letter; `?` if there is none.
    public func substitute(where isShown: (Character) -> Bool) -> Character {
        if isShown(self) { return self }
        for candidates in [LookAlikes.same[self], LookAlikes.near[self], BaseLetters.table[self]] {
            if let first = candidates?.first(where: isShown) { return first }
        }
        if let twin = LookAlikes.drawnTwin(of: self) { return twin.substitute(where: isShown) }
        if let base = LookAlikes.base(of: self) { return base.substitute(where: isShown) }
        return "?"
    }
}
