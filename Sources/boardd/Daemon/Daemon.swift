internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// The daemon put together: it reads the configuration, starts the services, and waits for the board loop to end.
struct Daemon {
    let configuration: ConfigurationOption
    let source: FeedAssembly.Source
    let glass: Assembly.Glass
    /// Where every frame is also written as JSON; nil: nowhere.
    let frameLog: String?

    /// Runs until told to end.
    ///
    /// - Returns: the exit status.
    func run() async -> Int32 {
        // A pipe that nobody reads any more is an error of its writes, not the end.
        _ = signal(SIGPIPE, SIG_IGN)
        // Before the files are read, so that a change made after that, and told by a signal, is never missed.
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        let reloads = Relay<Void>(keeping: 1)
        let watch = FileWatch(path: configuration.source.favouritesPath) { reloads.send(()) }
        let environment = Environment.current
        let manager = ServiceManager(environment: environment)
        var fault: ConfigurationFaults?
        let loaded: Configuration
        do {
            loaded = try configuration.load()
        } catch  where manager.isListening {
            // A person who restarts the machine must read on the glass why it has no stops; ending would show nothing.
            fault = error
            // What could be read holds: on a panel with other pins than the default ones nobody could read anything.
            loaded = error.partial
        } catch {
            StandardError.write(error.description + "\n")
            return SystemExit.configuration
        }
        let threshold = LogThreshold(loaded.logLevel)
        let sink = LogSink(
            isKeeping: glass == .terminal && LogSink.isSameTerminal(STDOUT_FILENO, STDERR_FILENO))
        let handler = JournalHandler(
            threshold, isJournal: JournalHandler.isJournal(environment: environment), write: { sink.take($0) })
        let logger = Logger(label: "boardd") { _ in handler }
        defer { sink.release() }
        fault.map { Self.log($0, to: logger) }
        for remark in loaded.remarks { logger.info("\(remark)") }

        do {
            try await serve(
                Start(
                    configuration: loaded, fault: fault?.place, environment: environment, hangUps: hangUps,
                    watch: watch, reloads: reloads),
                manager: manager, logger: logger, threshold: threshold)
            return 0
        } catch let failure as RecordingFailure {
            logger.error("\(failure)")
            return SystemExit.noInput
        } catch {
            logger.error("\(error)")
            return SystemExit.unavailable
        }
    }

    /// What the services start with.
    private struct Start {
        let configuration: Configuration
        /// Where the configuration's first fault is, for the glass.
        var fault: FilePlace?
        let environment: [String: String]
        let hangUps: UnixSignalsSequence
        let watch: FileWatch
        /// Where reloads are asked for.
        let reloads: Relay<Void>
    }

