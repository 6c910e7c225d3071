import ArgumentParser
import BoardControl
import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardService
import BoardStore
import Glibc

struct ConfigurationOption: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "Read this boardd.toml; favourites.toml and keys.env are read from its folder.", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var file: String?

    var source: ConfigurationSource { Self.source(file) }

    /// The source with this boardd.toml; nil: the installed files.
    static func source(_ file: String?) -> ConfigurationSource {
        file.map { .file($0) } ?? .directory(Folders(environment: Environment.current).configuration)
    }

    /// The path of boardd.toml, for messages on the display.
    var place: FilePosition { FilePosition(file: file ?? "boardd.toml") }

    /// Reads and checks every file.
    ///
    /// - Parameter stopProblem: another fault of a favourite's stop; it ends a sentence that begins with the stop.
    func load(stopProblem: (StopID) -> String? = { _ in nil }) throws(ConfigurationError) -> Configuration {
        try Self.load(source, stopProblem: stopProblem)
    }

    static func load(
        _ source: ConfigurationSource, stopProblem: (StopID) -> String? = { _ in nil },
        checkSettings: @escaping ConfigurationLoader.FeedSettingsCheck = { FeedFactory.failure(of: $0, $1) }
    ) throws(ConfigurationError) -> Configuration {
        try loader(checkSettings).load(
            source, own: own(below: source), environment: Environment.current, stopProblem: stopProblem)
    }

    static func loader(
        _ checkSettings: @escaping ConfigurationLoader.FeedSettingsCheck = { FeedFactory.failure(of: $0, $1) }
    ) -> ConfigurationLoader {
        ConfigurationLoader(
            declarations: FeedRegistry.declarations, pinMaps: PinMap.named, checkSettings: checkSettings,
            cities: { chosen in
                let list = try? CityList.read()
                return chosen.map { id, name in
                    list?.city(numbered: id).map { CityTable($0, named: name, isMirrored: false).text }
                }
            })
    }

    /// The board's own layer: in the state folder, or beside a file that is read by itself, if it is there.
    static func own(below source: ConfigurationSource) -> OwnLayer? {
        switch source {
        case .directory:
            return OwnLayer(folder: "\(Folders(environment: Environment.current).state)/\(OwnLayer.folderName)")
        case .file:
            let folder = source.path(of: OwnLayer.folderName)
            return unsafe access(folder, F_OK) == 0 ? OwnLayer(folder: folder) : nil
        }
    }

    /// Writes an own layer of these files.
    func ownEditor(_ own: OwnLayer) -> OwnLayerEditor {
        let source = source
        return OwnLayerEditor(own) { text in
            Self.loader().faults(ofOwnSettings: text, in: own, below: source, environment: Environment.current)
        }
    }

    /// Whether a feed has the key without the board's own layer; blocks.
    func isSetByAdministrator(_ key: String) -> Bool {
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Self.loader().load(source, environment: Environment.current)
        } catch {
            configuration = error.partial
        }
        return configuration.feeds.values.contains { $0.secret(key) != nil }
    }

    /// Where valid files have the `id` of a favourite, for a fault that only a request shows: "favourites.toml:2:6".
    func place(of stop: StopID) -> String? {
        Self.place { () throws(ConfigurationError) in try load { $0 == stop ? "" : nil } }
    }

    /// Where valid files have a value of a feed's settings, such as an address; nil: it is a default.
    func place(of value: String, in feed: FeedName) -> String? {
        let names = (FeedRegistry.declarations[feed]?.settings ?? []).map(\.name)
        return Self.place { () throws(ConfigurationError) in
            try Self.load(
                source,
                checkSettings: { name, settings in
                    let setting = names.first { settings.text($0) == value || settings.texts($0).contains(value) }
                    return name == feed ? setting.map { FeedSettingError(setting: $0, detail: "") } : nil
                })
        }
    }

    /// The place of the first fault that loading reports. The loader knows the positions only while it reads.
    private static func place(_ load: () throws(ConfigurationError) -> Configuration) -> String? {
        guard case .failure(let error) = Result(catching: load),
            let fault = error.faults.first(where: { !$0.message.hasPrefix("towards") }), let position = fault.position
        else { return nil }
        return "\(fault.file):\(position.line):\(position.column)"
    }

    var result: Result<Configuration, ConfigurationError> {
        Result { () throws(ConfigurationError) in try load() }
    }

    /// The installed files.
    static var installed: Result<Configuration, ConfigurationError> {
        Result { () throws(ConfigurationError) in try load(source(nil)) }
    }

    /// The configuration as far as it is readable.
    var readable: Configuration { result.readable }

    /// The configuration; prints its faults and exits if there are any.
    func loadOrExit() throws -> Configuration {
        do throws(ConfigurationError) {
            return try load()
        } catch {
            StandardError.write("\(error)\n")
            throw ExitCode(ExitStatus.configuration)
        }
    }

    var editor: FavouritesEditor {
        FavouritesEditor(path: source.favouritesPath, declarations: FeedRegistry.declarations)
    }
}

extension Result<Configuration, ConfigurationError> {
    /// The configuration as far as it is readable.
    var readable: Configuration {
        switch self {
        case .success(let loaded): loaded
        case .failure(let faults): faults.partial
        }
    }
}

extension StopDirectory {
    /// The stop directory of this machine.
    static var installed: StopDirectory { StopDirectory(folder: Folders(environment: Environment.current).state) }
}

// The services that commands call.
extension ConfigurationOption {
    /// The running board of this machine.
    static func runningBoard(timeout: Duration = .seconds(10)) -> RemoteBoardService {
        RemoteBoardService(path: Folders(environment: Environment.current).controlSocket, timeout: timeout)
    }

