internal import BoardCore

// The favourites that the board shares with others.
extension FavouritesText {
    /// Gives the shared stops these values and this order. Other tables, and stops that stay, keep their text; a new or moved
    /// stop is placed directly below its predecessor.
    mutating func setShared(_ favourites: [Favourite]) {
        let stops = Set(favourites.map(\.stop))
        for index in pieces.indices.reversed() {
            if let favourite = shared(at: index), !stops.contains(favourite.stop) { remove(at: index) }
        }
        let moved = Reordering.moved(from: entries.shared.map(\.stop), to: favourites.map(\.stop))
        var predecessor: StopID?
        for favourite in favourites {
            let above = predecessor.flatMap(index(of:))
            predecessor = favourite.stop
            guard let old = index(of: favourite.stop) else {
                insert(favourite, below: above)
                continue
            }
            change(old, to: favourite)
            if moved.contains(favourite.stop) { move(from: old, below: above) }
        }
    }

    private func shared(at index: Int) -> Favourite? {
        guard case .stop(let favourite) = pieces[index].entry, favourite.isShared else { return nil }
        return favourite
    }

    /// Inserts a stop directly below a table; nil: above the first shared stop, at the end where there is none.
    private mutating func insert(_ favourite: Favourite, below index: Int?) {
        if let index {
            insert(favourite, after: index)
        } else {
            insert(favourite, at: pieces.indices.first { shared(at: $0) != nil } ?? pieces.count)
        }
    }

    private mutating func move(from old: Int, below index: Int?) {
        if let index {
            move(from: old, after: index)
        } else if let first = pieces.indices.first(where: { shared(at: $0) != nil }), first < old {
            move(from: old, to: first)
        }
    }
}
