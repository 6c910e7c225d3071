import BoardCore

/// The dots of one cell: 8 rows of 5, as in the controller's character generator RAM.
public struct Glyph: Hashable, Sendable {
    /// How much is lost when a look-alike replaces the glyph, because a frame has more than eight.
    public enum Rank: Comparable, Sendable {
        /// A letter whose base letter is readable.
        case letter
        /// A symbol with a poor look-alike.
        case symbol
        /// A mark of the board: only the picture carries its meaning.
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
}

/// All custom glyphs. Glyphs are used only on a ROM that lacks the character.
enum GlyphLibrary {
    struct Entry: Hashable, Sendable {
        let glyph: Glyph
        let rank: Glyph.Rank
    }

    static let entries: [Character: Entry] = {
        var entries: [Character: Entry] = [:]
        for (glyphs, rank) in [(letters, Glyph.Rank.letter), (symbols, .symbol), (signs, .mark)] {
            for (character, glyph) in glyphs { entries[character] = Entry(glyph: glyph, rank: rank) }
        }
        return entries
    }()

    /// The characters by picture, for reading a display.
    static let characters: [Glyph: Character] = Dictionary(
        entries.map { ($0.value.glyph, $0.key) }, uniquingKeysWith: { first, _ in first })

    /// Parses glyphs side by side: a line of names, then eight lines of pictures, each five dots wide.
    static func sheet(_ drawing: String) -> [(Character, Glyph)] {
        columns(drawing).map { ($0, Glyph(picture: $1)) }
    }

    /// Parses pictures side by side below a line of their names.
    static func columns(_ drawing: String) -> [(Character, [Substring])] {
        let lines = drawing.split(separator: "\n").map { $0.split(separator: " ") }
        return (lines.first ?? []).enumerated().map { column, name in
            (Character(String(name)), lines.dropFirst().map { $0.indices.contains(column) ? $0[column] : "" })
        }
    }

    /// The board's signs. "⇨" is a walking person, "~" two waves: about.
    private static let signs: [(Character, Glyph)] = sheet(
        """
        ⇨     ~     ✗
        ..#.. ..... .....
        ..#.. .#... ##.##
        .###. #.#.# .###.
        #.#.# ...#. ..#..
        ..#.. .#... .###.
        .#.#. #.#.# ##.##
        #...# ...#. .....
        ..... ..... .....
        """)

    private static let symbols: [(Character, Glyph)] =
        sheet(
            """
            ⚠     …     \\     ↑     ↓     ▲     ▼     ▶     ◀     €
            ..#.. ..... ..... ..#.. ..#.. ..... ..... #.... ....# ..##.
            ..#.. ..... #.... .###. ..#.. ..#.. ##### ##... ...## .#..#
            .#.#. ..... .#... #.#.# ..#.. .###. ##### ###.. ..### ####.
            .#.#. ..... ..#.. ..#.. ..#.. .###. .###. ####. .#### .#...
            #.#.# ..... ...#. ..#.. #.#.# ##### .###. ###.. ..### ####.
            #...# ..... ....# ..#.. .###. ##### ..#.. ##... ...## .#..#
            ##### #.#.# ..... ..#.. ..#.. ..... ..... #.... ....# ..##.
            ..... ..... ..... ..... ..... ..... ..... ..... ..... .....
            """)
        + sheet(
            """
            ✓     ♪     ♥     ●     ○     ¡     ¿     §     ×     █
            ..... ..#.. ..... ..... ..... ..#.. ..#.. .###. ..... #####
            ....# ..##. .#.#. .###. .###. ..... ..... #.... #...# #####
            ...## ..#.# ##### ##### #...# ..#.. ..#.. .###. .#.#. #####
            #.##. ..#.. ##### ##### #...# ..#.. .#... #...# ..#.. #####
            ###.. .##.. .###. ##### #...# ..#.. #.... .###. .#.#. #####
            .#... ###.. ..#.. .###. .###. ..#.. #...# ....# #...# #####
            ..... ##... ..... ..... ..... ..#.. .###. .###. ..... #####
            ..... ..... ..... ..... ..... ..... ..... ..... ..... #####
            """)
}

extension GlyphLibrary {
    /// Letters with marks: composed where a mark is above a letter, drawn where it joins the letter.
    static let letters: [(Character, Glyph)] = small + capital + drawn

    /// Small letters leave two rows above them. Both ROMs have ä, ö, ü and ñ.
    private static let small =
        over(smallBodies, ["...#.", "..#.."], "aceinorsuyz", "áćéíńóŕśúýź")
        + over(smallBodies, [".#...", "..#.."], "aeinou", "àèìǹòù")
        + over(smallBodies, ["..#..", ".#.#."], "aceious", "âĉêîôûŝ")
        + over(smallBodies, [".#.#.", "....."], "eiy", "ëïÿ")
        + over(smallBodies, [".##.#", "#.##."], "aiou", "ãĩõũ")
        + over(smallBodies, [".#.#.", "..#.."], "cenrsz", "čěňřšž")
        + over(smallBodies, [".###.", "....."], "aeiou", "āēīōū")
        + over(smallBodies, ["..#..", "....."], "ceyz", "ċėẏż")
        + over(smallBodies, [".#..#", "#..#."], "ou", "őű")
        + over(smallBodies, ["#...#", ".###."], "aeou", "ăĕŏŭ")

