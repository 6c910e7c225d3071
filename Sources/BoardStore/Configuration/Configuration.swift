public import BoardCore

/// All that a person configured, complete and checked: boardd.toml, favourites.toml and keys.env.
public struct Configuration: Hashable, Sendable {
    /// `[board]` and `[abbreviations]`.
    public var board: BoardOptions
    /// `[display]`.
    public var display: DisplayWiring
    /// Every `[[button]]`, in the order of the file; the first is button 0.
    public var buttons: [ButtonConfiguration]
    /// `[feed.NAME]` of every declared feed, configured or not, with its keys.
    public var feeds: [FeedName: FeedSettings]
    /// `[log] level`.
    public var logLevel: LogLevel
    /// What favourites.toml says, in the order of the file: stops, and wishes for the nearest stops of a place.
    public var entries: [FavouriteEntry]
    /// What a person should know although it is no fault: a missing file, keys that others can read.
    public var warnings: [ConfigurationFault]

    /// A configuration; the defaults are those of empty files for no feeds.
    public init(
        board: BoardOptions = BoardOptions(), display: DisplayWiring = DisplayWiring(),
        buttons: [ButtonConfiguration] = [ButtonConfiguration()], feeds: [FeedName: FeedSettings] = [:],
        logLevel: LogLevel = .info, entries: [FavouriteEntry] = [], warnings: [ConfigurationFault] = []
    ) {
        self.board = board
        self.display = display
        self.buttons = buttons
        self.feeds = feeds
        self.logLevel = logLevel
        self.entries = entries
        self.warnings = warnings
    }

    /// The stops that a person named, in the order of the file; what the wishes find is not among them.
    public var favourites: [Favourite] { entries.named }
}

/// One button: how it is wired and what it does.
public struct ButtonConfiguration: Hashable, Sendable {
    /// How it is wired.
    public let wiring: ButtonWiring
    /// What its gestures do.
    public let binding: ButtonBinding

    /// A button; the defaults are those of the first one.
    public init(wiring: ButtonWiring = ButtonWiring(), binding: ButtonBinding = ButtonBinding()) {
        self.wiring = wiring
        self.binding = binding
    }
}

/// How much the log says.
public enum LogLevel: String, CaseIterable, Sendable {
    case error, warning, info, debug
}
