public import BoardCore

/// The actions of a running board, which ``ControlServer`` calls and the daemon implements.
///
/// All run on Swift's cooperative pool, several at once; blocking work needs its own thread. The task is cancelled when
/// the client disconnects; an action that has started to change something should still finish it.
public protocol ControlActions: Sendable {
    func state() async throws(ControlError) -> BoardState
    /// Acts like a press of a button.
    func press(_ gesture: Gesture, button: ButtonID) async throws(ControlError)
    /// Polls every stop as soon as the rate limits allow.
    func refresh() async throws(ControlError)
    /// Reloads the configuration. Throws with every fault where it has any; the old one stays.
    func reload() async throws(ControlError)

    /// The stops that best match a text; best first, at most `limit`.
    func stops(matching text: String, limit: Int) async throws(ControlError) -> [StopEntry]
    /// The stops near a place; nearest first, at most `limit`.
    ///
    /// - Parameter modes: the modes that must call, as the operator names them; empty: any.
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(ControlError) -> [StopEntry]
    /// One stop with its parts.
    func stop(_ id: StopID) async throws(ControlError) -> StopDetail
    /// The lines of a feed; nil: of all feeds.
    func lines(of feed: FeedName?) async throws(ControlError) -> [LineEntry]
    /// The stops of a line.
    ///
    /// - Parameter line: the operator's identifier of the line, case-insensitive.
    func route(of line: String, feed: FeedName) async throws(ControlError) -> RouteEntry

    func directory() async throws(ControlError) -> [DirectoryState]
    /// Starts to update the stop directory of a feed, or of all; returns their state. A running update continues.
    func updateDirectory(_ feed: FeedName?) async throws(ControlError) -> [DirectoryState]

    /// The favourites, in the board's order.
    func favourites() async throws(ControlError) -> [FavouriteItem]
    /// Adds a favourite after the others.
    func addFavourite(_ favourite: Favourite) async throws(ControlError) -> FavouriteItem
    /// Changes the position or other values of a favourite; the change leaves values that it does not name.
    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ControlError) -> FavouriteItem
    func removeFavourite(_ stop: StopID) async throws(ControlError)
}
