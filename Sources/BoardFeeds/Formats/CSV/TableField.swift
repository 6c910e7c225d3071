import BoardCore

/// The range of a field in its table's bytes, without surrounding blanks and quotes.
struct TableField {
    var start: Int32 = 0
    var end: Int32 = 0
    /// Whether it contains doubled quotes, each of which stands for one.
    var hasDoubledQuotes = false

    /// Whether it is blank, or missing in a short row.
    var isEmpty: Bool { start == end }
    func moved(by distance: Int) -> TableField {
        let distance = Int32(truncatingIfNeeded: distance)
        return TableField(start: start &+ distance, end: end &+ distance, hasDoubledQuotes: hasDoubledQuotes)
    }

    var range: Range<Int> { Int(start)..<Int(max(start, end)) }
}

struct TableRow {
    static let maximumFields = 12

    /// In the order of the request.
    var fields = InlineArray<12, TableField>(repeating: TableField())
    /// The number of scanned columns, up to the last requested one.
    var columns = 0
    /// The number of line breaks: the final one, and those in quotes.
    var lines = 0
    /// Whether quotes in a quoted field are not doubled.
    var hasLooseQuotes = false
    var isBlank = false

    subscript(_ place: Int) -> TableField { fields[place] }
}

extension Span<UInt8> {
    func text(_ field: TableField) -> String {
        if field.hasDoubledQuotes { return String(encoded: unescaped(field)) }
        return unsafe extracting(field.range).withUnsafeBufferPointer { unsafe String(encoded: $0) }
    }

    /// The bytes of a field with each doubled quote reduced to one.
    func unescaped(_ field: TableField) -> [UInt8] {
        var result: [UInt8] = []
        var isQuote = false
        for place in field.range {
            let byte = self[place]
            isQuote = byte == UInt8(ascii: "\"") && !isQuote
            if !isQuote || !field.hasDoubledQuotes { result.append(byte) }
        }
        return result
    }

    /// A decimal integer, optionally signed; nil if invalid or longer than nine digits.
    func integer(_ field: TableField) -> Int? {
        var range = field.range
        guard !range.isEmpty else { return nil }
        let first = self[range.lowerBound]
        if range.count == 1 {
            let digit = first &- UInt8(ascii: "0")
            return digit < 10 ? Int(digit) : nil
        }
        let isNegative = first == UInt8(ascii: "-")
        if isNegative || first == UInt8(ascii: "+") { range = range.lowerBound + 1..<range.upperBound }
        guard let number = digits(range) else { return nil }
        return isNegative ? -number : number
    }

    /// The seconds of `H:MM:SS` or `HH:MM:SS`, less than 240 hours; nil if invalid. A few feeds omit the seconds.
    func time(_ field: TableField) -> Int32? {
        guard field.end &- field.start == 8 else { return otherTime(field) }
        let raw = unsafe bytes
        let word = UInt64(
            littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: Int(field.start), as: UInt64.self))
        // One byte each: the value of a digit, 0 for a colon, more than 9 for anything else.
        let digits = word &- 0x3030_3A30_303A_3030
        let isTime =
            ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080 == 0
            && digits & 0x0000_FF00_00FF_0000 == 0
        guard isTime else { return otherTime(field) }
        let hour = (digits & 0xF) &* 10 &+ (digits >> 8 & 0xF)
        let minute = (digits >> 24 & 0xF) &* 10 &+ (digits >> 32 & 0xF)
        let second = (digits >> 48 & 0xF) &* 10 &+ (digits >> 56)
        guard minute < 60, second < 60 else { return nil }
        return Int32(truncatingIfNeeded: hour &* 3_600 &+ minute &* 60 &+ second)
    }

    func otherTime(_ field: TableField) -> Int32? {
        let end = Int(field.end)
        var place = Int(field.start)
        var parts: (Int, Int, Int) = (0, 0, 0)
        var count = 0
        while place <= end, count < 3 {
            var stop = place
            while stop < end, self[stop] != UInt8(ascii: ":") { stop += 1 }
            guard stop - place <= 3, let number = digits(place..<stop) else { return nil }
            parts = (parts.1, parts.2, number)
            count += 1
            place = stop + 1
        }
        if count == 2 { parts = (parts.1, parts.2, 0) }
        guard count >= 2, place > end, parts.0 < 240, parts.1 < 60, parts.2 < 60 else { return nil }
        return Int32(parts.0 * 3_600 + parts.1 * 60 + parts.2)
    }

    /// A day as YYYYMMDD; nil if invalid.
    func date(_ field: TableField) -> CivilDate? {
        guard field.range.count == 8, let number = digits(field.range) else { return nil }
        return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// A number with an optional decimal point; nil if invalid.
    func decimal(_ field: TableField) -> Double? {
        var (digits, fraction, hasPoint): (Int, Double, Bool) = (0, 1, false)
        for place in field.range {
            let digit = self[place] &- UInt8(ascii: "0")
            if digit < 10, digits < 100_000_000_000_000 {
                digits = digits * 10 + Int(digit)
                if hasPoint { fraction *= 10 }
            } else if self[place] == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else {
                // A sign, an exponent, or more digits than a Double holds.
                guard let number = Double(text(field)), number.isFinite else { return nil }
                return number
            }
        }
        return field.range.count > (hasPoint ? 1 : 0) ? Double(digits) / fraction : nil
    }

    /// Whether the bytes at two offsets are equal; all of them must be before `limit`.
    @inline(__always)
    func has(_ count: Int, at place: Int, as other: Int, _ limit: Int) -> Bool {
        place + count <= limit && isSame(place..<place + count, in: self, other..<other + count)
    }

    /// Whether some bytes are those of a part of another span; eight at a time.
    @inline(__always)
    func isSame(_ range: Range<Int>, in other: Span<UInt8>, _ part: Range<Int>) -> Bool {
        guard range.count == part.count, range.lowerBound >= 0, range.upperBound <= count, part.lowerBound >= 0,
            part.upperBound <= other.count
        else { return false }
        let raw = unsafe (bytes, other.bytes)
        var (one, two) = (range.lowerBound, part.lowerBound)
        func words() -> UInt64 {
            let (left, right) = unsafe (
                raw.0.unsafeLoadUnaligned(fromUncheckedByteOffset: one, as: UInt64.self),
                raw.1.unsafeLoadUnaligned(fromUncheckedByteOffset: two, as: UInt64.self)
            )
            return UInt64(littleEndian: left ^ right)
        }
        while one &+ 8 <= range.upperBound {
            guard words() == 0 else { return false }
            one &+= 8
            two &+= 8
        }
        if one &+ 8 <= count, two &+ 8 <= other.count {
            // The rest of these bytes belongs to what follows.
            let left = UInt64(truncatingIfNeeded: range.upperBound &- one)
            return words() & ((1 &<< (left &* 8)) &- 1) == 0
        }
        while one < range.upperBound {
            guard self[one] == other[two] else { return false }
            one += 1
            two += 1
        }
        return true
    }

    /// A number of one to nine digits.
    func digits(_ range: Range<Int>) -> Int? {
        guard (1...9).contains(range.count) else { return nil }
        var number = 0
        for place in range {
            let digit = self[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }
}

extension Table {
    /// The text of a field of the current row; empty if blank.
    func text(_ place: Int) -> String { bytes.span.text(row[place]) }

    /// The fault of a row whose text is used nonetheless.
    var looseQuotes: TableError {
        TableError(kind: .badValue, file: name, line: line, detail: "found a quote in quotes that is not doubled")
    }
}
