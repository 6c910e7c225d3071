/// What the controller's eight slots for custom glyphs hold, and who gets one.
///
/// Glyphs are pictures, not slots: those that a frame wants and that are loaded stay where they are, so that a frame
/// costs uploads only for what is new. A value, so that a lost controller is forgotten by starting with a new one.
public struct GlyphSlots: Hashable, Sendable {
    /// How many slots a controller has (HD44780U data sheet: 64 bytes of CGRAM, 8 a glyph of 5x8 dots).
    public static let count = 8

    /// What a frame is to the controller.
    public struct Encoding: Hashable, Sendable {
        /// One code a cell, row after row.
        public let codes: [UInt8]
        /// The slots whose picture is new, in ascending order.
        public let uploads: [Int]
    }

    /// The picture in each slot; nil while nothing is known of it.
    public private(set) var glyphs: [Glyph?] = Array(repeating: nil, count: Self.count)
    /// The number of the frame that last wanted a slot; 0: none has.
    private var lastWanted: [Int] = Array(repeating: 0, count: Self.count)
    private var frames = 0

    /// Slots of which nothing is known.
    public init() {}

    /// The slot that a code draws; nil for a character of the ROM.
    public static func slot(of code: UInt8) -> Int? {
        code < 0x10 ? Int(code & 7) : nil
    }

    /// The code that draws a slot: 08–0F mirror 00–07, and 0 stays free to mean the end of a string to others.
    public static func code(of slot: Int) -> UInt8 {
        0x08 | UInt8(truncatingIfNeeded: slot & 7)
    }

    /// Finds a code for every cell of `frame` and takes the slots for it.
    ///
    /// What a frame looks like depends on the frame alone: of more than eight glyphs those of the highest rank get
    /// a slot, then those on the most cells, then those nearest to the top left. The rest become their look-alikes.
    /// The slot that was wanted longest ago is taken first: one that neither this frame nor the one before has, if
    /// there is any.
    ///
    /// - Parameters:
    ///   - frame: the new picture, cut or filled with blanks to the panel's size.
    ///   - panel: its size and ROM.
    public mutating func encode(_ frame: Frame, for panel: Panel) -> Encoding {
        let renditions = Self.cells(of: frame, size: panel.size).map { panel.rom.rendition(of: $0) }
        frames += 1
        let (places, uploads) = place(Self.wanted(by: renditions))
        let codes = renditions.map { rendition in
            switch rendition {
            case .code(let code): code
            case .glyph(let glyph, _, let lookAlike): places[glyph].map(Self.code(of:)) ?? lookAlike
            }
        }
        return Encoding(codes: codes, uploads: uploads)
    }

    /// Gives each glyph a slot; at most as many glyphs as there are slots.
    private mutating func place(_ wanted: [Glyph]) -> (places: [Glyph: Int], uploads: [Int]) {
        var places: [Glyph: Int] = [:]
        for (slot, glyph) in glyphs.enumerated() {
            if let glyph, wanted.contains(glyph) { places[glyph] = slot }
        }
        let kept = Set(places.values)
        let free = glyphs.indices.filter { !kept.contains($0) }.sorted { left, right in
            (lastWanted[left], left) < (lastWanted[right], right)
        }
        var uploads: [Int] = []
        for (glyph, slot) in zip(wanted.filter { places[$0] == nil }, free) {
            glyphs[slot] = glyph
            places[glyph] = slot
            uploads.append(slot)
        }
        for slot in places.values { lastWanted[slot] = frames }
        return (places, uploads.sorted())
    }

    /// The glyphs of a frame that get a slot, most wanted first.
    private static func wanted(by renditions: [CharacterROM.Rendition]) -> [Glyph] {
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
