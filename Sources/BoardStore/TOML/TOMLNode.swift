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
        /// The key's first byte; for an element, its own.
        let key: Int
        /// The value; for a table with a header, the header's key.
        let value: Range<Int>
    }

    let value: Value
    let position: Position
    /// The value as written, on one line and truncated, or its type.
    let found: String
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

// Values from elsewhere than a file, for the same checks.
extension TOMLNode {
    init(text: String) {
        self.init(value: .text(text), found: "\"\(text)\"".short)
    }

    /// A boolean; any other text stays a text.
    init(flag text: String) {
        self.init(value: ["true": .boolean(true), "false": .boolean(false)][text] ?? .text(text), found: text.short)
    }

    init(list: [TOMLNode]) {
        self.init(value: .list(list), found: list.isEmpty ? "an empty list" : "a list")
    }

    private init(value: Value, found: String) {
        self.init(value: value, position: Position(key: 0, value: 0..<0), found: found)
    }
}

/// The keys of a table, in the order of the file.
struct TOMLEntries: Sendable {
    struct Entry: Sendable {
        let key: String
        let node: TOMLNode

        /// The key as a node, for a fault of the key and not of its value.
        var asKey: TOMLNode {
            let position = TOMLNode.Position(key: node.position.key, value: node.position.key..<node.position.key)
            return TOMLNode(value: .other, position: position, found: "\"\(key)\"")
        }
    }

    var entries: [Entry] = []

    /// The value of a key; nil where the key is absent.
    subscript(key: String) -> TOMLNode? {
        entries.first { $0.key == key }?.node
    }
}
