/// Why a response could not be decoded as JSON or XML, whatever its content.
package struct FormatError: Error, Hashable, CustomStringConvertible {
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// How many bytes of a text that is not JSON are quoted.
    package static let quoted = 20

    /// What was found and what was expected, without a full stop. May quote the beginning of the response.
    package let description: String
    /// The position of malformed JSON, from 0; nil for other faults.
    package let position: Int?
    /// What was expected there.
    package let expected: String
    /// A gateway's message; nil: none.
    package let message: String?

    package init(_ description: String, at position: Int? = nil, _ expected: String = "", message: String? = nil) {
        self.description = description
        self.position = position
        self.expected = expected
        self.message = message
    }

    package enum Format: String {
        case json = "JSON"
        case xml = "XML"
        case jsonOrXML = "JSON or XML"

        fileprivate func includes(_ first: UInt8) -> Bool {
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): self != .xml
            // The other two are the first bytes of a UTF-16 byte order mark.
            case UInt8(ascii: "<"), 0xFE, 0xFF: self != .json
            default: false
            }
        }
    }

    /// The fault of a body that does not begin like the format; nil otherwise.
    package init?(body: [UInt8], expecting format: Format = .json) {
        let text = body[body.contentStart...]
        if let first = text.first, format.includes(first) { return nil }
        let quoted = text.prefix(Self.quoted).map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?" }
        let found = Self.known(text) ?? "\"\(String(quoted))\""
        self.init("found \(found) where \(format.rawValue) was expected")
    }

    /// What a body is by its first byte after blanks; nil for a text, and for bytes of an unknown kind.
    static func known(_ body: ArraySlice<UInt8>) -> String? {
        switch body.first {
        case nil: "an empty response"
        case UInt8(ascii: "<"): "HTML or XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON"
        case 0x1F: "compressed bytes"
        default: nil
        }
    }

    /// The fault without the keys of the request: they are masked before the quoted beginning is cut.
    package func masked(in body: [UInt8], of request: HTTPRequest, expecting format: Format = .json) -> FormatError {
        FormatError(body: request.masking(body), expecting: format) ?? FormatError(request.masking(description))
    }

    package static let unexpectedStructure = FormatError("found JSON with an unexpected structure")

    package static let unexpectedXML = FormatError("found XML with an unexpected structure")
    static let html = FormatError("found HTML where XML was expected")
    /// No operator's response has one, and all entity expansion attacks need one.
    static let documentType = FormatError(
        "found a document type (<!DOCTYPE), which no response has: HTML, or an attack")

    static func truncated(after count: Int, expected: String = "") -> FormatError {
        FormatError("found JSON truncated after \(count) bytes", at: count, expected)
    }

    static func tooDeep(after count: Int) -> FormatError {
        FormatError(
            "found JSON with more than \(JSONDocument.maximumDepth) nested brackets", at: count,
            "fewer brackets within brackets")
    }

    /// A byte that may not follow the JSON before it.
    static func malformed(after count: Int, expected: String = "") -> FormatError {
        FormatError("found malformed JSON after \(count) bytes", at: count, expected)
    }
}

extension [UInt8] {
    /// The index of the first byte after blanks and a byte order mark, which proxies and programs add in either order;
    /// the end if there is none.
    package var contentStart: Int {
        func blanks(from place: Int) -> Int { self[place...].firstIndex { !$0.isBlank } ?? count }
        let start = blanks(from: 0)
        let mark = FormatError.byteOrderMark
        return self[start...].starts(with: mark) ? blanks(from: start + mark.count) : start
    }
}
