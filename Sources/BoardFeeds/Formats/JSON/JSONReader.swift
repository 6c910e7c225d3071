/// The JSON parser: records the positions of all values in the order in which they begin.
///
/// As strict as RFC 8259: no superfluous commas, no leading zeros, no bytes below 0x20 in strings, no invalid UTF-8.
/// Two cases that the RFC leaves open are decided on access: of equal names the last one counts, and half a surrogate
/// pair is U+FFFD.
struct JSONReader {
    /// The approximate bytes per value in operators' responses, so that the array is seldom reallocated.
    private static let bytesPerNode = 12

    private var nodes: [JSONNode] = []
    private var position: Int
    /// The innermost open structure, whose link is the one around it until it is closed.
    private var open: UInt32 = 0
    private var depth = 0
    /// What the next byte must be, for a fault.
    private var expected = "a value"

    private let maximumValues: Int

    private init(at position: Int, upTo maximumValues: Int) {
        self.position = position
        self.maximumValues = maximumValues
    }

    /// The nodes of a whole text of at most `maximumValues` values.
    static func nodes(of text: Span<UInt8>, from start: Int, upTo maximumValues: Int) throws(FormatError) -> [JSONNode]
    {
        guard UInt32(exactly: text.count) != nil else { throw FormatError("found more than 4 GB of JSON") }
        // Validated in one pass, which is fast, so nothing else here inspects characters.
        do {
            _ = try UTF8Span(validating: text)
        } catch {
            throw .malformed(after: error.byteOffsets.lowerBound, expected: "UTF-8")
        }
        var reader = JSONReader(at: start, upTo: maximumValues)
        reader.nodes.reserveCapacity(min(text.count / bytesPerNode, maximumValues))
        try reader.value(text)
        while reader.depth > 0 { try reader.parseNext(text) }
        reader.skipBlanks(text)
        reader.expected = "nothing more"
        guard reader.position == text.count else { throw reader.malformed }
        return reader.nodes
    }

    /// Parses a value; for an object or an array, its opening bracket.
    private mutating func value(_ text: Span<UInt8>) throws(FormatError) {
        expected = "a value; texts are in quotation marks"
        switch try next(text) {
        case UInt8(ascii: "\""): try string(.string, text)
        case UInt8(ascii: "{"): try begin(.object)
        case UInt8(ascii: "["): try begin(.array)
        case UInt8(ascii: "t"): try literal("true", .yes, text)
        case UInt8(ascii: "f"): try literal("false", .no, text)
        case UInt8(ascii: "n"): try literal("null", .null, text)
        default: try number(text)
        }
    }

