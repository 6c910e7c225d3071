import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardService
import BoardStore
import Glibc
import UnixSignals

/// The entries of `boardd setup` so far, over a copy of the configuration. One task uses it.
final class SetupSession {
    let staged: StagedConfiguration
    /// The shipped list of cities; nil: it is not installed.
    let cities: CityList?
    /// Whether a person reads the prompts.
    let isInteractive: Bool
    /// Whether the entry that is taken now was typed, and not given as an option.
    var isAtPrompt = false
    /// Whether settings go to the board's own layer, through the running board, and not to /etc.
    let usesOwnLayer: Bool
    /// Nil: the files are not those of the machine's service.
    var service: InstalledService?
    private let original: Configuration?

    /// What the entries so far say.
    struct Entries {
        /// The place as it was entered.
        var place = ""
        /// The feeds of the place, one of which is to be chosen.
        var proposals: [PlaceProposal] = []
        /// The feed of the stop; nil: not chosen.
        var feed: FeedName?
        /// The stops that a search found, one of which is to be chosen.
        var found: [(stop: ListedStop, distance: Metres?)] = []
        var stop: ListedStop?
        var distance: Metres?
        var lines: [String] = []
        var directions: [String] = []
        /// Whether they were chosen with the lines.
        var areDirectionsChosen = false
        var towards: [String] = []
        /// Nil: no walking time is set.
        var walk: Duration?
        /// The operator's response about the stop; nil: not requested yet.
        var response: Result<FeedResponse, FeedError>?
        /// Whether the user continues without a key that the operator requires.
        var isKeyOmitted = false
        /// The keys for the board's own layer.
        var ownKeys: [String: String] = [:]
        /// What was found on the I2C buses; nil: not searched yet.
        var displays: [ProposedDisplay]?
    }

    var entries = Entries()

    /// What a step back restores: the entries, and the files of the copy.
    struct Memory {
        let entries: Entries
        let files: [String: [UInt8]]
    }

    var memory: Memory { Memory(entries: entries, files: staged.contents) }

    func restore(_ memory: Memory) throws(ServiceError) {
        entries = memory.entries
        do throws(FileError) {
            try staged.restore(memory.files)
        } catch {
            throw ServiceError(error)
        }
    }

    init(_ staged: StagedConfiguration, cities: CityList?, isInteractive: Bool, usesOwnLayer: Bool = false) {
        self.staged = staged
        self.cities = cities
        self.isInteractive = isInteractive
        self.usesOwnLayer = usesOwnLayer
        original = try? Self.option(staged).load()
    }

    /// The commands' option for the copy.
    var option: ConfigurationOption { Self.option(staged) }

    static func option(_ staged: StagedConfiguration) -> ConfigurationOption {
        var option = ConfigurationOption()
        option.file = "\(staged.folder)/boardd.toml"
        return option
    }

    /// - Throws: ``ServiceError`` where the copy has faults.
    func load() throws(ServiceError) -> Configuration {
        do throws(ConfigurationError) {
            return try option.load()
        } catch {
            throw ServiceError(error, "the configuration has faults: correct them first (boardd check)")
        }
    }

    /// The stop as a favourite already; nil: it is none.
    var favourite: Favourite? {
        get throws(ServiceError) { try load().favourites.first { $0.stop == entries.stop?.id } }
    }

    // MARK: - Stops

    /// The feed of a stop's identifier; nil: the text is a name.
    static func feed(of text: String) -> FeedName? {
        StopID(text).flatMap { FeedRegistry.declarations[$0.feed] == nil ? nil : $0.feed }
    }

    /// The feed with a name; nil: there is none.
    static func feed(named text: String) -> FeedName? {
        FeedRegistry.declarations[FeedName(text.lowercased())].map(\.name)
    }

    /// Searches the stops of the feed: by name, by position, or a code of its own.
    func search(_ text: String) async throws(ServiceError) -> [(stop: ListedStop, distance: Metres?)] {
        guard let feed = entries.feed else { return [] }
        if let stop = try await exact(text, of: feed) { return [(stop, nil)] }
        guard try hasSearch else { return [] }
        if FeedRegistry.feedOperator(feed)?.hasCatalogue == true { try await loadList(of: feed) }
        let search = try await option.localService().search(in: feed)
        if let place = try Coordinates.position(text) {
            for radius in Self.radii {
                let near = try await search.stops(near: place, within: radius, modes: [], limit: Self.searched)
                    .complete().filter { $0.stop.id.feed == feed }
                if !near.isEmpty { return near.prefix(Self.shown).map { ($0.stop, $0.distance) } }
            }
            return []
        }
        return try await search.stops(matching: text, limit: Self.searched).complete()
            .filter { $0.id.feed == feed }.prefix(Self.shown).map { ($0, nil) }
    }

    private static let radii = [Metres(500), Metres(3_000)]
    /// How many stops are searched, also those of other feeds, and how many are shown.
    private static let searched = 50
    private static let shown = 9

