internal import CExpat
internal import Glibc

/// How far a document was read: the elements that are open, and the text before the next tag.
@safe
struct XMLParserState {
    /// The most elements inside each other.
    static let deepest = 64
    /// The most bytes of text between two tags.
    static let longestText = 1_000_000
    /// How much text is heard before the place of what was is used again.
    private static let selectedText = 4_096

    private let parser: XML_Parser
    private let vocabulary: XMLVocabulary
    /// Who hears of the elements, while a piece is read.
    var handler: (place: UnsafeMutableRawPointer, type: any XMLHandler.Type)?
    /// Why it cannot be read on.
    var fault: XMLFault?
    /// The names of the elements that are open: the first `depth` ones.
    private var open = [Int](repeating: XMLVocabulary.unknown, count: deepest)
    private var depth = 0
    /// How many elements are open inside of the one in which nothing matters, itself among them; 0: everything matters.
    private var skipped = 0
    /// Text that was heard, of which the last element's begins at `begin`.
    private var text: [UInt8] = []
    private var begin = 0
    /// Whether text matters: between the first tag inside of an element and its end there is but line breaks and indents.
    private var collectsText = false

    /// Before the first byte.
    init(_ parser: XML_Parser, _ vocabulary: XMLVocabulary) {
        unsafe self.parser = unsafe parser
        self.vocabulary = vocabulary
        text.reserveCapacity(2 * Self.selectedText)
    }

    private var innermost: Int { depth > 0 ? open[depth - 1] : XMLVocabulary.unknown }

    fileprivate mutating func opened(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
        guard fault == nil, let handler = unsafe handler else { return }
        guard depth + skipped < Self.deepest else {
            return refuse("found XML with more than \(Self.deepest) elements inside each other")
        }
        if skipped > 0 {
            skipped += 1
            return
        }
        let count = unsafe strlen(name)
        let index = unsafe name.withMemoryRebound(to: UInt8.self, capacity: count) { name in
            unsafe vocabulary.index(of: UnsafeBufferPointer(start: name, count: count).span)
        }
        forgetText()
        if unsafe handler.type.open(handler.place, index, innermost, attributes) {
            open[depth] = index
            depth += 1
            collectsText = true
        } else {
            skipped = 1
            collectsText = false
        }
    }

    fileprivate mutating func closed() {
        guard fault == nil, let handler = unsafe handler else { return }
        if skipped > 0 {
            skipped -= 1
            return
        }
        guard depth > 0 else { return }
        depth -= 1
        unsafe handler.type.close(handler.place, open[depth], innermost, text.span.extracting(begin..<text.count))
        forgetText()
        collectsText = false
    }

    fileprivate mutating func takeText(_ bytes: UnsafePointer<CChar>, _ count: Int32) {
        guard collectsText, fault == nil else { return }
        guard text.count - begin + Int(count) <= Self.longestText else {
            return refuse("found XML with more than \(Self.longestText) bytes of text in one place")
        }
        unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
            unsafe text.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
    }

    fileprivate mutating func refuse(_ reason: String) {
        fault = XMLFault(reason)
        _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    private mutating func forgetText() {
        if text.count > Self.selectedText { text.removeAll(keepingCapacity: true) }
        begin = text.count
    }
}

/// What a call of expat's is about.
private func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLParserState>? {
    unsafe context?.assumingMemoryBound(to: XMLParserState.self)
}

/// expat's call at a start tag.
let openXMLElement: XML_StartElementHandler = { context, name, attributes in
    guard let name = unsafe name else { return }
    unsafe state(context)?.pointee.opened(name, XMLAttributes(attributes))
}

/// expat's call at an end tag.
let closeXMLElement: XML_EndElementHandler = { context, _ in
    unsafe state(context)?.pointee.closed()
}

/// expat's call with text, in pieces.
let takeXMLText: XML_CharacterDataHandler = { context, bytes, count in
    guard let bytes = unsafe bytes else { return }
    unsafe state(context)?.pointee.takeText(bytes, count)
}

/// expat's call at `<!DOCTYPE`.
let refuseXMLDocumentType: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    unsafe state(context)?.pointee.refuse(XMLFault.documentType.description)
}

/// expat's call with comments and the like.
let ignoreXML: XML_DefaultHandler = { _, _, _ in }
