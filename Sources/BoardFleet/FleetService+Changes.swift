public import BoardCore
public import BoardService
internal import Synchronization

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
        changes(at: time).filter { change in favourites(reverting: change).map { $0 != favourites } ?? false }
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
