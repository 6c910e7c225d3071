import CExpat

extension JSONDocument {
    /// Parses XML into the structure of JSON, so that a format that exists in both is decoded once.
    ///
    /// An element is a member of its parent: a string, or an object if it has inner elements or attributes. The text
    /// next to attributes is the member `value`. Names are local: prefixes need not be declared, and elements move
    /// between namespaces from one version of a schema to the next. A nil element (`xsi:nil`) is left out.
    ///
    /// - Parameter skipped: the names of elements that are left out.
    /// - Throws: ``FormatError`` for a malformed or truncated document, a document type, HTML, or too many elements.
    convenience init(xml body: [UInt8], skipping skipped: Set<String> = []) throws(FormatError) {
        if let fault = FormatError(body: body, expecting: .xml) { throw fault }
        guard let parser = unsafe XML_ParserCreate(nil) else { throw FormatError("not enough memory to parse XML") }
        defer { unsafe XML_ParserFree(parser) }
        let tree = unsafe XMLTree(parser, skipping: skipped)
        // Blanks before the XML declaration, even after a byte order mark, make a document ill-formed.
        try tree.parse(body.span.extracting(body.contentStart..<body.count))
        self.init(tree.bytes, tree.nodes)
    }
}

/// The values of a document while expat parses it.
///
/// A document type is rejected at its first byte, so there are no entities to expand; nesting is limited, since
/// operators' responses have at most 12 levels.
@safe
private final class XMLTree {
    private static let maximumDepth = 64
    /// The limit on entity expansion, a factor of the document's size, which applies from this many bytes on. A second
    /// safeguard: only XML's own five entities (`&lt;`) get this far, and they add at most a quarter.
    private static let entityFactor: Float = 2
    private static let entityThreshold: UInt64 = 65_536

    private(set) var bytes: [UInt8] = []
    private(set) var nodes = [JSONNode(kind: .object, start: 0, end: 0)]
    private let parser: XML_Parser
    private let skipped: Set<String>
    private var fault: FormatError?
    /// The nodes of the open elements; the first is the document.
    private var open = [0]
    /// The number of open elements from the skipped one on; 0: nothing is skipped.
    private var skippedDepth = 0
    /// The text of the innermost element before its first inner one.
    private var text: [UInt8] = []
    /// Whether text is collected: after an element's first inner tag there are only line breaks and indents.
    private var collectsText = false

    init(_ parser: XML_Parser, skipping skipped: Set<String>) {
        unsafe self.parser = unsafe parser
        self.skipped = skipped
    }

    func parse(_ body: Span<UInt8>) throws(FormatError) {
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let name = unsafe name else { return }
                unsafe tree(context)?.beginElement(String(cString: name), attributes)
            },
            { context, _ in unsafe tree(context)?.endElement() })
        unsafe XML_SetCharacterDataHandler(parser) { context, bytes, count in
            guard let bytes = unsafe bytes else { return }
            unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
                unsafe tree(context)?.append(UnsafeBufferPointer(start: bytes, count: Int(count)))
            }
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            unsafe tree(context)?.stop(.documentType)
        }
        // With a default handler expat passes entities on instead of expanding them.
        unsafe XML_SetDefaultHandler(parser) { _, _, _ in }
        _ = unsafe cexpat_limit_entities(parser, Self.entityFactor, Self.entityThreshold)
        let status = unsafe body.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), 1)
        }
        guard status == XML_STATUS_OK else { throw fault ?? malformed }
        nodes[0].link = UInt32(nodes.count)
    }

    private func beginElement(_ qualified: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard fault == nil else { return }
        guard open.count + skippedDepth <= Self.maximumDepth else {
            return stop(FormatError("found XML with more than \(Self.maximumDepth) nested elements"))
        }
        let name = Self.local(qualified)
        if open.count == 1, name == "html" { return stop(.html) }
        text.removeAll(keepingCapacity: true)
        let attributes = unsafe Self.list(attributes)
        guard skippedDepth == 0, !skipped.contains(name), !attributes.contains(where: { $0 == ("nil", "true") }) else {
            skippedDepth += 1
            collectsText = false
            return
        }
        append(.key, Array(name.utf8))
        open.append(nodes.count)
        append(.object, [])
        for (name, value) in attributes {
            append(.key, Array(name.utf8))
            append(.string, Array(value.utf8))
        }
        collectsText = true
        if nodes.count > ResponseLimits.values {
            stop(FormatError("found XML with more than \(ResponseLimits.values) values, which no response has"))
        }
    }

    private func endElement() {
        guard fault == nil else { return }
        if skippedDepth > 0 {
            skippedDepth -= 1
            return
        }
        guard let index = open.popLast() else { return }
        if collectsText, !text.allSatisfy(\.isBlank) {
            if nodes.count == index + 1 { nodes.removeLast() } else { append(.key, Array("value".utf8)) }
            append(.string, text)
        }
        if nodes[index].kind == .object { nodes[index].link = UInt32(nodes.count) }
        collectsText = false
    }

    private func append(_ part: UnsafeBufferPointer<UInt8>) {
        if collectsText { unsafe text.append(contentsOf: part) }
    }

    private func append(_ kind: JSONNode.Kind, _ text: [UInt8]) {
        nodes.append(JSONNode(kind: kind, start: UInt32(bytes.count), end: UInt32(bytes.count + text.count)))
        bytes += text
    }

    private func stop(_ fault: FormatError) {
        self.fault = fault
        _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    /// The name without its prefix.
    private static func local(_ name: String) -> String {
        name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// Attributes by their local names, without namespaces and types.
    ///
    /// - Parameter list: alternating names and values, terminated by nil.
    private static func list(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [(String, String)] {
        var attributes: [(String, String)] = []
        guard let list = unsafe list else { return [] }
        var index = 0
        while let name = unsafe list[index], let value = unsafe list[index + 1] {
            let (name, value) = unsafe (String(cString: name), String(cString: value))
            if !name.hasPrefix("xmlns"), !name.hasSuffix(":type") { attributes.append((local(name), value)) }
            index += 2
        }
        return attributes
    }

    /// expat's error for a malformed document.
    private var malformed: FormatError {
        let code = unsafe XML_GetErrorCode(parser)
        let reason = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
        let line = unsafe XML_GetCurrentLineNumber(parser)
        let byte = unsafe XML_GetCurrentByteIndex(parser)
        return FormatError("found malformed or truncated XML at line \(line), byte \(byte): \(reason)")
    }
}

/// The tree in an expat callback.
private func tree(_ context: UnsafeMutableRawPointer?) -> XMLTree? {
    unsafe context.map { unsafe Unmanaged<XMLTree>.fromOpaque($0).takeUnretainedValue() }
}
