/// Finds the fields of a row of comma-separated values (RFC 4180) where its bytes are, without copying any: the hot path of
/// a city's timetable, of which a country's has 20 million rows.
///
/// Quoted fields may hold commas, line breaks and doubled quotes; lines end with LF, CRLF or CR. Eight bytes at a time are
/// looked at: what ends a field is less than any byte of a number, a letter or a time.
struct RowScanner: Sendable {
    /// How many bytes after the last one must be there; all of them line feeds.
    static let padding = 8

    private static let comma = UInt8(ascii: ","), quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n"), carriageReturn = UInt8(ascii: "\r")

    /// Which field each column of the file is, -1 where it is none; ends with the last that is wanted.
    private let slots: [Int]
    /// The fields of the columns after the first. Those of columns that are not there are not among them: moved with row
    /// after row they would leave the bytes.
    private let others: [Int]
    /// Whether the first column is wanted, and is not the only one.
    let hasFirst: Bool

    /// A scanner for some columns.
    ///
    /// - Parameter columns: where the file has each field; nil: nowhere. At most ``TableRow/most``.
    init(columns: [Int?]) {
        var slots = [Int](repeating: -1, count: (columns.compactMap(\.self).max() ?? 0) + 1)
        for (slot, column) in columns.prefix(TableRow.most).enumerated() {
            if let column { slots[column] = slot }
        }
        self.slots = slots
        others = slots.dropFirst().filter { $0 >= 0 }
        hasFirst = slots[0] >= 0 && slots.count > 1
    }

    /// Finds the fields of one row.
    ///
    /// - Parameters:
    ///   - bytes: the table's, with ``padding`` after `limit`.
    ///   - start: where the row begins, before `limit`.
    ///   - limit: where the bytes that are known end.
    ///   - isLast: whether no more will come, so that the end of the bytes ends the row.
    ///   - known: bytes of the first field and its comma, where they are those of another row; 0: nothing is known.
    ///   - shape: that of the row before, of which the fields are in `row`; gets this one's.
    ///   - row: gets the fields.
    /// - Returns: where the next row begins; nil: this one does not end in these bytes.
    @inline(__always)
    func scan(
        _ bytes: Span<UInt8>, from start: Int, limit: Int, isLast: Bool, known: Int, _ shape: inout RowShape,
        into row: inout TableRow
    ) -> Int? {
        let begin = start &+ known
        if known > 0, limit &+ Self.padding <= bytes.count, unsafe shape.isThat(of: bytes.bytes, at: begin, limit) {
            let distance = begin &- shape.begin
            for slot in others { row.fields[slot] = row.fields[slot].moved(by: distance) }
            row.fields[slots[0]] = Self.field(start, begin &- 1)
            shape.begin = begin
            return begin &+ shape.length
        }
        shape.forget()
        if let next = plain(bytes, start, limit, known, &row) {
            if known > 0 { unsafe shape.take(bytes.bytes, begin, next) }
            return next
        }
        return careful(bytes, start, limit, isLast, &row)
    }

    /// Finds the fields of one row, of which nothing is known.
    func scan(_ bytes: Span<UInt8>, from start: Int, limit: Int, isLast: Bool, into row: inout TableRow) -> Int? {
        var shape = RowShape()
        return scan(bytes, from: start, limit: limit, isLast: isLast, known: 0, &shape, into: &row)
    }

