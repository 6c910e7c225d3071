import BoardCore

/// The characters that a display can draw.
public enum DrawnText: Hashable, Sendable {
    /// No display of boardd, only faces such as a browser.
    case any
    /// ``PixelFont``.
    case dots
    case rom(CharacterROM)

    /// Text as the display can draw it, with half-width katakana where it has only those; nil: it cannot draw it all.
    public func text(_ text: String) -> String? {
        if self == .any || text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        let drawn = self == .rom(.a00) ? Self.halfWidthKana(text) : text
        return drawn.allSatisfy(draws) ? drawn : nil
    }

    private func draws(_ character: Character) -> Bool {
        switch self {
        case .any: true
        case .dots: character == "?" || character.substitute { PixelFont.glyphs[$0] != nil } != "?"
        case .rom(let rom): character == "?" || rom.rendition(of: character) != .code(0x3F)
        }
    }

    /// U+30A1 to U+30F4 in this order, one or two cells each: a voiced letter is its plain one and a mark.
    private static let katakana =
        "ｧ ｱ ｨ ｲ ｩ ｳ ｪ ｴ ｫ ｵ ｶ ｶ゛ ｷ ｷ゛ ｸ ｸ゛ ｹ ｹ゛ ｺ ｺ゛ ｻ ｻ゛ ｼ ｼ゛ ｽ ｽ゛ ｾ ｾ゛ ｿ ｿ゛ ﾀ ﾀ゛ ﾁ ﾁ゛ ｯ ﾂ ﾂ゛ ﾃ ﾃ゛ ﾄ ﾄ゛ ﾅ ﾆ ﾇ ﾈ ﾉ "
        + "ﾊ ﾊ゛ ﾊ゜ ﾋ ﾋ゛ ﾋ゜ ﾌ ﾌ゛ ﾌ゜ ﾍ ﾍ゛ ﾍ゜ ﾎ ﾎ゛ ﾎ゜ ﾏ ﾐ ﾑ ﾒ ﾓ ｬ ﾔ ｭ ﾕ ｮ ﾖ ﾗ ﾘ ﾙ ﾚ ﾛ ﾜ ﾜ ｲ ｴ ｦ ﾝ ｳ゛"

    private static let halfWidth: [Character: String] = {
        var halfWidth: [Character: String] = ["ー": "ｰ", "、": "､", "。": "｡", "「": "｢", "」": "｣"]
        for (offset, cells) in katakana.split(separator: " ").enumerated() {
            // Hiragana has the same order, 60 hexadecimal lower.
            for first in [0x30A1, 0x3041] {
                if let scalar = Unicode.Scalar(UInt32(first + offset)) { halfWidth[Character(scalar)] = String(cells) }
            }
        }
        return halfWidth
    }()

    private static func halfWidthKana(_ text: String) -> String {
        text.map { halfWidth[$0] ?? String($0) }.joined()
    }
}

