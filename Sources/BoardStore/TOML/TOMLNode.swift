/// A value of a TOML document with its place.
struct TOMLNode: Sendable {
    /// The value, as far as a configuration cares.
    enum Value: Sendable {
        case text(String)
        case integer(Int)
        case boolean(Bool)
        case list([TOMLNode])
        case table(TOMLEntries)
        /// A type that no key of ours has: a number with a point, a date, a time.
        case other
    }

    /// Where a key and its value stand, in bytes.
    struct Place: Sendable {
        /// The key's first byte; of an element, its own.
        let key: Int
        /// The value; of a table with a header, the header's key.
        let value: Range<Int>
    }

    /// The value.
    let value: Value
    /// Where it stands.
    let place: Place
    /// The value as it is written, on one line and cut where it is long, or what kind of thing it is.
    let found: String
}

/// The keys of a table, in the order of the file.
struct TOMLEntries: Sendable {
    /// A key with its value.
    struct Entry: Sendable {
        let key: String
        let node: TOMLNode

        /// The key itself, for a fault that is about it and not about its value.
        var asKey: TOMLNode {
            let place = TOMLNode.Place(key: node.place.key, value: node.place.key..<node.place.key)
            return TOMLNode(value: .other, place: place, found: "\"\(key)\"")
        }
    }

    /// The keys.
    var entries: [Entry] = []

    /// The value of a key; nil when the table has no such key.
    subscript(key: String) -> TOMLNode? {
        entries.first { $0.key == key }?.node
    }
}
