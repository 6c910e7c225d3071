/// All custom glyphs. Glyphs are used only on a ROM that lacks the character.
enum GlyphLibrary {
    struct Entry: Hashable, Sendable {
        let glyph: Glyph
        let rank: Glyph.Rank
    }

    static let entries: [Character: Entry] = {
        var entries: [Character: Entry] = [:]
        for (glyphs, rank) in [(letters, Glyph.Rank.letter), (symbols, .symbol), (marks + signs, .mark)] {
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

    private static let marks: [(Character, Glyph)] =
        zip(1..., Glyph.bar.dropFirst()).map { height, character in
            (character, Glyph(rows: (1...8).map { row in row > 8 - height ? 0x1F : 0 }))
        }
        + sheet(
            """
            ×
            .....
            #...#
            .#.#.
            ..#..
            .#.#.
            #...#
            .....
            .....
            """)

    /// The board's signs. "⇨" is a walking person.
    private static let signs: [(Character, Glyph)] = sheet(
        """
        ⚠     ⇨     ✗
        ..#.. ..##. .....
        ..#.. ..##. ##.##
        .#.#. .##.. .###.
        .#.#. #.##. ..#..
        #.#.# ..#.# .###.
        #...# .#.#. ##.##
        ##### #...# .....
        ..... ..... .....
        """)

    private static let symbols: [(Character, Glyph)] =
        sheet(
            """
            \\     ~     ↑     ↓     ▲     ▼     ▶     ◀     €
            ..... ..... ..#.. ..#.. ..... ..... #.... ....# ..##.
            #.... ..... .###. ..#.. ..#.. ##### ##... ...## .#..#
            .#... .#... #.#.# ..#.. .###. ##### ###.. ..### ####.
            ..#.. #.#.# ..#.. ..#.. .###. .###. ####. .#### .#...
            ...#. ...#. ..#.. #.#.# ##### .###. ###.. ..### ####.
            ....# ..... ..#.. .###. ##### ..#.. ##... ...## .#..#
            ..... ..... ..#.. ..#.. ..... ..... #.... ....# ..##.
            ..... ..... ..... ..... ..... ..... ..... ..... .....
            """)
        + sheet(
            """
            ✓     ♪     ♥     ●     ○     ¡     ¿     §
            ..... ..#.. ..... ..... ..... ..#.. ..#.. .###.
            ....# ..##. .#.#. .###. .###. ..... ..... #....
            ...## ..#.# ##### ##### #...# ..#.. ..#.. .###.
            #.##. ..#.. ##### ##### #...# ..#.. .#... #...#
            ###.. .##.. .###. ##### #...# ..#.. #.... .###.
            .#... ###.. ..#.. .###. .###. ..#.. #...# ....#
            ..... ##... ..... ..... ..... ..#.. .###. .###.
            ..... ..... ..... ..... ..... ..... ..... .....
            """)
}