    /// Finds the fields of a row of which nothing is in quotes or between blanks, as most are.
    ///
    /// - Returns: where the next row begins; nil: it is another row than that, or does not end in these bytes.
    @inline(__always)
    private func plain(
        _ bytes: Span<UInt8>, _ start: Int, _ limit: Int, _ known: Int, _ row: inout TableRow
    ) -> Int? {
        // With this no word reaches beyond the bytes: the line feed at `limit` is found, and the row is given up there.
        guard start &+ known <= limit, limit &+ Self.padding <= bytes.count, bytes[limit] == Self.lineFeed else {
            return nil
        }
        let raw = unsafe bytes.bytes
        var (column, begin, blank) = (0, start &+ known, -1)
        if known > 0 {
            row.fields[slots[0]] = Self.field(start, begin &- 1)
            column = 1
        }
        var place = begin
        while true {
            let word = UInt64(
                littleEndian: unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
            // Every byte that is less than '-', and some that are one: a borrow goes into the byte above.
            var hits = (word &- 0x2D2D_2D2D_2D2D_2D2D) & ~word & 0x8080_8080_8080_8080
            while hits != 0 {
                let bits = hits.trailingZeroBitCount & ~7
                hits &= hits &- 1
                let found = place &+ bits / 8
                switch UInt8(truncatingIfNeeded: word >> UInt64(truncatingIfNeeded: bits)) {
                case Self.comma:
                    guard blank < 0 || blank != found &- 1 else { return nil }
                    if column < slots.count, slots[column] >= 0 { row.fields[slots[column]] = Self.field(begin, found) }
                    column &+= 1
                    begin = found &+ 1
                case Self.lineFeed, Self.carriageReturn:
                    guard found < limit, blank < 0 || blank != found &- 1,
                        let next = Self.next(bytes, after: found, limit, false)
                    else { return nil }
                    let last = Self.field(begin, found)
                    if column < slots.count, slots[column] >= 0 { row.fields[slots[column]] = last }
                    row.lines = 1
                    return finished(&row, column &+ 1, last, at: next)
                case Self.quote, 0x20, 0x09:
                    guard found != begin else { return nil }
                    blank = found
                default: continue
                }
            }
            place &+= 8
        }
    }

    /// Finds the fields of any row.
    private func careful(
        _ bytes: Span<UInt8>, _ start: Int, _ limit: Int, _ isLast: Bool, _ row: inout TableRow
    ) -> Int? {
        var place = start
        var column = 0
        row.lines = 0
        while true {
            while bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
            var field: TableField
            if bytes[place] == Self.quote {
                guard let found = Self.quoted(bytes, &place, limit, isLast, &row.lines) else { return nil }
                field = found
                place = Self.end(of: bytes, from: place)
            } else {
                let begin = place
                place = Self.end(of: bytes, from: place)
                field = Self.field(begin, Self.trimmed(bytes, begin, place))
            }
            if column < slots.count, slots[column] >= 0 { row.fields[slots[column]] = field }
            column += 1
            if place >= limit {
                guard isLast else { return nil }
                return finished(&row, column, field, at: limit)
            }
            if bytes[place] == Self.comma {
                place += 1
            } else {
                guard let next = Self.next(bytes, after: place, limit, isLast) else { return nil }
                row.lines += 1
                return finished(&row, column, field, at: next)
            }
        }
    }

    @inline(__always)
    private static func field(_ start: Int, _ end: Int) -> TableField {
        TableField(start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end))
    }

    /// Blanks the fields that a short row does not have.
    @inline(__always)
    private func finished(_ row: inout TableRow, _ columns: Int, _ last: TableField, at next: Int) -> Int {
        row.columns = min(columns, slots.count)
        row.isBlank = columns == 1 && last.isEmpty
        if columns < slots.count {
            for slot in slots[columns...] where slot >= 0 { row.fields[slot] = TableField() }
        }
        return next
    }

    /// The next comma or line end: the first byte that is less than '-', where it is one of these.
    private static func end(of bytes: Span<UInt8>, from start: Int) -> Int {
        let raw = unsafe bytes.bytes
        var place = start
        while true {
            let word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
            // The lowest bit set is exact: a borrow comes only out of a byte that is less itself.
            let hits = (word &- 0x2D2D_2D2D_2D2D_2D2D) & ~word & 0x8080_8080_8080_8080
            guard hits != 0 else {
                place &+= 8
                continue
            }
            let skipped = hits.trailingZeroBitCount & ~7
            let byte = UInt8(truncatingIfNeeded: word >> UInt64(truncatingIfNeeded: skipped))
            place &+= skipped / 8
            if byte == comma || byte == lineFeed || byte == carriageReturn { return place }
            place += 1
        }
    }

    /// Where a field ends without the blanks after it.
    @inline(__always)
    private static func trimmed(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return end
    }

    /// A field in quotes, which begins at `place`; that is moved after the closing one. Nil: it is not closed in these bytes.
    private static func quoted(
        _ bytes: Span<UInt8>, _ place: inout Int, _ limit: Int, _ isLast: Bool, _ lines: inout Int
    ) -> TableField? {
        var field = TableField()
        place += 1
        var begin = place
        while true {
            guard place < limit else { return nil }
            let byte = bytes[place]
            if byte == quote {
                guard place + 1 < limit || isLast else { return nil }
                guard place + 1 < limit, bytes[place + 1] == quote else { break }
                field.hasDoubledQuotes = true
                place += 1
            } else if byte == lineFeed {
                lines += 1
            }
            place += 1
        }
        while begin < place, bytes[begin] == 0x20 || bytes[begin] == 0x09 { begin += 1 }
        field.start = Int32(truncatingIfNeeded: begin)
        field.end = Int32(truncatingIfNeeded: trimmed(bytes, begin, place))
        place += 1
        return field
    }

    /// Where the line after a line end begins; nil: the bytes end between CR and, perhaps, LF.
    @inline(__always)
    private static func next(_ bytes: Span<UInt8>, after end: Int, _ limit: Int, _ isLast: Bool) -> Int? {
        guard bytes[end] == carriageReturn else { return end + 1 }
        guard end + 1 < limit else { return isLast ? limit : nil }
        return bytes[end + 1] == lineFeed ? end + 2 : end + 1
    }
}
