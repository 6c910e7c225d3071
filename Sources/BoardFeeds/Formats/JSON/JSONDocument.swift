package import BoardCore

/// A parsed JSON text (RFC 8259): validated as a whole, with the positions of all values. Numbers and texts are created
/// on access, so unused ones cost no more than their bytes.
///
/// The outermost value is an object or an array, as in all responses of operators.
package final class JSONDocument: Sendable {
    /// The deepest nesting; real responses have about 20 levels.
    package static let maximumDepth = 128

    let bytes: [UInt8]
    /// The values, parents before children; an object's keys and values alternate.
    let nodes: [JSONNode]

    /// Parses a text; leading blanks and a UTF-8 byte order mark are skipped.
    package init(_ bytes: [UInt8], maximumValues: Int = ResponseLimits.values) throws(FormatError) {
        if let fault = FormatError(body: bytes) { throw fault }
        self.bytes = bytes
        nodes = try JSONReader.nodes(of: bytes.span, from: bytes.contentStart, upTo: maximumValues)
    }

    init(_ bytes: [UInt8], _ nodes: [JSONNode]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    /// The elements of the outermost array.
    package func list() throws(FormatError) -> JSONElements {
        guard let elements = root.elements else { throw .unexpectedStructure }
        return elements
    }

    /// The outermost object.
    package func row() throws(FormatError) -> JSONRow {
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
    /// The first byte; for a string, the first within the quotes.
    let start: UInt32
    /// The position after the last byte; for a string, after the last one within the quotes.
    var end: UInt32
    /// For an object or array, the node after its last descendant; 0 for all others.
    var link: UInt32 = 0

    /// The node after a value at `index` and its descendants.
    func next(after index: Int) -> Int { kind == .object || kind == .array ? Int(link) : index + 1 }
}

/// A JSON value. Variations between operators are handled here: a number may be quoted, and a text may be a number or a
/// boolean.
package struct JSONValue: Equatable {
    let document: JSONDocument
    let index: Int

    private var node: JSONNode { document.nodes[index] }

    /// Whether both are the same place in a document.
    package static func == (left: Self, right: Self) -> Bool {
        left.index == right.index && left.document === right.document
    }

    /// The object; nil for anything else.
    package var row: JSONRow? { node.kind == .object ? JSONRow(value: self) : nil }

    /// The object if it has members; nil for anything else.
    package var nonEmptyRow: JSONRow? { Int(node.link) > index + 1 ? row : nil }

    /// The elements of an array; nil for anything else.
    package var elements: JSONElements? {
        node.kind == .array ? JSONElements(document: document, index: index + 1, end: Int(node.link)) : nil
    }

    package var isNull: Bool { node.kind == .null }

    /// Whether it is a string, which may be empty.
    package var isString: Bool { node.kind == .string }

    /// The text; nil if absent (``Span/trimmedText``), and for an array. The text of an object is its member `value`.
    package var text: String? {
        switch node.kind {
        case .string, .number, .yes, .no: content { $0.trimmedText }
        case .object: (row?["value"] ?? row?["Value"]).flatMap { $0.node.kind == .object ? nil : $0.text }
        case .array, .key, .null: nil
        }
    }

    /// The integer, quoted or not; nil for anything else.
    package var integer: Int? {
        text.flatMap { Int($0) ?? (node.kind == .number ? Double($0).flatMap { Int(exactly: $0) } : nil) }
    }

    /// The number; nil for anything else, and if it is not finite.
    package var number: Double? {
        node.kind == .number ? text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } : nil
    }

    /// The boolean, quoted or not, or as a number; nil without a text.
    package var truth: Bool? {
        switch node.kind {
        case .yes: true
        case .no: false
        default: text?.isTrue
        }
    }

    /// The timestamp in a text; nil if there is none ("0001-01-01T00:00:00").
    package var time: Timestamp? { node.kind == .string ? content { $0.timestamp } : nil }

    /// The value, or if it is an array its elements, without `null`.
    fileprivate var flattened: [JSONValue] { isNull ? [] : elements.map { $0.flatMap(\.flattened) } ?? [self] }

    /// The values of all members of this name in this value, however deep, as for ``JSONRow/all(_:)``.
    package func descendants(_ key: String) -> [JSONValue] {
        let name = key.utf8
        var values: [JSONValue] = []
        // A loop: Swift 6.2.3 crashes on the span in a closure.
        for index in index..<node.next(after: index) where document.isKey(index, name.span) {
            values += JSONValue(document: document, index: index + 1).flattened
        }
        return values
    }

    /// Calls `read` with the bytes of a string without quotes and escapes, or of a number or literal.
    private func content<Result>(_ read: (Span<UInt8>) -> Result) -> Result {
        document.content(of: node, read)
    }
}

/// The elements of an array, in their order.
package struct JSONElements: Sequence, IteratorProtocol {
    let document: JSONDocument
    /// The node of the next element.
    var index: Int
    /// The node after the last element.
    let end: Int

    package mutating func next() -> JSONValue? {
        guard index < end else { return nil }
        defer { index = document.nodes[index].next(after: index) }
        return JSONValue(document: document, index: index)
    }
}

extension Sequence<JSONValue> {
    /// Calls `take` with the first ``ResponseLimits/rows`` objects that have members.
    ///
    /// - Returns: the number of all other elements: each is a bad row.
    package func eachRow(_ take: (JSONRow) -> Void) -> Int {
        var (taken, bad) = (0, 0)
        for element in self {
            if taken < ResponseLimits.rows, let row = element.nonEmptyRow {
                taken += 1
                take(row)
            } else {
                bad += 1
            }
        }
        return bad
    }

    /// The valid rows, and the number of bad ones, as for ``eachRow(_:)``.
    package func rows<Row>(_ read: (JSONRow) -> Row?) -> (good: [Row], bad: Int) {
        var good: [Row] = []
        var unread = 0
        let bad = eachRow { row in
            if let row = read(row) { good.append(row) } else { unread += 1 }
        }
        return (good, bad + unread)
    }
}

extension Sequence {
    /// The first `limit` results of `read` that are not nil.
    package func limitedCompactMap<Value>(upTo limit: Int = ResponseLimits.rows, _ read: (Element) -> Value?) -> [Value]
    {
        var values: [Value] = []
        for element in self where values.count < limit {
            if let value = read(element) { values.append(value) }
        }
        return values
    }
}

/// An object, accessed by the names of its members; of equal names the last one counts.
package struct JSONRow {
    package let value: JSONValue

    package subscript(key: String) -> JSONValue? {
        var found: JSONValue?
        eachMember(key) { found = $0 }
        return found
    }

    /// The values of all members with this name, and the elements of those that are arrays: repeated elements of XML
    /// are an array in JSON. Without `null`.
    package func all(_ key: String) -> [JSONValue] {
        var found: [JSONValue] = []
        eachMember(key) { found += $0.flattened }
        return found
    }

    private func eachMember(_ key: String, _ take: (JSONValue) -> Void) {
        let document = value.document
        let end = Int(document.nodes[value.index].link)
        let name = key.utf8
        var index = value.index + 1
        while index < end {
            if document.isKey(index, name.span) { take(JSONValue(document: document, index: index + 1)) }
            index = document.nodes[index + 1].next(after: index + 1)
        }
    }

    /// The object as received.
    package var bytes: [UInt8] {
        let node = value.document.nodes[value.index]
        return Array(value.document.bytes[Int(node.start)..<Int(node.end)])
    }

    package func text(_ key: String) -> String? { self[key]?.text }

    package func integer(_ key: String) -> Int? { self[key]?.integer }

    package func number(_ key: String) -> Double? { self[key]?.number }

    package func truth(_ key: String) -> Bool? { self[key]?.truth }

    package func time(_ key: String) -> Timestamp? { self[key]?.time }

    package func row(_ key: String) -> JSONRow? { self[key]?.row }

    /// The valid rows in the array of a member; empty if there is no array.
    package func rows<Row>(_ key: String, _ read: (JSONRow) -> Row?) -> [Row] {
        self[key]?.elements?.rows(read).good ?? []
    }

    /// The texts in the array of a member; empty if there is no array.
    package func texts(_ key: String) -> [String] { self[key]?.elements?.limitedCompactMap(\.text) ?? [] }

    /// The integers in the array of a member; empty if there is no array.
    package func integers(_ key: String) -> [Int] { self[key]?.elements?.limitedCompactMap(\.integer) ?? [] }
}

extension JSONDocument {
    fileprivate func isKey(_ index: Int, _ name: Span<UInt8>) -> Bool {
        let node = nodes[index]
        guard node.kind == .key, node.hasEscapes || Int(node.end - node.start) == name.count else { return false }
        return content(of: node) { $0.isEqual(to: name) }
    }

    /// Calls `read` with the bytes of a string without quotes and escapes, or of a number or literal.
    func content<Result>(of node: JSONNode, _ read: (Span<UInt8>) -> Result) -> Result {
        let bytes = bytes
        let place = Int(node.start)..<Int(node.end)
        guard node.hasEscapes else { return read(bytes.span.extracting(place)) }
        let text = JSONEscapes.resolved(bytes.span.extracting(place))
        return read(text.span)
    }
}
