internal import BoardCore

/// The `[feed.NAME]` tables of one or more files, as the feeds declare them; later files override earlier ones.
struct FeedTables {
    private let declarations: FeedDeclarations
    /// The settings of every feed without a family, and of the members of families that have a table.
    private(set) var settings: [FeedName: FeedSettings]
    /// The tables of each feed, in every file that has one.
    private var tables: [FeedName: [TableReader]] = [:]
    /// The settings with an invalid value, which has been reported.
    private var invalid: [FeedName: Set<String>] = [:]

    /// The settings without any file.
    init(_ declarations: FeedDeclarations) {
        self.declarations = declarations
        settings = [:]
        for declaration in declarations.feeds { settings[declaration.name] = FeedSettings(defaultsOf: declaration) }
    }

    mutating func read(_ root: inout TableReader) {
        var table = root.table("feed", name: "[feed]")
        for declaration in declarations.feeds {
            var own = table.table(declaration.name.description, name: "[feed.\(declaration.name)]")
            readSettings(&own, of: declaration)
        }
        for family in declarations.families {
            var members = table.table(family.name, name: "[feed.\(family.name)]")
            for key in members.keys {
                let name = FeedName("\(family.name).\(key)")
                var own = members.table(key, name: "[feed.\(name)]")
                if let declaration = family.member(name) {
                    readSettings(&own, of: declaration)
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

    /// Checks settings with the feeds' own rules. Reports each fault and resets the faulty setting to its default; where that
    /// is not enough, a member of a family is unusable.
    ///
    /// - Parameter feeds: the settings, with keys.
    /// - Returns: the settings of the usable feeds, and the names of the unusable ones.
    func checked(
        _ feeds: [FeedName: FeedSettings], by checkSettings: ConfigurationLoader.FeedSettingsCheck
    ) -> (feeds: [FeedName: FeedSettings], unusable: Set<FeedName>) {
        var feeds = feeds
        var unusable: Set<FeedName> = []
        for (name, tables) in tables {
            guard let declaration = declarations[name], var settings = feeds[name] else { continue }
            var reported = invalid[name] ?? []
            while let failure = checkSettings(name, settings) {
                // After an invalid value was reported, a fault of its default is not the user's.
                if reported.insert(failure.setting).inserted {
                    let table = tables.last { $0.offset(of: failure.setting) != nil } ?? tables.last
                    table?.report(at: table?.offset(of: failure.setting) ?? table?.offset, "\(failure)")
                }
                guard settings.reset(failure.setting, of: declaration) else {
                    if !declarations.feeds.contains(where: { $0.name == name }) { unusable.insert(name) }
                    break
                }
            }
            feeds[name] = unusable.contains(name) ? nil : settings
        }
        return (feeds, unusable)
    }

    private mutating func readSettings(_ table: inout TableReader, of declaration: FeedDeclaration) {
        var read = settings[declaration.name] ?? FeedSettings(defaultsOf: declaration)
        for setting in declaration.settings {
            let value: FeedSettings.Value? =
                switch setting.kind {
                case .text: table.optional(setting.name, .text).map { .text($0) }
                case .source: table.optional(setting.name, .source).map { .text($0) }
                case .location: table.optional(setting.name, .location).map { .text($0) }
                case .sources: table.optional(setting.name, .sources).map { .texts($0) }
                case .url: table.optional(setting.name, .url).map { .url($0) }
                case .duration(let range, _): table.optional(setting.name, .duration(range)).map { .duration($0) }
                }
            if let value {
                read.set(setting.name, to: value)
                invalid[declaration.name]?.remove(setting.name)
            } else if table.offset(of: setting.name) != nil {
                invalid[declaration.name, default: []].insert(setting.name)
            }
        }
        if table.offset != nil { tables[declaration.name, default: []].append(table) }
        settings[declaration.name] = read
        table.finish()
    }
}
