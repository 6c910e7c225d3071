/// Where the keys and values of a TOML document stand.
///
/// The parser tells no places of what it accepted. This scanner runs over a text that the parser has accepted, so it
/// looks only for what separates keys and values, and needs no errors of its own but one for depth.
struct TOMLPlaces {
    /// A step from a table to a key, or from a list to an element.
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    /// Where a key and its value stand, in bytes.
    struct Place: Hashable, Sendable {
        /// The key's first byte; of an element, its own.
        let key: Int
        /// The value; of a table with a header, the header's key.
        let value: Range<Int>
    }

    /// More levels than any file of ours has; it bounds every recursion over a document.
    static let maximumDepth = 12

    /// A document with more levels than ``maximumDepth``.
    struct TooDeep: Error {
        /// Where the level begins.
        let offset: Int
    }

    /// The places by path.
    private(set) var places: [[Step]: Place] = [:]
    /// Where strings write a NUL as an escape, which the parser's C interface would take for the end of the text.
    private(set) var nulEscapes: [Int] = []

    private let bytes: [UInt8]
    private var at = 0
    private var elements: [[Step]: Int] = [:]

    /// Scans a text that a TOML parser has accepted.
    init(_ bytes: [UInt8]) throws(TooDeep) {
        self.bytes = bytes
        var table: [Step] = []
        while let byte = next(after: Self.blank + Self.newline) {
            if byte == UInt8(ascii: "[") {
                table = try header()
            } else {
                try pair(in: table)
            }
        }
    }
}

// MARK: - Structure

extension TOMLPlaces {
    /// Reads `[a.b]` or `[[a.b]]` and gives the table's path.
    private mutating func header() throws(TooDeep) -> [Step] {
        let isElement = bytes[at...].starts(with: Array("[[".utf8))
        at += isElement ? 2 : 1
        let parts = dottedKey()
        at += isElement ? 2 : 1
        var path: [Step] = []
        for (index, part) in parts.enumerated() {
            path.append(.key(part.name))
            try note(path, Place(key: part.range.lowerBound, value: part.range))
            if isElement && index == parts.count - 1 {
                elements[path, default: 0] += 1
            }
            // A header inside a list of tables means the list's last element.
            if let count = elements[path] {
                path.append(.index(count - 1))
                try note(path, Place(key: part.range.lowerBound, value: part.range))
            }
        }
        return path
    }

    /// Reads `key = value`.
    private mutating func pair(in table: [Step]) throws(TooDeep) {
        let parts = dottedKey()
        guard let last = parts.last else {
            at += 1  // Not reached in an accepted text; it keeps every text finite.
            return
        }
        var path = table
        for part in parts.dropLast() {
            path.append(.key(part.name))
            try note(path, Place(key: part.range.lowerBound, value: part.range))
        }
        path.append(.key(last.name))
        skip(Self.blank + [UInt8(ascii: "=")])
        try value(path, key: last.range.lowerBound)
    }

    /// Reads a value of any type.
    private mutating func value(_ path: [Step], key: Int?) throws(TooDeep) {
        let start = at
        try note(path, Place(key: key ?? start, value: start..<start))
        switch at < bytes.count ? bytes[at] : 0 {
        case UInt8(ascii: "["):
            at += 1
            var index = 0
            while let byte = next(after: Self.blank + Self.newline + Self.comma), byte != UInt8(ascii: "]") {
                try value(path + [.index(index)], key: nil)
                index += 1
            }
            at += 1
        case UInt8(ascii: "{"):
            at += 1
            while let byte = next(after: Self.blank + Self.newline + Self.comma), byte != UInt8(ascii: "}") {
                try pair(in: path)
            }
            at += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            _ = string()
        default:
            let ends = Array(",]}#\r\n".utf8)
            while at < bytes.count, !ends.contains(bytes[at]) { at += 1 }
            while at > start, Self.blank.contains(bytes[at - 1]) { at -= 1 }
            if at == start { at += 1 }  // Not reached in an accepted text either.
        }
        places[path] = Place(key: key ?? start, value: start..<max(start, min(at, bytes.count)))
    }

