/// Where and why a text is no JSON (RFC 8259), which `JSONDecoder` of FoundationEssentials does not say.
///
/// It only looks for the fault of a text that the decoder has refused; it decides nothing.
struct JSONFault: Error, Hashable, CustomStringConvertible {
    /// The line, from 1.
    let line: Int
    /// The place in the line, from 1, in bytes.
    let column: Int
    /// What is expected there.
    let expected: String

    /// The place, and what is expected there.
    var description: String { "line \(line), column \(column): expected \(expected)" }

    /// The first fault of a text; nil where there is none.
    static func first(in text: [UInt8]) -> JSONFault? {
        var scan = Scan(text: text)
        do throws(Scan.Stop) {
            try scan.value(depth: 0)
            scan.skipBlanks()
            if scan.place < text.count { throw Scan.Stop(expected: "nothing more") }
            return nil
        } catch {
            let before = text[..<min(scan.place, text.count)]
            let newline = UInt8(ascii: "\n")
            let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
            return JSONFault(
                line: before.count { $0 == newline } + 1, column: before.count - start + 1, expected: error.expected)
        }
    }

    /// A reader that keeps nothing.
    private struct Scan {
        struct Stop: Error {
            let expected: String
        }

        /// Deeper than any request; without a limit a text of brackets would use up the stack.
        private static let deepest = 64

        let text: [UInt8]
        var place = 0

        private var byte: UInt8? { place < text.count ? text[place] : nil }

        mutating func skipBlanks() {
            while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
        }

        mutating func value(depth: Int) throws(Stop) {
            skipBlanks()
            guard depth < Self.deepest else { throw Stop(expected: "fewer brackets within brackets") }
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
            place += 1
            skipBlanks()
            if byte == UInt8(ascii: end) { return place += 1 }
            while true {
                if keys {
                    skipBlanks()
                    guard byte == UInt8(ascii: "\"") else { throw Stop(expected: "a key in quotation marks") }
                    try string()
                    skipBlanks()
                    try take(":", "a colon")
                }
                try value(depth: depth + 1)
                skipBlanks()
                if byte == UInt8(ascii: end) { return place += 1 }
                try take(",", "a comma or \(end)")
            }
        }

        private mutating func string() throws(Stop) {
            place += 1
            while let byte, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { throw Stop(expected: "a quotation mark before the end of the line") }
                place += byte == UInt8(ascii: "\\") ? 2 : 1
            }
            try take("\"", "a quotation mark")
        }

        private mutating func number() throws(Stop) {
            let start = place
            if byte == UInt8(ascii: "-") { place += 1 }
            let digits = place
            while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
            guard place > digits else {
                place = start
                throw Stop(expected: "a value; texts are in quotation marks")
            }
            while let byte, Array("0123456789.eE+-".utf8).contains(byte) { place += 1 }
        }

        private mutating func word(_ word: String) throws(Stop) {
            guard text[place...].starts(with: word.utf8) else { throw Stop(expected: word) }
            place += word.utf8.count
        }

        private mutating func take(_ wanted: Unicode.Scalar, _ words: String) throws(Stop) {
            guard byte == UInt8(ascii: wanted) else { throw Stop(expected: words) }
            place += 1
        }
    }
}
