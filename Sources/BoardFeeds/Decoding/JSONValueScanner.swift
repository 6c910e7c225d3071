/// Finds where one JSON value ends, in pieces of any size. It knows strings, escapes and nesting (RFC 8259); whether
/// what is inside makes sense is left to ``JSONDocument``.
struct JSONValueScanner {
    /// How many brackets are open.
    private var depth = 0
    /// The most brackets that were open at once.
    private(set) var deepest = 0
    private var isInString = false
    /// Whether the next byte is one that a backslash protects.
    private var isEscaped = false
    /// Whether it is a number or a literal, which only the byte after it ends.
    let isBare: Bool

    /// A scanner before the first byte of a value; nil where no value begins with that byte.
    init?(before first: UInt8) {
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): isBare = false
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
            UInt8(ascii: "n"):
            isBare = true
        default: return nil
        }
    }

    /// Reads on from `start`.
    ///
    /// - Returns: the place after the value's last byte; nil when the value does not end in this chunk.
    mutating func end(in chunk: Span<UInt8>, from start: Int) -> Int? {
        if isBare { return (start..<chunk.count).first { Self.endsBare(chunk[$0]) } }
        var place = start
        if isEscaped, place < chunk.count {
            isEscaped = false
            place += 1
        }
        while place < chunk.count {
            let byte = chunk[place]
            place += 1
            if isInString {
                if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 0 { return place }
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = place == chunk.count
                    place += 1
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > deepest { deepest = depth }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place }
            default:
                break
            }
        }
        return nil
    }

    private static func endsBare(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte.isBlank
    }
}