/// Substitutes for characters that a ROM lacks. One grapheme stays one cell: an ellipsis becomes one full stop.
enum LookAlikes {
    /// Substitutes that look identical: preferred to a custom glyph. The first that the ROM has is used.
    static let same: [Character: String] = table([
        ("\u{A0}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200A}\u{202F}", " "),
        ("\u{205F}\u{3000}\t\n\r", " "),
        ("‘’‚‛′ʹʻʼˈ´", "'"),
        ("“”„‟″", "\""),
        ("‐‑‒–—―−⁃", "-"),
        ("․", "."),
        ("•∙⋅‧・", "·･."),
        ("·", "･."),
        ("⁄∕", "/"),
        ("μ", "µ"), ("ß", "β"), ("β", "ß"), ("ϴ", "θ"), ("∑", "Σ"), ("∏", "π"),
        ("º˚ᴼ゜", "°"), ("\u{FF9F}", "°"), ("゛", "\u{FF9E}"),
        ("►▸", "▶"), ("◄◂", "◀"), ("▴", "▲"), ("▾", "▼"), ("⬤", "●"),
        ("❤♡", "♥"), ("✘✕✖", "×"), ("✔", "✓"), ("■▉", "█"), ("₤", "£"), ("￥", "¥"), ("¦∣ǀ", "|"),
        // Letters of other scripts that are drawn like Latin ones.
        ("АΑ", "A"), ("ВΒ", "B"), ("ЕΕ", "E"), ("Ѕ", "S"), ("З", "3"), ("НΗ", "H"), ("ІΙ", "I"), ("Ј", "J"),
        ("КΚ", "K"), ("МΜ", "M"), ("Ν", "N"), ("ОΟ", "O"), ("РΡ", "P"), ("С", "C"), ("ТΤ", "T"), ("ХΧ", "X"),
        ("ΥҮ", "Y"), ("Ζ", "Z"),
        ("а", "a"), ("е", "e"), ("о", "o"), ("ο", "o"), ("р", "p"), ("с", "c"), ("у", "y"), ("х", "x"), ("і", "i"),
    ]).merging(fullWidth) { written, _ in written }

    /// Acceptable substitutes when there is no slot for the glyph. The first that the ROM has is used.
    static let near: [Character: String] = table([
        ("\\", "/"), ("~", "c"), ("=", "~"), ("…", "."),
        ("→▶⇒➔⇨", "→>"), ("←◀⇐", "←<"), ("↑▲⇑⏫", "↑^"), ("↓▼⇓⏬", "↓v"), ("↔", "-"), ("↲↵", "←<"),
        ("▁▂▃", "_"), ("▄▅", "="), ("▆▇█", "█#"), ("░▒▓", "█#"),
        ("✓", "+"), ("⚠", "!"), ("✗", "×x"),
        ("€", "E"), ("£", "L"), ("¥", "Y"), ("¢", "c"), ("¤", "o"), ("ƒ", "f"),
        ("©", "c"), ("®", "r"), ("§", "S"), ("¶", "P"), ("№", "N"), ("™", "T"),
        ("×", "x"), ("÷", "/"), ("±", "+"), ("≈", "~="), ("≠", "#"), ("≤‹«", "<"), ("≥›»", ">"), ("√", "V"),
        ("²", "2"), ("³", "3"), ("¹", "1"), ("⁰", "0"), ("½¼¾", "/"), ("ª", "a"), ("°", "o"),
        ("¡", "!"), ("¿", "?"), ("‖", "|"), ("●○◦", "o"), ("★☆♪♫♬", "*"), ("♥", "*"), ("🔔", "*"), ("⌂", "^"),
        ("†‡", "+"), ("ˣ", "x"), ("￡", "£L"),
    ])

    /// An identical look-alike that has a custom glyph.
    static func drawnTwin(of character: Character) -> Character? {
        same[character]?.first { GlyphLibrary.entries[$0] != nil }
    }

    /// The first scalar of a grapheme without marks, joiners and variation selectors; nil for a single scalar.
    static func base(of character: Character) -> Character? {
        guard character.unicodeScalars.count > 1, let first = character.unicodeScalars.first else { return nil }
        return Character(first)
    }

    /// Full-width forms of ASCII, U+FF01–U+FF5E.
    private static let fullWidth: [Character: String] = {
        var forms: [Character: String] = [:]
        for value in UInt32(0xFF01)...0xFF5E {
            guard let wide = Unicode.Scalar(value), let narrow = Unicode.Scalar(value - 0xFEE0) else { continue }
            forms[Character(wide)] = String(narrow)
        }
        return forms
    }()

    /// Maps every scalar of a row's left side to its right side.
    private static func table(_ rows: [(of: String, are: String)]) -> [Character: String] {
        var table: [Character: String] = ["\r\n": " "]
        for (originals, candidates) in rows {
            for scalar in originals.unicodeScalars { table[Character(scalar)] = candidates }
        }
        return table
    }
}
