import CTOML

/// A TOML text as a tree of values with their positions.
struct TOMLDocument {
    let source: SourceText
    let root: TOMLEntries

    /// The document of a missing file.
    init() {
        source = SourceText(empty: "")
        root = TOMLEntries()
    }

    /// Values of a text that are somewhere else than they were written.
    init(source: SourceText, root: TOMLEntries) {
        self.source = source
        self.root = root
    }

    /// With the keys of an earlier version where they are now, and a remark about each. A key that is there already wins.
    func withMovedKeys(into collector: FaultCollector) -> TOMLDocument {
        var root = root
        for (table, key, newTable, newKey) in Self.moved {
            guard let whole = root[table], case .table(var old) = whole.value, let entry = old[key] else { continue }
            old.entries.removeAll { $0.key == key }
            root.set(table, to: whole.with(.table(old)))
            let place = newKey.isEmpty ? "[[\(newTable)]]" : "\(newKey) in [\(newTable)]"
            collector.remark(
                source.fault(at: entry.position.key, "\(key) of [\(table)] is now \(place): move it there"))
            if newKey.isEmpty {
                if case .list(let added) = entry.value, case .list(let there)? = root[newTable]?.value {
                    root.set(newTable, to: entry.with(.list(there + added)))
                } else if root[newTable] == nil {
                    root.set(newTable, to: entry)
                }
            } else if root[newTable] == nil {
                root.set(newTable, to: whole.with(.table(TOMLEntries(entries: [.init(key: newKey, node: entry)]))))
            } else if let there = root[newTable], case .table(var new) = there.value, new[newKey] == nil {
                new.set(newKey, to: entry)
                root.set(newTable, to: there.with(.table(new)))
            }
        }
        return TOMLDocument(source: source, root: root)
    }

    /// Tables and keys, and where they are now; a list of tables has no key there.
    private static let moved = [
        ("board", "language", "language", "code"), ("board", "clock", "language", "clock"),
        ("board", "home", "pages", "home"), ("board", "return_home", "pages", "return_home"),
        ("board", "rotate", "pages", "rotate"), ("board", "reach", "pages", "reach"),
        ("board", "screens", "pages", "screens"), ("board", "turns", "pages", "turns"),
        ("board", "wake", "light", "wake"), ("board", "quiet", "quiet", ""),
        ("page", "tiles", "map", "tiles"), ("page", "tiles_attribution", "map", "attribution"),
    ]

    /// Parses a text; throws its first syntax error.
    init(_ source: SourceText) throws(SourceError) {
        self.source = source
        let bytes = source.bytes.map(CChar.init(bitPattern:))
        guard let document = unsafe ctoml_parse(bytes, bytes.count) else {
            throw SourceError(file: source.file, message: "out of memory while parsing")
        }
        defer { unsafe ctoml_free(document) }
        if let error = unsafe document.pointee.error {
            let offset = Int(unsafe document.pointee.error_offset)
            throw source.fault(at: offset, unsafe "\(String(cString: error)); found \(source.found(from: offset))")
        }
        let nodes = unsafe UnsafeBufferPointer(start: document.pointee.nodes, count: document.pointee.count)
        var builder = unsafe TOMLTreeBuilder(source: source, nodes: nodes)
        root = unsafe builder.entries(of: builder.take())
    }
}

/// Builds a tree from nodes in depth-first order.
@safe private struct TOMLTreeBuilder {
    let source: SourceText
    let nodes: UnsafeBufferPointer<ctoml_node>
    var next = 0

    mutating func take() -> ctoml_node {
        defer { next += 1 }
        return unsafe nodes[next]
    }

    /// The entries of a table whose own node has been consumed.
    mutating func entries(of table: ctoml_node) -> TOMLEntries {
        var entries: [TOMLEntries.Entry] = []
        for _ in unsafe 0..<table.count {
            let node = unsafe take()
            let key = unsafe Self.string(node.name, node.name_length)
            entries.append(.init(key: key, node: unsafe self.node(node)))
        }
        // The parser's tables have no order; messages follow the order of the file.
        return TOMLEntries(entries: entries.sorted { $0.node.position.key < $1.node.position.key })
    }

