/// The place of malformed bytes in a protobuf message.
struct WireError: Error, Hashable {
    let place: Int
}

/// The fields of a protobuf message in their order, without copying or decoding their contents.
///
/// See https://protobuf.dev/programming-guides/encoding/. Groups, which are deprecated, are skipped.
struct WireFields {
    struct Field {
        /// The field's number, from 1.
        let number: Int
        /// The bytes of a text or a message; empty for numbers.
        let range: Range<Int>
        /// The value of a varint; 0 for texts, messages and the two fixed types.
        let value: UInt64
    }

    /// The deepest nesting of groups.
    private static let maximumDepth = 100
    private static let maximumFieldNumber = 0x1FFF_FFFF
    /// The most bytes of a varint: 70 bits for 64.
    private static let maximumNumberLength = 10

    private var place: Int
    private let end: Int

    init(_ range: Range<Int>) {
        place = range.lowerBound
        end = range.upperBound
    }

    /// The next field; nil after the last. Skips groups.
    mutating func next(in bytes: Span<UInt8>) throws(WireError) -> Field? {
        while place < end {
            let tag = try number(in: bytes)
            let field = Int(truncatingIfNeeded: tag >> 3)
            guard field > 0, field <= Self.maximumFieldNumber else { throw WireError(place: place) }
            switch tag & 7 {
            case 0: return Field(number: field, range: nowhere, value: try number(in: bytes))
            case 2:
                let length = try number(in: bytes)
                guard length <= UInt64(truncatingIfNeeded: end &- place) else { throw WireError(place: place) }
                let start = place
                place &+= Int(truncatingIfNeeded: length)
                return Field(number: field, range: unsafe Range(uncheckedBounds: (start, place)), value: 0)
            case 1: return Field(number: field, range: try skip(8), value: 0)
            case 5: return Field(number: field, range: try skip(4), value: 0)
            case 3: try skipGroup(field, in: bytes)
            default: throw WireError(place: place)
            }
        }
        return nil
    }

    /// The value at an offset of a field with a varint of five bytes; nil for another field or length.
    static func number(_ field: UInt8, ofFiveBytesAt place: Int, in bytes: Span<UInt8>) -> UInt64? {
        guard place >= 0, place &+ 8 <= bytes.count else { return nil }
        let raw = unsafe bytes.bytes
        let word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
        guard word & 0x8080_8080_80FF == 0x0080_8080_8000 | UInt64(field << 3) else { return nil }
        return sevens(word >> 8 & 0x7F_7F7F_7F7F)
    }

    /// The value of bytes with seven bits each, merged pairwise.
    @inline(__always)
    private static func sevens(_ bytes: UInt64) -> UInt64 {
        var value = bytes
        value = value & 0x007F_007F_007F_007F | (value & 0x7F00_7F00_7F00_7F00) >> 1
        value = value & 0x0000_3FFF_0000_3FFF | (value & 0x3FFF_0000_3FFF_0000) >> 2
        return value & 0x0000_0000_0FFF_FFFF | (value & 0x0FFF_FFFF_0000_0000) >> 4
    }

    var nowhere: Range<Int> { unsafe Range(uncheckedBounds: (place, place)) }

    static func text(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes.extracting(range)))
        } catch {
            throw WireError(place: range.lowerBound)
        }
    }

    /// A field's text; nil if empty.
    static func nonEmptyText(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) -> String? {
        range.isEmpty ? nil : try text(range, of: bytes)
    }

    mutating func skip(_ count: Int) throws(WireError) -> Range<Int> {
        guard count <= end - place else { throw WireError(place: place) }
        place += count
        return place..<place
    }

    mutating func number(in bytes: Span<UInt8>) throws(WireError) -> UInt64 {
        guard place < end else { throw WireError(place: place) }
        let first = bytes[place]
        if first < 0x80 {
            place &+= 1
            return UInt64(first)
        }
        return try longNumber(in: bytes)
    }

    mutating func longNumber(in bytes: Span<UInt8>) throws(WireError) -> UInt64 {
        if place &+ 8 <= end {
            let raw = unsafe bytes.bytes
            let word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
            let ends = ~word & 0x8080_8080_8080_8080
            if ends != 0 {
                // The bytes up to and including the first without the highest bit.
                place &+= ends.trailingZeroBitCount / 8 &+ 1
                return Self.sevens(word & (ends ^ (ends &- 1)) & 0x7F7F_7F7F_7F7F_7F7F)
            }
        }
        var value: UInt64 = 0
        var shift: UInt64 = 0
        let limit = min(end, place &+ Self.maximumNumberLength)
        var index = place
        while index < limit {
            let byte = bytes[index]
            index &+= 1
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 {
                place = index
                return value
            }
            shift &+= 7
        }
        throw WireError(place: place)
    }

    /// Skips a group and the groups in it.
    mutating func skipGroup(_ field: Int, in bytes: Span<UInt8>) throws(WireError) {
        var open = [field]
        while let innermost = open.last {
            let tag = try number(in: bytes)
            let field = Int(truncatingIfNeeded: tag >> 3)
            switch tag & 7 {
            case 0: _ = try number(in: bytes)
            case 1: _ = try skip(8)
            case 2:
                let length = try number(in: bytes)
                guard length <= UInt64(end - place) else { throw WireError(place: place) }
                place += Int(length)
            case 3 where open.count < Self.maximumDepth: open.append(field)
            case 4 where field == innermost: open.removeLast()
            case 5: _ = try skip(4)
            default: throw WireError(place: place)
            }
        }
    }
}
