import Testing

@testable import BoardCore
@testable import BoardDisplays

@Suite("The font of displays with dots")
struct PixelFontTests {
    /// The dots of a character, row by row.
    private func picture(_ character: Character) -> [String] {
        PixelFont.glyph(of: character).rows.map { row in
            String((0..<5).map { row >> UInt8(4 - $0) & 1 == 1 ? "#" : "." })
        }
    }

    @Test("has all of ASCII, each character with its own picture")
    func ascii() {
        for code in UInt8(0x20)...0x7E {
            let character = Character(Unicode.Scalar(code))
            #expect(PixelFont.character(of: PixelFont.glyph(of: character)) == character, "\(character)")
        }
    }

    @Test("no two characters have the same picture")
    func distinct() {
        for (character, glyph) in PixelFont.glyphs {
            #expect(PixelFont.character(of: glyph) == character, "\(character)")
        }
    }

    @Test("only a space is blank")
    func blank() {
        #expect(PixelFont.glyphs.filter { $0.value == Glyph(rows: []) }.map(\.key) == [" "])
    }

    @Test(
        "has what both character ROMs have, except kana; some signs become their look-alikes",
        arguments: CharacterROM.allCases)
    func roms(rom: CharacterROM) {
        // As a character LCD without these in its ROM: the board shows none of them itself.
        let lookAlikes = "З`´‖¦⏫⏬↲ˣβ¤ƒ©ª®¶º¼½¾🔔♬⌂“”"
        for code in UInt8(0x10)...0xFF {
            guard let character = rom.character(of: code), !isKana(character), !"千万円".contains(character) else {
                continue
            }
            let shown = PixelFont.character(of: PixelFont.glyph(of: character))
            if lookAlikes.contains(character) {
                #expect(shown != nil && shown != "?", "\(character)")
            } else {
                #expect(shown == character)
            }
        }
    }

    private func isKana(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { (0xFF61...0xFF9F).contains($0.value) }
    }

    @Test("draws every mark of the board, and any number of letters with marks")
    func marks() {
        for character in "⇨~…✗éÉåçłőğŻÆ€✓⚠▲▼" {
            #expect(PixelFont.character(of: PixelFont.glyph(of: character)) == character)
        }
    }

    @Test("a character that it lacks becomes one that looks the same, then its base letter, then a question mark")
    func substitutes() {
        #expect(picture("’") == picture("'"))
        #expect(picture("А") == picture("A"))  // Cyrillic
        #expect(picture("ḍ") == picture("d"))
        #expect(picture("e\u{301}") == picture("é"))
        #expect(picture("q\u{301}") == picture("q"))
        #expect(picture("駅") == picture("?"))
    }

    @Test("leaves the eighth row to tails, letters under a ring and the full cell, so that rows of text do not touch")
    func gaps() {
        let used = PixelFont.glyphs.filter { $0.value.rows[7] != 0 }.keys
        #expect(Set(used) == Set("█çşøØğąĄęĘÇŞЦЩåů").intersection(used))
        #expect(PixelFont.glyphs.keys.filter { $0.isASCII }.allSatisfy { PixelFont.glyph(of: $0).rows[7] == 0 })
    }
}
