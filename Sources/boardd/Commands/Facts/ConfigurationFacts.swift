import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardService
import BoardStore
import Glibc

/// What a bug report has of a configuration: no text of a file, in which a key may be anywhere, but the files' sizes, the
/// places of their faults, and settings whose values are words, numbers, stops or hosts.
struct ConfigurationFacts: Sendable {
    /// Shorter keys would be found in ordinary words.
    private static let shortestKey = 4

    /// Of all keys of the configuration: they should be in no log, but a log is a text.
    let mask: KeyMask
    /// Paths of the files, and the places of faults.
    let files: [String]
    /// The settings of each feed, and which keys are set.
    let feeds: [String]
    let favourites: [String]
    let devices: String

    /// Reads the files. Blocks.
    init(_ option: ConfigurationOption, environment: [String: String]) {
        let favouritesPath = option.source.favouritesPath
        let folder = favouritesPath.dropLast("/favourites.toml".count)
        let credentials = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : "\($0)/keys.env" }
        let own = ConfigurationOption.own(below: option.source)
        let keyFiles = [credentials, "\(folder)/keys.env", own?.keysPath].compactMap(\.self)
        let paths =
            [option.file ?? "\(folder)/boardd.toml", favouritesPath] + [own?.settingsPath].compactMap(\.self) + keyFiles

        let result = option.result
        let configuration = result.readable
        let faults = if case .failure(let error) = result { error.faults } else { [SourceError]() }
        // Why a file is unreadable says nothing about its text.
        let places = (faults + configuration.warnings.filter { $0.kind == .unreadable }).map { fault in
            let place = fault.file + (fault.position.map { ":\($0.line):\($0.column)" } ?? "")
            return fault.kind == .unreadable ? "\(place): \(fault.message)" : place
        }
        files =
            paths.map(Self.line)
            + ["faults: \(faults.isEmpty ? "none" : "\(faults.count), boardd check prints them")"] + places
            + ["remarks: \(configuration.warnings.count)"] + configuration.tables.sentences
        let operators = FeedFactory.operators(of: configuration.feeds).map(\.declaration)
        let names = FeedRegistry.declarations.feeds.flatMap(\.secrets)
        let keys = names.compactMap { environment[$0] } + keyFiles.flatMap(Self.values)
        mask = KeyMask(keys.filter { $0.count >= Self.shortestKey })
        feeds = operators.map { feed in
            Self.line(of: feed, configuration.feeds[feed.name] ?? FeedSettings(defaultsOf: feed), environment)
        }
        favourites = configuration.favourites.map(Self.line)
        devices = "configured: \(configuration.devices)"
    }

    private static func line(_ path: String) -> String {
        do throws(FileError) {
            let file = try SmallFile.read(path, limit: 1_000_000)
            return "\(path): \(file.bytes.count) bytes, mode \(String(file.mode, radix: 8))"
        } catch {
            return "\(path): \(error)"
        }
    }

    /// The values in a file of keys, also those that others override.
    private static func values(_ path: String) -> [String] {
        let text = (try? SmallFile.read(path, limit: 1_000_000).text) ?? ""
        return text.lines.compactMap { line in
            line.split(separator: "=", maxSplits: 1).last.map { value in
                value.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            }
        }
    }

    private static func line(
        of feed: FeedDeclaration, _ settings: FeedSettings, _ environment: [String: String]
    ) -> String {
        let values = feed.settings.map { setting in
            let value: String =
                switch setting.kind {
                case .text(let usual): settings.text(setting.name) == usual ? usual : "changed"
                case .source, .location, .url: place(settings.text(setting.name))
                case .sources: settings.texts(setting.name).map { place($0) }.joined(separator: " ")
                case .duration: settings.duration(setting.name)?.written ?? ""
                }
            return "\(setting.name) \(value)"
        }
        let keys = feed.secrets.map { name in
            let key = FeedState.Key(name: name, isSet: settings.secret(name) != nil)
            return key.words + (key.isSet && environment[name] != nil ? " in the environment" : "")
        }
        return "\(feed.title): \((values + keys).joined(separator: ", "))"
    }

    /// A path, or the scheme and the host of an address, whose path may be a key.
    private static func place(_ location: String?) -> String {
        guard let location, let scheme = location.ranges(of: "://").first else { return location ?? "" }
        return location[..<scheme.upperBound] + location[scheme.upperBound...].prefix { !"/?#".contains($0) } + "/…"
    }

    /// A stop with its settings in the words of favourites.toml, without its label: any text.
    private static func line(of favourite: Favourite) -> String {
        let settings = favourite.settings(except: ["label"])
        return "\(favourite.stop)\(settings.isEmpty ? "" : "; \(settings)")"
    }
}
