import ArgumentParser
import BoardControl
import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import BoardStore
import Glibc
import Synchronization

/// `boardd setup`: from nothing to a board with a stop, in a dialogue.
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Put a stop on the board, step by step: stop, walking time, display, button, keys.",
        discussion: """
            Prompts for what is not given as an option; an empty line takes the entry in brackets, "back" returns to the step \
            before, "?" explains, and Ctrl-C ends without a change. The settings are written at the end: to the board's own \
            ones while it runs, otherwise to /etc/boardd. It may be run again, for another stop too. \
            Examples: sudo boardd setup · sudo boardd setup --yes --feed motis --stop "Gare Part-Dieu" --number 1 --walk 6
            """)

    @Option(help: "Where the board is: a town, an operator, LAT,LON, or the link of a map.")
    var place: String?
    @Option(help: "Whose departures: motis, tfl, rail, gtfs.NAME, or which of the feeds of the place, from 1.")
    var feed: String?
    @Option(help: "The stop: its name, LAT,LON, the link of a map, or feed:code.")
    var stop: String?
    @Option(help: "Which of several stops, from 1.")
    var number: String?
    @Option(help: "The operator's API key, if it requires one; other users can see it while the command runs.")
    var key: String?
    @Option(help: "The lines to show, with commas between them, or all.")
    var lines: String?
    @Option(help: "The directions or destinations to show, with commas between them, or all.")
    var directions: String?
    @Option(help: "Other stations at which the trains also call, with commas between their codes, or all.")
    var towards: String?
    @Option(help: "Minutes to walk there.")
    var walk: String?
    @Option(help: "Whether to switch I2C on where it is off: yes or no.")
    var i2c: String?
    @Option(help: "Which of several displays, from 1.")
    var display: String?
    @Option(help: "The size of a character LCD, such as 20x4.")
    var size: String?
    @Option(help: "The GPIO line of the button.")
    var button: String?
    @Option(help: "Your mail or web address, for operators whose terms require it.")
    var contact: String?

    @Flag(help: "Prompt for nothing: use the options, and the entries in brackets.")
    var yes = false

    @OptionGroup var configuration: ConfigurationOption

    private var options: [String: String] {
        [
            "place": place, "feed": feed, "stop": stop, "number": number, "key": key, "lines": lines,
            "directions": directions, "towards": towards, "walk": walk, "i2c": i2c, "display": display, "size": size,
            "button": button, "contact": contact,
        ].compactMapValues(\.self)
    }

    private static var steps: [SetupStep] {
        [
            .place, .source, .contact, .stop, .stopChoice, .key, .lines, .directions, .towards, .walk, .bus, .display,
            .size, .button,
        ]
    }

    func run() async throws {
        guard yes || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 else {
            StandardError.write(
                "boardd setup needs a terminal; without one, use --yes with options, such as --stop (boardd setup --help)\n"
            )
            throw ExitCode(ExitStatus.usage)
        }
        do {
            let source = configuration.source
            if let reason = Folders.writeError(to: source.path(of: "")) {
                throw ServiceError(
                    .notAllowed, "\(source.path(of: "")) cannot be written (\(reason)): use sudo boardd setup")
            }
            do throws(ConfigurationError) {
                _ = try configuration.load()
            } catch {
                throw ServiceError(error, "the configuration files have faults; correct them first")
            }
            // Without the list the dialogue offers no cities.
            let cities = try? await CityList.installed()
            let service = InstalledService(of: source)
            let staged = try SetupSession.staged(source)
            defer { staged.remove() }
            if !yes {
                StandardError.write(
                    "A few questions to a board with your stop. Return takes what is in brackets, \"back\" goes back, "
                        + "\"?\" explains; nothing changes before the end, and Ctrl-C ends without a change.\n")
            }
            let isRunning =
                if configuration.file == nil {
                    await ConfigurationOption.runningBoard(timeout: .seconds(2)).isResponding
                } else {
                    false
                }
            let (options, isInteractive) = (options, !yes)
            // An identifier names its feed, and so does a feed without a place.
            let feed =
                stop.flatMap { SetupSession.feed(of: $0) }
                ?? (place == nil ? feed.flatMap { SetupSession.feed(named: $0) } : nil)
            let choice = try await SetupSession.run(staged, service) {
                let session = SetupSession(
                    staged, cities: cities, isInteractive: isInteractive, usesOwnLayer: isRunning)
                session.entries.feed = feed
                session.service = service
                try await SetupDialogue(options: options, isInteractive: isInteractive).run(Self.steps, session)
                try await session.addFavourite()
                try session.setLanguage()
                return try session.choice
            }
            // The files are replaced from here on: each is the old one or the new one.
            try await SetupResult(configuration: configuration, staged: staged, service: service, choice: choice)
                .apply()
        }
    }
}

