public import BoardCore
public import BoardDisplays
import BoardIO
import Glibc

/// The location of a configuration.
public enum ConfigurationSource: Hashable, Sendable {
    /// boardd.toml, favourites.toml and keys.env in a folder; each may be missing.
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
/// Knows no operator: each feed declares its own settings.
public struct ConfigurationLoader: Sendable {
    /// The names in keys.env of the broker's user name and password.
    private static let fleetUser = "FLEET_USER"
    private static let fleetPassword = "FLEET_PASSWORD"
    /// The name in messages of a table from the list of cities.
    private static let cityFile = "cities.tsv"

    public let declarations: FeedDeclarations
    /// The pin maps that `pins` may name.
    public let pinMaps: [String: PinMap]
    private let cities: CityTables
    private let checkSettings: FeedSettingsCheck

    /// Why no feed can be created from these settings; nil if one can. Sends no requests.
    public typealias FeedSettingsCheck = @Sendable (FeedName, FeedSettings) -> FeedSettingError?

    /// The text of `[feed.gtfs.NAME]` of each city by its number in the list of cities, and NAME; nil: there is none.
    public typealias CityTables = @Sendable ([(id: String, name: String)]) -> [String?]

    public init(
        declarations: FeedDeclarations, pinMaps: [String: PinMap] = ["standard": .standard],
        checkSettings: @escaping FeedSettingsCheck = { _, _ in nil },
        cities: @escaping CityTables = { $0.map { _ in nil } }
    ) {
        self.declarations = declarations
        self.pinMaps = pinMaps
        self.cities = cities
        self.checkSettings = checkSettings
    }

    /// Reads and checks all files; blocks.
    ///
    /// - Parameters:
    ///   - own: the board's own layer. If its newest settings have a fault, the last good ones hold, else none.
    ///   - environment: the process's environment. A key in it, even an empty one, overrides keys.env;
    ///     `CREDENTIALS_DIRECTORY` is systemd's folder, whose keys.env overrides the one beside boardd.toml.
    ///   - stopProblem: another check of a favourite's stop: its error as the end of a sentence ("is not in the list");
    ///     nil: none.
    /// - Throws: every fault of every other file, with what could be read; for a file with a syntax error, only that
    ///   error.
    public func load(
        _ source: ConfigurationSource, own: OwnLayer? = nil, environment: [String: String],
        stopProblem: (StopID) -> String? = { _ in nil }
    ) throws(ConfigurationError) -> Configuration {
        var faulty: [SourceError] = []
        for path in own?.settingsPaths ?? [] {
            let collector = FaultCollector()
            guard let text = ConfigurationFiles.contents(path, into: collector, isFault: { $0.number != ENOENT }) else {
                faulty += collector.faults
                continue
            }
            let (loaded, faults) = load(
                source, own: own, settings: text, environment: environment, stopProblem: stopProblem)
            if faults.isEmpty { return try loaded.settingAside(faulty, for: path).get() }
            faulty += faults
        }
        return try Result { () throws(ConfigurationError) in
            try load(source, own: own, nil, environment: environment, stopProblem: stopProblem)
        }.settingAside(faulty, for: nil).get()
    }

    /// The faults that the own layer would have with these settings; blocks.
    public func faults(
        ofOwnSettings text: String, in own: OwnLayer, below source: ConfigurationSource, environment: [String: String]
    ) -> [SourceError] {
        do throws(SourceError) {
            let text = try SourceText(file: own.settingsPath, bytes: Array(text.utf8))
            return load(source, own: own, settings: text, environment: environment) { _ in nil }.faults
        } catch {
            return [error]
        }
    }