    /// Continues in the innermost structure: parses its end, or its next value.
    private mutating func parseNext(_ text: Span<UInt8>) throws(FormatError) {
        guard nodes.count <= maximumValues else {
            throw FormatError("found JSON with more than \(maximumValues) values, which no response has")
        }
        let isObject = nodes[Int(open)].kind == .object
        let isEmpty = nodes.count == Int(open) + 1
        let key = "a key in quotation marks"
        expected = isEmpty ? isObject ? key : "a value or ]" : isObject ? "a comma or }" : "a comma or ]"
        var byte = try next(text)
        if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return close() }
        if !isEmpty {
            guard byte == UInt8(ascii: ",") else { throw malformed }
            position += 1
            expected = isObject ? key : "a value"
            byte = try next(text)
        }
        if isObject {
            guard byte == UInt8(ascii: "\"") else { throw malformed }
            try string(.key, text)
            expected = "a colon"
            guard try next(text) == UInt8(ascii: ":") else { throw malformed }
            position += 1
        }
        try value(text)
    }

    private mutating func begin(_ kind: JSONNode.Kind) throws(FormatError) {
        guard depth < JSONDocument.maximumDepth else { throw .tooDeep(after: position) }
        let index = UInt32(nodes.count)
        nodes.append(JSONNode(kind: kind, start: UInt32(position), end: 0, link: open))
        open = index
        depth += 1
        position += 1
    }

    private mutating func close() {
        let index = Int(open)
        open = nodes[index].link
        nodes[index].link = UInt32(nodes.count)
        position += 1
        nodes[index].end = UInt32(position)
        depth -= 1
    }

    private mutating func string(_ kind: JSONNode.Kind, _ text: Span<UInt8>) throws(FormatError) {
        position += 1
        var node = JSONNode(kind: kind, start: UInt32(position), end: 0)
        expected = "a quotation mark"
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "\"") {
                node.end = UInt32(position)
                nodes.append(node)
                position += 1
                return
            } else if byte == UInt8(ascii: "\\") {
                node.hasEscapes = true
                try escape(text)
            } else if byte < 0x20 {
                throw malformed
            } else {
                position += 1
            }
        }
        throw .truncated(after: position, expected: expected)
    }

    private mutating func escape(_ text: Span<UInt8>) throws(FormatError) {
        position += 1
        let sign = try byte(text)
        position += 1
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard JSONEscapes.digit(try byte(text)) != nil else { throw malformed }
                position += 1
            }
        default: throw .malformed(after: position - 1, expected: expected)
        }
    }

    private mutating func number(_ text: Span<UInt8>) throws(FormatError) {
        let start = position
        if text[position] == UInt8(ascii: "-") { position += 1 }
        // A leading zero must be the only digit.
        if try byte(text) == UInt8(ascii: "0") { position += 1 } else { try digits(text) }
        if position < text.count, text[position] == UInt8(ascii: ".") {
            position += 1
            try digits(text)
        }
        if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let sign = try byte(text)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try digits(text)
        }
        nodes.append(JSONNode(kind: .number, start: UInt32(start), end: UInt32(position)))
    }

    private mutating func digits(_ text: Span<UInt8>) throws(FormatError) {
        guard try byte(text).isDigit else { throw malformed }
        while position < text.count, text[position].isDigit { position += 1 }
    }

    private mutating func literal(_ name: String, _ kind: JSONNode.Kind, _ text: Span<UInt8>) throws(FormatError) {
        let start = position
        expected = name
        for letter in name.utf8 {
            guard try byte(text) == letter else { throw malformed }
            position += 1
        }
        nodes.append(JSONNode(kind: kind, start: UInt32(start), end: UInt32(position)))
    }

    private mutating func skipBlanks(_ text: Span<UInt8>) {
        while position < text.count, text[position].isBlank { position += 1 }
    }

    /// The next byte that is not blank.
    private mutating func next(_ text: Span<UInt8>) throws(FormatError) -> UInt8 {
        skipBlanks(text)
        return try byte(text)
    }

    private var malformed: FormatError { .malformed(after: position, expected: expected) }

    private func byte(_ text: Span<UInt8>) throws(FormatError) -> UInt8 {
        guard position < text.count else { throw .truncated(after: position, expected: expected) }
        return text[position]
    }
}

/// The escapes in JSON's strings (RFC 8259 §7).
enum JSONEscapes {
    /// The text of a string with well-formed escapes. Half a surrogate pair becomes U+FFFD.
    static func resolved(_ string: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(string.count)
        var position = 0
        while position < string.count {
            guard string[position] == UInt8(ascii: "\\"), position + 1 < string.count else {
                text.append(string[position])
                position += 1
                continue
            }
            if string[position + 1] == UInt8(ascii: "u") {
                text.append(contentsOf: Array(String(scalar(in: string, at: &position)).utf8))
            } else {
                text.append(character(string[position + 1]))
                position += 2
            }
        }
        return text
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    static func digit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte | 0x20) - 0x57
        default: nil
        }
    }

    /// The character for the letter after a backslash.
    private static func character(_ sign: UInt8) -> UInt8 {
        switch sign {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: sign
        }
    }

    /// The scalar of the escape at `position`, or of the two escapes of a surrogate pair.
    private static func scalar(in string: Span<UInt8>, at position: inout Int) -> Unicode.Scalar {
        let first = unit(in: string, at: position) ?? 0
        position += 6
        guard UTF16.isLeadSurrogate(first), let second = unit(in: string, at: position), UTF16.isTrailSurrogate(second)
        else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        position += 6
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// The UTF-16 unit of the `\u` escape at `position`; nil if there is none.
    private static func unit(in string: Span<UInt8>, at position: Int) -> UInt16? {
        guard position + 6 <= string.count, string[position] == UInt8(ascii: "\\"),
            string[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for index in 2..<6 { unit = unit << 4 | (digit(string[position + index]) ?? 0) }
        return unit
    }
}
