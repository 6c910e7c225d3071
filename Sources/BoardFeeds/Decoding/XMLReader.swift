internal import CExpat

/// Reads XML that comes in pieces of any size, through expat.
///
/// Names are matched by their local part alone, prefixes need not be declared. A document type is refused at its first
/// byte, so that there is no entity to expand; depth and text have limits, since operators' answers have at most 12 levels.
@safe
final class XMLReader {
    /// The most elements inside each other.
    static let deepest = 64
    /// The most bytes of text between two tags.
    static let longestText = 1_000_000
    /// What entities may add to a document, as a factor of its size, counted from so many bytes on. A second wall, since only
    /// the five of XML itself (`&lt;`) get so far; those add at most a quarter.
    private static let entityFactor: Float = 2
    private static let entityThreshold: UInt64 = 65_536

    private let parser: XML_Parser
    private let vocabulary: XMLVocabulary
    private let listener: XMLListener
    /// The elements that are open, by their names.
    private var open: [Int] = []
    /// How many elements are open inside of the one in which nothing matters, itself among them; 0: everything matters.
    private var skipped = 0
    private var text: [UInt8] = []
    private var fault: XMLFault?

    /// A reader before the first byte.
    ///
    /// - Throws: ``XMLFault`` when there is no memory for a parser.
    init(_ vocabulary: XMLVocabulary, _ listener: XMLListener) throws(XMLFault) {
        guard let parser = unsafe XML_ParserCreate(nil) else { throw XMLFault("there is no memory to read XML") }
        unsafe self.parser = unsafe parser
        self.vocabulary = vocabulary
        self.listener = listener
        text.reserveCapacity(1_024)
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
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
    static func read(_ body: [UInt8], _ vocabulary: XMLVocabulary, _ listener: XMLListener) throws(XMLFault) {
        if let fault = XMLFault(opening: body) { throw fault }
        // Blanks before the declaration make a document ill-formed; some proxies put them there.
        let start = body.firstIndex { !JSONFault.blanks.contains($0) } ?? 0
        let reader = try XMLReader(vocabulary, listener)
        try reader.take(body.span.extracting(start..<body.count), isLast: true)
    }

    /// Reads the next piece of a document.
    ///
    /// - Throws: ``XMLFault`` where it is not well-formed, is refused, or ends too soon; it cannot be read on.
    func take(_ chunk: Span<UInt8>, isLast: Bool) throws(XMLFault) {
        if let fault { throw fault }
        let status = unsafe chunk.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count),
                isLast ? 1 : 0)
        }
        guard status == XML_STATUS_OK else {
            let found = fault ?? broken
            fault = found
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

    fileprivate func opened(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
        guard fault == nil else { return }
        guard open.count + skipped < Self.deepest else {
            return refuse("found XML with more than \(Self.deepest) elements inside each other")
        }
        if skipped > 0 {
            skipped += 1
            return
        }
        let index = unsafe vocabulary.index(of: name)
        text.removeAll(keepingCapacity: true)
        if listener.open(index, in: open.last ?? XMLVocabulary.unknown, attributes) {
            open.append(index)
            unsafe XML_SetCharacterDataHandler(parser, takeXMLText)
        } else {
            skipped = 1
            unsafe XML_SetCharacterDataHandler(parser, nil)
        }
    }

    fileprivate func closed() {
        guard fault == nil else { return }
        if skipped > 0 {
            skipped -= 1
            return
        }
        guard let name = open.popLast() else { return }
        listener.close(name, in: open.last ?? XMLVocabulary.unknown, text.span)
        text.removeAll(keepingCapacity: true)
        // What follows an inner element is the line break and the indent of the next tag.
        unsafe XML_SetCharacterDataHandler(parser, nil)
    }

    fileprivate func takeText(_ bytes: UnsafePointer<CChar>, _ count: Int32) {
        guard fault == nil else { return }
        guard text.count + Int(count) <= Self.longestText else {
            return refuse("found XML with more than \(Self.longestText) bytes of text in one place")
        }
        unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
            unsafe text.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
    }

    fileprivate func refuseDocumentType() {
        refuse(XMLFault.documentType.description)
    }

    private func refuse(_ reason: String) {
        fault = XMLFault(reason)
        _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
}

/// The reader of a call of expat's.
private func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
}

/// expat's call at a start tag.
private let openXMLElement: XML_StartElementHandler = { context, name, attributes in
    guard let name = unsafe name else { return }
    unsafe reader(context)?.opened(name, XMLAttributes(attributes))
}

/// expat's call at an end tag.
private let closeXMLElement: XML_EndElementHandler = { context, _ in
    unsafe reader(context)?.closed()
}

/// expat's call with text, in pieces.
private let takeXMLText: XML_CharacterDataHandler = { context, bytes, count in
    guard let bytes = unsafe bytes else { return }
    unsafe reader(context)?.takeText(bytes, count)
}

/// expat's call at `<!DOCTYPE`.
private let refuseXMLDocumentType: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    unsafe reader(context)?.refuseDocumentType()
}

/// expat's call with comments and the like.
private let ignoreXML: XML_DefaultHandler = { _, _, _ in }
