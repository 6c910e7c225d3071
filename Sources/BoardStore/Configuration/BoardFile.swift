internal import BoardCore

/// boardd.toml, with the feeds that feeds.d presets.
enum BoardFile {
    /// Reads the file. Every fault goes to `collector`; a faulty value gets its default.
    ///
    /// - Parameters:
    ///   - presets: files with only `[feed.NAME]` tables; boardd.toml overrides them.
    ///   - configuration: receives the values, except those of the feeds.
    /// - Returns: every feed without a family, and the members of families that have a table.
    static func read(
        _ document: TOMLDocument, presets: [TOMLDocument] = [], declarations: FeedDeclarations,
        pinMaps: [String: PinMap], into configuration: inout Configuration, _ collector: FaultCollector
    ) -> FeedTables {
        var feeds = FeedTables(declarations)
        for preset in presets {
            var root = TableReader(preset, into: collector)
            feeds.read(&root)
            root.finish()
        }
        var root = TableReader(document, into: collector)
        configuration.board = readBoard(&root)
        configuration.display = readDisplay(&root, pinMaps: pinMaps)
        configuration.buttons = readButtons(&root)
        feeds.read(&root)
        var log = root.table("log", name: "[log]")
        configuration.logLevel = log.value("level", .choice(), default: configuration.logLevel)
        log.finish()
        root.finish()
        return feeds
    }
}
