/// Reads a text of JSON from its first byte to its last, and notes its values in the order in which they begin.
///
/// Strict where RFC 8259 is: no commas too many, no leading zeros, no bytes below 0x20 in strings, no invalid UTF-8. Two things
/// that it leaves open are decided where values are asked for: of equal names the last one counts, and half a
/// surrogate pair is U+FFFD.
struct JSONReader {
    /// About as many bytes as there are for a value in operators' answers, so that the notes seldom move.
    private static let bytesPerNode = 12

    private var nodes: [JSONNode] = []
    /// The next byte.
    private var place: Int
    /// The innermost structure that is open; while it is, its link is the one around it.
    private var open: UInt32 = 0
    private var depth = 0

    private init(at place: Int) {
        self.place = place
    }

    /// The notes of a whole text.
    ///
    /// - Parameter start: where it begins.
    /// - Throws: ``JSONFault`` where it ends too soon or cannot be read on.
    static func nodes(of text: Span<UInt8>, from start: Int) throws(JSONFault) -> [JSONNode] {
        guard UInt32(exactly: text.count) != nil else { throw JSONFault("found more JSON than any answer has") }
        // Its quick way through is why nothing else here looks at what is inside of a character.
        do {
            _ = try UTF8Span(validating: text)
        } catch {
            throw .malformed(after: error.byteOffsets.lowerBound)
        }
        var reader = JSONReader(at: start)
        reader.nodes.reserveCapacity(min(text.count / bytesPerNode, ResponseLimits.values))
        try reader.value(text)
        while reader.depth > 0 { try reader.goOn(text) }
        reader.skipBlanks(text)
        guard reader.place == text.count else { throw .malformed(after: reader.place) }
        return reader.nodes
    }

    /// Reads a value; of an object or an array its opening bracket.
    private mutating func value(_ text: Span<UInt8>) throws(JSONFault) {
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

    /// Reads on inside of the innermost structure: its end, or its next value.
    private mutating func goOn(_ text: Span<UInt8>) throws(JSONFault) {
        guard nodes.count <= ResponseLimits.values else {
            throw JSONFault("found JSON with more than \(ResponseLimits.values) values, which no response has")
        }
        let isObject = nodes[Int(open)].kind == .object
        let isEmpty = nodes.count == Int(open) + 1
        var byte = try next(text)
        if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return close() }
        if !isEmpty {
            guard byte == UInt8(ascii: ",") else { throw .malformed(after: place) }
            place += 1
            byte = try next(text)
        }
        if isObject {
            guard byte == UInt8(ascii: "\"") else { throw .malformed(after: place) }
            try string(.key, text)
            guard try next(text) == UInt8(ascii: ":") else { throw .malformed(after: place) }
            place += 1
        }
        try value(text)
    }

    private mutating func begin(_ kind: JSONNode.Kind) throws(JSONFault) {
        guard depth < JSONDocument.deepest else {
            throw JSONFault("found JSON with more than \(JSONDocument.deepest) brackets inside each other")
        }
        let index = UInt32(nodes.count)
        nodes.append(JSONNode(kind: kind, start: UInt32(place), end: 0, link: open))
        open = index
        depth += 1
        place += 1
    }

    private mutating func close() {
        let index = Int(open)
        open = nodes[index].link
        nodes[index].link = UInt32(nodes.count)
        place += 1
        nodes[index].end = UInt32(place)
        depth -= 1
    }

    private mutating func string(_ kind: JSONNode.Kind, _ text: Span<UInt8>) throws(JSONFault) {
        place += 1
        var node = JSONNode(kind: kind, start: UInt32(place), end: 0)
        while place < text.count {
            let byte = text[place]
            if byte == UInt8(ascii: "\"") {
                node.end = UInt32(place)
                if kind == .key { node.link = Self.hash(of: text.extracting(Int(node.start)..<place), node.hasEscapes) }
                nodes.append(node)
                place += 1
                return
            } else if byte == UInt8(ascii: "\\") {
                node.hasEscapes = true
                try escape(text)
            } else if byte < 0x20 {
                throw .malformed(after: place)
            } else {
                place += 1
            }
        }
        throw .truncated(after: place)
    }

    private static func hash(of key: Span<UInt8>, _ hasEscapes: Bool) -> UInt32 {
        guard hasEscapes else { return NameHash.of(key) }
        let name = JSONEscapes.resolved(key)
        return NameHash.of(name.span)
    }

    private mutating func escape(_ text: Span<UInt8>) throws(JSONFault) {
        place += 1
        let sign = try byte(text)
        place += 1
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard JSONEscapes.digit(try byte(text)) != nil else { throw .malformed(after: place) }
                place += 1
            }
        default:
            throw .malformed(after: place - 1)
        }
    }

    private mutating func number(_ text: Span<UInt8>) throws(JSONFault) {
        let start = place
        if text[place] == UInt8(ascii: "-") { place += 1 }
        // After a leading zero there is no other digit.
        if try byte(text) == UInt8(ascii: "0") { place += 1 } else { try digits(text) }
        if place < text.count, text[place] == UInt8(ascii: ".") {
            place += 1
            try digits(text)
        }
        if place < text.count, text[place] | 0x20 == UInt8(ascii: "e") {
            place += 1
            let sign = try byte(text)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { place += 1 }
            try digits(text)
        }
        nodes.append(JSONNode(kind: .number, start: UInt32(start), end: UInt32(place)))
    }

    /// Reads one digit or more.
    private mutating func digits(_ text: Span<UInt8>) throws(JSONFault) {
        guard Self.isDigit(try byte(text)) else { throw .malformed(after: place) }
        while place < text.count, Self.isDigit(text[place]) { place += 1 }
    }

    private mutating func literal(_ name: String, _ kind: JSONNode.Kind, _ text: Span<UInt8>) throws(JSONFault) {
        let start = place
        for letter in name.utf8 {
            guard try byte(text) == letter else { throw .malformed(after: place) }
            place += 1
        }
        nodes.append(JSONNode(kind: kind, start: UInt32(start), end: UInt32(place)))
    }

    private mutating func skipBlanks(_ text: Span<UInt8>) {
        while place < text.count, text[place].isBlank { place += 1 }
    }

    /// The next byte that is no blank.
    private mutating func next(_ text: Span<UInt8>) throws(JSONFault) -> UInt8 {
        skipBlanks(text)
        return try byte(text)
    }

    private func byte(_ text: Span<UInt8>) throws(JSONFault) -> UInt8 {
        guard place < text.count else { throw .truncated(after: place) }
        return text[place]
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