    /// - Returns: the configuration with these own settings, and their faults, with which they must not hold.
    private func load(
        _ source: ConfigurationSource, own: OwnLayer?, settings: SourceText, environment: [String: String],
        stopProblem: (StopID) -> String?
    ) -> (loaded: Result<Configuration, ConfigurationError>, faults: [SourceError]) {
        let collector = FaultCollector()
        let layer = document(settings, into: collector)
        OwnLayer.check(layer, of: settings, into: collector)
        let loaded = Result { () throws(ConfigurationError) in
            try load(source, own: own, layer, environment: environment, stopProblem: stopProblem)
        }
        let faults = collector.faults
        return (loaded, faults.isEmpty ? loaded.faults.filter { $0.file == settings.file } : faults)
    }

    /// - Parameter layer: the own settings.
    private func load(
        _ source: ConfigurationSource, own: OwnLayer?, _ layer: TOMLDocument?, environment: [String: String],
        stopProblem: (StopID) -> String?
    ) throws(ConfigurationError) -> Configuration {
        let collector = FaultCollector()
        let files = ConfigurationFiles(source, own: own, environment: environment, into: collector)
        var configuration = Configuration()
        let board = document(files.board, into: collector).withMovedKeys(into: collector)
        let isBoardUnknown = collector.faults.contains { $0.file == files.boardPath }
        let presets = files.presets.map { document($0, into: collector) }
        let etc = presets.flatMap { $0.tables(declarations) } + board.tables(declarations)
        configuration.tables =
            etc
            + (layer?.tables(declarations) ?? []).map { table in
                var table = table
                table.isHidden = etc.contains { $0.name == table.name }
                return table
            }
        let cities = layer.map { cityTables($0, hidden: etc, warnings: &configuration.warnings) } ?? []
        let tables = BoardFile.read(
            board, above: layer?.without("feed"),
            presets: presets + cities.map(\.table) + [layer?.feeds(hidden: etc)].compactMap(\.self),
            declarations: declarations, pinMaps: pinMaps, into: &configuration, collector)
        // Who may change something is not known, and nobody is let in who may not.
        let isUnclear = collector.faults.contains { ["read", "change", "setup"].contains($0.value?.key) }
        if isBoardUnknown || isUnclear { configuration.page.change = .nobody }
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
        // What a person took back by phone, such as a city, may have left its key.
        let ownKeys = files.ownKeys.map {
            KeysFile($0.wholeLines, names: available.flatMap(\.secrets), into: FaultCollector())
        }
        var secrets = keys?.secrets ?? [:]
        for name in names {
            guard let text = environment[name] else { continue }
            guard let value = KeysFile.value(text[...]) else {
                let message = "the value of \(name) must be printable ASCII without spaces, with both quotes or none"
                collector.add(SourceError(file: "environment", message: message))
                continue
            }
            secrets[name] = value.isEmpty ? nil : Secret(value)
        }
        var feeds = tables.settings
        configuration.warnings = files.warnings + configuration.warnings + files.inOrder(collector.remarks)
        configuration.fleet.user = secrets[Self.fleetUser]?.revealed
        configuration.fleet.password = secrets[Self.fleetPassword]
        for declaration in available {
            // A key of the administrator is not sent to an address that was chosen by phone.
            let isOwn = cities.contains { $0.feed == declaration.name }
            for name in declaration.secrets {
                let isSetInEnvironment = environment[name] != nil && !isOwn
                let secret = (isOwn ? nil : secrets[name]) ?? (isSetInEnvironment ? nil : ownKeys?.secrets[name])
                feeds[declaration.name]?.setSecret(name, to: secret)
                if isOwn, secret == nil, secrets[name] != nil {
                    let message = "not sent to \(declaration.title), which was chosen by phone: enter \(name) there too"
                    let file = keys?.secrets[name] == nil ? "environment" : files.keys?.file ?? ""
                    configuration.warnings.append(
                        SourceError(file: file, position: keys?.positions[name], message: message))
                }
                guard let warning = secret.flatMap({ declaration.warning(about: $0, named: name) }) else { continue }
                // A warning, not a fault: the operator defines the form of its keys and may change it.
                let position = environment[name] == nil ? keys?.positions[name] : nil
                let file = position == nil ? "environment" : files.keys?.file ?? ""
                configuration.warnings.append(SourceError(file: file, position: position, message: warning))
            }
        }
        let checked = tables.checked(feeds, by: checkSettings)
        configuration.feeds = checked.feeds
        configuration.entries = favourites.entries.without(checked.unusable)
        // Who chose a city by phone cannot mend its table.
        configuration.warnings += collector.faults.filter { $0.file == Self.cityFile }
        let faults = collector.faults.filter { $0.file != Self.cityFile }
        guard faults.isEmpty else { throw ConfigurationError(faults: files.inOrder(faults), partial: configuration) }
        return configuration
    }

