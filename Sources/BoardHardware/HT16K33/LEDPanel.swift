internal import BoardCore

/// LED modules side by side, and in one row above another: what their memories are for a frame.
struct LEDPanel: Hashable, Sendable {
    /// The bytes of a module's memory (HT16K33 data sheet: 8 commons of 16 rows).
    static let memory = 16

    let modules: LEDModules
    let size: Panel.Size
    /// In percent.
    let brightness: Int

    /// The memory of every module, in the order of their addresses.
    func memories(of frame: Frame) -> [[UInt8]] {
        let perRow = max(1, modules.addresses.count / max(1, size.rows))
        return modules.addresses.indices.map { index in
            let row = index / perRow
            let cells = frame.rows.indices.contains(row) ? frame.rows[row] : []
            let place = index % perRow
            return switch modules.kind {
            case .segments: Self.segments(of: cells.dropFirst(4 * place).prefix(4))
            case .wideMatrix: Self.matrix(dots(of: cells), from: 16 * place, width: 16)
            case .matrix: Self.matrix(dots(of: cells), from: 8 * place, width: 8)
            }
        }
    }

    /// Four characters, a common each: segments `a` to `n` at rows 0 to 13, the point at row 14, as on the quad modules of
    /// 14 segments.
    private static func segments(of cells: ArraySlice<Character>) -> [UInt8] {
        let bytes = cells.flatMap { cell -> [UInt8] in
            let segments = SegmentFont.segments(of: cell)
            return [UInt8(truncatingIfNeeded: segments), UInt8(truncatingIfNeeded: segments >> 8)]
        }
        return bytes + Array(repeating: 0, count: memory - bytes.count)
    }

    /// The columns of dots of a row of text, the topmost dot in bit 0.
    private func dots(of cells: [Character]) -> [UInt8] {
        let width = (modules.kind.dots ?? 0) * modules.addresses.count / max(1, size.rows)
        let isNarrow = size.columns * PixelFont.cellWidth > width
        let columns = cells.prefix(size.columns).flatMap { cell -> [UInt8] in
            isNarrow
                ? NarrowFont.glyph(of: cell).columns.suffix(NarrowFont.width) + [0]
                : PixelFont.glyph(of: cell).columns + [0]
        }
        // As far to the right as to the left.
        return [UInt8](repeating: 0, count: max(0, width - columns.count) / 2) + columns
    }

    /// A part of a row of dots: a common for each row from the top. A matrix of 16 columns has the leftmost at row 0 of the
    /// chip, one of 8 columns at row 7 and the next at row 0, as the common modules.
    private static func matrix(_ dots: [UInt8], from first: Int, width: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: memory)
        for x in 0..<width where dots.indices.contains(first + x) {
            let row = width == 8 ? (x + 7) % 8 : x
            for y in 0..<8 where dots[first + x] >> UInt8(y) & 1 == 1 {
                bytes[2 * y + row / 8] |= 1 << UInt8(row % 8)
            }
        }
        return bytes
    }
}
