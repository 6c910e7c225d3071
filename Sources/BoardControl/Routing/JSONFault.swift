/// The position and reason of a JSON syntax error (RFC 8259), which FoundationEssentials' `JSONDecoder` does not report.
///
/// It only locates the error in a text that the decoder has rejected; the decoder decides what is valid.
struct JSONFault: Error, Hashable, CustomStringConvertible {
    /// The line, from 1.
    let line: Int
    /// The column, from 1, in bytes.
    let column: Int
    let expected: String

    var description: String { "line \(line), column \(column): expected \(expected)" }

    /// The first syntax error of a text; nil where there is none.
    static func first(in text: [UInt8]) -> JSONFault? {
        var scan = Scan(text: text)
        do throws(Scan.Stop) {
            try scan.value(depth: 0)
            scan.skipWhitespace()
            if scan.position < text.count { throw Scan.Stop(expected: "nothing more") }
            return nil
        } catch {
            let before = text[..<min(scan.position, text.count)]
            let newline = UInt8(ascii: "\n")
            let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
            return JSONFault(
                line: before.count { $0 == newline } + 1, column: before.count - start + 1, expected: error.expected)
        }
    }

    /// A validating parser that builds no values.
    private struct Scan {
        struct Stop: Error {
            let expected: String
        }

        /// Deeper than any request. Without a limit, a text of brackets would overflow the stack.
        private static let maximumDepth = 64

        let text: [UInt8]
        var position = 0

        private var byte: UInt8? { position < text.count ? text[position] : nil }

        mutating func skipWhitespace() {
            while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
        }

        mutating func value(depth: Int) throws(Stop) {
            skipWhitespace()
            guard depth < Self.maximumDepth else { throw Stop(expected: "fewer brackets within brackets") }
            switch byte {
            case UInt8(ascii: "{"): try members("}", depth, keys: true)
            case UInt8(ascii: "["): try members("]", depth, keys: false)
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "t"): try word("true")
            case UInt8(ascii: "f"): try word("false")
            case UInt8(ascii: "n"): try word("null")
            default: try number()
            }
        }

        private mutating func members(_ end: Unicode.Scalar, _ depth: Int, keys: Bool) throws(Stop) {
            position += 1
            skipWhitespace()
            if byte == UInt8(ascii: end) { return position += 1 }
            while true {
                if keys {
                    skipWhitespace()
                    guard byte == UInt8(ascii: "\"") else { throw Stop(expected: "a key in quotation marks") }
                    try string()
                    skipWhitespace()
                    try take(":", "a colon")
                }
                try value(depth: depth + 1)
                skipWhitespace()
                if byte == UInt8(ascii: end) { return position += 1 }
                try take(",", "a comma or \(end)")
            }
        }

        private mutating func string() throws(Stop) {
            position += 1
            while let byte, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { throw Stop(expected: "a quotation mark before the end of the line") }
                position += byte == UInt8(ascii: "\\") ? 2 : 1
            }
            try take("\"", "a quotation mark")
        }

        private mutating func number() throws(Stop) {
            let start = position
            if byte == UInt8(ascii: "-") { position += 1 }
            let digits = position
            while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
            guard position > digits else {
                position = start
                throw Stop(expected: "a value; texts are in quotation marks")
            }
            while let byte, Array("0123456789.eE+-".utf8).contains(byte) { position += 1 }
        }

        private mutating func word(_ word: String) throws(Stop) {
            guard text[position...].starts(with: word.utf8) else { throw Stop(expected: word) }
            position += word.utf8.count
        }

        private mutating func take(_ character: Unicode.Scalar, _ words: String) throws(Stop) {
            guard byte == UInt8(ascii: character) else { throw Stop(expected: words) }
            position += 1
        }
    }
}
