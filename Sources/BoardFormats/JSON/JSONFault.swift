/// Why a response could not be decoded as JSON or XML, whatever its content.
package struct JSONFault: Error, Hashable, CustomStringConvertible {
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// How many bytes of a text that is not JSON are quoted.
    package static let quoted = 20

    /// What was found and what was expected, without a full stop. May quote the beginning of the response.
    package let description: String
    /// The position of malformed JSON, from 0; nil for other faults.
    package let position: Int?
    /// What was expected there.
    package let expected: String

    package init(_ description: String) {
        self.init(description, at: nil, "")
    }

    private init(_ description: String, at position: Int?, _ expected: String) {
        self.description = description
        self.position = position
        self.expected = expected
    }

    /// What a body should be.
    package enum Format: String {
        case json = "JSON"
        case xml = "XML"
        case jsonOrXML = "JSON or XML"

        fileprivate func includes(_ first: UInt8) -> Bool {
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): self != .xml
            // The other two are first bytes of a UTF-16 byte order mark.
            case UInt8(ascii: "<"), 0xFE, 0xFF: self != .json
            default: false
            }
        }
    }

    /// The fault of a body that does not begin like the format; nil otherwise.
    package init?(body: [UInt8], expecting format: Format = .json) {
        let text = body[body.contentStart...]
        let found: String
        switch text.first {
        case let first? where format.includes(first): return nil
        case nil: found = "an empty response"
        case UInt8(ascii: "<"): found = "HTML or XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): found = "JSON"
        case 0x1F: found = "compressed bytes"
        default:
            let start = text.prefix(Self.quoted).map {
                (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?"
            }
            found = "\"\(String(start))\""
        }
        self.init("found \(found) where \(format.rawValue) was expected")
    }

    /// The fault without the keys of the request: they are masked before the quoted beginning is cut.
    package func masked(in body: [UInt8], of request: HTTPRequest, expecting format: Format = .json) -> JSONFault {
        JSONFault(body: request.masking(body), expecting: format) ?? JSONFault(request.masking(description))
    }

    package static let unexpectedStructure = JSONFault("found JSON with an unexpected structure")

    package static let unexpectedXML = JSONFault("found XML with an unexpected structure")
    static let html = JSONFault("found HTML where XML was expected")
    /// No operator's response has one, and all entity expansion attacks need one.
    static let documentType = JSONFault("found a document type (<!DOCTYPE), which no response has: HTML, or an attack")

    static func truncated(after count: Int, expected: String = "") -> JSONFault {
        JSONFault("found JSON truncated after \(count) bytes", at: count, expected)
    }

    static func tooDeep(after count: Int) -> JSONFault {
        JSONFault(
            "found JSON with more than \(JSONDocument.maxDepth) nested brackets", at: count,
            "fewer brackets within brackets")
    }

    /// A byte that may not follow the JSON before it.
    static func malformed(after count: Int, expected: String = "") -> JSONFault {
        JSONFault("found malformed JSON after \(count) bytes", at: count, expected)
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
