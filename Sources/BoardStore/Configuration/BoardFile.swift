internal import BoardCore

/// The values of boardd.toml except the favourites, with the feeds that feeds.d presets.
struct BoardFile {
    let board: BoardOptions
    let display: DisplayWiring
    let buttons: [ButtonConfiguration]
    /// Every feed without a family, and the members of families that have a table.
    let feeds: FeedTables
    let logLevel: LogLevel

    /// Reads the file. Every fault goes to `collector`; a faulty value gets its default.
    ///
    /// - Parameter presets: files with only `[feed.NAME]` tables; boardd.toml overrides them.
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
