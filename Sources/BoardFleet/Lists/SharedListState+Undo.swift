internal import BoardCore

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