    /// Keeps the first place of a path: a table may be named by many headers.
    private mutating func note(_ path: [Step], _ place: Place) throws(TooDeep) {
        guard path.count <= Self.maximumDepth else { throw TooDeep(offset: place.key) }
        if places[path] == nil { places[path] = place }
    }
}

// MARK: - Words

extension TOMLPlaces {
    private static let blank = Array(" \t".utf8)
    private static let newline = Array("\r\n".utf8)
    private static let comma = Array(",".utf8)

    private mutating func skip(_ set: [UInt8]) {
        while at < bytes.count, set.contains(bytes[at]) { at += 1 }
    }

    /// The next byte that is in no comment and not in `set`; nil at the end.
    private mutating func next(after set: [UInt8]) -> UInt8? {
        skip(set)
        while at < bytes.count, bytes[at] == UInt8(ascii: "#") {
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
            skip(set)
        }
        return at < bytes.count ? bytes[at] : nil
    }

    /// Reads `a."b c".d` up to what follows it.
    private mutating func dottedKey() -> [(name: String, range: Range<Int>)] {
        var parts: [(name: String, range: Range<Int>)] = []
        repeat {
            skip(Self.blank + [UInt8(ascii: ".")])
            let start = at
            guard start < bytes.count else { break }
            let name: String
            if bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") {
                name = string()
            } else {
                let ends = Array(".=]} \t\r\n".utf8)
                while at < bytes.count, !ends.contains(bytes[at]) { at += 1 }
                name = String(decoding: bytes[start..<at], as: UTF8.self)
            }
            guard at > start else { break }
            parts.append((name, start..<at))
            skip(Self.blank)
        } while at < bytes.count && bytes[at] == UInt8(ascii: ".")
        return parts
    }

    /// Reads a string of any of the four kinds and gives its text. The text matters for keys, which are of one line.
    private mutating func string() -> String {
        let quote = bytes[at]
        let hasEscapes = quote == UInt8(ascii: "\"")
        let isLong = bytes[at...].starts(with: [quote, quote, quote])
        at += isLong ? 3 : 1
        var text = String.UnicodeScalarView()
        var plain = at
        func flush(_ end: Int, into text: inout String.UnicodeScalarView) {
            text.append(contentsOf: String(decoding: bytes[plain..<end], as: UTF8.self).unicodeScalars)
        }
        while at < bytes.count {
            if hasEscapes, bytes[at] == UInt8(ascii: "\\") {
                flush(at, into: &text)
                if let scalar = escape() { text.append(scalar) }
                plain = at
            } else if !isLong, bytes[at] == quote {
                break
            } else if isLong, bytes[at...].starts(with: [quote, quote, quote]) {
                // Up to two quotes may stand before the three that end it.
                while at + 3 < bytes.count, bytes[at + 3] == quote { at += 1 }
                break
            } else {
                at += 1
            }
        }
        at = min(at, bytes.count)
        flush(at, into: &text)
        at = min(at + (isLong ? 3 : 1), bytes.count)
        return String(text)
    }

    /// Reads one escape; nil for the end of a line, which stands for nothing.
    private mutating func escape() -> Unicode.Scalar? {
        let start = at
        at = min(at + 2, bytes.count)
        guard start + 1 < bytes.count else { return nil }
        let digits: Int
        switch bytes[start + 1] {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "u"): digits = 4
        case UInt8(ascii: "U"): digits = 8
        default: return nil
        }
        let end = min(at + digits, bytes.count)
        let code = UInt32(String(decoding: bytes[at..<end], as: UTF8.self), radix: 16)
        at = end
        if code == 0 { nulEscapes.append(start) }
        return code.flatMap(Unicode.Scalar.init)
    }
}
