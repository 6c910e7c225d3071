internal import BoardCore

/// The `[feed.NAME]` tables of one or more files, as the feeds declare them; what is read later counts more.
struct FeedTables {
    private let declarations: FeedDeclarations
    /// What is configured of every feed that is there once, and of those of a family that have a table.
    private(set) var settings: [FeedName: FeedSettings]

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
            if let value { read.set(setting.name, to: value) }
        }
        settings[declaration.name] = read
        table.finish()
    }
}
