public import BoardCore

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

/// The content and allocation of the controller's eight slots for custom glyphs.
///
/// A frame needs pictures, not slots: pictures that are loaded stay where they are, so that a frame uploads only new
/// ones. A value, so that a reset controller is modelled by a new instance.
public struct GlyphSlots: Hashable, Sendable {
    /// The slots of a controller (HD44780U data sheet: 64 bytes of CGRAM, 8 for each glyph of 5x8 dots).
    public static let count = 8

    /// A frame in the controller's codes.
    public struct Encoding: Hashable, Sendable {
        /// One code for each cell, row by row.
        public let codes: [UInt8]
        /// The slots with a new picture, in ascending order.
        public let uploads: [Int]
    }

    /// The picture in each slot; nil while unknown.
    public private(set) var glyphs: [Glyph?] = Array(repeating: nil, count: Self.count)
    /// The number of the last frame that used a slot; 0: none.
    private var lastUsed: [Int] = Array(repeating: 0, count: Self.count)
    private var frames = 0

    public init() {}

    /// The slot that a code draws; nil for a character of the ROM.
    public static func slot(of code: UInt8) -> Int? {
        code < 0x10 ? Int(code & 7) : nil
    }

    /// The code that draws a slot: 08–0F mirror 00–07, which avoids 0, the end of a string elsewhere.
    public static func code(of slot: Int) -> UInt8 {
        0x08 | UInt8(truncatingIfNeeded: slot & 7)
    }

    /// Encodes `frame` and allocates slots for its glyphs.
    ///
    /// Which glyphs get a slot depends on the frame alone: of more than eight, those of the highest rank, then those
    /// on the most cells, then those nearest the top left. The rest become their look-alikes. The least recently used
    /// slot is replaced first: one that neither this frame nor the previous one uses, if there is any.
    public mutating func encode(_ frame: Frame, for panel: Panel) -> Encoding {
        let renditions = Self.cells(of: frame, size: panel.size).map { panel.rom.rendition(of: $0) }
        frames += 1
        let (places, uploads) = place(Self.glyphsWithSlot(by: renditions))
        let codes = renditions.map { rendition in
            switch rendition {
            case .code(let code): code
            case .glyph(let glyph, _, let lookAlike): places[glyph].map(Self.code(of:)) ?? lookAlike
            }
        }
        return Encoding(codes: codes, uploads: uploads)
    }

    /// Allocates a slot for each glyph; there are at most as many glyphs as slots.
    private mutating func place(_ needed: [Glyph]) -> (places: [Glyph: Int], uploads: [Int]) {
        var places: [Glyph: Int] = [:]
        for (slot, glyph) in glyphs.enumerated() {
            if let glyph, needed.contains(glyph) { places[glyph] = slot }
        }
        let used = Set(places.values)
        let free = glyphs.indices.filter { !used.contains($0) }.sorted { left, right in
            (lastUsed[left], left) < (lastUsed[right], right)
        }
        var uploads: [Int] = []
        for (glyph, slot) in zip(needed.filter { places[$0] == nil }, free) {
            glyphs[slot] = glyph
            places[glyph] = slot
            uploads.append(slot)
        }
        for slot in places.values { lastUsed[slot] = frames }
        return (places, uploads.sorted())
    }

    /// The glyphs of a frame that get a slot, highest priority first.
    private static func glyphsWithSlot(by renditions: [CharacterROM.Rendition]) -> [Glyph] {
        var demand: [Glyph: (rank: Glyph.Rank, cells: Int, first: Int)] = [:]
        for (cell, rendition) in renditions.enumerated() {
            guard case .glyph(let glyph, let rank, _) = rendition else { continue }
            demand[glyph, default: (rank, 0, cell)].cells += 1
        }
        let ordered = demand.sorted { left, right in
            let (left, right) = (left.value, right.value)
            if left.rank != right.rank { return left.rank > right.rank }
            return left.cells != right.cells ? left.cells > right.cells : left.first < right.first
        }
        return ordered.prefix(count).map(\.key)
    }

    private static func cells(of frame: Frame, size: DisplaySize) -> [Character] {
        (0..<size.rows).flatMap { row -> [Character] in
            let cells = frame.rows.indices.contains(row) ? frame.rows[row].prefix(size.columns) : []
            return cells + Array(repeating: " ", count: size.columns - cells.count)
        }
    }
}
