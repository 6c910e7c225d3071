public import BoardCore

/// Everything that a viewer of a board sees: the response to `GET /v1/live`, and the first event of `GET /v1/events`.
public struct LiveState: Hashable, Sendable, Codable {
    /// The name of the machine.
    public var name: String
    public var version: String
    /// The board's current time.
    public var time: RFC3339Timestamp
    public var timeSource: CorrectedClock.Source
    /// The machine's UTC offset in seconds, for departures without one.
    public var utcOffsetSeconds: Int
    public var display: DisplayPicture
    /// The stops that the board shows, in the board's order.
    public var stops: [StopDepartures]
    /// The favourites, in the order of favourites.toml.
    public var favourites: [FavouriteItem]
    /// The changes of the favourites by other boards, the newest first; nil: the board shares no list.
    public var changes: [SharedFavouriteChange]?
    public var faults: BoardFaults

    public init(
        name: String, version: String, time: RFC3339Timestamp, timeSource: CorrectedClock.Source,
        utcOffsetSeconds: Int, display: DisplayPicture, stops: [StopDepartures], favourites: [FavouriteItem],
        changes: [SharedFavouriteChange]? = nil, faults: BoardFaults
    ) {
        self.name = name
        self.version = version
        self.time = time
        self.timeSource = timeSource
        self.utcOffsetSeconds = utcOffsetSeconds
        self.display = display
        self.stops = stops
        self.favourites = favourites
        self.changes = changes
        self.faults = faults
    }
}

/// The content of the display with a picture of it.
public struct DisplayPicture: Hashable, Sendable, Codable {
    /// The rows as text, from the top; each is as long as the display is wide.
    public var rows: [String]
    public var lit: Bool
    /// The picture that `boardd render --format svg` draws.
    public var svg: String
    public var page: BoardState.CurrentPage
    /// Every page, in the order in which a button steps through them.
    public var pages: [BoardState.Page]
    public var light: LightMode

    public init(
        rows: [String], lit: Bool, svg: String, page: BoardState.CurrentPage, pages: [BoardState.Page],
        light: LightMode = .auto
    ) {
        self.rows = rows
        self.lit = lit
        self.svg = svg
        self.page = page
        self.pages = pages
        self.light = light
    }
}

/// What prevents a board from working as configured; all nil: nothing.
public struct BoardFaults: Hashable, Sendable, Codable {
    /// The position of the newest configuration's first fault; the previous configuration stays in use.
    public var configuration: String?
    /// Why the display does not respond.
    public var display: String?
    /// Why presses of the buttons cannot be read.
    public var buttons: String?

    public init(configuration: String? = nil, display: String? = nil, buttons: String? = nil) {
        self.configuration = configuration
        self.display = display
        self.buttons = buttons
    }
}
