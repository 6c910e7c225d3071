import BoardCore
import BoardStore

/// A list of favourites that several boards share: entries by stop, whose fields are merged one by one.
///
/// Merging keeps the value with the larger stamp of each field. It is commutative, associative and idempotent, so all
/// boards end up with equal lists, in whatever order and however often copies arrive.
struct SharedList: Hashable, Sendable {
    /// A value of a field and when it was set.
    struct Value: Hashable, Sendable {
        /// As in ``FavouriteField/texts``; empty: the default.
        let texts: [String]
        let stamp: HybridTimestamp

        /// The order in which values replace each other. Equal stamps happen only if two boards have the same name.
        func isOlder(than other: Value) -> Bool {
            if stamp != other.stamp { return stamp < other.stamp }
            return texts.lexicographicallyPrecedes(other.texts) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    /// A field with its last value and the one before: the two with the largest stamps.
    struct Field: Hashable, Sendable {
        private(set) var value: Value
        /// What ``value`` replaced; nil: the default, or removed because of its age.
        var previous: Value?

        init(_ value: Value, previous: Value? = nil) {
            self.value = value
            self.previous = previous
        }

        mutating func merge(_ other: Value) {
            if value.isOlder(than: other) {
                previous = value
                value = other
            } else if value != other, previous.isNilOr({ $0.isOlder(than: other) }) {
                previous = other
            }
        }
    }

    /// A favourite: its fields by name, with ``here`` and ``place``. Fields of later versions are merged as well.
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

    /// The list with every later value of another one.
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

    /// Whether this list has all current values of `other`. Previous values, and removals that are no longer stored
    /// everywhere, do not count.
    func includes(_ other: SharedList) -> Bool {
        other.entries.allSatisfy { stop, entry in
            let own = entries[stop]
            if !entry.isHere, own?.isHere != true {
                // Of a removed stop, only the removal is needed.
                return own.isSomeAnd { Self.includes($0, entry, Self.here) }
            }
            guard let own else { return entry.fields.isEmpty }
            return entry.fields.keys.allSatisfy { Self.includes(own, entry, $0) }
        }
    }

    private static func includes(_ own: Entry, _ other: Entry, _ name: String) -> Bool {
        guard let needed = other.fields[name]?.value else { return true }
        return own.fields[name].isSomeAnd { !$0.value.isOlder(than: needed) }
    }
}

// Changes made on this board.
extension SharedList {
    /// The longest place that a move makes; beyond it, all entries get new places.
    private static let maximumPlaceLength = 24

    /// Records the changes to the board's favourites from `old` to `new`, with one stamp.
    ///
    /// A value is stamped only if it also differs from the list's: the file may have values that were merged before.
    ///
    /// - Parameters:
    ///   - local: stops that the board has, but does not share; they are not removed.
    ///   - stamp: called at most once.
    mutating func record(
        from old: [Favourite], to new: [Favourite], local: Set<StopID> = [], stamp: () -> HybridTimestamp
    ) {
        var edits: [(stop: StopID, field: String, texts: [String])] = []
        let before = Dictionary(old.map { ($0.stop, $0) }) { first, _ in first }
        var unplaced: Set<StopID> = []
        for favourite in new where before[favourite.stop] != favourite {
            let stop = favourite.stop
            let isHere = entries[stop]?.isHere ?? false
            let listed = self.favourite(stop)
            let isAdded = before[stop] == nil && !isHere
            if isAdded {
                edits.append((stop, Self.here, [Self.isHere]))
                unplaced.insert(stop)
            }
            // If two boards add a stop, values that one of them does not set come from the other.
            let reference = before[stop] ?? Favourite(stop: stop)
            for field in Self.favouriteFields {
                let texts = field.textsUnlessDefault(favourite)
                // An added stop replaces all removed values, even on a board that has not received the removal.
                let isChanged =
                    isAdded
                    ? !texts.isEmpty || entries[stop]?.fields[field.name] != nil
                    : texts != field.textsUnlessDefault(reference) && texts != field.textsUnlessDefault(listed)
                if isChanged { edits.append((stop, field.name, texts)) }
            }
        }
        let present = Set(new.map(\.stop)).union(local)
        for favourite in old where !present.contains(favourite.stop) && entries[favourite.stop]?.isHere == true {
            edits.append((favourite.stop, Self.here, [Self.isGone]))
        }
        let removed = Set(edits.filter { $0.texts == [Self.isGone] && $0.field == Self.here }.map(\.stop))
        for (stop, place) in places(from: old.map(\.stop), to: new.map(\.stop), unplaced: unplaced, removed: removed) {
            edits.append((stop, Self.place, [place.description]))
        }
        guard !edits.isEmpty else { return }
        let stamp = stamp()
        for edit in edits { entries[edit.stop, default: Entry()].set(edit.field, edit.texts, stamp) }
    }

