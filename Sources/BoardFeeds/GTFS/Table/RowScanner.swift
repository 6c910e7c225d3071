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
    ///   - row: gets the fields.
    /// - Returns: where the next row begins; nil: this one does not end in these bytes.
    @inline(__always)
    func scan(
        _ bytes: Span<UInt8>, from start: Int, limit: Int, isLast: Bool, known: Int = 0, into row: inout TableRow
    ) -> Int? {
        var place = start + known
        var column = 0
        row.lines = 0
        row.isBlank = false
        if known > 0 {
            row.fields[slots[0]] = TableField(
                start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: place - 1))
            column = 1
        }
        while true {
            var field = TableField()
            var byte = bytes[place]
            while byte == 0x20 || byte == 0x09 {
                place += 1
                byte = bytes[place]
            }
            if byte == Self.quote {
                guard let found = Self.quoted(bytes, &place, limit, isLast, &row.lines) else { return nil }
                field = found
                place = Self.end(of: bytes, from: place)
            } else {
                let begin = place
                place = Self.end(of: bytes, from: place)
                field.start = Int32(truncatingIfNeeded: begin)
                field.end = Int32(truncatingIfNeeded: Self.trimmed(bytes, begin, place))
            }
            let slot = slots[column]
            if slot >= 0 { row.fields[slot] = field }
            column += 1
            if place >= limit {
                guard isLast else { return nil }
                return finished(&row, column, field, at: limit)
            }
            if bytes[place] == Self.comma {
                place += 1
                if column == slots.count {
                    row.columns = column
                    return Self.rest(bytes, place, limit, isLast, &row.lines)
                }
            } else {
                guard let next = Self.next(bytes, after: place, limit, isLast) else { return nil }
                row.lines += 1
                return finished(&row, column, field, at: next)
            }
        }
    }

    /// Blanks the fields that a short row does not have.
    private func finished(_ row: inout TableRow, _ columns: Int, _ last: TableField, at next: Int) -> Int {
        row.columns = columns
        row.isBlank = columns == 1 && last.isEmpty
        for column in min(columns, slots.count)..<slots.count where slots[column] >= 0 {
            row.fields[slots[column]] = TableField()
        }
        return next
    }

    /// The next comma or line end: the first byte that is less than '-', where it is one of these.
    @inline(__always)
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

    /// Where the next row begins, from a column on of which nothing is wanted.
    @inline(__always)
    static func rest(
        _ bytes: Span<UInt8>, _ start: Int, _ limit: Int, _ isLast: Bool, _ lines: inout Int
    ) -> Int? {
        // Nearly always there is nothing left but numbers: the line's end is the first byte that is not more than a quote.
        let raw = unsafe bytes.bytes
        var place = start
        while true {
            let word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
            let hits = (word &- 0x2323_2323_2323_2323) & ~word & 0x8080_8080_8080_8080
            guard hits != 0 else {
                place &+= 8
                continue
            }
            place &+= hits.trailingZeroBitCount / 8
            break
        }
        if place < limit, bytes[place] == lineFeed || bytes[place] == carriageReturn {
            lines += 1
            return next(bytes, after: place, limit, isLast)
        }
        place = start
        while true {
            var byte = bytes[place]
            while byte == 0x20 || byte == 0x09 {
                place += 1
                byte = bytes[place]
            }
            if byte == quote, quoted(bytes, &place, limit, isLast, &lines) == nil { return nil }
            place = end(of: bytes, from: place)
            if place >= limit { return isLast ? limit : nil }
            if bytes[place] == comma {
                place += 1
            } else {
                lines += 1
                return next(bytes, after: place, limit, isLast)
            }
        }
    }

    /// Where the line after a line end begins; nil: the bytes end between CR and, perhaps, LF.
    @inline(__always)
    private static func next(_ bytes: Span<UInt8>, after end: Int, _ limit: Int, _ isLast: Bool) -> Int? {
        guard bytes[end] == carriageReturn else { return end + 1 }
        guard end + 1 < limit else { return isLast ? limit : nil }
        return bytes[end + 1] == lineFeed ? end + 2 : end + 1
    }
}
