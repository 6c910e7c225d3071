public enum CharacterROM: String, CaseIterable, Sendable {
    /// Japanese: most cheap modules.
    case a00 = "A00"
    /// European.
    case a02 = "A02"

    /// The ROM's code of a character, however the character is composed; nil if the ROM lacks it.
    public func code(of character: Character) -> UInt8? {
        table.codes[character]
    }

    /// The character that a code draws; nil for the custom glyphs (00–0F) and for cells without a Unicode character.
    public func character(of code: UInt8) -> Character? {
        table.characters[code]
    }

    /// Both directions of one ROM.
    struct Table: Sendable {
        let codes: [Character: UInt8]
        let characters: [UInt8: Character]

        init(_ rows: [(first: UInt8, text: String)]) {
            var codes: [Character: UInt8] = [:]
            var characters: [UInt8: Character] = [:]
            for (first, text) in rows {
                // By scalars, not by graphemes: the half-width voicing marks would join the letter before them.
                for (offset, scalar) in text.unicodeScalars.enumerated() where scalar != CharacterROM.hole {
                    let code = first &+ UInt8(truncatingIfNeeded: offset)
                    codes[Character(scalar)] = code
                    characters[code] = Character(scalar)
                }
            }
            self.codes = codes
            self.characters = characters
        }
    }

    /// A cell for which Unicode has no single character (a "g" with its tail below the line, x̄, ⁻¹).
    static let hole: Unicode.Scalar = "\u{FFFD}"

    /// HD44780U data sheet, table 4, ROM code A00; each row is a column of the table.
    static let rowsA00: [(first: UInt8, text: String)] = [
        (0x20, ##" !"#$%&'()*+,-./"##),
        (0x30, "0123456789:;<=>?"),
        (0x40, "@ABCDEFGHIJKLMNO"),
        (0x50, "PQRSTUVWXYZ[¥]^_"),
        (0x60, "`abcdefghijklmno"),
        (0x70, "pqrstuvwxyz{|}→←"),
        (0xA0, "�｡｢｣､･ｦｧｨｩｪｫｬｭｮｯ"),
        (0xB0, "ｰｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿ"),
        (0xC0, "ﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏ"),
        (0xD0, "ﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝﾞ°"),
        (0xE0, "αäβεµσρ�√��ˣ¢£ñö"),
        (0xF0, "��θ∞ΩüΣπ��千万円÷�█"),
    ]

    /// HD44780U data sheet, table 4, ROM code A02: Latin-1 with exceptions in A0–FF. Code B0 draws a raised ring, used
    /// here as the degree sign.
    static let rowsA02: [(first: UInt8, text: String)] = [
        (0x10, "▶◀“”⏫⏬●↲↑↓→←≤≥▲▼"),
        (0x20, ##" !"#$%&'()*+,-./"##),
        (0x30, "0123456789:;<=>?"),
        (0x40, "@ABCDEFGHIJKLMNO"),
        (0x50, ##"PQRSTUVWXYZ[\]^_"##),
        (0x60, "`abcdefghijklmno"),
        (0x70, "pqrstuvwxyz{|}~⌂"),
        (0x80, "БДЖЗИЙЛПУЦЧШЩЪЫЭ"),
        (0x90, "α♪ΓπΣσ♬τ🔔θΩδ∞♥ε∩"),
        (0xA0, "‖¡¢£¤¥¦§ƒ©ª«ЮЯ®´"),
        (0xB0, "°±²³�µ¶·ω¹º»¼½¾¿"),
        (0xC0, "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ"),
        (0xD0, "ÐÑÒÓÔÕÖ×ΦÙÚÛÜÝÞß"),
        (0xE0, "àáâãäåæçèéêëìíîï"),
        (0xF0, "ðñòóôõö÷øùúûüýþÿ"),
    ]

    private static let tableA00 = Table(rowsA00)
    private static let tableA02 = Table(rowsA02)

    private var table: Table {
        switch self {
        case .a00: Self.tableA00
        case .a02: Self.tableA02
        }
    }
}

extension CharacterROM {
    /// A way to show one grapheme in one cell.
    enum Rendition: Hashable, Sendable {
        /// A character of the ROM.
        case code(UInt8)
        /// A custom glyph, or a look-alike of the ROM if there is no slot for it.
        case glyph(Glyph, Glyph.Rank, lookAlike: UInt8)
    }

    /// The best rendition of a grapheme: the ROM's own, an identical look-alike, a custom glyph, the base letter, `?`.
    func rendition(of character: Character) -> Rendition {
        if let code = code(of: character) { return .code(code) }
        if let code = LookAlikes.same[character].flatMap(firstCode) { return .code(code) }
        if let entry = GlyphLibrary.entries[character] {
            return .glyph(entry.glyph, entry.rank, lookAlike: lookAlike(of: character))
        }
        if let twin = LookAlikes.drawnTwin(of: character) { return rendition(of: twin) }
        if let base = LookAlikes.base(of: character) { return rendition(of: base) }
        return .code(lookAlike(of: character))
    }

    /// The ROM's nearest character, without a custom glyph.
    func lookAlike(of character: Character) -> UInt8 {
        code(of: character.substitute { code(of: $0) != nil }) ?? 0x3F
    }

    private func firstCode(_ candidates: String) -> UInt8? {
        candidates.lazy.compactMap { code(of: $0) }.first
    }
}
