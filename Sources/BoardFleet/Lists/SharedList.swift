import BoardCore
import BoardStore

/// A list of favourites that several boards share: each favourite as a whole, and their order, with the times of their
/// last changes.
///
/// Merging keeps the later version of each. It is commutative, associative and idempotent, so all boards end up with
/// equal lists, in whatever order and however often copies arrive.
struct SharedList: Hashable, Sendable {
    /// The texts of a favourite's keys (``FavouriteField/texts``) without the defaults. Keys of later versions stay.
    typealias Values = [String: [String]]

    /// The favourites by stop; nil: it was removed.
    var entries: [StopID: Register<Values?>] = [:]
    /// The order of the favourites, with the places of those that were removed; nil: none was set.
    var order: Register<[StopID]>?

    init() {}

    func merged(with other: SharedList) -> SharedList {
        var list = self
        list.entries.merge(other.entries) { $0.merged(with: $1) }
        list.order = order.flatMap { own in other.order.map { own.merged(with: $0) } } ?? order ?? other.order
        return list
    }

    /// The largest stamp; nil: the list has none.
    var latest: HybridTimestamp? {
        (entries.values.map(\.last.at) + [order?.last.at].compactMap(\.self)).max()
    }

    /// Whether this list has the last versions of `other`, or later ones.
    func includes(_ other: SharedList) -> Bool {
        func includes<Content>(_ own: Register<Content>?, _ needed: Register<Content>) -> Bool {
            own.isSomeAnd { !$0.last.isOlder(than: needed.last) }
        }
        return other.entries.allSatisfy { includes(entries[$0], $1) } && other.order.isNilOr { includes(order, $0) }
    }

    func contains(_ stop: StopID) -> Bool { entries[stop]?.last.content != nil }
}

// The list as favourites.
extension SharedList {
    private static let fields = FavouriteField.all.filter { $0.name != "shared" }

    /// The stops of the list in its order; those that two boards have added at the same time may come last.
    var stops: [StopID] { places.filter(contains) }

    /// All stops, also those that were removed, without those that have no place any more.
    private var places: [StopID] {
        var known: Set<StopID> = []
        let placed = (order?.last.content ?? []).filter { entries[$0] != nil && known.insert($0).inserted }
        let others = entries.keys.filter { contains($0) && !known.contains($0) }
        return placed + others.sorted { $0.description < $1.description }
    }

    /// The favourites of the list in its order.
    var favourites: [Favourite] { stops.map { favourite($0) } }

    /// A favourite of the list; of one that was removed, as it was before.
    func favourite(_ stop: StopID) -> Favourite { read(stop).favourite }

    /// Sentences about the values that this version rejects.
    var rejectedValues: [String] { stops.flatMap { read($0).rejected } }

    private func read(_ stop: StopID) -> (favourite: Favourite, rejected: [String]) {
        let (last, before) = (entries[stop]?.last.content, entries[stop]?.before?.content)
        return Self.favourite(stop, last ?? before ?? [:], before: before ?? [:])
    }

    /// A favourite of these values. Of a key that this version rejects, it has the value before.
    static func favourite(
        _ stop: StopID, _ values: Values, before: Values = [:]
    ) -> (favourite: Favourite, rejected: [String]) {
        var favourite = Favourite(stop: stop)
        var rejected: [String] = []
        for field in fields {
            do {
                try field.set(values[field.name] ?? [], in: &favourite)
            } catch {
                rejected.append("\(stop): \(error)")
                try? field.set(before[field.name] ?? [], in: &favourite)
            }
        }
        return (favourite, rejected)
    }

    static func values(of favourite: Favourite) -> Values {
        let values = fields.map { ($0.name, $0.textsUnlessDefault(favourite)) }.filter { !$0.1.isEmpty }
        return Dictionary(values) { first, _ in first }
    }
}

// Changes made on this board.
extension SharedList {
    /// Records the changes to the board's favourites from `old` to `new`, with one stamp.
    ///
    /// - Parameters:
    ///   - local: stops that the board has, but does not share; they are not removed.
    ///   - stamp: called at most once.
    mutating func record(
        from old: [Favourite], to new: [Favourite], local: Set<StopID> = [], stamp: () -> HybridTimestamp
    ) {
        let before = Dictionary(old.map { ($0.stop, $0) }) { first, _ in first }
        let present = Set(new.map(\.stop))
        let isMoved = old.map(\.stop).filter(present.contains) != new.map(\.stop).filter { before[$0] != nil }
        var changes: [(stop: StopID, values: Values?)] = []
        for favourite in new where favourite != before[favourite.stop] {
            let stop = favourite.stop
            // The file may have what was merged before; a stop of the list that is added without values has the list's.
            let isListed =
                before[stop] == nil && favourite == Favourite(stop: stop) || self.favourite(stop) == favourite
            if !contains(stop) || !isListed { changes.append((stop, values(replacedBy: favourite))) }
        }
        let added = changes.map(\.stop).filter { !contains($0) }
        let gone = old.map(\.stop).filter { !present.contains($0) && !local.contains($0) && contains($0) }
        changes += gone.map { ($0, nil) }
        let former = places
        let arranged = isMoved ? arranged(new.map(\.stop)) : Self.inserting(added, into: former, as: new.map(\.stop))
        guard !changes.isEmpty || arranged != former else { return }
        let stamp = stamp()
        for change in changes {
            let entry = Register(.init(at: stamp, content: change.values))
            entries[change.stop] = entries[change.stop]?.merged(with: entry) ?? entry
        }
        guard arranged != former else { return }
        let order = Register(.init(at: stamp, content: arranged))
        self.order = self.order?.merged(with: order) ?? order
    }

    /// A favourite's values, with those of its entry that this version does not know or rejects.
    private func values(replacedBy favourite: Favourite) -> Values {
        let old = entries[favourite.stop]?.last.content ?? [:]
        let foreign = old.filter { name, texts in
            guard let field = Self.fields.first(where: { $0.name == name }) else { return true }
            var scratch = favourite
            return (try? field.set(texts, in: &scratch)) == nil
        }
        return foreign.merging(Self.values(of: favourite)) { $1 }
    }

    /// An order with more stops, each after the one that is before it in `stops`: the file may not have the moves of
    /// other boards yet.
    private static func inserting(_ added: [StopID], into order: [StopID], as stops: [StopID]) -> [StopID] {
        var order = order.filter { !added.contains($0) }
        for (previous, stop) in zip([nil] + stops, stops) where added.contains(stop) {
            order.insert(stop, at: previous.flatMap(order.firstIndex).map { $0 + 1 } ?? 0)
        }
        return order
    }

    /// The stops of the list and these, which get the order that they have here; each other one stays after the one
    /// before it.
    private func arranged(_ stops: [StopID]) -> [StopID] {
        let given = Set(stops)
        var arranged = stops
        var previous: StopID?
        for stop in places {
            if !given.contains(stop) {
                arranged.insert(stop, at: previous.flatMap(arranged.firstIndex).map { $0 + 1 } ?? 0)
            }
            previous = stop
        }
        return arranged
    }
}
