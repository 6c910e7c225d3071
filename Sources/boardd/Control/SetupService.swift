import BoardControl
import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardService
import BoardStore
import Glibc
import Synchronization

/// Sets up the board by phone: writes its own layer, and makes the board use it.
final class SetupService: RunningSetup {
    private let option: ConfigurationOption
    private let reloading: ReloadService
    private let window: SetupWindow
    private let devices: DeviceFactory
    private let buttons: ButtonService
    /// A phone that waits for a press asks again after it.
    private static let pressLimit = Duration.seconds(8)
    /// As many as a person mends at once.
    private static let reportedFaults = 5
    /// Held by a thread that writes.
    private let writing = Mutex(())

    init(
        _ option: ConfigurationOption, reloading: ReloadService, window: SetupWindow, devices: DeviceFactory,
        buttons: ButtonService
    ) {
        self.devices = devices
        self.buttons = buttons
        self.option = option
        self.reloading = reloading
        self.window = window
    }

    // MARK: - The window

    var isOpenForSetup: Bool {
        let configuration = reloading.current.configuration
        guard configuration.page.allowsSetup, ConfigurationOption.own(below: option.source) != nil else { return false }
        return configuration.entries.isEmpty || window.isOpen
    }

    func openSetup() async throws(ServiceError) {
        guard reloading.current.configuration.page.allowsSetup else { throw .noSetup }
        window.open()
    }

    func closeSetup() async throws(ServiceError) { window.close() }

    // MARK: - What is set up

    func setup() async throws(ServiceError) -> SetupState { state }

    private var state: SetupState {
        let configuration = reloading.current.configuration
        let tables = configuration.tables.filter { !$0.isHidden }.compactMap { table -> SetupState.Table? in
            guard OwnLayer.mayContain(table.plainName) else { return nil }
            let values = table.tables.map { values in
                Dictionary(values.compactMap { value in value.value.map { (value.key, $0) } }) { $1 }
            }
            // An address of the administrator's may contain a key.
            let isSecret = table.name.hasPrefix("[feed.") && lock(of: table) != nil
            return SetupState.Table(
                name: table.plainName, lockedBy: lock(of: table), values: isSecret ? [] : values)
        }
        return SetupState(
            steps: SetupState.Step.allCases.filter { $0 != .button || devices.hasButtons }.map { step in
                let own = tables.filter { step.tables.contains($0.name) }
                return SetupState.StepState(
                    id: step,
                    isDone: step.tables.isEmpty
                        ? !configuration.entries.isEmpty
                        : !own.isEmpty || step == .display && Self.isKnown(configuration.display),
                    lockedBy: own.lazy.compactMap(\.lockedBy).first)
            }, tables: tables, keys: keys(of: configuration),
            brightness: configuration.display.hasBrightness ? configuration.display.brightness : nil)
    }

    /// Whether a display was found by itself whose size follows from its kind.
    private static func isKnown(_ display: DisplayWiring) -> Bool {
        display.origin == .found && display.driver != .hd44780
    }

    /// The file of the administrator with the table; nil: it is the board's own.
    private func lock(of table: ConfigurationTable) -> String? {
        guard let own = ConfigurationOption.own(below: option.source) else { return table.file }
        return table.file.hasPrefix("\(own.folder)/") ? nil : table.file
    }

    private func keys(of configuration: Configuration) -> [SetupState.Key] {
        configuration.feeds.sorted { $0.key.description < $1.key.description }.flatMap { name, settings in
            guard let declaration = FeedRegistry.declarations[name] else { return [SetupState.Key]() }
            return declaration.secrets(of: settings).map { key in
                SetupState.Key(
                    name: key, feed: name.description, title: declaration.title, isSet: settings.secret(key) != nil)
            }
        }
    }

    func places(_ text: String) async throws(ServiceError) -> [PlaceProposal] {
        let settings = reloading.current.configuration.feeds
        return try await DedicatedThread.attempt("places") {
            try PlaceProposal.of(text, in: try? CityList.read(), settings)
        }
    }

    func pressedButton() async throws(ServiceError) -> PressedButton {
        let (devices, known) = (devices, reloading.current.configuration.buttons)
        let searched = try await DedicatedThread.attempt("buttons") {
            do {
                return try devices.searchedButtons(with: known)
            } catch {
                throw ServiceError(.unavailable, "\(error)")
            }
        }
        let pressed = try await buttons.firstPress(of: searched.buttons, within: Self.pressLimit)
        return PressedButton(
            line: pressed.flatMap { $0.index < searched.lines.count ? Int(searched.lines[$0.index]) : nil })
    }

