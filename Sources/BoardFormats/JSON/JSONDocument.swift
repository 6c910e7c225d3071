/// A parsed JSON text (RFC 8259): validated as a whole, with the positions of all values. Numbers and texts are created on
/// access, so that unused ones cost no more than their bytes.
///
/// The outermost value is an object or an array, as in all responses of operators.
package final class JSONDocument: Sendable {
    /// The deepest nesting; real responses have about 20 levels.
    package static let maxDepth = 128

    let bytes: [UInt8]
    /// The values, parents before children; an object's keys and values alternate.
    let nodes: [JSONNode]

    /// Parses a text; leading blanks and a UTF-8 byte order mark are skipped.
    ///
    /// - Throws: ``JSONFault`` with what was found instead.
    package init(_ bytes: [UInt8], maximumValues: Int = ResponseLimits.values) throws(JSONFault) {
        if let fault = JSONFault(body: bytes) { throw fault }
        self.bytes = bytes
        nodes = try JSONReader.nodes(of: bytes.span, from: bytes.contentStart, upTo: maximumValues)
    }

    init(_ bytes: [UInt8], _ nodes: [JSONNode]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    /// The elements of the outermost array.
    ///
    /// - Throws: ``JSONFault/unexpectedStructure`` for an object.
    package func list() throws(JSONFault) -> JSONElements {
        guard let elements = root.elements else { throw .unexpectedStructure }
        return elements
    }

    /// The outermost object.
    ///
    /// - Throws: ``JSONFault/unexpectedStructure`` for an array.
    package func row() throws(JSONFault) -> JSONRow {
        guard let row = root.row else { throw .unexpectedStructure }
        return row
    }

    package var root: JSONValue { JSONValue(document: self, index: 0) }
}

/// The position of a value, or of a member's name.
struct JSONNode: Sendable {
    enum Kind: UInt8, Sendable {
        case object, array, key, string, number, yes, no, null
    }

    let kind: Kind
    /// Whether a string has escapes, so that its bytes differ from its text.
    var hasEscapes = false
    /// The first byte; of a string the first within the quotes.
    let start: UInt32
    /// The position after the last byte; of a string after the last within the quotes; of a structure after its bracket.
    var end: UInt32
    /// For an object or array the node after its last descendant; 0 for all others.
    var link: UInt32 = 0

    /// The node after a value at `index` and its descendants.
    func next(after index: Int) -> Int {
        kind == .object || kind == .array ? Int(link) : index + 1
    }
}
