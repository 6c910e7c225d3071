public import BoardCore

extension FavouritesEditor {
    /// Makes the shared stops of the file equal to a list: adds, removes, changes and moves tables. Stops with
    /// `shared = false` and `[[nearby]]` tables stay as they are; a stop of the list that the file has with
    /// `shared = false` is not written.
    ///
    /// - Parameters:
    ///   - favourites: the list, each stop once; distances are not written.
    ///   - expected: the shared stops that the list was computed from; nil: any.
    /// - Throws: ``FavouritesFailure/outdated(file:)`` where the file has other shared stops than expected,
    ///   ``FavouritesFailure/rejected(_:)`` for values that the loader would not accept.
    @discardableResult
    public func setShared(
        _ favourites: [Favourite], expecting expected: [Favourite]? = nil
    ) throws(FavouritesFailure) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesFailure) in
            if let expected, text.entries.shared != expected { throw .outdated(file: path) }
            let local = Set(text.entries.named.filter { !$0.isShared }.map(\.stop))
            let listed = favourites.filter { !local.contains($0.stop) }.map { favourite in
                var favourite = favourite
                favourite.distance = nil
                favourite.isShared = true
                return favourite
            }
            let unchanged = Set(text.entries.shared)
            for favourite in listed where !unchanged.contains(favourite) {
                if let problem = problem(with: favourite) { throw .rejected("\(favourite.stop): \(problem)") }
            }
            text.setShared(listed)
        }
    }

    /// Why favourites.toml may not contain a favourite; nil where it may.
    public func problem(with favourite: Favourite) -> String? {
        do throws(FavouritesFailure) {
            try check(favourite)
            return nil
        } catch {
            return error.description
        }
    }
}

extension [FavouriteEntry] {
    /// The stops that the board shares with others, in the order of the file.
    public var shared: [Favourite] { named.filter(\.isShared) }
}
