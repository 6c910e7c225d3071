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
    /// The result depends on the frame alone: of more than eight glyphs those of the highest rank get a slot, then
    /// those on the most cells, then those nearest to the top left. The rest become their look-alikes. The least
    /// recently used slot is replaced first: one that neither this frame nor the previous one uses, if there is any.
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

    private static func cells(of frame: Frame, size: Panel.Size) -> [Character] {
        (0..<size.rows).flatMap { row -> [Character] in
            let cells = frame.rows.indices.contains(row) ? frame.rows[row].prefix(size.columns) : []
            return cells + Array(repeating: " ", count: size.columns - cells.count)
        }
    }
}
