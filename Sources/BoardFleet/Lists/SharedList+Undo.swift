internal import BoardCore
internal import BoardStore

/// The last change of a shared favourite by another board.
struct SharedListChange: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case added, removed
        /// Other values, or another place.
        case changed
    }

    let stop: StopID
    /// The board that made it.
    let board: FleetName
    let at: Timestamp
    let kind: Kind
    /// The names of the changed keys as in favourites.toml, sorted, with `place` for a move.
    let fields: [String]
    /// The values before, by their keys, as in ``FavouriteField/texts``; empty: the default.
    let previous: [String: [String]]

    let stamp: HybridTimestamp
}

extension SharedList {
    /// For each stop the last change, where another board made it in the last seven days; the newest first.
    func changes(by isOther: (FleetName) -> Bool, at time: Timestamp) -> [SharedListChange] {
        entries.compactMap { stop, entry -> SharedListChange? in
            let stamps = entry.fields.values.map(\.value.stamp).filter { isOther($0.board) }
            guard let stamp = stamps.max(), time - stamp.timestamp <= Self.undoPeriod
            else { return nil }
            let fields = entry.fields.filter { $0.value.value.stamp == stamp }
            let values = fields.filter { $0.key != Self.here }
            let kind: SharedListChange.Kind =
                fields[Self.here] == nil ? .changed : entry.isHere ? .added : .removed
            // An edit of a removed stop has no effect.
            guard kind != .changed || entry.isHere else { return nil }
            return SharedListChange(
                stop: stop, board: stamp.board, at: stamp.timestamp, kind: kind, fields: values.keys.sorted(),
                previous: values.mapValues { $0.previous?.texts ?? [] }, stamp: stamp)
        }.sorted { $0.stamp == $1.stamp ? $0.stop.description < $1.stop.description : $0.stamp > $1.stamp }
    }

    /// The favourites as they were before a change; later changes of other fields stay.
    ///
    /// - Returns: nil where the list has a later value of one of the changed fields.
    func favourites(reverting change: SharedListChange) -> [Favourite]? {
        guard let entry = entries[change.stop] else { return nil }
        let names = change.fields + (change.kind == .changed ? [] : [Self.here])
        var list = self
        for name in names {
            guard let field = entry.fields[name], field.value.stamp == change.stamp else { return nil }
            let texts = field.previous?.texts ?? (name == Self.here ? [Self.isGone] : [])
            // Nothing of it is merged: only the favourites are used.
            list.entries[change.stop]?.fields[name] = Field(Value(texts: texts, stamp: change.stamp))
        }
        // A stop that had no place before keeps the one that it has.
        if list.entries[change.stop]?.place == nil, let place = entry.fields[Self.place] {
            list.entries[change.stop]?.fields[Self.place] = place
        }
        return list.favourites
    }
}