    /// The state of the running board, or why it is not available.
    static func boardState() async -> Result<BoardState, ServiceError> {
        do throws(ServiceError) {
            return .success(try await runningBoard().state())
        } catch {
            return .failure(error)
        }
    }

    /// The files, the directory and the feeds in this process.
    ///
    /// - Parameters:
    ///   - consequence: what faulty files mean for the command: "not changed"; nil: files and feeds are used as far as
    ///     they are readable, and `boardd check` reports the faults.
    ///   - note: receives log entries of the feeds.
    ///   - updates: makes the updates of the stop directory.
    func localService(
        unlessFaulty consequence: String? = nil, note: @escaping @Sendable (FeedStorage.LogEntry) -> Void = { _ in },
        updates: (Configuration, @escaping LocalBoardService.CatalogueSource) throws(ServiceError)
            -> (any DirectoryUpdating)? = { _, _ in nil }
    ) async throws(ServiceError) -> LocalBoardService {
        let clock = SystemClock()
        let directory = StopDirectory.installed
        let result = result
        if let consequence, case .failure(let error) = result {
            throw ServiceError(error, "\(consequence): the configuration files have faults")
        }
        let loaded = result.readable
        let factory: FeedFactory
        var feeds: [FeedName: any DepartureFeed] = [:]
        do {
            factory = try FeedFactory(source: .live(record: nil), clock: clock, note: note)
            for feedOperator in FeedFactory.operators(of: loaded.feeds) {
                do throws(FeedSettingError) {
                    feeds[feedOperator.declaration.name] = try factory.feed(feedOperator, loaded, stops: [])
                } catch {
                    if consequence != nil { throw error }
                }
            }
        } catch {
            throw ServiceError(.failed, "\(error)")
        }
        let entries = loaded.entries
        let favourites = try await DedicatedThread.attempt { FavouriteResolution(entries, in: directory) }
        let active = ActiveConfiguration(configuration: loaded, feeds: feeds, favourites: favourites)
        let catalogue: LocalBoardService.CatalogueSource = { feed in
            try factory.catalogue(of: feed, active.configuration)
        }
        return LocalBoardService(
            directory: directory, editor: editor, clock: clock, active: { active }, catalogue: catalogue,
            updates: try updates(loaded, catalogue))
    }

    /// A route is the board's slowest response.
    private static let routeTimeout = Duration.seconds(65)

    /// Calls the running board, which has the keys, for a route; or this process, if no board can be called or with
    /// `--config`.
    func withOperator<Value>(
        _ body: (any StopService) async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        if file == nil {
            do throws(ServiceError) {
                return try await body(Self.runningBoard(timeout: Self.routeTimeout))
            } catch {
                let kinds: [ServiceError.Kind] = [.noDaemon, .noAccess, .unexpectedResponse, .connectionLost]
                guard kinds.contains(error.kind) else { throw error }
            }
        }
        return try await body(try await localService(unlessFaulty: "no request sent"))
    }
}

// Completions that depend on the machine's files. The shells' scripts call this program for them.
extension CompletionKind {
    /// The user's favourites: by label and by `feed:code`.
    static let favourites = custom { words, _, _ in
        let favourites = partial(words).favourites
        let labels = favourites.compactMap { favourite in
            favourite.label.map { completion($0, "\(favourite.stop)") }
        }
        return labels
            + favourites.map { favourite in
                // bash treats the colon as the end of a word, and the code alone is understood.
                let isBash = CompletionShell.requesting == .bash
                return completion(
                    isBash ? favourite.stop.code : "\(favourite.stop)", favourite.label ?? favourite.name ?? "")
            }
    }

    /// All feeds, the configured ones first.
    static let feeds = custom { words, _, _ in
        partial(words).feedNames(of: FeedRegistry.declarations).filter {
            FeedRegistry.declarations[FeedName($0)] != nil
        }
        .map { completion($0, FeedRegistry.declarations[FeedName($0)]?.title ?? "") }
    }

    /// The devices paired with the running board, for members of its group.
    static let devices = custom { (_: [String], _: Int, _: String) async -> [String] in
        let board = ConfigurationOption.runningBoard(timeout: .seconds(2))
        return ((try? await board.devices()) ?? []).map { completion($0.name, "paired \($0.pairedAt)") }
    }

    /// The modes of the lines in the stop directory.
    static let modes = custom { _, _, _ in
        let lines = (try? StopDirectory.installed.lines())?.found ?? []
        return Set(lines.compactMap(\.line.mode)).sorted().map { completion($0, "") }
    }

    /// The configuration of a command line, as far as it is readable.
    private static func partial(_ words: [String]) -> Configuration {
        let option = words.firstIndex(of: "--config").map { words.index(after: $0) }
        let file = option.flatMap { words.indices.contains($0) && !words[$0].isEmpty ? words[$0] : nil }
        return Result { () throws(ConfigurationError) in
            try ConfigurationOption.load(ConfigurationOption.source(file))
        }.readable
    }

    /// A value and its meaning, in the calling shell's notation.
    private static func completion(_ value: String, _ meaning: String) -> String {
        let (value, meaning) = (value.asPrintedLine, meaning.asPrintedLine)
        switch CompletionShell.requesting?.rawValue {
        case "bash":
            // bash expands the words of a list: without a backslash, a label could run a command.
            return value.map { $0.isLetter || $0.isNumber ? "\($0)" : "\\\($0)" }.joined()
        case "zsh":
            let escaped = value.map { $0 == ":" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
            return meaning.isEmpty ? escaped : "\(escaped):\(meaning)"
        case "fish": return meaning.isEmpty ? value : "\(value)\t\(meaning)"
        default: return value
        }
    }
}
