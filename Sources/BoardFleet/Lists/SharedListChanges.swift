public import BoardCore
public import BoardService
import BoardStore
import Synchronization

// Other boards' changes to the shared list.
extension FleetService {
    /// Each stop's last change by another board in the last seven days, newest first; nil: this board shares no list.
    public var favouriteChanges: [SharedFavouriteChange]? {
        state.withLock { state in
            guard state.list != nil else { return nil }
            let now = moment(state).time
            return state.changes.filter { now - $0.at <= SharedList.undoPeriod }
        }
    }

    /// The shared favourites now, and with another board's last change of a stop undone.
    public func favourites(
        revertingChangeOf stop: StopID
    ) async throws(ServiceError) -> SharedListReversal {
        let result = await withCheckedContinuation { send(.revert(stop, $0)) }
        return try result.get()
    }
}

/// The shared favourites before and after a change is undone.
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
            return .failure(ServiceError(.conflict, "\(stop) has been changed again since; nothing was undone"))
        }
        guard after != lists.favourites else {
            return .failure(ServiceError(.conflict, "\(stop) is already as it was before the change"))
        }
        return .success(SharedListReversal(before: lists.favourites, after: after))
    }

    /// Makes the changes for viewers, if the list or the favourites have changed.
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
                    stop: change.stop, name: name, board: change.board, at: change.at,
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
    /// The changes by other boards that can be undone: without those that have no effect here, such as a new place that
    /// keeps the order.
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

/// Another board's last change of a shared favourite.
struct SharedListChange: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case added, removed
        /// Other values, or another place.
        case changed
    }

    let stop: StopID
    let board: FleetName
    let at: Timestamp
    let kind: Kind
    /// The names of the changed keys as in favourites.toml, sorted, with `place` for a move.
    let fields: [String]
    /// The previous values by their keys, as in ``FavouriteField/texts``; empty: the default.
    let previous: [String: [String]]

    let stamp: HybridTimestamp
}

extension SharedList {
    /// Each stop's last change by another board, if it was made in the last seven days; newest first.
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
    /// - Returns: nil if the list has a later value of one of the changed fields.
    func favourites(reverting change: SharedListChange) -> [Favourite]? {
        guard let entry = entries[change.stop] else { return nil }
        let names = change.fields + (change.kind == .changed ? [] : [Self.here])
        var list = self
        for name in names {
            guard let field = entry.fields[name], field.value.stamp == change.stamp else { return nil }
            let texts = field.previous?.texts ?? (name == Self.here ? [Self.isGone] : [])
            // This list is not merged: only its favourites are used.
            list.entries[change.stop]?.fields[name] = Field(Value(texts: texts, stamp: change.stamp))
        }
        // A stop that had no place before keeps the one that it has.
        if list.entries[change.stop]?.place == nil, let place = entry.fields[Self.place] {
            list.entries[change.stop]?.fields[Self.place] = place
        }
        return list.favourites
    }
}

extension SharedListState {
    /// Each stop's last change by another board in the last seven days, newest first.
    func changes(at time: ListTime) -> [SharedListChange] {
        guard membership == .member else { return [] }
        return list.changes(by: { $0 != board }, at: time.timestamp)
    }

    /// The shared favourites with a change undone, for ``FavouritesEditor/setShared(_:expecting:)`` with
    /// ``favourites`` as the expected ones; then report the file's entries with ``loaded(_:at:)``.
    ///
    /// - Returns: nil if the list has a later value of one of the changed fields.
    func favourites(reverting change: SharedListChange) -> [Favourite]? {
        list.favourites(reverting: change)?.filter { !local.contains($0.stop) && problem($0) == nil }
    }
}
