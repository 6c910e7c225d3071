public import BoardCore
public import BoardService
import BoardStore
import Synchronization

// Changes of the shared list by other boards.
extension FleetService {
    /// For each stop the last change by another board, of the last seven days; the newest first. Nil: this board shares no list.
    public var favouriteChanges: [SharedFavouriteChange]? {
        state.withLock { state in
            guard state.list != nil else { return nil }
            let now = moment(state).time
            return state.changes.filter { now - $0.at.timestamp <= SharedList.undoPeriod }
        }
    }

    /// The shared favourites now, and with the last change of a stop by another board taken back.
    public func favourites(
        revertingChangeOf stop: StopID
    ) async throws(ServiceError) -> SharedListReversal {
        let result = await withCheckedContinuation { send(.revert(stop, $0)) }
        return try result.get()
    }
}

/// The shared favourites before and after a change is taken back.
public struct SharedListReversal: Hashable, Sendable {
    public let before: [Favourite]
    public let after: [Favourite]
}

extension FleetWorker {
    func reversal(of stop: StopID, at time: ListTime) -> Result<SharedListReversal, ServiceError> {
        guard let lists, lists.membership == .member else {
            return .failure(ServiceError(.notFound, "this board shares no list of favourites: boardd fleet"))
        }
        guard let change = lists.changes(at: time).first(where: { $0.stop == stop }) else {
            return .failure(
                ServiceError(.notFound, "no other board has changed \(stop) in the last seven days"))
        }
        guard let after = lists.favourites(reverting: change) else {
            return .failure(ServiceError(.conflict, "\(stop) was changed again since; nothing is taken back"))
        }
        guard after != lists.favourites else {
            return .failure(ServiceError(.conflict, "\(stop) already is as before the change"))
        }
        return .success(SharedListReversal(before: lists.favourites, after: after))
    }

    /// Makes the changes for viewers, where the list or the favourites are others.
    mutating func reportChanges(at time: ListTime) async {
        guard listed?.list != lists?.list || listed?.favourites != lists?.favourites else { return }
        listed = lists.map { ($0.list, $0.favourites) }
        var changes: [SharedFavouriteChange] = []
        for change in lists?.effectiveChanges(at: time) ?? [] {
            let favourite = lists?.list.favourite(change.stop)
            var name = favourite?.label ?? favourite?.name
            if name == nil {
                // Without a stop directory it is the identifier.
                name = (try? await board.stop(change.stop, isOnline: false))?.stop.name
                if name == change.stop.description { name = nil }
            }
            changes.append(
                SharedFavouriteChange(
                    stop: change.stop, name: name, board: change.board, at: RFC3339Timestamp(change.at),
                    kind: change.kind.reported, fields: change.fields))
        }
        let isNew = fleet.state.withLock { state in
            defer { state.changes = changes }
            return state.changes != changes
        }
        if isNew { fleet.hooks.changed() }
    }
}

extension SharedListState {
    /// The changes by other boards that can be taken back: without those that have no effect here, such as a place that leaves
    /// the order.
    func effectiveChanges(at time: ListTime) -> [SharedListChange] {
        changes(at: time).filter { change in favourites(reverting: change).isSomeAnd { $0 != favourites } }
    }
}

extension SharedListChange.Kind {
    fileprivate var reported: SharedFavouriteChange.Kind {
        switch self {
        case .added: .added
        case .removed: .removed
        case .changed: .changed
        }
    }
}

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

// Changes by other boards.
extension SharedListState {
    /// For each stop the last change by another board, of the last seven days; the newest first.
    func changes(at time: ListTime) -> [SharedListChange] {
        guard membership == .member else { return [] }
        return list.changes(by: { $0 != board }, at: time.timestamp)
    }

    /// The shared favourites with a change taken back, for ``FavouritesEditor/setShared(_:expecting:)`` with
    /// ``favourites`` as the expected ones; then report the file's entries with ``loaded(_:at:)``.
    ///
    /// - Returns: nil where the list has a later value of one of the changed fields.
    func favourites(reverting change: SharedListChange) -> [Favourite]? {
        list.favourites(reverting: change)?.filter { !local.contains($0.stop) && problem($0) == nil }
    }
}
