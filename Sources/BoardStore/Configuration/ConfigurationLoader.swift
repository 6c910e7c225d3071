public import BoardCore

/// Where a configuration is.
public enum ConfigurationSource: Hashable, Sendable {
    /// The installed one: boardd.toml, favourites.toml and keys.env of a directory. None of them must be there.
    case directory(String)
    /// A file that a person named: it must be there. favourites.toml and keys.env are looked for beside it.
    case file(String)

    /// Where the package installs it.
    public static let installed = ConfigurationSource.directory("/etc/boardd")

    /// Where favourites.toml is, or would be.
    public var favouritesPath: String { path(of: "favourites.toml") }

    /// Where a file beside boardd.toml is.
    func path(of name: String) -> String {
        switch self {
        case .directory(let path): path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        case .file(let path): path.lastIndex(of: "/").map { path[...$0] + name } ?? "./\(name)"
        }
    }
}

/// Reads configurations.
///
/// The loader knows no operator: what a feed may be told is what it declares.
public struct ConfigurationLoader: Sendable {
    /// What the feeds declare.
    public let declarations: FeedDeclarations
    /// The named pin maps that `pins` may name.
    public let pinMaps: [String: PinMap]
    private let checkSettings: FeedSettingsCheck

    /// Why no feed of this name can be made of these settings; nil where one can. It asks nobody.
    public typealias FeedSettingsCheck = @Sendable (FeedName, FeedSettings) -> FeedSettingFailure?

    /// A loader for these feeds and pin maps.
    public init(
        declarations: FeedDeclarations, pinMaps: [String: PinMap] = ["standard": .standard],
        checkSettings: @escaping FeedSettingsCheck = { _, _ in nil }
    ) {
        self.declarations = declarations
        self.pinMaps = pinMaps
        self.checkSettings = checkSettings
    }

    /// Reads and checks all files. Blocks for as long as small files take.
    ///
    /// - Parameters:
    ///   - source: where the files are.
    ///   - environment: the process's environment. A key in it wins over keys.env, also when it is empty;
    ///     `CREDENTIALS_DIRECTORY` is where systemd hands keys.env over, which wins over the file beside boardd.toml.
    ///   - complaint: what else is wrong with a favourite's stop, as the end of a sentence that begins with it ("is not
    ///     in the list"); nil when nothing is.
    /// - Throws: every fault of every file, not the first, and what could be read; of a file with a syntax error only
    ///   that.
    public func load(
        _ source: ConfigurationSource, environment: [String: String],
        stopProblem: (StopID) -> String? = { _ in nil }
    ) throws(ConfigurationFaults) -> Configuration {
        let collector = FaultCollector()
        let files = ConfigurationFiles(source, environment: environment, into: collector)
        let board = BoardFile(
            document(files.board, into: collector), presets: files.presets.map { document($0, into: collector) },
            declarations: declarations, pinMaps: pinMaps, into: collector)
        // A city that nobody configured has no stops.
        let members = board.feeds.settings.keys.filter { name in !declarations.feeds.contains { $0.name == name } }
        let known = declarations.feeds + members.map(\.description).sorted().compactMap { declarations[FeedName($0)] }
        let favourites = FavouritesFile(
            document(files.favourites, into: collector), declarations: FeedDeclarations(known),
            stopProblem: stopProblem, into: collector)
        let names = known.flatMap(\.secrets)
        let keys = files.keys.map { KeysFile($0, names: names, into: collector) }
        var secrets = keys?.secrets ?? [:]
        for name in names {
            guard let text = environment[name] else { continue }
            guard let value = KeysFile.value(text[...]) else {
                let message = "the value of \(name) must be printable ASCII without blanks, with both quotes or none"
                collector.add(ConfigurationFault(file: "environment", message: message))
                continue
            }
            secrets[name] = value.isEmpty ? nil : Secret(value)
        }
        var feeds = board.feeds.settings
        var warnings = files.warnings
        for declaration in known {
            for name in declaration.secrets {
                feeds[declaration.name]?.setSecret(name, to: secrets[name])
                guard let doubt = secrets[name].flatMap({ declaration.warning(about: $0, named: name) }) else {
                    continue
                }
                // No fault: what a key looks like is the operator's affair, and may change.
                let place = environment[name] == nil ? keys?.places[name] : nil
                let file = place == nil ? "environment" : files.keys?.file ?? ""
                warnings.append(ConfigurationFault(file: file, place: place, message: doubt))
            }
        }
        let made = board.feeds.checked(feeds, by: checkSettings)
        let configuration = Configuration(
            board: board.board, display: board.display, buttons: board.buttons, feeds: made.feeds,
            logLevel: board.logLevel, entries: favourites.entries.without(made.without), warnings: warnings)
        guard collector.faults.isEmpty else {
            throw ConfigurationFaults(files.inOrder(collector.faults), partial: configuration)
        }
        return configuration
    }

    private func document(_ source: SourceText?, into collector: FaultCollector) -> TOMLDocument {
        guard let source else { return TOMLDocument() }
        do {
            return try TOMLDocument(source)
        } catch {
            collector.add(error)
            return TOMLDocument()
        }
    }
}
