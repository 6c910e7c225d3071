/// The board's own characters of 14 segments and a point: capitals, digits and signs.
public enum SegmentFont {
    /// The segments of a character, `a` in bit 0 to `n` in bit 13, the point in bit 14; of its nearest one where the font
    /// lacks it.
    ///
    /// `a` to `f` are the outer segments clockwise from the top, `g` and `h` the left and the right half of the middle, `i`,
    /// `j` and `k` the upper inner ones and `l`, `m` and `n` the lower inner ones, each from left to right.
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
        Z:adkl (:kn ):il <:gkn >:hil /:kl \:in -:gh +:ghjm *:ghijklmn =:dgh _:d |:ef ::jm ;:jl ,:l .:. !:j.
        ?:abhm ':j ":bj `:i ^:ln #:bcdghjm $:acdfghjm %:cfkl &:adegijn @:abdefhj °:abfgh →:ghil ←:ghkn
        █:abcdefghijklmn
        """#
}
