internal import BoardCore

/// boardd.toml as values: everything but the favourites; and the feeds of feeds.d, which it may change.
struct BoardFile {
    let board: BoardOptions
    let display: DisplayWiring
    let buttons: [ButtonConfiguration]
    /// Every feed that is there once, and those of a family that have a table.
    let feeds: FeedTables
    let logLevel: LogLevel

    /// Reads the file; every fault goes to `collector`, and what is at fault is at its default.
    ///
    /// - Parameter presets: files that hold nothing but `[feed.NAME]` tables; what boardd.toml says counts more.
    init(
        _ document: TOMLDocument, presets: [TOMLDocument] = [], declarations: FeedDeclarations,
        pinMaps: [String: PinMap], into collector: FaultCollector
    ) {
        var feeds = FeedTables(declarations)
        for preset in presets {
            var root = TableReader(preset, into: collector)
            feeds.read(&root)
            root.finish()
        }
        var root = TableReader(document, into: collector)
        board = Self.readBoard(&root)
        display = Self.readDisplay(&root, pinMaps: pinMaps)
        buttons = Self.readButtons(&root)
        feeds.read(&root)
        self.feeds = feeds
        var log = root.table("log", name: "[log]")
        logLevel = log.value("level", .choice(), default: .info)
        log.finish()
        root.finish()
    }
}
