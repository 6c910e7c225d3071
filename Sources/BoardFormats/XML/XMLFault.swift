/// Why a response could not be decoded as XML, whatever its content.
package struct XMLFault: Error, Hashable, CustomStringConvertible {
    /// What was found and what was expected, without a full stop. May quote the beginning of the response.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The fault of a body that does not begin like XML; nil otherwise.
    init?(body: [UInt8]) {
        let start = body[body.contentStart...]
        switch start.first {
        // The other two are first bytes of a UTF-16 byte order mark.
        case UInt8(ascii: "<"), 0xFE, 0xFF: return nil
        case nil: self.init("found an empty response where XML was expected")
        case UInt8(ascii: "{"), UInt8(ascii: "["): self.init("found JSON where XML was expected")
        case 0x1F: self.init("found compressed bytes where XML was expected")
        default:
            let quoted = start.prefix(JSONFault.quoted).map {
                (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?"
            }
            self.init("found \"\(String(quoted))\" where XML was expected")
        }
    }

    /// The fault without the keys of the request: they are masked before the quoted beginning is cut.
    package func masked(in body: [UInt8], of request: HTTPRequest) -> XMLFault {
        XMLFault(body: request.masking(body)) ?? XMLFault(request.masking(description))
    }

    /// XML without the expected elements.
    package static let unexpectedStructure = XMLFault("found XML with an unexpected structure")
    /// A web page.
    package static let html = XMLFault("found HTML where XML was expected")
    /// No operator's response has one, and all entity expansion attacks need one.
    static let documentType = XMLFault("found a document type (<!DOCTYPE), which no response has: HTML, or an attack")
}
