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