    /// The table of each city in the own layer. One that the list of cities does not have any more has an empty table.
    private func cityTables(
        _ layer: TOMLDocument, hidden: [ConfigurationTable], warnings: inout [SourceError]
    ) -> [(feed: FeedName, table: TOMLDocument)] {
        let chosen = layer.cities.filter { city in !hidden.contains { $0.name == "[feed.gtfs.\(city.name)]" } }
        if chosen.isEmpty { return [] }
        let texts = cities(chosen.map { ($0.id, $0.name) })
        return zip(chosen, texts).map { city, text in
            let feed = FeedName("gtfs.\(city.name)")
            if text == nil {
                let message = "the list of cities has no number \"\(city.id)\": choose the city again by phone"
                warnings.append(layer.source.fault(at: city.offset, message))
            }
            let source = try? SourceText(file: Self.cityFile, bytes: Array((text ?? "[feed.\(feed)]\n").utf8))
            return (feed, source.flatMap { try? TOMLDocument($0) } ?? TOMLDocument())
        }
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
    let boardPath: String
    /// Nil: the file is missing, or is unreadable and was reported.
    let board: SourceText?
    /// The files of feeds.d, by name: shipped settings of feeds that need only a key, and cities that a user added.
    let presets: [SourceText]
    let favourites: SourceText?
    let keys: SourceText?
    /// Keys that were entered by phone.
    let ownKeys: SourceText?
    let warnings: [SourceError]

    private static let keysName = "keys.env"

    private let order: [String]

    /// Reads the files; an unreadable file is a fault.
    init(_ source: ConfigurationSource, own: OwnLayer?, environment: [String: String], into collector: FaultCollector) {
        let (boardPath, mustExist) =
            switch source {
            case .directory: (source.path(of: "boardd.toml"), false)
            case .file(let path): (path, true)
            }
        self.boardPath = boardPath
        var warnings: [SourceError] = []
        let favouritesPath = source.favouritesPath

        // The daemon's user may write to /etc/boardd, but must not choose its own settings there.
        let mustBeRoots = if case .directory(let path) = source { Self.isRoots(path) } else { false }
        board = Self.contents(boardPath, mustBeRoots: mustBeRoots, into: collector) { failure in
            guard failure.number == ENOENT, !mustExist else { return true }
            warnings.append(SourceError(.unreadable, file: boardPath, message: "not found; using defaults"))
            return false
        }
        let presetPaths = Self.presets(in: source.path(of: "feeds.d"), into: collector)
        presets = presetPaths.compactMap { Self.contents($0, mustBeRoots: mustBeRoots, into: collector) { _ in true } }
        favourites = Self.contents(favouritesPath, into: collector) { $0.number != ENOENT }
        let keys = Self.keys(
            at: source.path(of: Self.keysName), environment: environment, warnings: &warnings, into: collector)
        self.keys = keys
        // A fault of it must not stop a change in /etc.
        let ofOwnKeys = FaultCollector()
        ownKeys = own.flatMap { Self.keys($0.keysPath, warnings: &warnings, into: ofOwnKeys) }
        warnings += ofOwnKeys.faults
        self.warnings = warnings
        order = presetPaths + [boardPath, favouritesPath] + (keys.map { [$0.file] } ?? [])
    }

    func inOrder(_ faults: [SourceError]) -> [SourceError] {
        func rank(_ fault: SourceError) -> (Int, SourcePosition) {
            (order.firstIndex(of: fault.file) ?? order.count, fault.position ?? SourcePosition(line: 0, column: 0))
        }
        return faults.sorted { rank($0) < rank($1) }
    }

    /// The paths of the configuration files in feeds.d, sorted. Leaves out the files of editors and package managers,
    /// whose names begin with a dot or have another suffix: `.x.toml.swp`, `.#x.toml`, `x.toml~`, `x.toml.dpkg-new`.
    private static func presets(in folder: String, into collector: FaultCollector) -> [String] {
        do throws(FileError) {
            let names = try SmallFile.names(in: folder).filter { $0.hasSuffix(".toml") && !".#".contains($0.prefix(1)) }
            return names.sorted().map { "\(folder)/\($0)" }
        } catch {
            if error.number != ENOENT {
                collector.add(SourceError(.unreadable, file: folder, message: "cannot be read: \(error)"))
            }
            return []
        }
    }

    /// The text of a file; nil if there is none. `isFault` decides whether a read error is a fault.
    ///
    /// - Parameter mustBeRoots: whether a file that root does not own is a fault.
    static func contents(
        _ path: String, mustBeRoots: Bool = false, into collector: FaultCollector, isFault: (FileError) -> Bool
    ) -> SourceText? {
        let contents: SmallFile.Contents
        do {
            contents = try SmallFile.read(path, limit: SourceText.maximumSize)
        } catch {
            if isFault(error) {
                collector.add(SourceError(.unreadable, file: path, message: "cannot be read: \(error)"))
            }
            return nil
        }
        guard !mustBeRoots || isRoots(path, AT_SYMLINK_NOFOLLOW) else {
            let message = "does not belong to root and is not used: check its content, then: sudo chown -h root \(path)"
            collector.add(SourceError(.unreadable, file: path, message: message))
            return nil
        }
        do {
            return try SourceText(file: path, bytes: contents.bytes)
        } catch {
            collector.add(error)
            return nil
        }
    }

    /// - Parameter flags: for fstatat(2).
    private static func isRoots(_ path: String, _ flags: Int32 = 0) -> Bool {
        var status = stat()
        return unsafe fstatat(AT_FDCWD, path, &status, flags) == 0 && status.st_uid == 0
    }

    /// keys.env from systemd's credentials, or the one beside boardd.toml.
    private static func keys(
        at path: String, environment: [String: String], warnings: inout [SourceError], into collector: FaultCollector
    ) -> SourceText? {
        // Checked even if systemd reads the file: its credential has an ACL instead and says nothing about the mode.
        if let warning = rightsWarning(of: path) { warnings.append(warning) }
        if let credentials = environment["CREDENTIALS_DIRECTORY"], !credentials.isEmpty {
            let path = ConfigurationSource.directory(credentials).path(of: keysName)
            if let keys = contents(path, into: collector, isFault: { $0.number != ENOENT }) { return keys }
        }
        return keys(path, warnings: &warnings, into: collector)
    }

    private static func keys(
        _ path: String, warnings: inout [SourceError], into collector: FaultCollector
    ) -> SourceText? {
        contents(path, into: collector) { failure in
            switch failure.number {
            case ENOENT: return false
            case EACCES, EPERM:
                // Only root and the daemon may read such files, by design; other users' commands run without keys.
                let message = "permission denied (\(failure)); no keys were loaded from it"
                warnings.append(SourceError(.unreadable, file: path, message: message))
                return false
            default: return true
            }
        }
    }

    /// Warns about a file with keys that users other than its owner can read. Needs no permission to read it.
    private static func rightsWarning(of path: String) -> SourceError? {
        var status = stat()
        let others: UInt32 = 0o077
        guard unsafe stat(path, &status) == 0, status.st_mode & others != 0 else { return nil }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return SourceError(
            file: path, message: "contains keys and other users can read it (mode \(mode)): chmod 600 \(path)")
    }
}