    private mutating func node(_ node: ctoml_node) -> TOMLNode {
        let position = unsafe TOMLNode.Position(key: node.key, value: node.first..<node.last)
        switch unsafe node.kind {
        case CTOML_TABLE: return unsafe TOMLNode(value: .table(entries(of: node)), position: position, found: "a table")
        case CTOML_ARRAY:
            var elements: [TOMLNode] = []
            for _ in unsafe 0..<node.count { elements.append(unsafe self.node(take())) }
            return TOMLNode(
                value: .list(elements), position: position, found: elements.isEmpty ? "an empty list" : "a list")
        case CTOML_STRING: return unsafe scalar(.text(Self.string(node.text, node.text_length)), position)
        case CTOML_INTEGER: return unsafe scalar(.integer(Int(node.number)), position)
        case CTOML_BOOLEAN: return unsafe scalar(.boolean(node.number != 0), position)
        default: return scalar(.other, position)
        }
    }

    private func scalar(_ value: TOMLNode.Value, _ position: TOMLNode.Position) -> TOMLNode {
        TOMLNode(value: value, position: position, found: source.text(position.value).short)
    }

    private static func string(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

extension SourceText {
    /// The rest of a line from an offset.
    fileprivate func found(from offset: Int) -> String {
        let rest = text(offset..<bytes.count).prefix { !$0.isNewline }
        return rest.allSatisfy(\.isWhitespace) ? "the end of the line" : String(rest).short
    }
}

extension String {
    /// The text on one line, truncated.
    var short: String {
        let maximumLength = 40
        let line = String(map { $0.isNewline ? " " : $0 })
        return line.count <= maximumLength ? line : line.prefix(maximumLength) + "…"
    }
}

/// A value of a TOML document with its position.
struct TOMLNode: Sendable {
    /// The types that the configuration uses.
    enum Value: Sendable {
        case text(String)
        case integer(Int)
        case boolean(Bool)
        case list([TOMLNode])
        case table(TOMLEntries)
        /// A type that no key has: a float, a date, a time.
        case other
    }

    /// The byte offsets of a key and its value.
    struct Position: Sendable {
        /// The key's first byte; for a list element, its own.
        let key: Int
        /// The value; for a table with a header, the header's key.
        let value: Range<Int>
    }

    let value: Value
    let position: Position
    /// The value as written, on one line and truncated, or its type.
    let found: String

    func with(_ value: Value) -> TOMLNode { TOMLNode(value: value, position: position, found: found) }

    /// Whether it is a table without keys, or a list of such tables.
    var isBlank: Bool {
        switch value {
        case .table(let table): table.entries.isEmpty
        case .list(let elements): !elements.isEmpty && elements.allSatisfy(\.isBlank)
        default: false
        }
    }
}

extension TOMLNode {
    /// A text, or a whole number as text: for quantities whose unit may be left out.
    var numberOrText: String? {
        switch value {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .boolean, .list, .table, .other: nil
        }
    }
}

// Values that do not come from a file, for the same checks.
extension TOMLNode {
    init(text: String) { self.init(value: .text(text), found: "\"\(text)\"".short) }

    /// A boolean; any other text stays a text.
    init(flag text: String) {
        self.init(value: ["true": .boolean(true), "false": .boolean(false)][text] ?? .text(text), found: text.short)
    }

    init(list: [TOMLNode]) { self.init(value: .list(list), found: list.isEmpty ? "an empty list" : "a list") }

    private init(value: Value, found: String) {
        self.init(value: value, position: Position(key: 0, value: 0..<0), found: found)
    }
}

/// The keys of a table, in the order of the file.
struct TOMLEntries: Sendable {
    struct Entry: Sendable {
        let key: String
        let node: TOMLNode

        /// The key as a node, for a fault of the key rather than its value.
        var asKey: TOMLNode {
            let position = TOMLNode.Position(key: node.position.key, value: node.position.key..<node.position.key)
            return TOMLNode(value: .other, position: position, found: "\"\(key)\"")
        }
    }

    var entries: [Entry] = []

    /// The value of a key; nil if the key is absent.
    subscript(key: String) -> TOMLNode? { entries.first { $0.key == key }?.node }

    mutating func set(_ key: String, to node: TOMLNode) {
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index] = Entry(key: key, node: node)
        } else {
            entries.append(Entry(key: key, node: node))
        }
    }
}

/// Values in TOML syntax.
package enum TOMLText {
    /// A key, in quotes where it needs them.
    static func key(_ text: String) -> String {
        let isBare = !text.isEmpty && text.utf8.allSatisfy { ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122 || $0 == 95 }
        return isBare ? text : quoted(text)
    }

    /// A text in double quotes; it must not contain control characters.
    package static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
    }
}