    /// Capitals leave one row above them.
    private static let capital =
        over(capitalBodies, ["...#."], "ACEINORSUYZ", "ÁĆÉÍŃÓŔŚÚÝŹ")
        + over(capitalBodies, [".#..."], "AEINOU", "ÀÈÌǸÒÙ")
        + over(capitalBodies, ["..#.."], "AEIOU", "ÂÊÎÔÛ")
        + over(capitalBodies, [".#.#."], "AEIOU", "ÄËÏÖÜ")
        + over(capitalBodies, [".##.#"], "AINOU", "ÃĨÑÕŨ")
        + over(capitalBodies, [".#.#."], "CNRSZ", "ČŇŘŠŽ")
        + over(capitalBodies, ["..#.."], "Z", "Ż")

    private static func over(
        _ bodies: [Character: [Substring]], _ mark: [Substring], _ plain: String, _ marked: String
    ) -> [(Character, Glyph)] {
        zip(plain, marked).compactMap { plain, marked in
            bodies[plain].map { (marked, Glyph(picture: mark + $0)) }
        }
    }

    private static let smallBodies = bodies(
        """
        a     c     e     i     n     o     r     s     u     y     z
        .###. .###. .###. .##.. #.##. .###. #.##. .###. #...# #...# #####
        ....# #.... #...# ..#.. ##..# #...# ##..# #.... #...# #...# ...#.
        .#### #.... ##### ..#.. #...# #...# #.... .###. #...# .#### ..#..
        #...# #...# #.... ..#.. #...# #...# #.... ....# #..## ....# .#...
        .#### .###. .###. .###. #...# .###. #.... ####. .##.# .###. #####
        """)

    private static let capitalBodies = bodies(
        """
        A     C     E     I     N     O     R     S     U     Y     Z
        .###. .###. ##### .###. #...# .###. ####. .#### #...# #...# #####
        #...# #...# #.... ..#.. ##..# #...# #...# #.... #...# #...# ....#
        #...# #.... ####. ..#.. #.#.# #...# ####. .###. #...# .#.#. ..##.
        ##### #.... #.... ..#.. #.#.# #...# #.#.. ....# #...# ..#.. .#...
        #...# #...# #.... ..#.. #..## #...# #..#. ....# #...# ..#.. #....
        #...# .###. ##### .###. #...# .###. #...# ####. .###. ..#.. #####
        """)

    private static func bodies(_ drawing: String) -> [Character: [Substring]] {
        Dictionary(columns(drawing), uniquingKeysWith: { first, _ in first })
    }

    private static let drawn =
        sheet(
            """
            å     ů     ø     æ     ç     ł     ą     ę     ğ     ş     ı
            ..#.. ..#.. ..... ..... ..... .##.. ..... ..... #...# ..... .....
            .#.#. .#.#. ....# ..... ..... ..#.. ..... ..... .###. ..... .....
            ..#.. ..#.. .###. ##.#. .###. ..#.. .###. .###. .#### .#### .##..
            .###. ..... #..## ..#.# #.... ..##. ....# #...# #...# #.... ..#..
            ....# #...# #.#.# .#### #.... .##.. .#### ##### .#### .###. ..#..
            .#### #...# ##..# #.#.. #...# ..#.. #...# #.... ....# ....# ..#..
            #...# #..## .###. .#.## .###. .###. .#### .###. .###. ####. .###.
            .#### .##.# #.... ..... ..#.. ..... ...## ..##. ..... ..#.. .....
            """)
        + sheet(
            """
            Å     Ø     Æ     Ç     Ł     Ş     Ę     Ą     İ     Ğ
            ..#.. ....# .#### .###. #.... .#### ##### .###. ..#.. .###.
            .#.#. .###. #.#.. #...# #.... #.... #.... #...# ..... .....
            ..#.. #..## #.#.. #.... #.#.. #.... #.... #...# .###. .####
            .###. #.#.# ##### #.... ##... .###. ####. ##### ..#.. #....
            #...# #.#.# #.#.. #...# #.... ....# #.... #...# ..#.. #.###
            ##### ##..# #.#.. .###. #.... ####. ##### #...# ..#.. #...#
            #...# .###. #.### ..#.. ##### ..#.. ...#. ...#. .###. .####
            ..... #.... ..... .##.. ..... .##.. ...## ...## ..... .....
            """)
}