    // MARK: - Changes

    func setTable(_ name: String, to tables: [[String: SettingValue]]) async throws(ServiceError) -> SetupState {
        guard OwnLayer.mayContain(name) else {
            throw ServiceError(.notFound, "[\(name)] cannot be set by phone, only in /etc/boardd/boardd.toml")
        }
        let configuration = reloading.current.configuration
        if let table = configuration.tables.first(where: { $0.plainName == name && !$0.isHidden }),
            let file = lock(of: table)
        {
            throw ServiceError(.conflict, "\(table.name) is set in \(file), which holds in its place")
        }
        if tables.isEmpty,
            let used = configuration.favourites.first(where: { name == "feed.\($0.stop.feed)" })
        {
            throw ServiceError(.conflict, "\(used.stop) needs [\(name)]: remove the favourite first")
        }
        let maximum = OwnLayer.maximumTables(name)
        guard tables.count <= maximum else {
            throw ServiceError(
                .malformed, "tables: of [\(name)] there may be \(maximum), not \(tables.count)",
                value: InvalidValue("tables", .length, maximum: "\(maximum)"))
        }
        let tables = name == "display" ? tables.map { Self.withWiring(of: configuration.display, $0) } : tables
        return try await write { (editor) throws(FileError) in
            if name.hasPrefix("feed.gtfs."), case .text(let city)? = tables.first?["city"],
                (try? CityList.read())?.city(numbered: city) == nil
            {
                return ServiceError(
                    .invalid, "city: the list of cities has no number \"\(city.prefix(20))\"",
                    value: InvalidValue("city", .notFound))
            }
            return Self.failure(try editor.replace([name: tables]))
        }
    }

    /// The table of a display that was found by itself, with what was found: with a table nothing is searched for.
    static func withWiring(
        of display: DisplayWiring, _ table: [String: SettingValue]
    ) -> [String: SettingValue] {
        guard display.origin == .found, table["driver"] == nil, table["address"] == nil else { return table }
        var found: [String: SettingValue] = [:]
        if case .fixed(let address) = display.address { found["address"] = .integer(Int(address)) }
        switch display.driver {
        case .hd44780: found["expander"] = .text(display.panel.pins.expander.rawValue)
        case .ht16k33:
            found["leds"] = .text(display.modules.kind.rawValue)
            found["modules"] = .list(display.modules.addresses.map { .integer(Int($0)) })
            fallthrough
        default: found["driver"] = .text(display.driver.rawValue)
        }
        return table.merging(found) { own, _ in own }
    }

    func setKey(_ name: String, to value: String?) async throws(ServiceError) -> SetupState {
        guard state.keys.contains(where: { $0.name == name }) else {
            throw ServiceError(.notFound, "no feed has a key named \(name)")
        }
        let (option, editor) = (option, try ownEditor())
        let before = try await DedicatedThread.attempt("setup") { try editor.key(name) }
        let new = try await write { (editor) throws(FileError) in
            if option.isSetByAdministrator(name) {
                return ServiceError(.conflict, "\(name) is set in /etc/boardd/keys.env, which holds in its place")
            }
            if try editor.set(name, to: value) { return nil }
            return .noKey
        }
        guard value != nil, let rejection = await rejection(ofKey: name) else { return new }
        _ = try await write { (editor) throws(FileError) in
            _ = try editor.set(name, to: before)
            return nil
        }
        throw rejection
    }

    /// Why the operator rejects the key, which the board uses; nil: it does not, or says nothing.
    private func rejection(ofKey name: String) async -> ServiceError? {
        let current = reloading.current
        for (feed, settings) in current.configuration.feeds {
            // The stop needs the first key alone.
            guard let declaration = FeedRegistry.declarations[feed], declaration.secrets(of: settings).first == name,
                let code = declaration.sampleStop, let client = current.feeds[feed]
            else { continue }
            do throws(FeedError) {
                _ = try await client.check(StopID(feed: feed, code: code))
            } catch  where error.kind == .keyRejected {
                return ServiceError(.invalid, error.detail, value: InvalidValue("value", .wrong))
            } catch {
                return nil
            }
        }
        return nil
    }

