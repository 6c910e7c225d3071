public import BoardCore

/// The location of a configuration.
public enum ConfigurationSource: Hashable, Sendable {
    /// boardd.toml, favourites.toml and keys.env of a folder; each may be missing.
    case directory(String)
    /// A file that must exist, with favourites.toml and keys.env beside it.
    case file(String)

    /// The folder of the package.
    public static let installed = ConfigurationSource.directory("/etc/boardd")

    /// The path of favourites.toml, which may be missing.
    public var favouritesPath: String { path(of: "favourites.toml") }

    /// The path of a file beside boardd.toml.
    public func path(of name: String) -> String {
        switch self {
        case .directory(let path): path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        case .file(let path): path.lastIndex(of: "/").map { path[...$0] + name } ?? "./\(name)"
        }
    }
}

/// Loads configurations.
///
/// Contains nothing about single operators: each feed declares its own settings.
public struct ConfigurationLoader: Sendable {
    /// The user name and the password of the broker in keys.env.
    private static let fleetUser = "FLEET_USER"
    private static let fleetPassword = "FLEET_PASSWORD"

    public let declarations: FeedDeclarations
    /// The pin maps that `pins` may name.
    public let pinMaps: [String: PinMap]
    private let checkSettings: FeedSettingsCheck

    /// Why no feed can be created from these settings; nil where one can. Sends no requests.
    public typealias FeedSettingsCheck = @Sendable (FeedName, FeedSettings) -> FeedSettingFailure?

    public init(
        declarations: FeedDeclarations, pinMaps: [String: PinMap] = ["standard": .standard],
        checkSettings: @escaping FeedSettingsCheck = { _, _ in nil }
    ) {
        self.declarations = declarations
        self.pinMaps = pinMaps
        self.checkSettings = checkSettings
    }

    /// Reads and checks all files. Blocks while it reads them.
    ///
    /// - Parameters:
    ///   - environment: the process's environment. A key in it overrides keys.env, even an empty one;
    ///     `CREDENTIALS_DIRECTORY` is systemd's folder with keys.env, which overrides the file beside boardd.toml.
    ///   - stopProblem: a further check of a favourite's stop: its error as the end of a sentence ("is not in the list");
    ///     nil where there is none.
    /// - Throws: every fault of every file, with what could be read; for a file with a syntax error only that error.
    public func load(
        _ source: ConfigurationSource, environment: [String: String],
        stopProblem: (StopID) -> String? = { _ in nil }
    ) throws(ConfigurationFaults) -> Configuration {
        let collector = FaultCollector()
        let files = ConfigurationFiles(source, environment: environment, into: collector)
        var configuration = Configuration()
        let tables = BoardFile.read(
            document(files.board, into: collector), presets: files.presets.map { document($0, into: collector) },
            declarations: declarations, pinMaps: pinMaps, into: &configuration, collector)
        // A member of a family without a table is not configured and has no stops.
        let members = tables.settings.keys.filter { name in !declarations.feeds.contains { $0.name == name } }
        let available =
            declarations.feeds + members.map(\.description).sorted().compactMap { declarations[FeedName($0)] }
        configuration.feeds = tables.settings
        let favourites = FavouritesFile(
            document(files.favourites, into: collector), declarations: FeedDeclarations(available),
            known: configuration.feedNames(of: declarations), stopProblem: stopProblem, into: collector)
        let names = available.flatMap(\.secrets) + [Self.fleetUser, Self.fleetPassword]
        let keys = files.keys.map { KeysFile($0, names: names, into: collector) }
        var secrets = keys?.secrets ?? [:]
        for name in names {
            guard let text = environment[name] else { continue }
            guard let value = KeysFile.value(text[...]) else {
                let message = "the value of \(name) must be printable ASCII without spaces, with both quotes or none"
                collector.add(ConfigurationFault(file: "environment", message: message))
                continue
            }
            secrets[name] = value.isEmpty ? nil : Secret(value)
        }
        var feeds = tables.settings
        configuration.warnings = files.warnings + configuration.warnings
        configuration.fleet.user = secrets[Self.fleetUser]?.revealed
        configuration.fleet.password = secrets[Self.fleetPassword]
        for declaration in available {
            for name in declaration.secrets {
                feeds[declaration.name]?.setSecret(name, to: secrets[name])
                guard let warning = secrets[name].flatMap({ declaration.warning(about: $0, named: name) }) else {
                    continue
                }
                // A warning, not a fault: the operator defines the form of its keys and may change it.
                let position = environment[name] == nil ? keys?.positions[name] : nil
                let file = position == nil ? "environment" : files.keys?.file ?? ""
                configuration.warnings.append(ConfigurationFault(file: file, position: position, message: warning))
            }
        }
        let checked = tables.checked(feeds, by: checkSettings)
        configuration.feeds = checked.feeds
        configuration.entries = favourites.entries.without(checked.unusable)
        guard collector.faults.isEmpty else {
            throw ConfigurationFaults(faults: files.inOrder(collector.faults), partial: configuration)
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
