internal import BoardCore

/// A value of a text of JSON, with what operators change their minds about decided once: a number may be quoted, and a text
/// may be written as a number or a truth value.
struct JSONValue {
    let document: JSONDocument
    /// Its node.
    let index: Int

    private var node: JSONNode { document.nodes[index] }

    /// The object; nil for anything else.
    var row: JSONRow? { node.kind == .object ? JSONRow(value: self) : nil }

    /// The object that has a member; nil for anything else.
    var nonEmptyRow: JSONRow? { Int(node.link) > index + 1 ? row : nil }

    /// The elements of an array; nil for anything else.
    var elements: JSONElements? {
        node.kind == .array ? JSONElements(document: document, index: index + 1, end: Int(node.link)) : nil
    }

    /// Whether it is `null`.
    var isNull: Bool { node.kind == .null }

    /// Whether it is a string, which may be empty.
    var isString: Bool { node.kind == .string }

    /// The text; nil for no value (``Span/words``), and for an object or an array.
    var text: String? {
        switch node.kind {
        case .string, .number, .yes, .no: content { $0.trimmedText }
        case .object, .array, .key, .null: nil
        }
    }

    /// The whole number, quoted or not; nil for anything else.
    var integer: Int? {
        text.flatMap { Int($0) ?? (node.kind == .number ? Double($0).flatMap { Int(exactly: $0) } : nil) }
    }

    /// The number; nil for anything else, and for one that is too large to be any.
    var number: Double? {
        node.kind == .number ? text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } : nil
    }

    /// The truth value, quoted or not, or as a number; nil for no value, an object or an array.
    var truth: Bool? {
        switch node.kind {
        case .yes: true
        case .no: false
        default: text?.isTrue
        }
    }

    /// The moment that a text names; nil where it names none ("0001-01-01T00:00:00").
    var time: Timestamp? { node.kind == .string ? content { $0.timestamp } : nil }

    /// Calls `read` with the bytes of a string without its quotes and escapes, or of a number or literal.
    private func content<Result>(_ read: (Span<UInt8>) -> Result) -> Result {
        document.content(of: node, read)
    }
}

/// The elements of an array, in their order.
struct JSONElements: Sequence, IteratorProtocol {
    let document: JSONDocument
    /// The node of the next one.
    var index: Int
    /// The node after the last one.
    let end: Int

    mutating func next() -> JSONValue? {
        guard index < end else { return nil }
        defer { index = document.nodes[index].next(after: index) }
        return JSONValue(document: document, index: index)
    }

    /// Hands over the objects with members one by one, the ``ResponseLimits/rows`` first of them.
    ///
    /// - Returns: how many elements were not handed over: each is a bad row.
    func eachRow(_ take: (JSONRow) -> Void) -> Int {
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

    /// The rows that can be read, and how many cannot; each costs itself and no other. As for
    /// ``eachRow(_:)``.
    func rows<Row>(_ read: (JSONRow) -> Row?) -> (good: [Row], bad: Int) {
        var good: [Row] = []
        var unread = 0
        let bad = eachRow { row in
            if let row = read(row) { good.append(row) } else { unread += 1 }
        }
        return (good, bad + unread)
    }
}

extension Sequence {
    /// What can be read of the elements, at most `limit` of them.
    func limitedCompactMap<Value>(upTo limit: Int = ResponseLimits.rows, _ read: (Element) -> Value?) -> [Value] {
        var values: [Value] = []
        for element in self where values.count < limit {
            if let value = read(element) { values.append(value) }
        }
        return values
    }
}

/// An object, by the names of its members; of equal names the last one counts.
struct JSONRow {
    /// The object.
    let value: JSONValue

    /// The value of a member; nil where there is none.
    subscript(key: String) -> JSONValue? {
        let document = value.document
        let nodes = document.nodes
        let end = Int(nodes[value.index].link)
        let name = key.utf8
        let hash = NameHash.of(name.span)
        var found: JSONValue?
        var index = value.index + 1
        while index < end {
            if nodes[index].link == hash, document.isKey(index, name.span) {
                found = JSONValue(document: document, index: index + 1)
            }
            index = nodes[index + 1].next(after: index + 1)
        }
        return found
    }

    /// The text of a member, as ``JSONValue/text``.
    func text(_ key: String) -> String? { self[key]?.text }

    /// The whole number of a member, as ``JSONValue/integer``.
    func integer(_ key: String) -> Int? { self[key]?.integer }

    /// The number of a member, as ``JSONValue/number``.
    func number(_ key: String) -> Double? { self[key]?.number }

    /// The truth value of a member, as ``JSONValue/truth``.
    func truth(_ key: String) -> Bool? { self[key]?.truth }

    /// The moment of a member, as ``JSONValue/time``.
    func time(_ key: String) -> Timestamp? { self[key]?.time }

    /// The object of a member; nil where there is none.
    func row(_ key: String) -> JSONRow? { self[key]?.row }

    /// The rows of a member that can be read; none where there is no array.
    func rows<Row>(_ key: String, _ read: (JSONRow) -> Row?) -> [Row] {
        self[key]?.elements?.rows(read).good ?? []
    }

    /// The texts in the array of a member; none where there is no array.
    func texts(_ key: String) -> [String] { self[key]?.elements?.limitedCompactMap(\.text) ?? [] }

    /// The whole numbers in the array of a member; none where there is no array.
    func integers(_ key: String) -> [Int] { self[key]?.elements?.limitedCompactMap(\.integer) ?? [] }
}

extension JSONDocument {
    /// Whether a key has this name.
    fileprivate func isKey(_ index: Int, _ name: Span<UInt8>) -> Bool {
        content(of: nodes[index]) { $0.isEqual(to: name) }
    }

    /// Calls `read` with the bytes of a string without its quotes and escapes, or of a number or literal.
    func content<Result>(of node: JSONNode, _ read: (Span<UInt8>) -> Result) -> Result {
        let bytes = bytes
        let place = Int(node.start)..<Int(node.end)
        guard node.hasEscapes else { return read(bytes.span.extracting(place)) }
        let text = JSONEscapes.resolved(bytes.span.extracting(place))
        return read(text.span)
    }
}