    func backup() async throws(ServiceError) -> Backup {
        let source = option.source
        let editor = try ownEditor()
        return try await DedicatedThread.attempt("setup") {
            do throws(FileError) {
                return Backup(settings: try editor.settings(), favourites: try Self.favourites(source))
            } catch {
                throw ServiceError(error)
            }
        }
    }

    /// The text of favourites.toml; empty: there is none.
    private static func favourites(_ source: ConfigurationSource) throws(FileError) -> String {
        do throws(FileError) {
            return try SmallFile.read(source.favouritesPath, limit: 100_000).text
        } catch {
            if error.number == ENOENT { return "" }
            throw error
        }
    }

    func restore(_ backup: Backup) async throws(ServiceError) -> SetupState {
        let (editor, source) = (option.editor, option.source)
        return try await write { (own) throws(FileError) in
            let before = try own.settings()
            let favourites = try Self.favourites(source)
            // The favourites may be stops of its cities.
            if let failure = Self.failure(try own.replaceAll(with: backup.settings)) { return failure }
            var failure: ServiceError?
            do throws(FavouritesError) {
                try editor.replaceAll(with: backup.favourites)
                let path = source.favouritesPath
                failure = Self.failure(Self.faults(source).filter { $0.file == path })
                if failure != nil { try editor.replaceAll(with: favourites) }
            } catch {
                failure = ServiceError(error)
            }
            if failure != nil { _ = try own.replaceAll(with: before) }
            return failure
        }
    }

    private static func faults(_ source: ConfigurationSource) -> [SourceError] {
        do throws(ConfigurationError) {
            _ = try ConfigurationOption.load(source)
            return []
        } catch {
            return error.faults
        }
    }

    private static func failure(_ faults: [SourceError]) -> ServiceError? {
        faults.first.map {
            let messages = faults.prefix(reportedFaults).map(\.message)
            return ServiceError(.invalid, messages.joined(separator: "; "), value: $0.value)
        }
    }

    /// Writes on a thread that may block, one change after another, and reloads the board.
    ///
    /// - Parameter body: returns why nothing was written.
    private func write(
        _ body: @escaping @Sendable (OwnLayerEditor) throws(FileError) -> ServiceError?
    ) async throws(ServiceError) -> SetupState {
        let editor = try ownEditor()
        try await DedicatedThread.attempt("setup") {
            try self.writing.withLock { _ throws(ServiceError) in
                let failure: ServiceError?
                do throws(FileError) {
                    failure = try body(editor)
                } catch {
                    throw ServiceError(error)
                }
                if let failure { throw failure }
            }
        }
        do throws(ServiceError) {
            try await reloading.reload()
        } catch {
            throw error.with(message: "it is saved, but \(error.message)")
        }
        return state
    }

    private func ownEditor() throws(ServiceError) -> OwnLayerEditor {
        guard let own = ConfigurationOption.own(below: option.source) else {
            throw ServiceError(.notAllowed, "a board with --config has no settings of its own")
        }
        return option.ownEditor(own)
    }
}

extension ServiceError {
    static let noKey = ServiceError(
        .invalid,
        "value: a key is printable ASCII without blanks and quotes, of at most \(OwnLayerEditor.maximumKeyLength) characters",
        value: InvalidValue("value", .format))
}

/// The time in which a phone that is paired becomes an owner.
final class SetupWindow: Sendable {
    private static let time = Duration.seconds(1_800)

    private let clock: any MachineClock
    private let report: @Sendable () -> Void
    private let end = Mutex<Instant?>(nil)

    /// - Parameter report: is called when it is opened; returns at once.
    init(clock: any MachineClock, report: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.report = report
    }

    var isOpen: Bool {
        let now = clock.now()
        return end.withLock { $0.isSomeAnd { now < $0 } }
    }

    /// Opens it, from any thread.
    func open() {
        end.withLock { $0 = clock.now() + Self.time }
        report()
    }

    func close() { end.withLock { $0 = nil } }
}

extension SetupState.Step {
    /// The tables with the values of the step; none: the favourites have them.
    fileprivate var tables: Set<String> {
        switch self {
        case .name: ["board", "language"]
        case .place, .stop: []
        case .display: ["display"]
        case .button: ["button"]
        case .quiet: ["quiet"]
        }
    }
}
