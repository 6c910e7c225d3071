internal import CExpat

/// Reads XML that comes in pieces of any size, through expat.
///
/// Names are matched by their local part alone, prefixes need not be declared. A document type is refused at its first
/// byte, so that there is no entity to expand; depth and text have limits, since operators' answers have at most 12 levels.
@safe
final class XMLReader {
    /// What entities may add to a document, as a factor of its size, counted from so many bytes on. A second wall, since only
    /// the five of XML itself (`&lt;`) get so far; those add at most a quarter.
    private static let entityFactor: Float = 2
    private static let entityThreshold: UInt64 = 65_536

    private let parser: XML_Parser
    private var state: XMLParserState

    /// A reader before the first byte.
    ///
    /// - Throws: ``XMLFault`` when there is no memory for a parser.
    init(_ vocabulary: XMLVocabulary) throws(XMLFault) {
        guard let parser = unsafe XML_ParserCreate(nil) else { throw XMLFault("there is no memory to read XML") }
        unsafe self.parser = unsafe parser
        state = unsafe XMLParserState(parser, vocabulary)
        unsafe XML_SetElementHandler(parser, openXMLElement, closeXMLElement)
        unsafe XML_SetCharacterDataHandler(parser, takeXMLText)
        unsafe XML_SetStartDoctypeDeclHandler(parser, refuseXMLDocumentType)
        // With a default handler expat hands entities over instead of expanding them.
        unsafe XML_SetDefaultHandler(parser, ignoreXML)
        _ = unsafe cexpat_limit_entities(parser, Self.entityFactor, Self.entityThreshold)
    }

    deinit {
        unsafe XML_ParserFree(parser)
    }

    /// Reads the whole of a document.
    static func read(
        _ body: [UInt8], _ vocabulary: XMLVocabulary, _ handler: inout some XMLHandler
    ) throws(XMLFault) {
        if let fault = XMLFault(opening: body) { throw fault }
        // Blanks before the declaration make a document ill-formed, also after a mark.
        let start = body.contentStart
        let reader = try XMLReader(vocabulary)
        try reader.take(body.span.extracting(start..<body.count), isLast: true, &handler)
    }

    /// Reads the next piece of a document.
    ///
    /// - Throws: ``XMLFault`` where it is not well-formed, is refused, or ends too soon; it cannot be read on.
    func take<Listener: XMLHandler>(
        _ chunk: Span<UInt8>, isLast: Bool, _ handler: inout Listener
    ) throws(XMLFault) {
        if let fault = state.fault { throw fault }
        // expat's calls come thousands of times and while this one lasts: they get at both by pointers that live as long.
        let status = unsafe withUnsafeMutablePointer(to: &handler) { handler in
            unsafe state.handler = (UnsafeMutableRawPointer(handler), Listener.self)
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
            let found = state.fault ?? broken
            state.fault = found
            throw found
        }
    }

    /// What expat says of a document that is not well-formed.
    private var broken: XMLFault {
        let code = unsafe XML_GetErrorCode(parser)
        let reason = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
        let line = unsafe XML_GetCurrentLineNumber(parser)
        let byte = unsafe XML_GetCurrentByteIndex(parser)
        return XMLFault("found XML that is broken or cut short at line \(line), byte \(byte): \(reason)")
    }
}
