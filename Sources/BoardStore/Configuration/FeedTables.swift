internal import BoardCore

/// The `[feed.NAME]` tables of one or more files, as the feeds declare them; what is read later counts more.
struct FeedTables {
    private let declarations: FeedDeclarations
    /// What is configured of every feed that is there once, and of those of a family that have a table.
    private(set) var settings: [FeedName: FeedSettings]
    /// Of each feed that has a table, that table in every file that has one.
    private var tables: [FeedName: [TableReader]] = [:]
    /// The settings of which a value was refused, and said so.
    private var refused: [FeedName: Set<String>] = [:]

    /// What holds when no file says anything.
    init(_ declarations: FeedDeclarations) {
        self.declarations = declarations
        settings = [:]
        for declaration in declarations.feeds { settings[declaration.name] = FeedSettings(defaultsOf: declaration) }
    }

    /// Reads the feeds of one file.
    mutating func read(_ root: inout TableReader) {
        var table = root.table("feed", name: "[feed]")
        for declaration in declarations.feeds {
            var own = table.table(declaration.name.description, name: "[feed.\(declaration.name)]")
            take(&own, of: declaration)
        }
        for family in declarations.families {
            var members = table.table(family.name, name: "[feed.\(family.name)]")
            for key in members.keys {
                let name = FeedName("\(family.name).\(key)")
                var own = members.table(key, name: "[feed.\(name)]")
                if let declaration = family.member(name) {
                    take(&own, of: declaration)
                } else {
                    members.report(
                        at: own.offset,
                        "[feed.\(name)]: \"\(key)\" must be small letters, digits and hyphens, such as lametro")
                }
            }
            members.finish()
        }
        table.finish()
    }

    /// Puts right what feeds say of their own tables: that nothing can be made of them. Each fault is reported, and what is at
    /// fault is at its default; where that does not help either, a feed of a family is none.
    ///
    /// - Parameters:
    ///   - feeds: what is configured, with keys.
    ///   - trial: why no feed can be made of its settings; nil where one can.
    /// - Returns: what feeds can be made of, and the feeds that are none.
    func checked(
        _ feeds: [FeedName: FeedSettings], by checkSettings: ConfigurationLoader.FeedSettingsCheck
    ) -> (feeds: [FeedName: FeedSettings], without: Set<FeedName>) {
        var feeds = feeds
        var without: Set<FeedName> = []
        for (name, tables) in tables {
            guard let declaration = declarations[name], var settings = feeds[name] else { continue }
            var said = refused[name] ?? []
            while let failure = checkSettings(name, settings) {
                // Of a value that was refused before, what is at its default now is nobody's fault.
                if said.insert(failure.setting).inserted {
                    let table = tables.last { $0.offset(of: failure.setting) != nil } ?? tables.last
                    table?.report(at: table?.offset(of: failure.setting) ?? table?.offset, "\(failure)")
                }
                guard settings.reset(failure.setting, of: declaration) else {
                    if !declarations.feeds.contains(where: { $0.name == name }) { without.insert(name) }
                    break
                }
            }
            feeds[name] = without.contains(name) ? nil : settings
        }
        return (feeds, without)
    }

    private mutating func take(_ table: inout TableReader, of declaration: FeedDeclaration) {
        var read = settings[declaration.name] ?? FeedSettings(defaultsOf: declaration)
        for setting in declaration.settings {
            let value: FeedSettings.Value? =
                switch setting.kind {
                case .text: table.optional(setting.name, .text).map { .text($0) }
                case .source: table.optional(setting.name, .source).map { .text($0) }
                case .sources: table.optional(setting.name, .sources).map { .texts($0) }
                case .url: table.optional(setting.name, .url).map { .url($0) }
                case .duration(let range, _): table.optional(setting.name, .duration(range)).map { .duration($0) }
                }
            if let value {
                read.set(setting.name, to: value)
                refused[declaration.name]?.remove(setting.name)
            } else if table.offset(of: setting.name) != nil {
                refused[declaration.name, default: []].insert(setting.name)
            }
        }
        if table.offset != nil { tables[declaration.name, default: []].append(table) }
        settings[declaration.name] = read
        table.finish()
    }
}
