internal import CExpat

/// Parses XML in chunks of any size, with expat.
///
/// Names are matched by their local part; prefixes need not be declared. A document type is rejected at its first byte, so that
/// there are no entities to expand; nesting and text are limited, since operators' responses have at most 12 levels.
@safe
package final class XMLReader {
    /// The limit of entity expansion, as a factor of the document's size, from so many bytes on. A second safeguard: only XML's
    /// own five entities (`&lt;`) get so far, and they add at most a quarter.
    private static let entityFactor: Float = 2
    private static let entityThreshold: UInt64 = 65_536

    private let parser: XML_Parser
    private var state: XMLParserState

    /// - Throws: ``XMLFault`` if there is not enough memory.
    init(_ vocabulary: XMLVocabulary) throws(XMLFault) {
        guard let parser = unsafe XML_ParserCreate(nil) else { throw XMLFault("not enough memory to parse XML") }
        unsafe self.parser = unsafe parser
        state = unsafe XMLParserState(parser, vocabulary)
        unsafe XML_SetElementHandler(parser, openXMLElement, closeXMLElement)
        unsafe XML_SetCharacterDataHandler(parser, takeXMLText)
        unsafe XML_SetStartDoctypeDeclHandler(parser, rejectXMLDocumentType)
        // With a default handler expat passes entities on instead of expanding them.
        unsafe XML_SetDefaultHandler(parser, ignoreXML)
        _ = unsafe cexpat_limit_entities(parser, Self.entityFactor, Self.entityThreshold)
    }

    deinit {
        unsafe XML_ParserFree(parser)
    }

    /// Parses a whole document.
    package static func read(
        _ body: [UInt8], _ vocabulary: XMLVocabulary, _ handler: inout some XMLHandler
    ) throws(XMLFault) {
        if let fault = XMLFault(body: body) { throw fault }
        // Blanks before the XML declaration, even after a byte order mark, make a document ill-formed.
        let start = body.contentStart
        let reader = try XMLReader(vocabulary)
        try reader.parse(body.span.extracting(start..<body.count), isLast: true, &handler)
    }

    /// Parses the next chunk of a document.
    ///
    /// - Throws: ``XMLFault`` for a malformed, rejected or truncated document; parsing cannot continue.
    func parse<Handler: XMLHandler>(
        _ chunk: Span<UInt8>, isLast: Bool, _ handler: inout Handler
    ) throws(XMLFault) {
        if let fault = state.fault { throw fault }
        // expat calls back thousands of times during this call: pointers with this lifetime give it access to both.
        let status = unsafe withUnsafeMutablePointer(to: &handler) { handler in
            unsafe state.handler = (UnsafeMutableRawPointer(handler), Handler.self)
            defer { unsafe state.handler = nil }
            return unsafe withUnsafeMutablePointer(to: &state) { state in
                unsafe XML_SetUserData(parser, state)
                defer { unsafe XML_SetUserData(parser, nil) }
                return unsafe chunk.withUnsafeBytes { bytes in
                    unsafe XML_Parse(
                        parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count),
                        isLast ? 1 : 0)
                }
            }
        }
        guard status == XML_STATUS_OK else {
            let found = state.fault ?? malformed
            state.fault = found
            throw found
        }
    }

    /// expat's error for a malformed document.
    private var malformed: XMLFault {
        let code = unsafe XML_GetErrorCode(parser)
        let reason = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
        let line = unsafe XML_GetCurrentLineNumber(parser)
        let byte = unsafe XML_GetCurrentByteIndex(parser)
        return XMLFault("found malformed or truncated XML at line \(line), byte \(byte): \(reason)")
    }
}
