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