    /// Whether stops can be found by name or position: by the operator, or in a list. Without either, a code is all that the
    /// operator's stops can be found by.
    var hasSearch: Bool {
        get throws(ServiceError) {
            guard let feed = entries.feed, let feedOperator = FeedRegistry.feedOperator(feed) else { return true }
            if feedOperator.declaration.searchesStops { return true }
            return FeedFactory.listed(of: try load().feeds, using: [feed]).contains(feed)
        }
    }

    /// The stop of a text that is an identifier, or a code of an operator without a list; nil: it is a name.
    private func exact(_ text: String, of feed: FeedName) async throws(ServiceError) -> ListedStop? {
        let id: StopID
        if let written = StopID(text), written.feed == feed {
            id = written
        } else {
            guard let feedOperator = FeedRegistry.feedOperator(feed), !feedOperator.declaration.searchesStops else {
                return nil
            }
            let code = text.uppercased()
            guard try !hasSearch, feedOperator.declaration.problem(aboutStop: code) == nil else { return nil }
            id = StopID(feed: feed, code: code)
        }
        if let problem = FeedRegistry.declarations[feed]?.problem(aboutStop: id.code) {
            throw ServiceError(.malformed, "\"\(id.code)\" is no stop: it \(problem)")
        }
        let listed = try? await option.localService().directory.read { (directory) throws(StoreError) in
            try directory.stop(id)
        }
        return listed ?? ListedStop(id: id, kind: .station, name: id.code)
    }

    /// Downloads the feed's stop list if there is none yet, with progress.
    private func loadList(of feed: FeedName) async throws(ServiceError) {
        guard FeedFactory.listed(of: try load().feeds, using: [feed]).contains(feed) else { return }
        try await option.loadMissingList(of: feed)
    }

    // MARK: - The operator

    /// Sends a request for the departures of the stop, unless it was sent.
    func departures() async throws(ServiceError) -> Result<FeedResponse, FeedError>? {
        if let response = entries.response { return response }
        guard let stop = entries.stop, let feedOperator = FeedRegistry.feedOperator(stop.id.feed) else { return nil }
        let loaded = try load()
        let feed: any DepartureFeed
        do {
            feed = try FeedFactory(source: .live(record: nil), clock: SystemClock())
                .feed(feedOperator, loaded, stops: [stop.id])
        } catch {
            throw ServiceError(.failed, "\(error)")
        }
        do throws(FeedError) {
            entries.response = .success(try await feed.departures(FeedRequest(stop: stop.id)))
        } catch {
            entries.response = .failure(error)
        }
        return entries.response
    }

    /// The failure of a request whose key is missing or rejected.
    var keyFailure: FeedError? {
        guard case .failure(let failure)? = entries.response else { return nil }
        return [.keyMissing, .keyRejected].contains(failure.kind) ? failure : nil
    }

    // MARK: - Changes of the copy

    /// Sets keys of a table: in boardd.toml, or in the board's own layer, unless /etc has the table.
    ///
    /// - Parameter header: "[display]", or "[[button]]" for the first of a list.
    /// - Throws: ``ServiceError`` where the file then has a fault; it is unchanged.
    func set(_ settings: [(key: String, value: String)], in header: String) throws(ServiceError) {
        let isAdministrators = try load().tables.contains { $0.name == header && !isOwn($0) }
        if usesOwnLayer, !isAdministrators { return try setOwn(settings, in: header) }
        let path = "\(staged.folder)/boardd.toml"
        let old = Self.text(path)
        var text = SettingsText(old)
        for setting in settings { text.set(setting.key, to: setting.value, in: header) }
        try write(text.text, to: path)
        do throws(ConfigurationError) {
            _ = try option.load()
        } catch {
            try write(old, to: path)
            throw Self.rejection(error.faults, of: header)
        }
    }

    /// The same in the board's own layer, whose settings that hold are changed.
    private func setOwn(_ settings: [(key: String, value: String)], in header: String) throws(ServiceError) {
        let editor = option.ownEditor(staged.own)
        let faults: [SourceError]
        do throws(FileError) {
            var text = SettingsText(try editor.settings())
            for setting in settings { text.set(setting.key, to: setting.value, in: header) }
            faults = try editor.replaceAll(with: text.text)
        } catch {
            throw ServiceError(error)
        }
        if !faults.isEmpty { throw Self.rejection(faults, of: header) }
    }

    /// The board speaks as this terminal does, unless somebody chose its language.
    func setLanguage() throws(ServiceError) {
        let isChosen = try load().tables.contains { $0.plainName == "language" }
        let code = Environment.current["LANG"].flatMap { Language(rawValue: String($0.prefix(2))) }
        guard !isChosen, let code, code != .english else { return }
        try set([("code", TOMLText.quoted(code.rawValue))], in: "[language]")
    }

    private func isOwn(_ table: ConfigurationTable) -> Bool { table.file.hasPrefix("\(staged.own.folder)/") }

    /// The tables of the board's own layer that are not as they were.
    var changedTables: [ConfigurationTable] {
        get throws(ServiceError) {
            let before = original?.tables ?? []
            return try load().tables.filter { isOwn($0) && !before.contains($0) }
        }
    }

