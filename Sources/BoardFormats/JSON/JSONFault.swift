/// Why a response could not be decoded as JSON, whatever its content.
package struct JSONFault: Error, Hashable, CustomStringConvertible {
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// How many bytes of a text that is not JSON are quoted.
    package static let quoted = 20

    /// What was found and what was expected, without a full stop. May quote the beginning of the response.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// The fault of a body that does not begin like JSON; nil otherwise.
    init?(body text: ArraySlice<UInt8>) {
        switch text.first(where: { !$0.isBlank }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
        case nil: self.init("found an empty response where JSON was expected")
        case UInt8(ascii: "<"): self.init("found HTML or XML where JSON was expected")
        case 0x1F: self.init("found compressed bytes where JSON was expected")
        default:
            let start = text.prefix(Self.quoted).map {
                (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?"
            }
            self.init("found \"\(String(start))\" where JSON was expected")
        }
    }

    /// The fault without the keys of the request: they are masked before the quoted beginning is cut.
    package func masked(in body: [UInt8], of request: HTTPRequest) -> JSONFault {
        let text = request.masking(body)
        return JSONFault(body: text[text.contentStart...]) ?? JSONFault(request.masking(description))
    }

    /// JSON without the expected members.
    package static let unexpectedStructure = JSONFault("found JSON with an unexpected structure")

    /// A text that ends before the JSON does.
    static func truncated(after count: Int) -> JSONFault {
        JSONFault("found JSON truncated after \(count) bytes")
    }

    /// A byte that may not follow the JSON before it.
    static func malformed(after count: Int) -> JSONFault {
        JSONFault("found malformed JSON after \(count) bytes")
    }
}

extension [UInt8] {
    /// The index of the first byte after blanks and a byte order mark, which proxies and programs add in either order; the end
    /// if there is none.
    package var contentStart: Int {
        func blanks(from place: Int) -> Int { self[place...].firstIndex { !$0.isBlank } ?? count }
        let start = blanks(from: 0)
        let mark = JSONFault.byteOrderMark
        return self[start...].starts(with: mark) ? blanks(from: start + mark.count) : start
    }
}