/// The end of `boardd setup`: writes the files, starts the board, and prints what it shows of the stop.
struct SetupResult {
    /// A started board loads its first departures in this time.
    private static let startLimit = 30

    let configuration: ConfigurationOption
    let staged: StagedConfiguration
    /// Nil: the files are not those of the machine's service.
    let service: InstalledService?
    let choice: SetupSession.Choice

    func apply() async throws {
        let written: [String]
        do throws(ServiceError) {
            try await setOwn()
            written = try publish()
        } catch {
            await service?.resumeFromTask()
            throw error
        }
        for name in choice.keys.keys.sorted() { try StandardOutput.write("set: \(name)\n") }
        for table in choice.tables { try StandardOutput.write("set: \(table.name)\n") }
        for path in written { try StandardOutput.write("written: \(path)\n") }
        if written.isEmpty, choice.tables.isEmpty, choice.keys.isEmpty {
            try StandardOutput.write("everything was set up already\n")
        }
        let isShown = try await start(hasNewKeys: written.contains { $0.hasSuffix("keys.env") })
        try StandardOutput.write(FrameText(try await preview()).lines.map { $0 + "\n" }.joined())
        guard configuration.file == nil else { return }
        try StandardOutput.write(
            isShown
                ? "The board shows this now. Another stop: sudo boardd setup. Its page for phones: sudo boardd page setup\n"
                : "The board shows this when it runs: boardd run, or sudo systemctl start boardd\n")
    }

    /// Gives the running board its own settings and keys.
    private func setOwn() async throws(ServiceError) {
        guard !choice.tables.isEmpty || !choice.keys.isEmpty else { return }
        await service?.resumeFromTask()
        let board = ConfigurationOption.runningBoard()
        for _ in 0..<Self.startLimit {
            if await board.isResponding { break }
            await SystemClock().sleep(for: .seconds(1))
        }
        for table in choice.tables {
            let values = table.tables.map { values in
                Dictionary(values.compactMap { value in value.value.map { (value.key, $0) } }) { $1 }
            }
            _ = try await board.setTable(table.plainName, to: values)
        }
        // A city has keys once it is there.
        for (name, value) in choice.keys { _ = try await board.setKey(name, to: value) }
    }

    private func publish() throws(ServiceError) -> [String] {
        do throws(FileError) {
            return try staged.publish()
        } catch {
            throw error.number == ESTALE
                ? ServiceError(.conflict, "\(error); nothing was written. Run boardd setup again") : ServiceError(error)
        }
    }

