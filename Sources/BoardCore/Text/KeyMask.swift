/// Finds keys in text from other sources, plain or encoded: an operator may repeat the request in an error, an address
/// or a page. For logs, reports and recordings.
///
/// In an encoded key any character is written as `%2B` or `%2b` (RFC 3986 §2.1), as `\u002b`, `\x2b` or `\/` (JSON and
/// scripts), or as `&#43;`, `&#x2b;` or `&amp;` (XML and HTML), encoded up to three times.
public struct KeyMask: Sendable {
    /// How many times a text may have been encoded.
    private static let layers = 3
    private static let entities: [(name: [UInt8], value: UInt8)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("plus", "+"), ("sol", "/"),
        ("equals", "="), ("percnt", "%"), ("lowbar", "_"), ("commat", "@"), ("colon", ":"), ("num", "#"),
    ].map { (Array($0.utf8), Array(($1 as String).utf8)[0]) }

    private let keys: [[UInt8]]

    /// A mask for these keys; ignores empty ones.
    public init(_ keys: some Sequence<String>) {
        self.keys = Set(keys).map { Array($0.utf8) }.filter { !$0.isEmpty }
    }

    /// The ranges of keys in a text, in order; overlapping ranges are merged.
    public func ranges(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for key in keys {
            var position = 0
            while position < text.count {
                guard let end = Self.end(of: key[...], in: text, at: position) else {
                    position += 1
                    continue
                }
                found.append(position..<end)
                position = end
            }
        }
        var merged: [Range<Int>] = []
        for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    public func masking(_ text: String, with mark: String) -> String {
        let bytes = Array(text.utf8)
        let ranges = ranges(in: bytes)
        guard !ranges.isEmpty else { return text }
        var result: [UInt8] = []
        var position = 0
        for range in ranges {
            result += bytes[position..<range.lowerBound] + Array(mark.utf8)
            position = range.upperBound
        }
        return String(decoding: result + bytes[position...], as: UTF8.self)
    }

    /// The end of a key that begins at `position`; nil if there is none.
    private static func end(of key: ArraySlice<UInt8>, in text: [UInt8], at position: Int) -> Int? {
        guard let first = key.first else { return position }
        guard position < text.count else { return nil }
        if !isIntroducer(text[position]) {
            return text[position] == first ? end(of: key.dropFirst(), in: text, at: position + 1) : nil
        }
        // A character that introduces an escape may also stand for itself.
        var last = -1
        for layer in 0...layers {
            guard let unit = unit(layer, of: text, at: position), unit.next != last else { continue }
            last = unit.next
            if unit.value == first, let end = end(of: key.dropFirst(), in: text, at: unit.next) { return end }
        }
        return nil
    }

    private static func isIntroducer(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
    }

    /// One character of a text that was encoded `layer` times, and the position of the next one; nil at the end.
    private static func unit(_ layer: Int, of text: [UInt8], at position: Int) -> (value: UInt8, next: Int)? {
        guard position < text.count else { return nil }
        guard layer > 0, isIntroducer(text[position]) else { return (text[position], position + 1) }
        guard let outer = unit(layer - 1, of: text, at: position) else { return nil }
        switch outer.value {
        case UInt8(ascii: "%"): return number(digits: 2, radix: 16, layer - 1, text, outer.next) ?? outer
        case UInt8(ascii: "\\"):
            guard let escaped = unit(layer - 1, of: text, at: outer.next) else { return outer }
            switch escaped.value {
            case UInt8(ascii: "u"): return number(digits: 4, radix: 16, layer - 1, text, escaped.next) ?? outer
            case UInt8(ascii: "x"): return number(digits: 2, radix: 16, layer - 1, text, escaped.next) ?? outer
            default: return escaped
            }
        case UInt8(ascii: "&"): return entity(layer - 1, text, outer.next) ?? outer
        default: return outer
        }
    }

    /// A number with `count` digits that is an ASCII character.
    private static func number(
        digits count: Int, radix: Int, _ layer: Int, _ text: [UInt8], _ start: Int
    ) -> (value: UInt8, next: Int)? {
        var (value, next) = (0, start)
        for _ in 0..<count {
            guard let digit = unit(layer, of: text, at: next), let number = hexValue(digit.value), number < radix
            else { return nil }
            value = value * radix + number
            next = digit.next
        }
        return UInt8(exactly: value).map { ($0, next) }
    }

    /// The character after `&`: `#43;`, `#x2B;` or `amp;`. HTML allows a number without the semicolon.
    private static func entity(_ layer: Int, _ text: [UInt8], _ start: Int) -> (value: UInt8, next: Int)? {
        guard let first = unit(layer, of: text, at: start) else { return nil }
        var next = start
        guard first.value == UInt8(ascii: "#") else {
            // The length of the longest name.
            var name: [UInt8] = []
            while name.count < 6, let letter = unit(layer, of: text, at: next),
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter.value)
            {
                next = letter.next
                name.append(letter.value)
            }
            guard let end = unit(layer, of: text, at: next), end.value == UInt8(ascii: ";") else { return nil }
            return entities.first { $0.name == name }.map { ($0.value, end.next) }
        }
        next = first.next
        var radix = 10
        if let mark = unit(layer, of: text, at: next), mark.value | 0x20 == UInt8(ascii: "x") {
            radix = 16
            next = mark.next
        }
        // Leading zeros are allowed, up to this many digits in total.
        var (value, digits) = (0, 0)
        while digits < 8, let digit = unit(layer, of: text, at: next), let number = hexValue(digit.value),
            number < radix
        {
            value = min(value * radix + number, 0x11_0000)
            next = digit.next
            digits += 1
        }
        guard digits > 0, let byte = UInt8(exactly: value) else { return nil }
        if let end = unit(layer, of: text, at: next), end.value == UInt8(ascii: ";") { next = end.next }
        return (byte, next)
    }

    private static func hexValue(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
