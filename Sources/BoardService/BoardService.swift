public import BoardCore
public import BoardIO
public import BoardStore

// All requests to a board. The command line, the control socket and any later interface parse a request, call one of
// these protocols, and print the result. `RemoteBoardService` calls the daemon over the control socket, in all of them.
//
// All methods run on Swift's cooperative pool, several at once. A task may be cancelled, for example when a client
// disconnects; a change that has started is still finished.

/// What only a running board can do.
public protocol BoardService: Sendable {
    func state() async throws(ServiceError) -> BoardState
    /// The display, and the departures of every stop on the board: what a viewer sees.
    func live() async throws(ServiceError) -> LiveState
    /// The departures of a stop that the board shows, as it holds them: sends no request to the operator.
    func departures(of stop: StopID, sorted order: SortOrder) async throws(ServiceError) -> StopReport
    /// The departures of any stop, from one request to its operator. At most one request per feed every 10 s, and only
    /// while the operator's quota has room for the board's own polls.
    func look(at stop: StopID) async throws(ServiceError) -> StopReport
    /// Acts like a press of a button.
    func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError)
    /// Polls every stop as soon as the rate limits allow.
    func refresh() async throws(ServiceError)
    /// Turns to a page as if a button had stepped there.
    ///
    /// - Parameter page: the identifier or the title of the overview or a stop.
    func show(page: String) async throws(ServiceError)
    func setLight(_ mode: LightMode) async throws(ServiceError)
    /// Shows a message on the display.
    func show(_ message: BoardMessage) async throws(ServiceError)
    /// Reloads the configuration. If it has faults, throws them all and keeps the old one.
    func reload() async throws(ServiceError)

    /// For each stop, the last change by another board of the fleet in the last seven days, newest first. Includes
    /// stops that another board removed.
    func favouriteChanges() async throws(ServiceError) -> [SharedFavouriteChange]
    /// Undoes the last change of a stop by another board, on all boards; returns the favourites.
    func revertFavourite(_ stop: StopID) async throws(ServiceError) -> [FavouriteItem]
}

/// The stops of the stop directory and of the operators.
public protocol StopService: Sendable {
    /// The stops that best match a text; best first, at most `limit`.
    ///
    /// - Parameter isOnline: whether to ask operators with a stop search, besides the stop directory; a board in
    ///   another process decides for itself, in the next two as well.
    func stops(matching text: String, limit: Int, isOnline: Bool) async throws(ServiceError) -> [StopEntry]
    /// The stops near a place; nearest first, at most `limit`.
    ///
    /// - Parameter modes: one of which must call, as the operator names them; empty: any.
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> [StopEntry]
    /// The stops of the stop directory in a box on the map, at most `limit`.
    ///
    /// - Parameters:
    ///   - place: nil: all of them, the most important first; otherwise those that a map draws, nearest first.
    ///   - isOnline: whether to ask operators with a stop search about `place`, if the directory has no stops there.
    func stops(
        in box: BoundingBox, near place: Coordinates?, limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> StopsInBox
    /// A map of the stops of the stop directory, as an SVG document. Asks an operator only for the route of a line.
    func map(_ request: MapRequest) async throws(ServiceError) -> String
    /// One stop with its parts.
    func stop(_ id: StopID, isOnline: Bool) async throws(ServiceError) -> StopDetail
    /// The lines of a feed; nil: of all feeds.
    func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry]
    /// The stops of a line.
    ///
    /// - Parameter line: the operator's identifier or name of the line, case-insensitive.
    func route(of line: String, feed: FeedName) async throws(ServiceError) -> RouteEntry

    func directory() async throws(ServiceError) -> [DirectoryState]
    /// Starts an update of the stop directory of a feed, or of all; returns their state. A running update continues.
    func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState]
}

/// The favourites of the board.
public protocol FavouriteService: Sendable {
    /// The favourites, in the board's order.
    func favourites() async throws(ServiceError) -> [FavouriteItem]
    /// Adds a favourite.
    ///
    /// - Parameter position: its place among the entries of favourites.toml, from 1; past the end, or nil: the last.
    func addFavourite(_ favourite: Favourite, at position: Int?) async throws(ServiceError) -> FavouriteItem
    /// Changes the position or other values of a favourite; values that the change does not name stay.
    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ServiceError) -> FavouriteItem
    func removeFavourite(_ stop: StopID) async throws(ServiceError)
    /// Undoes the last change of the favourites, at most 10 minutes after it; returns the favourites.
    func undoFavourites() async throws(ServiceError) -> [FavouriteItem]
}

extension StopService {
    public func stop(_ id: StopID) async throws(ServiceError) -> StopDetail { try await stop(id, isOnline: true) }
}

/// The devices that may change the board through its page.
public protocol PageDevices: Sendable {
    /// Starts a pairing, whose digits the display shows, or joins the open one.
    ///
    /// - Parameters:
    ///   - isLocal: whether a person on this machine starts it, who gets the code, even of an open pairing.
    ///   - client: the address of the device; nil: this machine.
    func startPairing(isLocal: Bool, from client: IPAddress?) async throws(ServiceError) -> PairingStarted
    /// A pairing that a device still waits for; after 30 s without a request it is over. Throws `notFound` then.
    func pairing(_ id: String, from client: IPAddress?) async throws(ServiceError) -> PairingStarted
    /// Ends a pairing with its code; throws `notAllowed` for a wrong code, `notFound` for a pairing that is over.
    ///
    /// - Parameters:
    ///   - name: the name of the device.
    ///   - isOwner: whether it may set up the board.
    ///   - device: the name of a device that is paired already, and keeps it; nil: a new one.
    ///   - client: its address, whose tries count; nil: this machine.
    func finishPairing(
        _ id: String, code: String, name: String, isOwner: Bool, device: String?, from client: IPAddress?
    ) async throws(ServiceError) -> PairingToken
    /// The paired devices, in the order of their pairing.
    func devices() async throws(ServiceError) -> [PairedDevice]
    func changeDevice(named name: String, isOwner: Bool) async throws(ServiceError)
    /// Revokes the token of a device. Throws `notFound` if no device has the name.
    func removeDevice(named name: String) async throws(ServiceError)
}

/// The board that runs in this process, which also reports its changes.
public protocol RunningBoard: BoardService, FavouriteService {
    /// Those that need no running board.
    var stops: any StopService { get }
    /// The number of a change of something that ``BoardService/live()`` returns, from 1, the same for all readers; of
    /// several changes the newest. Ends with the board. Without a reader nothing is computed.
    func changes() -> AsyncStream<UInt64>
    /// The display as an SVG document.
    func displayDrawing() async throws(ServiceError) -> String
    /// For the limit on how often a client receives events.
    var clock: any MachineClock { get }
}

/// The fleet of a running board, for users of its machine.
public protocol FleetManagement: Sendable {
    /// - Throws: ``ServiceError`` of kind `notFound` if the board has no fleet.
    func fleet() async throws(ServiceError) -> FleetReport
    /// Removes what the broker stores about a board, also for Home Assistant. An online board sends it all again.
    func forgetBoard(_ name: FleetName) async throws(ServiceError)
    /// Joins the list in `[fleet]`, whose favourites differ from those of this board.
    func joinList(_ choice: FleetJoin) async throws(ServiceError) -> FleetReport
}

/// Whose favourites remain when a board joins a list that has others.
public enum FleetJoin: String, CaseIterable, Sendable, Codable {
    /// Those of this board, on all boards.
    case board
    /// Those of the list.
    case list
    /// Those of the list, then those of this board that it lacks.
    case both
}
