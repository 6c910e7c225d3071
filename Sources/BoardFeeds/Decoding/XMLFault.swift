/// Why an answer in XML could not be read: how such answers go wrong before their content does.
struct XMLFault: Error, Hashable, CustomStringConvertible {
    /// What was found and what was expected, without an end. May quote the answer's beginning.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What an answer that begins so is instead of XML; nil when it may be XML.
    init?(opening body: [UInt8]) {
        let start = body[body.contentStart...]
        switch start.first {
        // The other two are the first byte of a mark of UTF-16.
        case UInt8(ascii: "<"), 0xFE, 0xFF: return nil
        case nil: self.init("found an empty answer where XML was expected")
        case UInt8(ascii: "{"), UInt8(ascii: "["): self.init("found JSON where XML was expected")
        case 0x1F: self.init("found compressed bytes where XML was expected")
        default:
            let quoted = start.prefix(JSONFault.quoted).map {
                (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?"
            }
            self.init("found \"\(String(quoted))\" where XML was expected")
        }
    }

    /// The fault of a body without the keys of the question: its beginning, which may be quoted, is cut after they are
    /// masked.
    func masked(in body: [UInt8], of request: HTTPRequest) -> XMLFault {
        XMLFault(opening: request.masking(body)) ?? XMLFault(request.masking(description))
    }

    /// XML that does not hold what was asked for.
    static let unexpectedStructure = XMLFault("found XML of another shape than expected")
    /// A page for people.
    static let html = XMLFault("found HTML where XML was expected")
    /// No operator's answer has one; all that blows up inside a parser begins with one.
    static let documentType = XMLFault("found a document type (<!DOCTYPE), which no answer has: HTML, or an attack")
}
