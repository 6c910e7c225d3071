public import BoardCore

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
        zip(1..., RefreshCells.levels.dropFirst()).map { height, character in
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

/// The content and allocation of the controller's eight slots for custom glyphs.
///
/// A frame needs pictures, not slots: pictures that are loaded stay where they are, so that a frame uploads only new
/// ones. A value, so that a reset controller is modelled by a new instance.
public struct GlyphSlots: Hashable, Sendable {
    /// The slots of a controller (HD44780U data sheet: 64 bytes of CGRAM, 8 for each glyph of 5x8 dots).
    public static let count = 8

    /// A frame in the controller's codes.
    public struct Encoding: Hashable, Sendable {
        /// One code for each cell, row by row.
        public let codes: [UInt8]
        /// The slots with a new picture, in ascending order.
        public let uploads: [Int]
    }

    /// The picture in each slot; nil while unknown.
    public private(set) var glyphs: [Glyph?] = Array(repeating: nil, count: Self.count)
    /// The number of the last frame that used a slot; 0: none.
    private var lastUsed: [Int] = Array(repeating: 0, count: Self.count)
    private var frames = 0

    public init() {}

    /// The slot that a code draws; nil for a character of the ROM.
    public static func slot(of code: UInt8) -> Int? {
        code < 0x10 ? Int(code & 7) : nil
    }

    /// The code that draws a slot: 08–0F mirror 00–07, which avoids 0, the end of a string elsewhere.
    public static func code(of slot: Int) -> UInt8 {
        0x08 | UInt8(truncatingIfNeeded: slot & 7)
    }

    /// Encodes `frame` and allocates slots for its glyphs.
    ///
    /// Which glyphs get a slot depends on the frame alone: of more than eight, those of the highest rank, then those
    /// on the most cells, then those nearest the top left. The rest become their look-alikes. The least recently used
    /// slot is replaced first: one that neither this frame nor the previous one uses, if there is any.
    public mutating func encode(_ frame: Frame, for panel: Panel) -> Encoding {
        let renditions = Self.cells(of: frame, size: panel.size).map { panel.rom.rendition(of: $0) }
        frames += 1
        let (places, uploads) = place(Self.glyphsWithSlot(by: renditions))
        let codes = renditions.map { rendition in
            switch rendition {
            case .code(let code): code
            case .glyph(let glyph, _, let lookAlike): places[glyph].map(Self.code(of:)) ?? lookAlike
            }
        }
        return Encoding(codes: codes, uploads: uploads)
    }

    /// Allocates a slot for each glyph; there are at most as many glyphs as slots.
    private mutating func place(_ needed: [Glyph]) -> (places: [Glyph: Int], uploads: [Int]) {
        var places: [Glyph: Int] = [:]
        for (slot, glyph) in glyphs.enumerated() {
            if let glyph, needed.contains(glyph) { places[glyph] = slot }
        }
        let used = Set(places.values)
        let free = glyphs.indices.filter { !used.contains($0) }.sorted { left, right in
            (lastUsed[left], left) < (lastUsed[right], right)
        }
        var uploads: [Int] = []
        for (glyph, slot) in zip(needed.filter { places[$0] == nil }, free) {
            glyphs[slot] = glyph
            places[glyph] = slot
            uploads.append(slot)
        }
        for slot in places.values { lastUsed[slot] = frames }
        return (places, uploads.sorted())
    }

    /// The glyphs of a frame that get a slot, highest priority first.
    private static func glyphsWithSlot(by renditions: [CharacterROM.Rendition]) -> [Glyph] {
        var demand: [Glyph: (rank: Glyph.Rank, cells: Int, first: Int)] = [:]
        for (cell, rendition) in renditions.enumerated() {
            guard case .glyph(let glyph, let rank, _) = rendition else { continue }
            demand[glyph, default: (rank, 0, cell)].cells += 1
        }
        let ordered = demand.sorted { left, right in
            let (left, right) = (left.value, right.value)
            if left.rank != right.rank { return left.rank > right.rank }
            return left.cells != right.cells ? left.cells > right.cells : left.first < right.first
        }
        return ordered.prefix(count).map(\.key)
    }

    private static func cells(of frame: Frame, size: DisplaySize) -> [Character] {
        (0..<size.rows).flatMap { row -> [Character] in
            let cells = frame.rows.indices.contains(row) ? frame.rows[row].prefix(size.columns) : []
            return cells + Array(repeating: " ", count: size.columns - cells.count)
        }
    }
}