    /// The new places of stops that were added or moved, and of others without room between them.
    private func places(
        from old: [StopID], to new: [StopID], unplaced: Set<StopID>, removed: Set<StopID>
    ) -> [StopID: FractionalIndex] {
        let order = self.order.filter { !removed.contains($0) }
        var moving = unplaced
        let listed = Set(order)
        if order.filter(Set(new).contains) != new.filter(listed.contains) {
            moving.formUnion(Reordering.moved(from: old, to: new).filter(listed.contains))
        }
        guard !moving.isEmpty else { return [:] }
        var placed = order.filter { !moving.contains($0) }
        var places = [StopID: FractionalIndex]()
        for stop in placed { places[stop] = entries[stop]?.place }
        let before = places
        var predecessor: StopID?
        for stop in new {
            if moving.contains(stop) {
                let index = predecessor.flatMap(placed.firstIndex).map { $0 + 1 } ?? 0
                placed.insert(stop, at: index)
                Self.makeRoom(at: index, in: placed, &places)
            }
            if moving.contains(stop) || listed.contains(stop) { predecessor = stop }
        }
        if places.count < placed.count || places.values.contains(where: { $0.length > Self.maximumPlaceLength }) {
            places = Dictionary(zip(placed, FractionalIndex.evenly(placed.count))) { first, _ in first }
        }
        return places.filter { before[$0.key] != $0.value }
    }

    /// Gives the stop at `index` a place between its neighbours; if they have the same place, the later ones as well.
    private static func makeRoom(at index: Int, in order: [StopID], _ places: inout [StopID: FractionalIndex]) {
        var lower = index > 0 ? places[order[index - 1]] : nil
        let upper = order[(index + 1)...].compactMap { places[$0] }.first { place in
            lower.isNilOr { $0 < place }
        }
        var next = index
        repeat {
            let place = FractionalIndex.between(lower, upper)
            places[order[next]] = place
            lower = place
            next += 1
        } while next < order.count && places[order[next]] != upper
    }
}

// The list as favourites.
extension SharedList {
    /// The stops of the list in its order: by place, then by stop.
    var order: [StopID] {
        entries.filter(\.value.isHere).map { (stop: $0.key, place: $0.value.place) }.sorted { left, right in
            switch (left.place, right.place) {
            case (let one?, let other?) where one != other: one < other
            case (nil, _?): false
            case (_?, nil): true
            default: left.stop.description < right.stop.description
            }
        }.map(\.stop)
    }

    /// The favourites of the list in its order.
    var favourites: [Favourite] { order.map { favourite($0) } }

    /// A favourite with the values of its entry, even of a removed one.
    func favourite(_ stop: StopID) -> Favourite {
        var favourite = Favourite(stop: stop)
        for (name, field) in entries[stop]?.fields ?? [:] {
            guard let key = Self.keys[name] else { continue }
            // If this version rejects the value, the one before applies.
            for value in [field.value, field.previous].compactMap({ $0 }) {
                if (try? key.set(value.texts, in: &favourite)) != nil { break }
            }
        }
        return favourite
    }

    /// Sentences about the listed stops' values that this version rejects.
    var rejectedValues: [String] {
        order.flatMap { stop -> [String] in
            (entries[stop]?.fields ?? [:]).sorted { $0.key < $1.key }.compactMap { name, field in
                var scratch = Favourite(stop: stop)
                do {
                    try Self.keys[name]?.set(field.value.texts, in: &scratch)
                    return nil
                } catch {
                    return "\(stop): \(error)"
                }
            }
        }
    }

    private static let keys = Dictionary(favouriteFields.map { ($0.name, $0) }) { first, _ in first }
}
