internal import BoardCore
internal import BoardStore

// Changes that were made on this board.
extension SharedList {
    /// The longest place that a move makes; beyond it, all entries get new places.
    private static let longestPlace = 24

    /// Records the changes of the board's favourites from `old` to `new`, with one stamp.
    ///
    /// A value is stamped only if it differs from the list, too: the file may have values that were merged before.
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
            // Of a stop that two boards add, values that one of them does not set are those of the other.
            let reference = before[stop] ?? Favourite(stop: stop)
            for field in Self.favouriteFields {
                let texts = field.textsUnlessDefault(favourite)
                // What is added replaces all that was removed, also by a board that has not received the removal.
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

    /// The new places of stops that were added or moved, and of others that have no room between them.
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
        if places.count < placed.count || places.values.contains(where: { $0.length > Self.longestPlace }) {
            places = Dictionary(zip(placed, FractionalIndex.evenly(placed.count))) { first, _ in first }
        }
        return places.filter { before[$0.key] != $0.value }
    }

    /// Gives the stop at `index` a place between its neighbours; where they have the same place, the later ones as well.
    private static func makeRoom(at index: Int, in order: [StopID], _ places: inout [StopID: FractionalIndex]) {
        var lower = index > 0 ? places[order[index - 1]] : nil
        let upper = order[(index + 1)...].compactMap { places[$0] }.first { place in
            lower.map { $0 < place } ?? true
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
