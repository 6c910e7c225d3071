import BoardCore

/// The board's own settings and keys, below those of /etc: settings.toml and keys.env in a folder that the daemon alone
/// writes, for people who set it up by phone.
///
/// What it may contain is decided here, for every reader: a phone must not choose an address, a file or who may use the
/// page.
public struct OwnLayer: Hashable, Sendable {
    public let folder: String
    /// Of the folder, in the state folder or beside a boardd.toml that is read by itself.
    public static let folderName = "settings"

    public init(folder: String) { self.folder = folder }

    /// The layers to try, the newest first: the last good one stays beside a new one.
    var settingsPaths: [String] { [settingsPath, "\(settingsPath).1"] }
    public var settingsPath: String { "\(folder)/settings.toml" }
    public var keysPath: String { "\(folder)/keys.env" }

    /// The last line of the settings. Without it they would still be valid where a worn-out card cut them off between
    /// two lines, or lost all of them.
    static let end = "# end\n"

    /// The text of the settings file with these settings, whether they have the last line or not.
    public static func file(_ settings: String) -> String { content(of: settings) + end }
    /// The settings of a file, without the last line.
    public static func content(of file: String) -> String {
        file.hasSuffix(end) ? String(file.dropLast(end.count)) : file
    }

    // MARK: - What may be in it

    /// Whether a table may be in it: "display", "feed.motis", "feed.gtfs.lyon".
    public static func mayContain(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return switch parts.first {
        case "feed" where parts.count == 2: feeds[parts[1]] != nil
        case "feed" where parts.count == 3: parts[1] == "gtfs" && FeedFamily.isName(parts[2])
        default: parts.count == 1 && (tables[name] != nil || name == "abbreviations")
        }
    }

    /// Whether the table is a list of tables.
    public static func isList(_ name: String) -> Bool { ["quiet", "button"].contains(name) }

    /// How many tables of the name there may be: no week has more quiet hours, and no board more buttons.
    public static func maximumTables(_ name: String) -> Int { isList(name) ? 28 : 1 }

    /// The tables that have names, and their keys.
    private static let tables: [String: Set<String>] = [
        "board": ["name"], "language": ["code", "clock"],
        "pages": ["home", "return_home", "rotate", "reach", "screens", "turns"], "light": ["wake"],
        "quiet": ["from", "to", "days"],
        "display": [
            "driver", "size", "bus", "address", "expander", "pins", "backlight_on", "rom", "resync", "dots",
            "brightness", "leds", "modules",
        ], "button": ["chip", "line", "pull", "short", "hold", "long_hold", "double"], "map": ["tiles"],
    ]
    private static let feeds: [String: Set<String>] = ["motis": ["contact", "language"]]
    private static let city: Set<String> = ["city"]
    /// No board shows more, and each is a timetable to download.
    private static let maximumCities = 16
    private static let maximumAbbreviations = 200

    /// Reports what the layer must not contain.
    static func check(_ document: TOMLDocument, of text: SourceText, into collector: FaultCollector) {
        if !text.bytes.suffix(end.utf8.count).elementsEqual(end.utf8) {
            collector.add(text.fault(at: text.bytes.count, "is cut off: the last line must be \(end.dropLast())"))
        }
        func report(_ entry: TOMLEntries.Entry, _ message: String) {
            collector.add(document.source.fault(at: entry.node.position.key, message))
        }
        func check(_ node: TOMLNode, named table: String, keys: Set<String>) {
            for element in node.tables {
                for entry in element.entries {
                    if !keys.contains(entry.key) {
                        report(entry, "\(entry.key) in \(table) cannot be set here, only in /etc/boardd/boardd.toml")
                    } else if !isHarmless(entry) {
                        report(
                            entry,
                            "\(entry.key): \(entry.node.found) cannot be set here, only in /etc/boardd/boardd.toml")
                    }
                }
            }
        }
        for entry in document.root.entries {
            if let keys = tables[entry.key] {
                check(entry.node, named: "[\(entry.key)]", keys: keys)
            } else if entry.key == "abbreviations" {
                if entry.node.tables.contains(where: { $0.entries.count > maximumAbbreviations }) {
                    report(entry, "more than \(maximumAbbreviations) abbreviations")
                }
            } else if entry.key == "feed", case .table(let all) = entry.node.value {
                for feed in all.entries {
                    if let keys = feeds[feed.key] {
                        check(feed.node, named: "[feed.\(feed.key)]", keys: keys)
                    } else if feed.key == "gtfs", case .table(let cities) = feed.node.value {
                        if cities.entries.count > maximumCities { report(feed, "more than \(maximumCities) cities") }
                        for one in cities.entries {
                            check(one.node, named: "[feed.gtfs.\(one.key)]", keys: city)
                            guard case .table(let table) = one.node.value, case .text? = table["city"]?.value else {
                                report(one, "[feed.gtfs.NAME] must have city, a text such as \"437\"")
                                continue
                            }
                            if !FeedFamily.isName(one.key) {
                                report(one, "NAME of [feed.gtfs.NAME] must be small letters, digits and hyphens")
                            }
                        }
                    } else {
                        report(feed, "[feed.\(feed.key)] cannot be set here, only in /etc/boardd/boardd.toml")
                    }
                }
            } else {
                report(entry, "\(entry.key) cannot be set here, only in /etc/boardd/boardd.toml")
            }
        }
    }

