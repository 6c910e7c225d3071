/// The board's own font of 3x7 dots for LED matrices with few columns: capitals, digits and signs.
public enum NarrowFont {
    /// The width of a character without the gap after it.
    public static let width = 3
    /// The width of a character and the gap after it.
    public static let cellWidth = width + 1

    /// The picture of a character, in the low three bits of its rows; of its nearest one where the font lacks it.
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

        ]   =   <   >   _   &   #   %   ^   °   →   ←   █
        .## ... ..# #.. ... .#. #.# #.# .#. .#. ... ... ###
        ..# ... ..# #.. ... #.# ### ..# #.# #.# .#. .#. ###
        ..# ### .#. .#. ... .#. #.# .#. ... .#. ..# #.. ###
        ..# ... #.. ..# ... .## #.# .#. ... ... ### ### ###
        ..# ### .#. .#. ... #.# #.# .#. ... ... ..# #.. ###
        ..# ... ..# #.. ... #.# ### #.. ... ... .#. .#. ###
        .## ... ..# #.. ### .## #.# #.# ... ... ... ... ###
        ... ... ... ... ... ... ... ... ... ... ... ... ###
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
