/// The characters that a display can draw.
public enum DrawnText: Hashable, Sendable {
    /// No display of boardd, only faces such as a browser.
    case any
    /// ``PixelFont``.
    case dots
    case rom(CharacterROM)

    /// A text as the display can draw it, with half-width katakana where it has only those; nil: not all of it.
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

    /// The scalars of U+30A1 to U+30F4 in this order, one or two cells each: a voiced letter is its plain one and a mark.
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

extension DisplayWiring {
    public var drawnText: DrawnText {
        switch driver {
        case .hd44780, .lcdproc: .rom(panel.rom)
        case .ssd1306, .sh1106, .ht16k33: .dots
        case .none: .any
        }
    }
}
