import BoardCore

/// The `[feed.NAME]` tables of one or more files, as the feeds declare them; later files override earlier ones.
struct FeedTables {
    private let declarations: FeedDeclarations
    /// The settings of every feed without a family, and of the members of families that have a table.
    private(set) var settings: [FeedName: FeedSettings]
    /// Each feed's tables, one from every file that has one.
    private var tables: [FeedName: [TableReader]] = [:]
    /// The settings whose value is invalid and has been reported.
    private var invalid: [FeedName: Set<String>] = [:]

    /// The defaults, before any file is read.
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

    /// Checks settings with the feeds' own rules. Reports each fault and resets the faulty setting to its default; if
    /// that does not help, a member of a family is unusable.
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
                // If an invalid value was reported, a fault in its default is not the user's.
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
                case .url: table.optional(setting.name, .url).map { .text($0) }
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

/// The keys in keys.env: `NAME=value` lines. No message repeats a value.
struct KeysFile {
    let secrets: [String: Secret]
    let positions: [String: SourcePosition]

    /// Reads the file; every fault goes to `collector`.
    init(_ source: SourceText, names: [String], into collector: FaultCollector) {
        var secrets: [String: Secret] = [:]
        var positions: [String: SourcePosition] = [:]
        for line in source.lines.ranges {
            let text = source.text(line).prefix { !$0.isNewline }
            let indentation = text.prefix { $0 == " " || $0 == "\t" }
            var rest = text.dropFirst(indentation.count)
            var start = line.lowerBound + indentation.utf8.count
            guard let first = rest.first, first != "#" else { continue }
            // A shell may source the file.
            if rest.hasPrefix("export ") {
                let words = rest.dropFirst("export ".count).drop { $0 == " " }
                start += rest.utf8.count - words.utf8.count
                rest = words
            }
            guard let equals = rest.firstIndex(of: "=") else {
                collector.add(source.fault(at: start, "is not NAME=value; allowed names: \(Self.list(names))"))
                continue
            }
            let name = String(rest[..<equals])
            guard names.contains(name) else {
                collector.add(source.fault(at: start, Self.unknownKeyMessage(aboutName: name, names: names)))
                continue
            }
            if let first = positions[name] {
                collector.add(source.fault(at: start, "\(name) is set twice (first on line \(first.line)): remove one"))
            }
            positions[name] = positions[name] ?? source.position(at: start)
            let valueOffset = start + name.utf8.count + 1
            guard let value = Self.value(rest[rest.index(after: equals)...]) else {
                let message = "the value of \(name) must be printable ASCII without spaces, with both quotes or none"
                collector.add(source.fault(at: valueOffset, message))
                continue
            }
            // The example file has empty values for keys that are not set.
            if !value.isEmpty { secrets[name] = Secret(value) }
        }
        self.secrets = secrets
        self.positions = positions
    }

    /// The value without its quotes; nil if it is not a valid key. It becomes part of an HTTP request, so it has only
    /// printable characters and no spaces (RFC 9110 §5.5).
    static func value(_ text: Substring) -> String? {
        var value = text
        while let last = value.last, last.isWhitespace { value.removeLast() }
        if let quote = value.first, quote == "\"" || quote == "'" {
            guard value.count >= 2, value.last == quote else { return nil }
            value = value.dropFirst().dropLast()
        }
        guard value.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) && $0 != "\"" && $0 != "'" }) else {
            return nil
        }
        return String(value)
    }

    /// Quotes an unknown name only if it looks like one: otherwise it might be a key.
    private static func unknownKeyMessage(aboutName name: String, names: [String]) -> String {
        let isName = name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isDigit || $0 == "_") }
        guard isName, !name.isEmpty else { return "is not NAME=value; allowed names: \(list(names))" }
        let nearest = Spelling.nearest(to: name, of: names).map { "did you mean \($0)? " } ?? ""
        return "unknown name \(name); \(nearest)allowed: \(list(names))"
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
