internal import BoardCore

/// Reads JSON (RFC 8259) front to back, one value at a time, and keeps only what it is asked for.
///
/// Made for operators' answers: a caller takes rows one by one, so that a bad value costs its row and no more, and
/// "absent, null, "" and "null" all mean no value" is decided here once. Of values that are skipped only the strings and
/// the balance of brackets are checked. (Foundation's decoder needs 2.4 times the time of Python's json for 60 rows of
/// TfL's, this one less than half of that decoder's.)
struct JSONReader {
    /// What a value is, by its first byte.
    enum Kind: Hashable {
        case object, array, string, number, bool, null
    }

    /// Brackets inside each other that are followed; no operator sends ten.
    private static let deepest = 64

    private let bytes: [UInt8]
    private var position = 0

    /// A reader at the start of `bytes`, past a UTF-8 byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// What comes next; moves past white space only.
    mutating func kind() throws(JSONError) -> Kind {
        skipBlanks()
        guard position < bytes.count else { throw failure("the text ends where a value was expected") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw failure("a value was expected")
        }
    }

    /// Calls `each` at every element of the array that comes next. An element that it leaves alone is skipped.
    mutating func elements(_ each: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        try list(from: "[", to: "]") { reader throws(JSONError) in
            try reader.offer(each)
        }
    }

    /// Calls `each` with every name of the object that comes next, at its value. A value that it leaves alone is skipped.
    mutating func members(_ each: (String, inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        try list(from: "{", to: "}") { reader throws(JSONError) in
            let name = try reader.string()
            try reader.expect(":")
            try reader.offer { reader throws(JSONError) in try each(name, &reader) }
        }
    }

    /// The value that comes next as text: nil for null, "", "null", blanks alone, and for an object or an array.
    ///
    /// A number and a truth value are given as they are written: operators change their minds about quotes.
    mutating func text() throws(JSONError) -> String? {
        switch try kind() {
        case .object, .array:
            try skip()
            return nil
        case .string:
            let text = try string()
            let clean = text.utf8.first.map { $0 <= 0x20 } ?? false || text.utf8.last.map { $0 <= 0x20 } ?? false
            let value = clean ? text.trimmingBlanks() : text
            return value.isEmpty || value == "null" ? nil : value
        case .number, .bool, .null:
            let start = position
            try skip()
            let word = String(decoding: bytes[start..<position], as: UTF8.self)
            return word == "null" ? nil : word
        }
    }

    /// The value that comes next as a whole number, quoted or not; nil for anything else.
    mutating func integer() throws(JSONError) -> Int? {
        try text().flatMap { Int($0) }
    }

    /// The value that comes next as a moment; nil where it names none ("0001-01-01T00:00:00").
    mutating func time() throws(JSONError) -> Timestamp? {
        guard try kind() == .string else {
            try skip()
            return nil
        }
        let content = try stringContent()
        return Timestamp(rfc3339: bytes.span.extracting(content.range))
    }

    /// Moves past the value that comes next.
    mutating func skip() throws(JSONError) {
        var depth = 0
        /// Bit n: whether bracket n is one of an object.
        var objects: UInt64 = 0
        repeat {
            skipBlanks()
            guard position < bytes.count else { throw failure("the text ends inside a value") }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                _ = try stringContent()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < Self.deepest else {
                    throw failure("more than \(Self.deepest) brackets inside each other")
                }
                let bit = UInt64(1) << UInt64(depth)
                objects = bytes[position] == UInt8(ascii: "{") ? objects | bit : objects & ~bit
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                let isObject = bytes[position] == UInt8(ascii: "}")
                guard depth > 0, (objects >> UInt64(depth - 1) & 1 == 1) == isObject else {
                    throw failure("a bracket closes what is not open")
                }
                depth -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw failure("a value was expected") }
                position += 1
            default:
                try skipWord()
            }
        } while depth > 0
    }

    /// Makes sure that nothing but white space is left.
    mutating func end() throws(JSONError) {
        skipBlanks()
        guard position == bytes.count else { throw failure("the end was expected") }
    }

    /// Calls `item` at each item between brackets.
    private mutating func list(
        from open: Unicode.Scalar, to close: Unicode.Scalar,
        _ item: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try expect(open)
        if take(close) { return }
        repeat {
            try item(&self)
        } while take(",")
        try expect(close)
    }

    /// Lets `reader` take the next value, or skips it.
    private mutating func offer(_ reader: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        skipBlanks()
        let start = position
        try reader(&self)
        if position == start { try skip() }
    }

    /// The string that comes next, its escapes resolved. Bytes that are no UTF-8 become U+FFFD.
    private mutating func string() throws(JSONError) -> String {
        let content = try stringContent()
        let raw = bytes[content.range]
        return content.hasEscapes ? JSONEscapes.resolved(raw) : String(decoding: raw, as: UTF8.self)
    }

    /// Moves past a string and says where its content lies.
    private mutating func stringContent() throws(JSONError) -> (range: Range<Int>, hasEscapes: Bool) {
        try expect("\"")
        let start = position
        var hasEscapes = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return (start..<position - 1, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position += 2
            default:
                position += 1
            }
        }
        position = bytes.count
        throw failure("the text ends inside a string")
    }

    /// Moves past a number, true, false or null.
    private mutating func skipWord() throws(JSONError) {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"):
                position += 1
                continue
            default: break
            }
            break
        }
        guard position > start else { throw failure("a value was expected") }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard take(character) else { throw failure("\"\(character)\" was expected") }
    }

    /// Moves past white space and then past `character`, if it is there.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private func failure(_ detail: String) -> JSONError {
        JSONError(offset: position, detail: detail)
    }
}

/// Where a text is not JSON.
struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The byte, from 0.
    let offset: Int
    /// What was expected there.
    let detail: String

    var description: String { "at byte \(offset) \(detail)" }
}
