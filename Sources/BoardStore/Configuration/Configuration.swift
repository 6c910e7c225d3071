public import BoardCore

/// The complete, checked configuration: boardd.toml, favourites.toml and keys.env.
public struct Configuration: Hashable, Sendable {
    /// `[board]` and `[abbreviations]`.
    public var board: BoardOptions
    /// `[display]`.
    public var display: DisplayWiring
    /// Every `[[button]]`, in the order of the file; the first is button 0.
    public var buttons: [ButtonConfiguration]
    /// `[feed.NAME]` of every declared feed, with its keys, configured or not.
    public var feeds: [FeedName: FeedSettings]
    /// `[log] level`.
    public var logLevel: LogLevel
    /// The entries of favourites.toml in the order of the file: stops, and searches for the nearest stops of a place.
    public var entries: [FavouriteEntry]
    /// Notes for the user that are not faults: a missing file, keys that other users can read.
    public var warnings: [ConfigurationFault]

    /// The defaults are those of empty files without feeds.
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

    /// The configured stops, in the order of the file, without those that `[[nearby]]` tables find.
    public var favourites: [Favourite] { entries.named }
}

/// The wiring and the actions of one button.
public struct ButtonConfiguration: Hashable, Sendable {
    public let wiring: ButtonWiring
    public let binding: ButtonBinding

    /// The defaults are those of the first button.
    public init(wiring: ButtonWiring = ButtonWiring(), binding: ButtonBinding = ButtonBinding()) {
        self.wiring = wiring
        self.binding = binding
    }
}

public enum LogLevel: String, CaseIterable, Sendable {
    case error, warning, info, debug
}