    /// Whether the value leads nowhere but to a bus, a GPIO chip, or tiles that have a name.
    private static func isHarmless(_ entry: TOMLEntries.Entry) -> Bool {
        guard case .text(let text) = entry.node.value else { return true }
        switch entry.key {
        case "bus": return text == "auto" || text.wholeMatch(of: #//dev/i2c-[0-9]{1,3}/#) != nil
        case "chip": return !text.contains("/") || text.wholeMatch(of: #//dev/gpiochip[0-9]{1,3}/#) != nil
        case "tiles": return ["", TileSource.openStreetMap].contains(text)
        default: return true
        }
    }
}

extension TOMLNode {
    /// The table, or the tables of a list.
    fileprivate var tables: [TOMLEntries] {
        switch value {
        case .table(let entries): [entries]
        case .list(let nodes): nodes.flatMap(\.tables)
        default: []
        }
    }
}

extension Result<Configuration, ConfigurationError> {
    var faults: [SourceError] {
        if case .failure(let error) = self { error.faults } else { [] }
    }

    /// With the faults of newer own settings than those at `path`, which hold; nil: none hold.
    func settingAside(_ faulty: [SourceError], for path: String?) -> Self {
        guard let first = faulty.first else { return self }
        let rest = path.map { "set aside: \($0) holds" } ?? "set aside: no settings of the board's own hold"
        let notes = faulty.map {
            SourceError($0.kind, file: $0.file, position: $0.position, message: "\($0.message); \(rest)")
        }
        func noted(_ configuration: Configuration) -> Configuration {
            var configuration = configuration
            configuration.setAside = FilePosition(file: first.file, line: first.position?.line)
            configuration.warnings = notes + configuration.warnings
            return configuration
        }
        switch self {
        case .success(let loaded): return .success(noted(loaded))
        // A favourite of a city that was set aside is a fault because of these.
        case .failure(let error):
            return .failure(ConfigurationError(faults: notes + error.faults, partial: noted(error.partial)))
        }
    }
}

// What the loader reads of the own layer.
extension TOMLDocument {
    func without(_ key: String) -> TOMLDocument {
        TOMLDocument(source: source, root: TOMLEntries(entries: root.entries.filter { $0.key != key }))
    }

    /// The tables in order, each member of a family on its own.
    func tables(_ declarations: FeedDeclarations) -> [ConfigurationTable] {
        func table(_ name: String, _ node: TOMLNode) -> ConfigurationTable {
            let values = node.tables.map { table in
                table.entries.compactMap { entry -> ConfigurationTable.Value? in
                    if case .table = entry.node.value { return nil }
                    return ConfigurationTable.Value(
                        key: entry.key, text: source.text(entry.node.position.value), value: SettingValue(entry.node))
                }
            }
            return ConfigurationTable(name: name, file: source.file, tables: values)
        }
        return root.entries.filter { !$0.node.isBlank }.flatMap { entry -> [ConfigurationTable] in
            switch entry.node.value {
            case .table(let feeds) where entry.key == "feed":
                return feeds.entries.flatMap { feed -> [ConfigurationTable] in
                    guard case .table(let members) = feed.node.value,
                        declarations.families.contains(where: { $0.name == feed.key })
                    else { return feed.node.isBlank ? [] : [table("[feed.\(feed.key)]", feed.node)] }
                    return members.entries.map { table("[feed.\(feed.key).\($0.key)]", $0.node) }
                }
            case .list: return [table("[[\(entry.key)]]", entry.node)]
            default: return [table("[\(entry.key)]", entry.node)]
            }
        }
    }

    private var feedEntries: [TOMLEntries.Entry] {
        if case .table(let feeds)? = root["feed"]?.value { feeds.entries } else { [] }
    }

    /// Only the feeds, without cities and those in `hidden`.
    func feeds(hidden: [ConfigurationTable]) -> TOMLDocument {
        let feeds = feedEntries.filter { feed in
            feed.key != "gtfs" && !hidden.contains { $0.name == "[feed.\(feed.key)]" }
        }
        guard let node = root["feed"] else { return TOMLDocument() }
        let table = node.with(.table(TOMLEntries(entries: feeds)))
        return TOMLDocument(source: source, root: TOMLEntries(entries: [.init(key: "feed", node: table)]))
    }

    /// NAME and number of each `[feed.gtfs.NAME]`, and where the number is.
    var cities: [(name: String, id: String, offset: Int)] {
        guard case .table(let members)? = feedEntries.first(where: { $0.key == "gtfs" })?.node.value else { return [] }
        return members.entries.compactMap { member in
            guard case .table(let entries) = member.node.value, let node = entries["city"],
                case .text(let id) = node.value
            else { return nil }
            return (member.key, id, node.position.value.lowerBound)
        }
    }
}
