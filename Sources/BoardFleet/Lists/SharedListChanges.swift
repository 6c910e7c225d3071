public import BoardCore
public import BoardService
import BoardStore
import Synchronization

// Other boards' changes to the shared list.
extension FleetService {
    /// Each stop's last change by another board in the last seven days, newest first; nil: this board shares no list.
    public var favouriteChanges: [SharedFavouriteChange]? {
        state.withLock { state in
            guard state.session.list != nil else { return nil }
            let now = moment(state).time
            return state.session.changes.filter { now - $0.at <= SharedList.undoPeriod }
        }
    }

    /// The shared favourites now, and with another board's last change of a stop undone.
    public func favourites(revertingChangeOf stop: StopID) async throws(ServiceError) -> SharedListReversal {
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
            return .failure(ServiceError(.notFound, "no other board has changed \(stop) in the last seven days"))
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
                name = (try? await board.stops.stop(change.stop, isOnline: false))?.stop.name
                if name == change.stop.description { name = nil }
            }
            changes.append(
                SharedFavouriteChange(
                    stop: change.stop, name: name, board: change.board, at: change.at,
                    kind: change.kind, fields: change.fields))
        }
        let isNew = fleet.state.withLock { state in
            defer { state.session.changes = changes }
            return state.session.changes != changes
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

/// Another board's last change of a shared favourite.
struct SharedListChange: Hashable, Sendable {
    typealias Kind = SharedFavouriteChange.Kind

    /// The name of the place among ``fields``.
    static let place = "place"

    let stop: StopID
    let kind: Kind
    /// The names of the changed keys as in favourites.toml, sorted, with `place` for a move.
    let fields: [String]
    let stamp: HybridTimestamp

    var board: FleetName { stamp.board }
    var at: Timestamp { stamp.timestamp }
}

extension SharedList {
    /// Each stop's last change by another board, if it was made in the last seven days; newest first.
    func changes(by isOther: (FleetName) -> Bool, at time: Timestamp) -> [SharedListChange] {
        func counts(_ stamp: HybridTimestamp) -> Bool {
            isOther(stamp.board) && time - stamp.timestamp <= Self.undoPeriod
        }
        let moved = order.map { $0.last.content.moved(from: $0.before?.content ?? []) } ?? []
        return entries.compactMap { stop, entry -> SharedListChange? in
            let (last, before) = (entry.last.content, entry.before?.content)
            // An edit of a removed stop has no effect.
            let edit = last == nil && before == nil ? nil : entry.last.at
            let move = last != nil && moved.contains(stop) ? order?.last.at : nil
            guard let stamp = [edit, move].compactMap(\.self).filter(counts).max() else { return nil }
            let (old, new) = (before ?? [:], last ?? [:])
            let keys = stamp == edit ? Set(old.keys).union(new.keys).filter { old[$0] != new[$0] } : []
            let kind: SharedListChange.Kind =
                stamp != edit ? .changed : last == nil ? .removed : before == nil ? .added : .changed
            return SharedListChange(
                stop: stop, kind: kind,
                fields: (Array(keys) + (stamp == move ? [SharedListChange.place] : [])).sorted(),
                stamp: stamp)
        }.sorted { $0.stamp == $1.stamp ? $0.stop.description < $1.stop.description : $0.stamp > $1.stamp }
    }

    /// The favourites as they were before a change.
    ///
    /// - Returns: nil if the favourite, or the order, was changed again since.
    func favourites(reverting change: SharedListChange) -> [Favourite]? {
        // This list is not merged: only its favourites are used.
        var list = self
        if change.fields.contains(SharedListChange.place) {
            guard let order, order.last.at == change.stamp else { return nil }
            list.order = order.before.map { Register($0) }
        }
        if change.kind != .changed || change.fields != [SharedListChange.place] {
            guard let entry = entries[change.stop], entry.last.at == change.stamp else { return nil }
            list.entries[change.stop] = Register(.init(at: change.stamp, content: entry.before?.content))
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
    /// - Returns: nil if the list has a later version.
    func favourites(reverting change: SharedListChange) -> [Favourite]? {
        list.favourites(reverting: change)?.filter { !local.contains($0.stop) && problem($0) == nil }
    }
}
