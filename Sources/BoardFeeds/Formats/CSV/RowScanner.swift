/// Finds the fields of a row of comma-separated values (RFC 4180) in place, without copying bytes: the hot path of
/// reading a timetable; a country's has 20 million rows.
///
/// Quoted fields may contain commas, line breaks and doubled quotes; lines end with LF, CRLF or CR. The scanner tests
/// eight bytes at a time: the bytes that end a field are less than those of digits, letters and times.
struct RowScanner: Sendable {
    /// The number of line feeds that must follow the last byte.
    static let padding = 8

    private static let comma = UInt8(ascii: ","), quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n"), carriageReturn = UInt8(ascii: "\r")

    /// The field of each column of the file, -1: not requested; up to the last requested column.
    private let slots: [Int]
    /// The fields of the columns after the first, without missing ones: moved row by row, they would leave the bytes.
    private let others: [Int]
    /// Whether the first column is requested, and is not the only one.
    let hasFirst: Bool

    /// - Parameter columns: the file's column of each field; nil if missing. At most ``TableRow/maximumFields``.
    init(columns: [Int?]) {
        var slots = [Int](repeating: -1, count: (columns.compactMap(\.self).max() ?? 0) + 1)
        for (slot, column) in columns.prefix(TableRow.maximumFields).enumerated() {
            if let column { slots[column] = slot }
        }
        self.slots = slots
        others = slots.dropFirst().filter { $0 >= 0 }
        hasFirst = slots[0] >= 0 && slots.count > 1
    }

    /// Finds the fields of one row.
    ///
    /// - Parameters:
    ///   - bytes: the table's bytes, with ``padding`` after `limit`.
    ///   - start: the start of the row, before `limit`.
    ///   - limit: the end of the bytes read so far.
    ///   - isLast: whether the stream has ended, so that the end of the bytes ends the row.
    ///   - prefix: the length of the first field and its comma, if equal to another row's; 0: unknown.
    ///   - shape: the shape of the row before, whose fields are in `row`; receives this row's.
    ///   - row: receives the fields.
    /// - Returns: the start of the next row; nil if this one does not end in these bytes.
    @inline(__always)
    func scan(
        _ bytes: Span<UInt8>, from start: Int, limit: Int, isLast: Bool, prefix: Int, _ shape: inout RowShape,
        into row: inout TableRow
    ) -> Int? {
        let begin = start &+ prefix
        // So no word reaches beyond the bytes: the scan stops at the line feed at `limit`.
        guard begin <= limit, limit &+ Self.padding <= bytes.count, bytes[limit] == Self.lineFeed else { return nil }
        if prefix > 0 {
            row.fields[slots[0]] = Self.field(start, begin &- 1)
            if unsafe shape.matches(bytes.bytes, at: begin, limit) {
                let distance = begin &- shape.begin
                for slot in others { row.fields[slot] = row.fields[slot].moved(by: distance) }
                shape.begin = begin
                return begin &+ shape.length
            }
        }
        shape.reset()
        guard let next = fields(bytes, from: begin, limit, isLast, column: prefix > 0 ? 1 : 0, &row) else { return nil }
        if prefix > 0 { unsafe shape.set(bytes.bytes, begin, next) }
        return next
    }

    func scan(_ bytes: Span<UInt8>, from start: Int, limit: Int, isLast: Bool, into row: inout TableRow) -> Int? {
        var shape = RowShape()
        return scan(bytes, from: start, limit: limit, isLast: isLast, prefix: 0, &shape, into: &row)
    }

    /// Finds the fields from a column on.
    ///
    /// - Returns: the start of the next row; nil if this one does not end in these bytes.
    @inline(__always)
    private func fields(
        _ bytes: Span<UInt8>, from first: Int, _ limit: Int, _ isLast: Bool, column firstColumn: Int,
        _ row: inout TableRow
    ) -> Int? {
        let raw = unsafe bytes.bytes
        var (column, begin, place) = (firstColumn, first, first)
        // Whether the field is neither quoted nor has blanks, as most are; the quoted field.
        var (isPlain, quoted) = (true, TableField?.none)
        row.lines = 0
        row.hasLooseQuotes = false
        while true {
            let word = UInt64(
                littleEndian: unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
            // Marks every byte less than '-', and some equal ones: a borrow affects the byte above.
            var hits = (word &- 0x2D2D_2D2D_2D2D_2D2D) & ~word & 0x8080_8080_8080_8080
            var nextPlace = place &+ 8
            while hits != 0 {
                let bits = hits.trailingZeroBitCount & ~7
                hits &= hits &- 1
                let found = place &+ bits / 8
                let byte = UInt8(truncatingIfNeeded: word >> UInt64(truncatingIfNeeded: bits))
                switch byte {
                case Self.comma:
                    let field = isPlain ? Self.field(begin, found) : Self.other(bytes, begin, found, &quoted)
                    if column < slots.count, slots[column] >= 0 { row.fields[slots[column]] = field }
                    column &+= 1
                    begin = found &+ 1
                    isPlain = true
                case Self.lineFeed, Self.carriageReturn:
                    let field = isPlain ? Self.field(begin, found) : Self.other(bytes, begin, found, &quoted)
                    if column < slots.count, slots[column] >= 0 { row.fields[slots[column]] = field }
                    if found >= limit { return isLast ? finished(&row, column &+ 1, field, at: limit) : nil }
                    guard let next = Self.next(bytes, after: found, limit, isLast) else { return nil }
                    row.lines &+= 1
                    return finished(&row, column &+ 1, field, at: next)
                case Self.quote where found == begin:
                    nextPlace = found
                    quoted = Self.quoted(bytes, &nextPlace, limit, isLast, &row)
                    if quoted == nil { return nil }
                    (isPlain, hits) = (false, 0)
                case 0x20, 0x09:
                    if found == begin { begin &+= 1 } else { isPlain = false }
                default: continue
                }
            }
            place = nextPlace
        }
    }

    /// A field that is quoted, or that has blanks.
    private static func other(_ bytes: Span<UInt8>, _ begin: Int, _ end: Int, _ quoted: inout TableField?) -> TableField
    {
        defer { quoted = nil }
        return quoted ?? field(begin, trimmed(bytes, begin, end))
    }

    @inline(__always)
    private static func field(_ start: Int, _ end: Int) -> TableField {
        TableField(start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end))
    }

