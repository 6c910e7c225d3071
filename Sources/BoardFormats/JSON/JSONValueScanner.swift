/// Finds the end of one JSON value in chunks of any size. It tracks strings, escapes and nesting (RFC 8259); the content is
/// validated by ``JSONDocument``.
struct JSONValueScanner {
    /// The number of open brackets.
    private var depth = 0
    /// The deepest nesting so far.
    private(set) var maxDepth = 0
    private var isInString = false
    /// Whether the next byte follows a backslash.
    private var isEscaped = false
    /// Whether it is a number or a literal, which ends only before the next byte.
    let isBare: Bool

    /// Nil if `first` cannot begin a value.
    init?(before first: UInt8) {
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): isBare = false
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
            UInt8(ascii: "n"):
            isBare = true
        default: return nil
        }
    }

    /// - Returns: the position after the value's last byte; nil if the value does not end in this chunk.
    mutating func end(in chunk: Span<UInt8>, from start: Int) -> Int? {
        if isBare { return (start..<chunk.count).first { Self.endsBare(chunk[$0]) } }
        var position = start
        if isEscaped, position < chunk.count {
            isEscaped = false
            position += 1
        }
        while position < chunk.count {
            let byte = chunk[position]
            position += 1
            if isInString {
                if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 0 { return position }
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = position == chunk.count
                    position += 1
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > maxDepth { maxDepth = depth }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return position }
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