    /// Starts the installed service, or makes the running board use the files.
    ///
    /// - Returns: whether a board runs and has the stop's departures, for which it waits.
    private func start(hasNewKeys: Bool) async throws -> Bool {
        guard configuration.file == nil else { return false }
        if let service {
            try await DedicatedThread.run("setup") { service.restart() }
        } else {
            do throws(ServiceError) {
                try await ConfigurationOption.runningBoard().reload()
            } catch {
                guard error.kind == .noDaemon else { throw error }
                return false
            }
            if hasNewKeys { StandardError.write("remark: a new key needs a restart of the board\n") }
        }
        let stop = choice.stop
        for _ in 0..<Self.startLimit {
            if let state = try? await ConfigurationOption.runningBoard().state(),
                state.stops.contains(where: { $0.stop == stop && $0.status != .loading })
            {
                return true
            }
            await SystemClock().sleep(for: .seconds(1))
        }
        StandardError.write(
            "remark: the board has no departures yet; boardd status shows why, boardd doctor what to do\n")
        return false
    }

    /// What the board shows with this favourite alone.
    private func preview() async throws -> Frame {
        let active = try await configuration.localService().configurationInUse()
        let loaded = active.configuration
        let favourites = active.favourites.favourites.filter { $0.stop == choice.stop }
        let setup = Board.Setup(
            options: loaded.board, favourites: favourites, buttons: loaded.buttons.map(\.binding),
            profiles: active.profiles, size: loaded.display.panel.size,
            hasDoubleSize: loaded.display.hasDoubleSize, zone: MachineZone.current,
            directoryStops: active.favourites.known)
        let clock = SystemClock()
        let now = clock.now()
        var board = Board(setup, reading: clock.reading(), seed: 0, at: now)
        if let favourite = favourites.first {
            switch choice.response {
            case .success(let response)?: _ = board.handle(.polled(response), at: now)
            case .failure(let failure)?: _ = board.handle(.failed(favourite.stop, failure), at: now)
            case nil: break
            }
        }
        // After the splash.
        let shown = now + Self.splash
        _ = board.handle(.woke, at: shown)
        return board.render(at: shown).frame
    }

    private static let splash = Duration.seconds(3)

    private func command(_ words: [String]) async {
        let environment = Environment.current
        let output = try? await DedicatedThread.run("setup") { Subprocess.output(words, environment: environment) }
        guard let text = output.flatMap(\.self) else {
            StandardError.write("remark: \(words.joined(separator: " ")) could not be run\n")
            return
        }
        if !text.isEmpty { StandardError.write(text) }
    }
}

/// The service of this machine: the set-up stops it while it uses the display and the button itself.
final class InstalledService: Sendable {
    private static let service = "boardd.service"
    /// The units that were stopped, in the order in which systemd starts them.
    private let stopped = Mutex<[String]>([])

    /// - Returns: nil where these files are not the service's, or this user may not control it.
    init?(of source: ConfigurationSource) {
        let hasSystemd = unsafe access("/run/systemd/system", F_OK) == 0
        guard source == .installed, geteuid() == 0, hasSystemd else { return nil }
    }

    /// Stops the service if it runs, and the socket of its page: a browser that connects would start it again. Blocks.
    func stop() {
        for unit in [PageSwitch.socket, Self.service] {
            let state = MachineFacts.properties(of: unit, environment: Environment.current)?["ActiveState"]
            guard state == "active" else { continue }
            stopped.withLock { $0.append(unit) }
            Self.control("stop", unit)
        }
    }

    /// Starts again what ``stop()`` stopped. Blocks.
    func resume() {
        for unit in stopped.withLock({ $0 }) { Self.control("start", unit) }
    }

    /// Starts the service again if ``stop()`` stopped it, from a task.
    func resumeFromTask() async { try? await DedicatedThread.run("setup") { self.resume() } }

    /// Starts the service, or starts it again with the files of now, also with the machine. Blocks.
    func restart() {
        Self.control("enable", Self.service)
        // First: systemd does not start a socket whose service runs already.
        if stopped.withLock({ $0.contains(PageSwitch.socket) }) { Self.control("start", PageSwitch.socket) }
        Self.control("restart", Self.service)
    }

    private static func control(_ verb: String, _ unit: String) {
        let text = Subprocess.change(["systemctl", verb, unit], environment: Environment.current)
        if let text, !text.isEmpty { StandardError.write(text) }
    }
}