    private func serve(
        _ start: Start, manager: ServiceManager, logger: Logger, threshold: LogThreshold
    ) async throws {
        let loaded = start.configuration
        let clock: any MachineClock = source.isLive ? SystemClock() : ReplayClock()
        let voice = FaultVoice(logger, clock: clock)
        let zone = Self.zone(start.environment["TZ"], logger: logger)
        let feedAssembly = try FeedAssembly(source: source, clock: clock) { voice.say(.warning, "recording: \($0)") }
        let (feeds, feedFault) = try Self.feeds(
            loaded, from: configuration.place, of: feedAssembly, manager: manager, logger: logger)
        let fault = start.fault ?? feedFault
        let folders = Folders(environment: start.environment)
        let directory = StopDirectory(folder: folders.state)
        let snapshotFile = keepsBoard(start.environment) ? SnapshotFile("board.json", in: folders.runtime) : nil
        let (current, kept) = try await DedicatedThread.run("start") {
            let favourites = FavouriteResolution(loaded.entries, in: directory) { failure in
                logger.warning("near stops are left out: \(failure)")
            }
            return (
                ReloadService.Current(configuration: loaded, feeds: feeds, favourites: favourites),
                snapshotFile.flatMap { SnapshotService.kept(in: $0) }
            )
        }

        let mailbox = Mailbox<BoardLoop.Letter>()
        let report: @Sendable (Board.Event) -> Void = { mailbox.post(.event($0)) }
        let assembly = try Assembly(glass: glass, frameLog: openFrameLog(), zone: zone, end: { mailbox.post(.stop) })
        let setup = assembly.setup(current)
        let watchdog = Watchdog(manager: manager)
        let display = DisplayService(
            assembly.display(loaded.display), clock: clock, voice: voice, tried: { watchdog.tried(at: $0) })
        let polls = PollService(feeds: feeds, clock: clock, voice: voice, report: report)
        let buttons = ButtonService(assembly.buttons(loaded.buttons), voice: voice) { report(.button($0)) }
        let snapshots = snapshotFile.map { SnapshotService($0, clock: clock, voice: voice) }
        let loop = BoardLoop(
            mailbox, clock: clock, manager: manager, watchdog: watchdog, display: display, ask: { polls.ask($0) },
            keep: { snapshots?.keep($0) }
        ) {
            var board = Board(
                setup, reading: clock.reading(), seed: UInt64.random(in: .min ... .max), restoring: kept,
                at: clock.now())
            if let fault { _ = board.handle(.faultyConfiguration(fault), at: clock.now()) }
            return board
        }
        let reload = ReloadService(
            current: current, requests: start.reloads, option: configuration,
            services: .init(
                assembly: assembly, feedAssembly: feedAssembly, directory: directory, display: display, polls: polls,
                buttons: buttons, report: report),
            logger: logger, threshold: threshold)
        Task { for await _ in start.hangUps { reload.request() } }
        let updates =
            source.isLive && Folders.mayWrite(folders.state)
            ? DirectoryService(
                directory, folder: folders.state, feeds: Array(feeds.keys), clock: clock, voice: voice,
                source: reload.catalogue, changed: { reload.request() }) : nil
        let control =
            keepsBoard(start.environment)
            ? ControlPoint(
                path: folders.controlSocket, voice: voice,
                actions: BoardActions(
                    mailbox: mailbox, clock: clock, display: display, reloading: reload, directory: directory,
                    editor: configuration.editor, updates: updates)) : nil

        logger.notice(
            "boardd \(Version.number) starts with \(Self.count(setup.favourites.count, "favourite"))")
        let end = TimedEnd()
        // Ended from the last to the first: nobody is told anything by a service that has ended already.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: Restarting(name: "display", base: display, voice: voice))
        ]
        if let snapshots { services.append(.init(service: Restarting(name: "snapshot", base: snapshots, voice: voice))) }
        services += [
            // Not started again: it only waits for the end, and cannot fail (docs/decisions/threads.md).
            .init(service: polls),
            .init(service: Restarting(name: "buttons", base: buttons, voice: voice)),
            .init(service: Restarting(name: "reloading", base: reload, voice: voice)),
            .init(service: Restarting(name: "watching", base: start.watch, voice: voice)),
        ]
        if let updates { services.append(.init(service: Restarting(name: "stop directory", base: updates, voice: voice))) }
        if let control { services.append(.init(service: Restarting(name: "control", base: control, voice: voice))) }
        services += [
            .init(
                service: loop, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: end),
        ]
        var group = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            // What it says of starting and stopping services is no news to a person.
            logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
        group.maximumGracefulShutdownDuration = TimedEnd.graceful
        let isWhole = try await end.bound(ServiceGroup(configuration: group))
        logger.notice(isWhole ? "boardd ends" : "boardd ends, and leaves behind what hangs")
    }

    /// Whether this is the board of the house, which is kept over a restart and can be asked: not one that somebody looks
    /// at in a terminal beside it, unless it was given a folder of its own.
    private func keepsBoard(_ environment: [String: String]) -> Bool {
        environment["RUNTIME_DIRECTORY"] != nil || glass == .hardware && source.isLive
    }

    /// The feeds of a configuration; those of an empty one, and a fault for the glass, when systemd would only start the
    /// program again and again.
    private static func feeds(
        _ configuration: Configuration, from place: FilePlace, of assembly: FeedAssembly, manager: ServiceManager,
        logger: Logger
    ) throws(FeedSettingFailure) -> (feeds: [FeedName: any DepartureFeed], fault: FilePlace?) {
        do {
            return (try assembly.feeds(configuration.feeds), nil)
        } catch {
            guard manager.isListening else { throw error }
            logger.error("\(error)")
            return (try assembly.feeds([:]), place)
        }
    }

    private static func zone(_ name: String?, logger: Logger) -> Zone {
        do {
            return try ZoneDirectory().machineZone(tz: name)
        } catch {
            logger.warning("\(error); the clock on the glass shows UTC")
            return .utc
        }
    }

    private func openFrameLog() throws(StartFault) -> Int32? {
        guard let frameLog else { return nil }
        let descriptor = unsafe open(frameLog, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw StartFault(description: "\(frameLog) cannot be written: \(unsafe String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// Says every fault, each with its place.
    static func log(_ faults: ConfigurationFaults, to logger: Logger) {
        for fault in faults.faults { logger.error("\(fault)") }
    }

    /// "1 favourite", "2 favourites".
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

/// Why the daemon cannot start.
struct StartFault: Error, CustomStringConvertible {
    let description: String
}
