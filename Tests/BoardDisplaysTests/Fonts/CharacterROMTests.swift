import Testing

@testable import BoardCore
@testable import BoardDisplays

@Suite("Characters of a ROM")
struct CharacterROMTests {
    @Test("every row of the tables has 16 characters", arguments: [CharacterROM.rowsA00, CharacterROM.rowsA02])
    func rows(_ rows: [(first: UInt8, text: String)]) {
        for row in rows { #expect(row.text.unicodeScalars.count == 16, "row \(row.first)") }
    }

    @Test("code and character map to each other", arguments: CharacterROM.allCases)
    func roundTrip(_ rom: CharacterROM) {
        for code in UInt8.min...UInt8.max {
            guard let character = rom.character(of: code) else { continue }
            #expect(rom.code(of: character) == code, "\(character)")
        }
    }

    @Test(
        "the codes where the two ROMs differ from ASCII and from each other",
        arguments: [
            (Character("¥"), UInt8?(0x5C), UInt8?(0xA5)), ("\\", nil, 0x5C), ("~", nil, 0x7E), ("→", 0x7E, 0x1A),
            ("←", 0x7F, 0x1B), ("°", 0xDF, 0xB0), ("£", 0xED, 0xA3), ("é", nil, 0xE9), ("ä", 0xE1, 0xE4),
            ("ö", 0xEF, 0xF6), ("ü", 0xF5, 0xFC), ("ñ", 0xEE, 0xF1), ("Ä", nil, 0xC4), ("Ω", 0xF4, 0x9A),
            ("█", 0xFF, nil), ("÷", 0xFD, 0xF7), ("ﾝ", 0xDD, nil), ("Ю", nil, 0xAC), ("A", 0x41, 0x41),
        ])
    func codes(_ character: Character, a00: UInt8?, a02: UInt8?) {
        #expect(CharacterROM.a00.code(of: character) == a00)
        #expect(CharacterROM.a02.code(of: character) == a02)
    }

    @Test("a letter is the same however it is composed")
    func composition() {
        #expect(CharacterROM.a02.code(of: "e\u{301}") == 0xE9)
        #expect(CharacterROM.a00.code(of: "u\u{308}") == 0xF5)
        #expect(CharacterROM.a00.rendition(of: "e\u{301}") == CharacterROM.a00.rendition(of: "\u{E9}"))
    }

    @Test(
        "identical look-alikes need no glyph: quotes, dashes, spaces, micro, degree",
        arguments: [
            (Character("’"), UInt8(0x27)), ("“", 0x22), ("–", 0x2D), ("—", 0x2D), ("\u{A0}", 0x20),
            ("µ", 0xE4), ("μ", 0xE4), ("º", 0xDF), ("ß", 0xE2), ("\r\n", 0x20), ("Ａ", 0x41), ("¦", 0x7C), ("■", 0xFF),
        ])
    func aliases(_ character: Character, code: UInt8) {
        #expect(CharacterROM.a00.rendition(of: character) == .code(code))
    }

    @Test("a look-alike of a custom glyph uses that glyph")
    func drawnTwins() {
        let a00 = CharacterROM.a00
        for (character, twin): (Character, Character) in [("►", "▶"), ("✘", "×"), ("✔", "✓"), ("❤", "♥"), ("▾", "▼")] {
            #expect(a00.rendition(of: character) == a00.rendition(of: twin), "\(character)")
            #expect(a00.lookAlike(of: character) == a00.lookAlike(of: twin), "\(character)")
        }
        #expect(CharacterROM.a02.rendition(of: "►") == .code(0x10))
    }

    @Test("A02 has its own curly quotes")
    func quotes() {
        #expect(CharacterROM.a02.rendition(of: "“") == .code(0x12))
        #expect(CharacterROM.a02.rendition(of: "„") == .code(0x22))
    }

    @Test("every letter of Latin-1 and Latin Extended-A has a base letter", arguments: CharacterROM.allCases)
    func baseLetters(_ rom: CharacterROM) throws {
        for value in UInt32(0xC0)...0x17F where value != 0xD7 && value != 0xF7 {
            let letter = Character(try #require(Unicode.Scalar(value)))
            #expect(rom.lookAlike(of: letter) != 0x3F, "\(letter)")
        }
        #expect(CharacterROM.a00.lookAlike(of: "ș") == 0x73)
        #expect(CharacterROM.a00.lookAlike(of: "Ệ") == 0x45)
    }

    @Test("unknown marks are dropped, and unknown characters become a question mark")
    func fallbacks() {
        let a00 = CharacterROM.a00
        #expect(a00.rendition(of: "q\u{301}") == .code(0x71))
        #expect(a00.rendition(of: "ｶ\u{FF9E}") == .code(0xB6))
        #expect(a00.rendition(of: "♥\u{FE0F}") == a00.rendition(of: "♥"))
        #expect(a00.rendition(of: "漢") == .code(0x3F))
        #expect(a00.rendition(of: "🚌") == .code(0x3F))
        #expect(a00.rendition(of: "👨‍👩‍👧") == .code(0x3F))
        #expect(a00.rendition(of: "\u{0}") == .code(0x3F))
    }

    @Test("a symbol without a slot becomes its look-alike")
    func lookAlikes() {
        let a00 = CharacterROM.a00
        for (sign, code): (Character, Unicode.Scalar) in [
            ("\\", "/"), ("~", "c"), ("…", "."), ("€", "E"), ("↑", "^"), ("▼", "v"), ("×", "x"), ("▂", "_"), ("é", "e"),
            ("Ø", "O"),
        ] {
            #expect(a00.lookAlike(of: sign) == UInt8(ascii: code), "\(sign)")
        }
        #expect(a00.lookAlike(of: "▶") == a00.code(of: "→"))
        #expect(a00.lookAlike(of: "▇") == 0xFF)
        #expect(CharacterROM.a02.lookAlike(of: "▇") == UInt8(ascii: "#"))
    }
}
