public import BoardCore

/// What can be asked of a running board: the daemon does it, ``ControlServer`` asks.
///
/// Each is called on Swift's cooperative pool, several at once; what blocks must go to a thread of its own. The task is
/// cancelled when the one who asked goes away; an action that has begun to change something should then finish it.
public protocol ControlActions: Sendable {
    /// All that can be known of the board.
    func state() async throws(ControlError) -> BoardState
    /// Does what a press of a button does.
    func press(_ gesture: Gesture, button: ButtonID) async throws(ControlError)
    /// Asks every stop's operator as soon as the quotas allow.
    func refresh() async throws(ControlError)
    /// Reads the configuration anew. Refused with every fault where it is faulty; the old one stays.
    func reload() async throws(ControlError)

    /// The stops that best match what a person wrote; best first, at most `limit`.
    func stops(matching text: String, limit: Int) async throws(ControlError) -> [StopEntry]
    /// The stops of a neighbourhood; nearest first, at most `limit`.
    ///
    /// - Parameter modes: what must call there, in the operator's words; empty: anything.
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(ControlError) -> [StopEntry]
    /// One stop with its parts.
    func stop(_ id: StopID) async throws(ControlError) -> StopDetail
    /// The lines of a feed; nil: of every feed.
    func lines(of feed: FeedName?) async throws(ControlError) -> [LineEntry]
    /// Where a line runs.
    ///
    /// - Parameter line: the operator's identifier of it, in any case.
    func route(of line: String, feed: FeedName) async throws(ControlError) -> RouteEntry

    /// The stop directories.
    func directory() async throws(ControlError) -> [DirectoryState]
    /// Begins to update the stop directory of a feed, or all that are kept, and tells how they are then; one that is being updated goes on.
    func updateDirectory(_ feed: FeedName?) async throws(ControlError) -> [DirectoryState]

    /// The favourites, in the board's order.
    func favourites() async throws(ControlError) -> [FavouriteItem]
    /// Adds a favourite after the others.
    func addFavourite(_ favourite: Favourite) async throws(ControlError) -> FavouriteItem
    /// Moves a favourite or changes what is wanted of it; what the change does not name stays.
    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ControlError) -> FavouriteItem
    /// Removes a favourite.
    func removeFavourite(_ stop: StopID) async throws(ControlError)
}