    /// Sets a key: in keys.env, or in the board's own layer, unless /etc has the key.
    func setKey(_ name: String, to value: String) throws(ServiceError) {
        if usesOwnLayer, !option.isSetByAdministrator(name) {
            let isKey: Bool
            do throws(FileError) {
                isKey = try option.ownEditor(staged.own).set(name, to: value)
            } catch {
                throw ServiceError(error)
            }
            guard isKey else { throw .noKey }
            entries.ownKeys[name] = value
            return
        }
        let path = "\(staged.folder)/keys.env"
        let old = Self.text(path)
        let others = old.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).filter { line in
            let words = line.prefix { $0 != "=" }.split(whereSeparator: \.isWhitespace)
            return words != [name[...]] && words != ["export", name[...]]
        }
        var text = others.joined(separator: "\n")
        if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
        try write(text + "\(name)=\(value)\n", to: path, mode: 0o600)
        do throws(ConfigurationError) {
            _ = try option.load()
        } catch {
            try write(old, to: path, mode: 0o600)
            throw Self.rejection(error.faults, of: "keys.env")
        }
    }

    /// The error for an entry that the loader rejects, without the positions in the copy.
    private static func rejection(_ faults: [SourceError], of place: String) -> ServiceError {
        ServiceError(.malformed, "\(place): \(faults.map(\.message).joined(separator: "; "))")
    }

    private static func text(_ path: String) -> String { (try? SmallFile.read(path, limit: 1_000_000).text) ?? "" }

    /// For a board with one stop alone.
    func removeFavourites() throws(ServiceError) { try write("", to: "\(staged.folder)/favourites.toml") }

    private func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(ServiceError) {
        do throws(FileError) {
            try WrittenFile.write(Array(text.utf8), to: path, mode: mode)
        } catch {
            throw ServiceError(error)
        }
    }

    /// Adds the stop to the favourites, or changes it if it is one.
    func addFavourite() async throws(ServiceError) {
        guard let stop = entries.stop else { return }
        var favourite = Favourite(stop: stop.id, lines: entries.lines)
        favourite.walk = entries.walk
        favourite.directions = entries.directions
        favourite.towards = entries.towards
        let service = try await option.localService(unlessFaulty: "not changed")
        do throws(ServiceError) {
            _ = try await service.addFavourite(favourite, at: nil)
        } catch {
            // Without its key, or during an outage of the operator, the board reports what is missing.
            guard [.conflict, .notAllowed, .unavailable].contains(error.kind) else { throw error }
            let isFavourite = try self.favourite != nil
            do throws(FavouritesError) {
                if isFavourite {
                    try option.editor.change(stop.id) { old in
                        old.lines = favourite.lines
                        old.walk = favourite.walk
                        old.directions = favourite.directions
                        old.towards = favourite.towards
                    }
                } else {
                    try option.editor.add(favourite)
                }
            } catch {
                throw ServiceError(error)
            }
        }
    }
}

// The copy, and the end of a dialogue by a signal.
extension SetupSession {
    /// What the dialogue chose, besides the files of the copy.
    struct Choice: Sendable {
        let stop: StopID?
        let response: Result<FeedResponse, FeedError>?
        /// For the board's own layer.
        var tables: [ConfigurationTable] = []
        var keys: [String: String] = [:]
    }

    /// The exit status after SIGINT.
    private static let interrupted: Int32 = 130

    var choice: Choice {
        get throws(ServiceError) {
            Choice(stop: entries.stop?.id, response: entries.response, tables: try changedTables, keys: entries.ownKeys)
        }
    }

    /// A copy of the files. It may contain keys: in memory (/run), if this user may.
    ///
    /// - Throws: ``ServiceError`` where the files cannot be copied.
    static func staged(_ source: ConfigurationSource) throws(ServiceError) -> StagedConfiguration {
        let folder = Environment.current["TMPDIR"] ?? (Folders.isWritable("/run") ? "/run" : "/tmp")
        do throws(FileError) {
            return try StagedConfiguration(of: source, above: ConfigurationOption.own(below: source), in: folder)
        } catch {
            throw ServiceError(error)
        }
    }

    /// Runs a dialogue. A signal, or the end of the input, ends the program without a change.
    ///
    /// - Parameter service: started again where the dialogue fails.
    static func run<Value: Sendable>(
        _ staged: StagedConfiguration?, _ service: InstalledService? = nil,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                do {
                    return try await body()
                } catch is CancellationError {
                    end(staged, service, with: ExitStatus.noInput)
                } catch {
                    await service?.resumeFromTask()
                    throw error
                }
            }
            group.addTask {
                for await _ in signals { end(staged, service, with: interrupted) }
                return nil
            }
            defer {
                group.cancelAll()
                for number in [SIGINT, SIGTERM, SIGHUP] { _ = signal(number, SIG_DFL) }
            }
            guard let value = try await group.next() ?? nil else { throw CancellationError() }
            return value
        }
    }

    private static func end(_ staged: StagedConfiguration?, _ service: InstalledService?, with status: Int32) -> Never {
        TerminalLine.show()
        staged?.remove()
        service?.resume()
        StandardError.write("\nended; nothing was changed\n")
        ProgramEnd.exit(status)
    }
}
