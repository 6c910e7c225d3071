extension Glyph {
    /// The ten columns of the picture in twice the size (Scale2x, by Andrea Mazzoleni), the topmost of 16 dots in bit 0.
    /// Of the four dots for one, a corner is as the two neighbours beside it if they agree and the opposite two do not.
    var doubledColumns: [UInt64] {
        func isOn(_ x: Int, _ y: Int) -> Bool {
            rows.indices.contains(y) && (0..<PixelFont.width).contains(x)
                && rows[y] >> UInt8(PixelFont.width - 1 - x) & 1 == 1
        }
        return (0..<2 * PixelFont.width).map { column in
            (0..<2 * rows.count).reduce(0) { dots, row in
                let (x, y) = (column / 2, row / 2)
                let (side, otherSide) = (isOn(x - 1 + column % 2 * 2, y), isOn(x + 1 - column % 2 * 2, y))
                let (end, otherEnd) = (isOn(x, y - 1 + row % 2 * 2), isOn(x, y + 1 - row % 2 * 2))
                let isCorner = side == end && side != otherEnd && end != otherSide
                return (isCorner ? side : isOn(x, y)) ? dots | 1 << UInt64(row) : dots
            }
        }
    }
}
