public import BoardCore
import BoardIO
import Glibc

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

/// The texts of a configuration: the only part of the loader that reads files.
struct ConfigurationFiles {
    /// boardd.toml; nil: missing, or unreadable and reported.
    let board: SourceText?
    /// The files of feeds.d, by name: the shipped settings of feeds that need only a key.
    let presets: [SourceText]
    /// favourites.toml.
    let favourites: SourceText?
    /// keys.env.
    let keys: SourceText?
    let warnings: [ConfigurationFault]

    private static let keysName = "keys.env"

    private let order: [String]

    /// Reads the files; an unreadable file is a fault.
    init(_ source: ConfigurationSource, environment: [String: String], into collector: FaultCollector) {
        let (boardPath, mustExist) =
            switch source {
            case .directory: (source.path(of: "boardd.toml"), false)
            case .file(let path): (path, true)
            }
        var warnings: [ConfigurationFault] = []
        let favouritesPath = source.favouritesPath

        // The daemon's user may write in /etc/boardd, but must not choose its own settings there.
        let mustBeRoots = if case .directory(let path) = source { Self.isRoots(path) } else { false }
        board = Self.contents(boardPath, mustBeRoots: mustBeRoots, into: collector) { failure in
            guard failure.number == ENOENT, !mustExist else { return true }
            warnings.append(ConfigurationFault(.unreadable, file: boardPath, message: "not found; using defaults"))
            return false
        }
        let presetPaths = Self.presets(in: source.path(of: "feeds.d"), into: collector)
        presets = presetPaths.compactMap {
            Self.contents($0, mustBeRoots: mustBeRoots, into: collector) { _ in true }
        }
        favourites = Self.contents(favouritesPath, into: collector) { $0.number != ENOENT }
        let keys = Self.keys(
            at: source.path(of: Self.keysName), environment: environment, warnings: &warnings, into: collector)
        self.keys = keys
        self.warnings = warnings
        order = presetPaths + [boardPath, favouritesPath] + (keys.map { [$0.file] } ?? [])
    }

    func inOrder(_ faults: [ConfigurationFault]) -> [ConfigurationFault] {
        func rank(_ fault: ConfigurationFault) -> (Int, SourcePosition) {
            (order.firstIndex(of: fault.file) ?? order.count, fault.position ?? SourcePosition(line: 0, column: 0))
        }
        return faults.sorted { rank($0) < rank($1) }
    }

    /// The paths of the configuration files in feeds.d, sorted. Editors and package managers add files whose names begin with
    /// a dot or have another suffix: `.x.toml.swp`, `.#x.toml`, `x.toml~`, `x.toml.dpkg-new`.
    private static func presets(in folder: String, into collector: FaultCollector) -> [String] {
        do throws(FileAccessFailure) {
            let names = try SmallFile.names(in: folder).filter { $0.hasSuffix(".toml") && !".#".contains($0.prefix(1)) }
            return names.sorted().map { "\(folder)/\($0)" }
        } catch {
            if error.number != ENOENT {
                collector.add(ConfigurationFault(.unreadable, file: folder, message: "cannot be read: \(error)"))
            }
            return []
        }
    }

    /// The text of a file; nil when there is none. `isFault` decides whether a read error is a fault.
    ///
    /// - Parameter mustBeRoots: whether one of another owner is not used.
    private static func contents(
        _ path: String, mustBeRoots: Bool = false, into collector: FaultCollector,
        isFault: (FileAccessFailure) -> Bool
    ) -> SourceText? {
        let contents: SmallFile.Contents
        do {
            contents = try SmallFile.read(path, limit: SourceText.maximumSize)
        } catch {
            if isFault(error) {
                collector.add(ConfigurationFault(.unreadable, file: path, message: "cannot be read: \(error)"))
            }
            return nil
        }
        guard !mustBeRoots || isRoots(path, AT_SYMLINK_NOFOLLOW) else {
            let message =
                "belongs to another user than root and is not used: check its content, then: sudo chown -h root \(path)"
            collector.add(ConfigurationFault(.unreadable, file: path, message: message))
            return nil
        }
        do {
            return try SourceText(file: path, bytes: contents.bytes)
        } catch {
            collector.add(error)
            return nil
        }
    }

    /// - Parameter flags: of fstatat(2).
    private static func isRoots(_ path: String, _ flags: Int32 = 0) -> Bool {
        var status = stat()
        return unsafe fstatat(AT_FDCWD, path, &status, flags) == 0 && status.st_uid == 0
    }

    /// keys.env from systemd's credentials, or the one beside boardd.toml.
    private static func keys(
        at path: String, environment: [String: String], warnings: inout [ConfigurationFault],
        into collector: FaultCollector
    ) -> SourceText? {
        // Also of a file that systemd reads: its credential, which has an ACL instead, shows nothing about it.
        if let warning = rightsWarning(of: path) { warnings.append(warning) }
        if let credentials = environment["CREDENTIALS_DIRECTORY"], !credentials.isEmpty {
            let path = ConfigurationSource.directory(credentials).path(of: keysName)
            if let keys = contents(path, into: collector, isFault: { $0.number != ENOENT }) { return keys }
        }
        var unreadable: ConfigurationFault?
        let keys = contents(path, into: collector) { failure in
            switch failure.number {
            case ENOENT: return false
            case EACCES, EPERM:
                // Only root may read the file, on purpose; other users' commands run without keys.
                let message = "permission denied (\(failure)); no keys were loaded from it"
                unreadable = ConfigurationFault(.unreadable, file: path, message: message)
                return false
            default: return true
            }
        }
        if let unreadable { warnings.append(unreadable) }
        return keys
    }

    /// Warns of a file with keys that other users than its owner can read. Needs no right to read it.
    private static func rightsWarning(of path: String) -> ConfigurationFault? {
        var status = stat()
        let others: UInt32 = 0o077
        guard unsafe stat(path, &status) == 0, status.st_mode & others != 0 else { return nil }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return ConfigurationFault(
            file: path, message: "contains keys and other users can read it (mode \(mode)): chmod 600 \(path)")
    }
}
