/// The field boundaries of a row, for comparison with the next row: in a trip's rows, times, stop and the rest mostly
/// have the lengths of the row before, so that their fields need no scan.
///
/// It consists of all bytes less than '-' at their offsets: two rows with equal ones have equal field boundaries. The first
/// field is not part of it.
package struct RowShape {
    /// The most words of a row that are compared.
    private static let most = 6

    /// Words of eight bytes; bytes that do not end a field are 0.
    private var words = InlineArray<6, UInt64>(repeating: 0)
    private var count = 0
    /// A mask of the row's bytes in the last word.
    private var last: UInt64 = 0
    /// The start of the second field, and the length from there with the line end.
    var begin = 0
    private(set) var length = 0

    package init() {}

    @inline(__always)
    mutating func reset() {
        count = 0
    }

    /// Stores the shape of a row.
    ///
    /// - Parameters:
    ///   - bytes: the table's bytes, with eight more after the row.
    ///   - begin: the start of its second field.
    ///   - end: the start of the next row.
    @inline(__always)
    mutating func set(_ bytes: RawSpan, _ begin: Int, _ end: Int) {
        (self.begin, length) = (begin, end &- begin)
        count = (length &+ 7) / 8
        guard count <= Self.most else { return reset() }
        last = UInt64.max >> UInt64(truncatingIfNeeded: (count &* 8 &- length) &* 8)
        for index in 0..<count { words[index] = Self.ends(bytes, begin &+ index &* 8) }
        words[count &- 1] &= last
    }

    /// Whether a row has this shape.
    ///
    /// - Parameters:
    ///   - place: the start of its second field.
    ///   - limit: the end of the bytes read so far, with eight more after it.
    @inline(__always)
    func matches(_ bytes: RawSpan, at place: Int, _ limit: Int) -> Bool {
        guard count > 0, place &+ length <= limit else { return false }
        let final = count &- 1
        for index in 0..<final where Self.ends(bytes, place &+ index &* 8) != words[index] { return false }
        return Self.ends(bytes, place &+ final &* 8) & last == words[final]
    }

    /// A word with only the bytes that may end a field; the others are 0.
    @inline(__always)
    private static func ends(_ bytes: RawSpan, _ place: Int) -> UInt64 {
        let word = UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
        // Marks every byte less than '-', and some equal ones: a borrow affects the byte above.
        let hits = (word &- 0x2D2D_2D2D_2D2D_2D2D) & ~word & 0x8080_8080_8080_8080
        return word & (hits >> 7 &* 0xFF)
    }
}
