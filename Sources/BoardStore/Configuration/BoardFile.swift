internal import BoardCore

/// boardd.toml as values: everything but the favourites.
struct BoardFile {
    let board: BoardOptions
    let display: DisplayWiring
    let buttons: [ButtonConfiguration]
    let feeds: [FeedName: FeedSettings]
    let logLevel: LogLevel

    /// Reads the file; every fault goes to `collector`, and what is at fault is at its default.
    init(
        _ document: TOMLDocument, declarations: [FeedDeclaration], pinMaps: [String: PinMap],
        into collector: FaultCollector
    ) {
        var root = TableReader(document, into: collector)
        board = Self.readBoard(&root)
        display = Self.readDisplay(&root, pinMaps: pinMaps)
        buttons = Self.readButtons(&root)
        feeds = Self.readFeeds(&root, declarations: declarations)
        var log = root.table("log", name: "[log]")
        logLevel = log.value("level", .choice(), default: .info)
        log.finish()
        root.finish()
    }
}

// `[feed.NAME]`: what each feed declares.
extension BoardFile {
    private static func readFeeds(
        _ root: inout TableReader, declarations: [FeedDeclaration]
    ) -> [FeedName: FeedSettings] {
        var table = root.table("feed", name: "[feed]")
        return read(&table, prefix: "", declarations: declarations)
    }

    /// Reads the feeds whose names begin with `prefix`: the name `gtfs.city` is the table `[feed.gtfs.city]`.
    private static func read(
        _ reader: inout TableReader, prefix: String, declarations: [FeedDeclaration]
    ) -> [FeedName: FeedSettings] {
        var feeds: [FeedName: FeedSettings] = [:]
        var inner: [String: [FeedDeclaration]] = [:]
        for declaration in declarations {
            let rest = declaration.name.description.dropFirst(prefix.count)
            let key = String(rest.prefix { $0 != "." })
            if key.count == rest.count {
                var table = reader.table(key, name: "[feed.\(declaration.name)]")
                feeds[declaration.name] = read(&table, declaration)
                table.finish()
            } else {
                inner[key, default: []].append(declaration)
            }
        }
        for (key, declarations) in inner.sorted(by: { $0.key < $1.key }) {
            var table = reader.table(key, name: "[feed.\(prefix)\(key)]")
            feeds.merge(read(&table, prefix: prefix + key + ".", declarations: declarations)) { $1 }
        }
        reader.finish()
        return feeds
    }

    private static func read(_ table: inout TableReader, _ declaration: FeedDeclaration) -> FeedSettings {
        var settings = FeedSettings(defaultsOf: declaration)
        for setting in declaration.settings {
            let value: FeedSettings.Value? =
                switch setting.kind {
                case .text: table.optional(setting.name, .text).map { .text($0) }
                case .source: table.optional(setting.name, .source).map { .text($0) }
                case .url: table.optional(setting.name, .url).map { .url($0) }
                case .duration(let range, _): table.optional(setting.name, .duration(range)).map { .duration($0) }
                }
            if let value { settings.set(setting.name, to: value) }
        }
        return settings
    }
}
