/// A text of JSON (RFC 8259) that was read once: checked as a whole, with a note of where each value is. Numbers and texts are
/// made when they are asked for, so that what nobody asks for costs no more than its bytes.
///
/// The outermost value is an object or an array, as in every answer of an operator.
final class JSONDocument: Sendable {
    /// The most brackets inside each other; real answers have about 20.
    static let deepest = 128

    let bytes: [UInt8]
    /// The values, each before those inside of it; of an object keys and values by turns.
    let nodes: [JSONNode]

    /// Reads the whole of a text; blanks and a UTF-8 byte order mark before it are nothing.
    ///
    /// - Throws: ``JSONFault`` that says what the text is instead.
    init(_ bytes: [UInt8]) throws(JSONFault) {
        let start = bytes.contentStart
        if let fault = JSONFault(opening: bytes[start...]) { throw fault }
        self.bytes = bytes
        nodes = try JSONReader.nodes(of: bytes.span, from: start)
    }

    /// The elements of the outermost array.
    ///
    /// - Throws: ``JSONFault`` of another shape where the text is an object.
    func list() throws(JSONFault) -> JSONElements {
        guard let elements = root.elements else { throw .unexpectedStructure }
        return elements
    }

    /// The outermost object.
    ///
    /// - Throws: ``JSONFault`` of another shape where the text is an array.
    func row() throws(JSONFault) -> JSONRow {
        guard let row = root.row else { throw .unexpectedStructure }
        return row
    }

    /// The outermost value.
    var root: JSONValue { JSONValue(document: self, index: 0) }
}

/// Where a value of a text of JSON is, or the name of a member.
struct JSONNode: Sendable {
    enum Kind: UInt8, Sendable {
        case object, array, key, string, number, yes, no, null
    }

    let kind: Kind
    /// Whether a string has escapes, so that its bytes are not those of its text.
    var hasEscapes = false
    /// Where it begins: a string with its first byte inside of the quotes.
    let start: UInt32
    /// The place after its last byte, of a string after the last one inside of the quotes; of a structure its bracket's.
    var end: UInt32
    /// Of an object and an array the node after the last one inside of it; of a key its ``NameHash``.
    var link: UInt32 = 0

    /// The node after a value at `index` and all that is inside of it.
    func next(after index: Int) -> Int {
        kind == .object || kind == .array ? Int(link) : index + 1
    }
}
