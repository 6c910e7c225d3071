/// Where the fields of a row end, to be held against the row after it: in a trip's rows the times, the stop and the rest are
/// mostly as long as in the row before, and are found without a look at any of them.
///
/// It is all bytes that are less than '-' at their places: two rows with the same of these have their fields at the same
/// places. What is in the first field is not part of it.
struct RowShape {
    /// The most words of a row that are held against another.
    private static let most = 6

    /// Words of eight bytes, the others of which are 0.
    private var words = InlineArray<6, UInt64>(repeating: 0)
    private var count = 0
    /// The bytes of the last word that are the row's.
    private var last: UInt64 = 0
    /// Where it began behind its first field, and how long it was from there with its line end.
    var begin = 0
    private(set) var length = 0

    /// Nothing is known.
    init() {}

    /// Forgets the row.
    @inline(__always)
    mutating func forget() {
        count = 0
    }

    /// Takes another row.
    ///
    /// - Parameters:
    ///   - bytes: the table's; eight more than the row's are there.
    ///   - begin: where its second field begins.
    ///   - end: where the next row begins.
    @inline(__always)
    mutating func take(_ bytes: RawSpan, _ begin: Int, _ end: Int) {
        (self.begin, length) = (begin, end &- begin)
        count = (length &+ 7) / 8
        guard count <= Self.most else { return forget() }
        last = UInt64.max >> UInt64(truncatingIfNeeded: (count &* 8 &- length) &* 8)
        for index in 0..<count { words[index] = Self.ends(bytes, begin &+ index &* 8) }
        words[count &- 1] &= last
    }

    /// Whether a row has this shape.
    ///
    /// - Parameters:
    ///   - place: where its second field begins.
    ///   - limit: where the bytes that are known end; eight more are there.
    @inline(__always)
    func isThat(of bytes: RawSpan, at place: Int, _ limit: Int) -> Bool {
        guard count > 0, place &+ length <= limit else { return false }
        let final = count &- 1
        for index in 0..<final where Self.ends(bytes, place &+ index &* 8) != words[index] { return false }
        return Self.ends(bytes, place &+ final &* 8) & last == words[final]
    }

    /// The bytes of a word that may end a field, the others 0.
    @inline(__always)
    private static func ends(_ bytes: RawSpan, _ place: Int) -> UInt64 {
        let word = UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
        // Every byte that is less than '-', and some that are one: a borrow goes into the byte above.
        let hits = (word &- 0x2D2D_2D2D_2D2D_2D2D) & ~word & 0x8080_8080_8080_8080
        return word & (hits >> 7 &* 0xFF)
    }
}
