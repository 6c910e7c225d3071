import BoardCore

/// The board's own font of 5x8 dots, for displays whose controller has no characters.
///
/// It has ASCII, the letters, signs, Greek and Cyrillic letters of both character ROMs, and every picture of
/// ``GlyphLibrary``: unlike a character LCD, a display with dots shows any number of them at once. It has no kana.
public enum PixelFont {
    /// The width of a character without the gap after it.
    public static let width = 5
    /// The width of a character and the gap after it.
    public static let cellWidth = width + 1

    /// The picture of a character; of its nearest one if the font lacks it.
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
    /// The character to show instead: itself if `isShown` accepts it, otherwise the first accepted one of those that
    /// look the same, those that are acceptable, and its base letter; `?` if there is none.
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

extension PixelFont {
    /// ASCII; the backslash and the tilde are in ``GlyphLibrary``.
    static let ascii = sheets(
        #"""
        !     "     #     $     %     &     '     (     )     *     +     ,     -     .     /     0
        ..#.. .#.#. .#.#. ..#.. ##... .##.. ..#.. ...#. .#... ..... ..... ..... ..... ..... ..... .###.
        ..#.. .#.#. .#.#. .#### ##..# #..#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..... ..... ....# #...#
        ..#.. .#.#. ##### #.#.. ...#. #.#.. ..#.. .#... ...#. #.#.# ..#.. ..... ..... ..... ...#. #..##
        ..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. .###. ##### ..... ##### ..... ..#.. #.#.#
        ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. #.#.# ..#.. .##.. ..... ..... .#... ##..#
        ..... ..... .#.#. ####. #..## #..#. ..... ..#.. ..#.. ..#.. ..#.. ..#.. ..... .##.. #.... #...#
        ..#.. ..... .#.#. ..#.. ...## .##.# ..... ...#. .#... ..... ..... .#... ..... .##.. ..... .###.

        1     2     3     4     5     6     7     8     9     :     ;     <     =     >     ?     @
        ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###. ..... ..... ...#. ..... .#... .###. .###.
        .##.. #...# ...#. ..##. #.... .#... ....# #...# #...# .##.. .##.. ..#.. ..... ..#.. #...# #...#
        ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...# .##.. .##.. .#... ##### ...#. ....# ....#
        ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .#### ..... ..... #.... ..... ....# ...#. .##.#
        ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....# .##.. .##.. .#... ##### ...#. ..#.. #.#.#
        ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#. .##.. ..#.. ..#.. ..... ..#.. ..... #.#.#
        .###. ##### .###. ...#. .###. .###. .#... .###. .##.. ..... .#... ...#. ..... .#... ..#.. .###.

        A     B     C     D     E     F     G     H     I     J     K     L     M     N     O     P
        .###. ####. .###. ###.. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# .###. ####.
        #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## #...# #...# #...#
        #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# ##..# #...# #...#
        #...# ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #.#.# #...# ####.
        ##### #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## #...# #....
        #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #...# #...# #....
        #...# ####. .###. ###.. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# .###. #....

        Q     R     S     T     U     V     W     X     Y     Z     [     ]     ^     _     `     a
        .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. .###. ..#.. ..... .#... .....
        #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#... ...#. .#.#. ..... ..#.. .....
        #...# #...# #.... ..#.. #...# #...# #...# .#.#. #...# ...#. .#... ...#. #...# ..... ...#. .###.
        #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. .#.#. ..#.. .#... ...#. ..... ..... ..... ....#
        #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#... .#... ...#. ..... ..... ..... .####
        #..#. #..#. ....# ..#.. #...# .#.#. #.#.# #...# ..#.. #.... .#... ...#. ..... ..... ..... #...#
        .##.# #...# ####. ..#.. .###. ..#.. .#.#. #...# ..#.. ##### .###. .###. ..... ##### ..... .####

        b     c     d     e     f     g     h     i     j     k     l     m     n     o     p     q
        #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. ..... ..... ..... ..... .....
        #.... ..... ....# ..... .#..# .#### #.... ..... ..... #.... ..#.. ..... ..... ..... ..... .....
        #.##. .###. .##.# .###. .#... #...# #.##. .##.. ..##. #..#. ..#.. ##.#. #.##. .###. ####. .##.#
        ##..# #.... #..## #...# ###.. #...# ##..# ..#.. ...#. #.#.. ..#.. #.#.# ##..# #...# #...# #..##
        #...# #.... #...# ##### .#... .#### #...# ..#.. ...#. ##... ..#.. #.#.# #...# #...# ####. .####
        #...# #.... #...# #.... .#... ....# #...# ..#.. #..#. #.#.. ..#.. #...# #...# #...# #.... ....#
        ####. .###. .#### .###. .#... .###. #...# .###. .##.. #..#. .###. #...# #...# .###. #.... ....#

        r     s     t     u     v     w     x     y     z     {     |     }
        ..... ..... .#... ..... ..... ..... ..... ..... ..... ...#. ..#.. .#...
        ..... ..... .#... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..#..
        #.##. .###. ###.. #...# #...# #...# #...# #...# ##### ..#.. ..#.. ..#..
        ##..# #.... .#... #...# #...# #...# .#.#. #...# ...#. .#... ..#.. ...#.
        #.... .###. .#... #...# #...# #.#.# ..#.. .#### ..#.. ..#.. ..#.. ..#..
        #.... ....# .#..# #..## .#.#. #.#.# .#.#. ....# .#... ..#.. ..#.. ..#..
        #.... ####. ..##. .##.# ..#.. .#.#. #...# .###. ##### ...#. ..#.. .#...
        """#)

    /// The other characters of the ROM tables that ``GlyphLibrary`` lacks.
    static let others = sheets(
        #"""
        ä     ö     ü     ñ     ß     Ð     ð     Þ     þ     →     ←     °     ·     «     »     £
        .#.#. .#.#. .#.#. .##.# .##.. ###.. .#.#. #.... #.... ..... ..... .##.. ..... ..... ..... ..##.
        ..... ..... ..... #.##. #..#. #..#. ..#.. ####. #.... ..#.. ..#.. #..#. ..... ..#.# #.#.. .#..#
        .###. .###. #...# #.##. #..#. #...# .#.#. #...# ####. ...#. .#... #..#. ..... .#.#. .#.#. .#...
        ....# #...# #...# ##..# #.##. ###.# .#### #...# #...# ##### ##### .##.. ..#.. #.#.. ..#.# ###..
        .#### #...# #...# #...# #...# #...# #...# ####. ####. ...#. .#... ..... ..... .#.#. .#.#. .#...
        #...# #...# #..## #...# #...# #..#. #...# #.... #.... ..#.. ..#.. ..... ..... ..#.# #.#.. .#...
        .#### .###. .##.# #...# #.##. ###.. .###. #.... #.... ..... ..... ..... ..... ..... ..... #####

        ¥     ¢     ±     ÷     ¹     ²     ³     ≤     ≥     ∞     √     ∩     µ     α     ε     θ
        #...# ..#.. ..#.. ..... .#... ##... ##... ...#. .#... ..... ..### ..... ..... ..... ..... .##..
        .#.#. .#### ..#.. ..#.. ##... ..#.. ..#.. ..#.. ..#.. ..... ..#.. .###. ..... ..... ..... #..#.
        ##### #.#.. ##### ..... .#... .#... ##... .#... ...#. .#.#. ..#.. #...# #...# .##.# .#### #..#.
        ..#.. #.#.. ..#.. ##### .#... ###.. ..#.. ..#.. ..#.. #.#.# ..#.. #...# #...# #..#. #.... ####.
        ##### #.#.. ..#.. ..... ..... ..... ##... ...#. .#... #.#.# #.#.. #...# ##..# #..#. .###. #..#.
        ..#.. .#### ..... ..#.. ..... ..... ..... ..... ..... .#.#. .##.. #...# #.##. #..#. #.... #..#.
        ..#.. ..#.. ##### ..... ..... ..... ..... ##### ##### ..... ..#.. ..... #.... .##.# .#### .##..

        π     ρ     σ     τ     δ     ω     Γ     Σ     Φ     Ω     Б     Д     Ж     И     Й     Л
        ..... ..... ..... ..... ..##. ..... ##### ##### ..#.. .###. ##### ..##. #.#.# #...# ..#.. ..###
        ..... ..... ..... ..... .#... ..... #.... #.... .###. #...# #.... .#.#. #.#.# #...# #...# .#..#
        ##### .###. .#### ##### ..#.. .#.#. #.... .#... #.#.# #...# #.... .#.#. .###. #..## #..## .#..#
        .#.#. #...# #..#. ..#.. .###. #...# #.... ..#.. #.#.# #...# ####. .#.#. ..#.. #.#.# #.#.# .#..#
        .#.#. ####. #..#. ..#.. #...# #.#.# #.... .#... #.#.# .#.#. #...# .#.#. .###. ##..# ##..# .#..#
        .#.#. #.... #..#. ..#.. #...# #.#.# #.... #.... .###. .#.#. #...# ##### #.#.# #...# #...# .#..#
        #..## #.... .##.. ...#. .###. .#.#. #.... ##### ..#.. ##.## ####. #...# #.#.# #...# #...# #...#

        П     У     Ц     Ч     Ш     Щ     Ъ     Ы     Э     Ю     Я
        ##### #...# #..#. #...# #.#.# #.#.# ##... #...# ####. #..#. .####
        #...# #...# #..#. #...# #.#.# #.#.# .#... #...# ....# #.#.# #...#
        #...# #...# #..#. #...# #.#.# #.#.# .#... #...# ....# #.#.# #...#
        #...# .#### #..#. .#### #.#.# #.#.# .###. ##..# .#### ###.# .####
        #...# ....# #..#. ....# #.#.# #.#.# .#..# #.#.# ....# #.#.# ..#.#
        #...# ....# #..#. ....# #.#.# #.#.# .#..# #.#.# ....# #.#.# .#..#
        #...# .###. ##### ....# ##### ##### .###. ##..# ####. #..#. #...#
        ..... ..... ....# ..... ..... ....# ..... ..... ..... ..... .....
        """#)
}

/// The board's own font of 3x7 dots for LED matrices with few columns: capitals, digits and signs.
public enum NarrowFont {
    /// The width of a character without the gap after it.
    public static let width = 3
    /// The width of a character and the gap after it.
    public static let cellWidth = width + 1

    /// The picture of a character, in the low three bits of its rows; of its nearest one if the font lacks it.
    public static func glyph(of character: Character) -> Glyph {
        glyphs[character.capitalSubstitute { glyphs[$0] != nil }] ?? Glyph(rows: [])
    }

    /// The character of a picture, for reading a display; nil for a picture that is not the font's.
    public static func character(of glyph: Glyph) -> Character? { characters[glyph] }

    static let glyphs: [Character: Glyph] = {
        var glyphs = Dictionary(drawn, uniquingKeysWith: { first, _ in first })
        glyphs[" "] = Glyph(rows: [])
        return glyphs
    }()

    private static let characters: [Glyph: Character] = Dictionary(
        glyphs.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })

    private static let drawn = PixelFont.sheets(
        #"""
        0   1   2   3   4   5   6   7   8   9   A   B   C   D   E   F   G   H   I   J   K   L   M   N   O   P
        ### .#. ### ### #.# ### ### ### ### ### .#. ##. .## ##. ### ### .## #.# ### ..# #.# #.. #.# ##. .#. ##.
        #.# ##. ..# ..# #.# #.. #.. ..# #.# #.# #.# #.# #.. #.# #.. #.. #.. #.# .#. ..# #.# #.. ### #.# #.# #.#
        #.# .#. ..# ..# #.# #.. #.. ..# #.# #.# #.# #.# #.. #.# #.. #.. #.. #.# .#. ..# #.# #.. ### #.# #.# #.#
        #.# .#. ### ### ### ### ### ..# ### ### ### ##. #.. #.# ##. ##. #.# ### .#. ..# ##. #.. #.# #.# #.# ##.
        #.# .#. #.. ..# ..# ..# #.# .#. #.# ..# #.# #.# #.. #.# #.. #.. #.# #.# .#. ..# #.# #.. #.# #.# #.# #..
        #.# .#. #.. ..# ..# ..# #.# .#. #.# ..# #.# #.# #.. #.# #.. #.. #.# #.# .#. #.# #.# #.. #.# #.# #.# #..
        ### ### ### ### ..# ### ### .#. ### ### #.# ##. .## ##. ### #.. .## #.# ### .#. #.# ### #.# #.# .#. #..

        Q   R   S   T   U   V   W   X   Y   Z   .   ,   :   ;   !   ?   '   "   -   +   /   \   *   (   )   [
        .#. ##. .## ### #.# #.# #.# #.# #.# ### ... ... ... ... .#. ### .#. #.# ... ... ..# #.. ... ..# #.. ##.
        #.# #.# #.. .#. #.# #.# #.# #.# #.# ..# ... ... ... ... .#. ..# .#. #.# ... ... ..# #.. #.# .#. .#. #..
        #.# #.# #.. .#. #.# #.# #.# .#. #.# ..# ... ... .#. .#. .#. ..# ... ... ... .#. .#. .#. .#. .#. .#. #..
        #.# ##. .#. .#. #.# #.# #.# .#. .#. .#. ... ... ... ... .#. .#. ... ... ### ### .#. .#. ### .#. .#. #..
        #.# ##. ..# .#. #.# #.# ### .#. .#. #.. ... ... .#. .#. .#. .#. ... ... ... .#. .#. .#. .#. .#. .#. #..
        .#. #.# ..# .#. #.# .#. ### #.# .#. #.. ... .#. ... #.. ... ... ... ... ... ... #.. ..# #.# .#. .#. #..
        ..# #.# ##. .#. ### .#. #.# #.# .#. ### .#. #.. ... ... .#. .#. ... ... ... ... #.. ..# ... ..# #.. ##.

        ]   =   <   >   _   &   #   %   ^   °   →   ←   █   ~
        .## ... ..# #.. ... .#. #.# #.# .#. .#. ... ... ### ...
        ..# ... ..# #.. ... #.# ### ..# #.# #.# .#. .#. ### ##.
        ..# ### .#. .#. ... .#. #.# .#. ... .#. ..# #.. ### .##
        ..# ... #.. ..# ... .## #.# .#. ... ... ### ### ### ...
        ..# ### .#. .#. ... #.# #.# .#. ... ... ..# #.. ### ##.
        ..# ... ..# #.. ... #.# ### #.. ... ... .#. .#. ### .##
        .## ... ..# #.. ### .## #.# #.# ... ... ... ... ### ...
        ... ... ... ... ... ... ... ... ... ... ... ... ### ...
        """#)
}

extension Character {
    /// The character to show in its place where there are capitals only.
    func capitalSubstitute(where isShown: (Character) -> Bool) -> Character {
        substitute { isShown($0) || isShown($0.capital) }.capital
    }

    /// The capital letter; the character itself if it has none of one character.
    private var capital: Character {
        let capital = uppercased()
        return capital.count == 1 ? Character(capital) : self
    }
}

/// The board's own characters of 14 segments and a point: capitals, digits and signs.
public enum SegmentFont {
    /// The segments of a character, `a` in bit 0 to `n` in bit 13, the point in bit 14; of its nearest one if the font
    /// lacks it.
    ///
    /// `a` to `f` are the outer segments clockwise from the top, `g` and `h` the left and right halves of the middle,
    /// `i`, `j` and `k` the upper inner ones and `l`, `m` and `n` the lower inner ones, each from left to right.
    public static func segments(of character: Character) -> UInt16 {
        table[character.capitalSubstitute { table[$0] != nil }] ?? 0
    }

    /// The character of these segments, for reading a display; nil for others.
    public static func character(of segments: UInt16) -> Character? { characters[segments] }

    static let table: [Character: UInt16] = {
        var table: [Character: UInt16] = [" ": 0]
        // Each entry: a character, a colon, its segments.
        for entry in entries.split(whereSeparator: \.isWhitespace) {
            guard let character = entry.first else { continue }
            table[character] = entry.dropFirst(2).reduce(0) { $0 | bit(of: $1) }
        }
        return table
    }()

    private static let characters: [UInt16: Character] = Dictionary(
        table.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })

    private static func bit(of segment: Character) -> UInt16 {
        order.firstIndex(of: segment).map { 1 << UInt16($0) } ?? 0
    }

    private static let order = Array("abcdefghijklmn.")

    private static let entries = #"""
        0:abcdefkl 1:bck 2:abdegh 3:abcdh 4:bcfgh 5:adfgn 6:acdefgh 7:abc 8:abcdefgh 9:abcdfgh A:abcefgh
        B:abcdhjm C:adef D:abcdjm E:adefgh F:aefg G:acdefh H:bcefgh I:adjm J:bcde K:efgkn L:def M:bcefik
        N:bcefin O:abcdef P:abefgh Q:abcdefn R:abefghn S:acdfgh T:ajm U:bcdef V:efkl W:bcefln X:ikln Y:ikm
        Z:adkl (:kn ):il <:gkn >:hil /:kl \:in -:gh +:ghjm *:ghijklmn ~:dgh _:d |:ef ::jm ;:jl ,:l .:. !:j.
        ?:abhm ':j ":bj `:i ^:ln #:bcdghjm $:acdfghjm %:cfkl &:adegijn @:abdefhj °:abfgh →:ghil ←:ghkn
        █:abcdefghijklmn
        """#
}
