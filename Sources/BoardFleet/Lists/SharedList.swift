internal import BoardCore
internal import BoardStore

/// A list of favourites that several boards share: entries by stop, whose fields are merged one by one.
///
/// Merging takes the larger stamp of each field. It is commutative, associative and idempotent, so the boards of a list end
/// with equal lists, in whatever order and however often copies arrive.
struct SharedList: Hashable, Sendable {
    /// A value of a field and when it was set.
    struct Value: Hashable, Sendable {
        /// As in ``FavouriteField/texts``; empty: the default.
        let texts: [String]
        let stamp: HybridTimestamp

        /// The order in which values replace each other. Equal stamps happen only if two boards have one name.
        func isOlder(than other: Value) -> Bool {
            if stamp != other.stamp { return stamp < other.stamp }
            return texts.lexicographicallyPrecedes(other.texts) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    /// A field with its last value and the one before: the two with the largest stamps.
    struct Field: Hashable, Sendable {
        private(set) var value: Value
        /// What ``value`` replaced; nil: the default, or removed with its age.
        var previous: Value?

        init(_ value: Value, previous: Value? = nil) {
            self.value = value
            self.previous = previous
        }

        mutating func merge(_ other: Value) {
            if value.isOlder(than: other) {
                previous = value
                value = other
            } else if value != other, previous.map({ $0.isOlder(than: other) }) ?? true {
                previous = other
            }
        }
    }

    /// A favourite: its fields by name, with ``here`` and ``place``. Names of later versions are merged as well.
    struct Entry: Hashable, Sendable {
        var fields: [String: Field] = [:]

        /// Whether the stop is in the list; false: it was removed.
        var isHere: Bool { fields[SharedList.here]?.value.texts == [SharedList.isHere] }
        /// Nil: no valid one.
        var place: FractionalIndex? { fields[SharedList.place]?.value.texts.first.flatMap { FractionalIndex($0) } }

        mutating func set(_ name: String, _ texts: [String], _ stamp: HybridTimestamp) {
            merge(Value(texts: texts, stamp: stamp), into: name)
        }

        mutating func merge(_ value: Value, into name: String) {
            if fields[name]?.merge(value) == nil { fields[name] = Field(value) }
        }
    }

    /// The field that is `true`, or `false` after the removal of the stop.
    static let here = "here"
    static let isHere = "true"
    static let isGone = "false"
    /// The field with a ``FractionalIndex``.
    static let place = "place"
    /// The keys of a favourite that are merged.
    static let favouriteFields = FavouriteField.all.filter { $0.name != "shared" }

    var entries: [StopID: Entry] = [:]

    init() {}

    /// The list with everything that another one has later.
    func merged(with other: SharedList) -> SharedList {
        var list = self
        for (stop, entry) in other.entries where list.entries[stop] != entry {
            for (name, field) in entry.fields {
                list.entries[stop, default: Entry()].merge(field.value, into: name)
                if let previous = field.previous { list.entries[stop, default: Entry()].merge(previous, into: name) }
            }
        }
        return list
    }

    /// The largest stamp; nil: the list has none.
    var latest: HybridTimestamp? {
        entries.values.lazy.flatMap(\.fields.values).map(\.value.stamp).max()
    }

    /// Whether a copy with this list needs no other values of `other`. Values before the last ones, and removals that are no
    /// longer stored everywhere, do not count.
    func includes(_ other: SharedList) -> Bool {
        other.entries.allSatisfy { stop, entry in
            let own = entries[stop]
            if !entry.isHere, own?.isHere != true {
                // Of a removed stop only the removal is needed.
                return own.map { Self.includes($0, entry, Self.here) } ?? false
            }
            guard let own else { return entry.fields.isEmpty }
            return entry.fields.keys.allSatisfy { Self.includes(own, entry, $0) }
        }
    }

    private static func includes(_ own: Entry, _ other: Entry, _ name: String) -> Bool {
        guard let needed = other.fields[name]?.value else { return true }
        return own.fields[name].map { !$0.value.isOlder(than: needed) } ?? false
    }
}
