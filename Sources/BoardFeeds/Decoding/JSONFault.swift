/// Why an answer could not be decoded: the one place that knows how answers go wrong before their content does.
struct JSONFault: Error, Hashable, CustomStringConvertible {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// How much of a text that is no JSON is quoted.
    static let quoted = 20

    /// What was found and what was expected, without an end. May quote the answer's beginning.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What an answer that begins so is instead of JSON; nil when it may be JSON.
    init?(opening text: ArraySlice<UInt8>) {
        switch text.first(where: { !$0.isBlank }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
        case nil: self.init("found an empty answer where JSON was expected")
        case UInt8(ascii: "<"): self.init("found HTML or XML where JSON was expected")
        case 0x1F: self.init("found compressed bytes where JSON was expected")
        default:
            let start = text.prefix(Self.quoted).map {
                (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?"
            }
            self.init("found \"\(String(start))\" where JSON was expected")
        }
    }

    /// The fault of a body without the keys of the question: its beginning, which may be quoted, is cut after they are
    /// masked.
    func masked(in body: [UInt8], of request: HTTPRequest) -> JSONFault {
        let text = request.masking(body)
        return JSONFault(opening: text[text.contentStart...]) ?? JSONFault(request.masking(description))
    }

    /// JSON that does not hold what was asked for.
    static let unexpectedStructure = JSONFault("found JSON of another shape than expected")

    /// A text that ends before the JSON does.
    static func truncated(after count: Int) -> JSONFault {
        JSONFault("found JSON that is cut short after \(count) bytes")
    }

    /// A byte with which the JSON before it cannot go on.
    static func malformed(after count: Int) -> JSONFault {
        JSONFault("found JSON that is broken after \(count) bytes")
    }
}

extension [UInt8] {
    /// Where an answer's own first byte is: after blanks and a byte order mark, which proxies and programs put before it in
    /// either order; the end where there is none.
    var contentStart: Int {
        func blanks(from place: Int) -> Int { self[place...].firstIndex { !$0.isBlank } ?? count }
        let start = blanks(from: 0)
        let mark = JSONFault.byteOrderMark
        return self[start...].starts(with: mark) ? blanks(from: start + mark.count) : start
    }
}