    /// Clears the missing fields of a short row.
    @inline(__always)
    private func finished(_ row: inout TableRow, _ columns: Int, _ last: TableField, at next: Int) -> Int {
        row.columns = min(columns, slots.count)
        row.isBlank = columns == 1 && last.isEmpty
        if columns < slots.count {
            for slot in slots[columns...] where slot >= 0 { row.fields[slot] = TableField() }
        }
        return next
    }

    @inline(__always)
    private static func trimmed(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return end
    }

    /// The quoted field at `place`, which moves after the closing quote; nil if it is not closed in these bytes.
    ///
    /// Quotes that are not doubled make the row faulty. They are text up to a quote before a comma or the end of the
    /// line; without such a quote, the first of them closes the field.
    private static func quoted(
        _ bytes: Span<UInt8>, _ place: inout Int, _ limit: Int, _ isLast: Bool, _ row: inout TableRow
    ) -> TableField? {
        var field = TableField()
        place += 1
        var (begin, firstLoose) = (place, Int?.none)
        scan: while true {
            guard place < limit || isLast && firstLoose != nil else { return nil }
            let isLineEnd =
                place >= limit || bytes[place] == lineFeed || firstLoose != nil && bytes[place] == carriageReturn
            if let firstLoose, isLineEnd || bytes[place] == quote && bytes[place - 1] == comma {
                // There is no closing quote before the end of the line, or before the next quoted field.
                place = firstLoose
                break
            }
            if bytes[place] == quote {
                let isDoubled = place + 1 < limit && bytes[place + 1] == quote
                var next = place + (isDoubled ? 2 : 1)
                while next < limit, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
                guard next < limit || isLast else { return nil }
                let isEnd = next >= limit || [comma, lineFeed, carriageReturn].contains(bytes[next])
                switch (isDoubled, isEnd) {
                case (true, _) where firstLoose == nil:
                    field.hasDoubledQuotes = true
                    place += 1
                case (true, true):
                    place += 1
                    break scan
                case (false, true): break scan
                default: firstLoose = firstLoose ?? place
                }
            } else if bytes[place] == lineFeed {
                row.lines += 1
            }
            place += 1
        }
        row.hasLooseQuotes = row.hasLooseQuotes || firstLoose != nil
        while begin < place, bytes[begin] == 0x20 || bytes[begin] == 0x09 { begin += 1 }
        field.start = Int32(truncatingIfNeeded: begin)
        field.end = Int32(truncatingIfNeeded: trimmed(bytes, begin, place))
        place += 1
        return field
    }

    /// The start of the line after a line end; nil if the bytes end after CR, before a possible LF.
    @inline(__always)
    private static func next(_ bytes: Span<UInt8>, after end: Int, _ limit: Int, _ isLast: Bool) -> Int? {
        guard bytes[end] == carriageReturn else { return end + 1 }
        guard end + 1 < limit else { return isLast ? limit : nil }
        return bytes[end + 1] == lineFeed ? end + 2 : end + 1
    }
}

/// The field boundaries of a row, for comparison with the next row: in a trip's rows, times, stop and the rest mostly
/// have the lengths of the row before, so their fields need no scan.
///
/// It consists of all bytes less than '-' at their offsets: two rows with equal ones have equal field boundaries. The
/// first field is not part of it.
struct RowShape {
    /// The most words of a row that are compared.
    private static let maximumWords = 6

    /// Words of eight bytes; bytes that do not end a field are 0.
    private var words = InlineArray<6, UInt64>(repeating: 0)
    private var count = 0
    /// A mask of the row's bytes in the last word.
    private var last: UInt64 = 0
    /// The start of the second field, and the length from there with the line end.
    var begin = 0
    private(set) var length = 0

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
        self.begin = begin
        length = end &- begin
        count = (length &+ 7) / 8
        guard count <= Self.maximumWords else { return reset() }
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

package protocol ByteSource: AnyObject {
    /// Writes the next bytes to a part of `buffer`.
    ///
    /// - Parameter room: the part to write to; not empty.
    /// - Returns: the number of bytes; 0 at the end.
    func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(TableError) -> Int
}

final class MemoryBytes: ByteSource {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: inout [UInt8], _ room: Range<Int>) -> Int {
        let count = min(room.count, bytes.count - place)
        buffer.replaceSubrange(room.prefix(count), with: bytes[place..<place + count])
        place += count
        return count
    }
}
