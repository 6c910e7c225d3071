public import BoardCore

/// The complete, checked configuration: boardd.toml, favourites.toml and keys.env. The defaults are those of empty files
/// without feeds.
public struct Configuration: Hashable, Sendable {
    /// `[board]` and `[abbreviations]`.
    public var board = BoardOptions()
    public var display = DisplayWiring()
    /// Every `[[button]]`, in the order of the file.
    public var buttons = [ButtonConfiguration()]
    public var page = PageOptions()
    public var fleet = FleetOptions()
    /// `[feed.NAME]` of every declared feed, with its keys, configured or not.
    public var feeds: [FeedName: FeedSettings] = [:]
    public var logLevel = LogLevel.info
    /// The entries of favourites.toml in the order of the file: stops, and searches for the nearest stops of a place.
    public var entries: [FavouriteEntry] = []
    /// Notes for the user that are not faults: a missing file, keys that other users can read.
    public var warnings: [ConfigurationFault] = []

    /// The configured stops, in the order of the file, without those that `[[nearby]]` tables find.
    public var favourites: [Favourite] { entries.named }

    public init() {}
}

/// The wiring and the actions of one button; the defaults are those of the first.
public struct ButtonConfiguration: Hashable, Sendable {
    public var wiring = ButtonWiring()
    public var binding = ButtonBinding()
}

public enum LogLevel: String, CaseIterable, Sendable {
    case error, warning, info, debug
}
