internal import CExpat
internal import Glibc

/// The state of parsing: the open elements, and the text before the next tag.
@safe
struct XMLParserState {
    /// The deepest nesting.
    static let maxDepth = 64
    /// The most bytes of text between two tags.
    static let longestText = 1_000_000
    /// How much text is collected before the buffer is reused.
    private static let reuseThreshold = 4_096

    private let parser: XML_Parser
    private let vocabulary: XMLVocabulary
    /// Receives the elements while a chunk is parsed.
    var handler: (address: UnsafeMutableRawPointer, type: any XMLHandler.Type)?
    /// Why parsing has stopped.
    var fault: XMLFault?
    /// The names of the open elements: the first `depth` entries.
    private var open = [Int](repeating: XMLVocabulary.unknown, count: maxDepth)
    private var depth = 0
    /// The number of open elements from the skipped one on; 0: nothing is skipped.
    private var skipped = 0
    /// Collected text; that of the current element begins at `begin`.
    private var text: [UInt8] = []
    private var textStart = 0
    /// Whether text is collected: between an element's first inner tag and its end there are only line breaks and indents.
    private var collectsText = false

    init(_ parser: XML_Parser, _ vocabulary: XMLVocabulary) {
        unsafe self.parser = unsafe parser
        self.vocabulary = vocabulary
        text.reserveCapacity(2 * Self.reuseThreshold)
    }

    private var innermost: Int { depth > 0 ? open[depth - 1] : XMLVocabulary.unknown }

    fileprivate mutating func openElement(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
        guard fault == nil, let handler = unsafe handler else { return }
        guard depth + skipped < Self.maxDepth else {
            return stop("found XML with more than \(Self.maxDepth) nested elements")
        }
        if skipped > 0 {
            skipped += 1
            return
        }
        let count = unsafe strlen(name)
        let index = unsafe name.withMemoryRebound(to: UInt8.self, capacity: count) { name in
            unsafe vocabulary.index(of: UnsafeBufferPointer(start: name, count: count).span)
        }
        endText()
        if unsafe handler.type.open(handler.address, index, innermost, attributes) {
            open[depth] = index
            depth += 1
            collectsText = true
        } else {
            skipped = 1
            collectsText = false
        }
    }

    fileprivate mutating func closeElement() {
        guard fault == nil, let handler = unsafe handler else { return }
        if skipped > 0 {
            skipped -= 1
            return
        }
        guard depth > 0 else { return }
        depth -= 1
        unsafe handler.type.close(handler.address, open[depth], innermost, text.span.extracting(textStart..<text.count))
        endText()
        collectsText = false
    }

    fileprivate mutating func appendText(_ bytes: UnsafePointer<CChar>, _ count: Int32) {
        guard collectsText, fault == nil else { return }
        guard text.count - textStart + Int(count) <= Self.longestText else {
            return stop("found XML with more than \(Self.longestText) bytes of text in one place")
        }
        unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
            unsafe text.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
    }

    fileprivate mutating func stop(_ reason: String) {
        fault = XMLFault(reason)
        _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    private mutating func endText() {
        if text.count > Self.reuseThreshold { text.removeAll(keepingCapacity: true) }
        textStart = text.count
    }
}

/// The state in an expat callback.
private func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLParserState>? {
    unsafe context?.assumingMemoryBound(to: XMLParserState.self)
}

/// expat's callback at a start tag.
let openXMLElement: XML_StartElementHandler = { context, name, attributes in
    guard let name = unsafe name else { return }
    unsafe state(context)?.pointee.openElement(name, XMLAttributes(attributes))
}

/// expat's callback at an end tag.
let closeXMLElement: XML_EndElementHandler = { context, _ in
    unsafe state(context)?.pointee.closeElement()
}

/// expat's callback with a part of text.
let takeXMLText: XML_CharacterDataHandler = { context, bytes, count in
    guard let bytes = unsafe bytes else { return }
    unsafe state(context)?.pointee.appendText(bytes, count)
}

/// expat's callback at `<!DOCTYPE`.
let rejectXMLDocumentType: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    unsafe state(context)?.pointee.stop(XMLFault.documentType.description)
}

/// expat's callback with comments and others.
let ignoreXML: XML_DefaultHandler = { _, _, _ in }
