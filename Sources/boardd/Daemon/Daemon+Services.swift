internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

// The services, put together.
extension Daemon {
    /// What the services start with.
    struct Start {
        let configuration: Configuration
        /// Where the configuration's first fault is, for the glass.
        var fault: FilePosition?
        /// What says what is wrong with it.
        let log: ConfigurationLog
        let environment: [String: String]
        let hangupSignals: UnixSignalsSequence
        let watch: FileWatch
        /// Where reloads are asked for.
        let reloads: BufferedStream<Void>
    }

    /// Runs the services until the board loop has ended.
    func serve(
        _ start: Start, manager: SystemdNotifier, logger: Logger, threshold: LogThreshold
    ) async throws {
        let loaded = start.configuration
        let clock: any MachineClock = source.isLive ? SystemClock() : ReplayClock()
        let log = RateLimitedLog(logger, clock: clock)
        let zone = Self.zone(start.environment["TZ"], logger: logger)
        let mailbox = Mailbox<BoardLoop.Message>()
        let report: @Sendable (Board.Event) -> Void = { mailbox.post(.event($0)) }
        let feedAssembly = try FeedFactory(
            source: source, clock: clock, note: log.log, dates: { report(.date($0)) },
            onFailure: { log.log(.warning, "recording: \($0)") })
        let (feeds, feedFault) = try Self.feeds(
            loaded, from: configuration.place, of: feedAssembly, manager: manager, log: start.log)
        let fault = start.fault ?? feedFault
        let folders = Folders(environment: start.environment)
        let directory = StopDirectory(folder: folders.state)
        let isMainBoard = isMainBoard(start.environment, in: folders, logger: logger)
        let snapshotFile = isMainBoard ? SnapshotFile("board.json", in: folders.runtime) : nil
        let (current, kept) = try await DedicatedThread.run("start") {
            let favourites = FavouriteResolution(loaded.entries, in: directory, log: start.log)
            return (
                ReloadService.ActiveConfiguration(configuration: loaded, feeds: feeds, favourites: favourites),
                snapshotFile.flatMap { StoredSnapshot.consume(from: $0) }
            )
        }

        let outputFailure = Mutex<OutputFailure?>(nil)
        let assembly = try DeviceFactory(
            displayTarget: displayTarget, frameLog: openFrameLog(), zone: zone, end: { mailbox.post(.stop) },
            lost: { failure in
                // A closed pipe or terminal is a normal end.
                if ![EPIPE, EIO].contains(failure.number) { outputFailure.withLock { $0 = failure } }
                mailbox.post(.stop)
            })
        let setup = assembly.setup(current)
        let watchdog = Watchdog(manager: manager)
        let display = DisplayService(
            assembly.display(loaded.display), clock: clock, log: log, tried: { watchdog.tried(at: $0) })
        let polls = PollService(feeds: feeds, clock: clock, log: log, report: report)
        let buttons = ButtonService(assembly.buttons(loaded.buttons), log: log) { report(.button($0)) }
        let snapshots = snapshotFile.map { SnapshotService($0, clock: clock, log: log) }
        let loop = BoardLoop(
            mailbox, clock: clock, manager: manager, watchdog: watchdog, display: display, poll: { polls.poll($0) },
            fetchDetails: { polls.fetchDetails($0) },
            save: { snapshots?.save($0) }
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
            logger: logger, log: start.log, threshold: threshold)
        Task { for await _ in start.hangupSignals { reload.request() } }
        let updates =
            source.isLive && Folders.isWritable(folders.state)
            ? DirectoryService(
                directory, folder: folders.state, feeds: { reload.listed(keeping: $0) }, clock: clock, log: log,
                source: reload.catalogue, changed: { reload.request() }) : nil
        let control =
            isMainBoard
            ? ControlSocketService(
                path: folders.controlSocket, log: log,
                actions: BoardActions(
                    mailbox: mailbox, clock: clock, display: display, reloading: reload, directory: directory,
                    editor: configuration.editor, updates: updates)) : nil

        logger.notice(
            "boardd \(Version.number) starts with \(Self.count(setup.favourites.count, "favourite"))")
        let end = ShutdownDeadline()
        // Ended from the last to the first: nobody is told anything by a service that has ended already.
        var services = Services(log)
        services.restart("display", display)
        services.restart("snapshot", snapshots)
        // Not started again: it only waits for the end, and cannot fail (docs/decisions/threads.md).
        services.add(polls)
        services.restart("buttons", buttons)
        services.restart("reloading", reload)
        services.restart("watching", start.watch)
        services.restart("stop directory", updates)
        services.restart("control", control)
        services.lead(loop)
        services.add(end)
        var group = ServiceGroupConfiguration(
            services: services.all,
            gracefulShutdownSignals: [.sigterm, .sigint],
            // What it says of starting and stopping services is no news to a person.
            logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
        group.maximumGracefulShutdownDuration = ShutdownDeadline.graceful
        let isWhole = try await end.run(ServiceGroup(configuration: group))
        logger.notice(isWhole ? "boardd ends" : "boardd ends, and leaves behind what hangs")
        if let failure = outputFailure.withLock({ $0 }) { throw failure }
    }

    /// Whether this is the board of the house, which is kept over a restart and can be asked: not one that somebody looks
    /// at in a terminal beside it, unless it was given a folder of its own.
    ///
    /// Without a folder for that it is not either: that is said once, since no attempt would end otherwise.
    private func isMainBoard(_ environment: [String: String], in folders: Folders, logger: Logger) -> Bool {
        guard environment["RUNTIME_DIRECTORY"] != nil || displayTarget == .hardware && source.isLive else {
            return false
        }
        guard let writeError = Folders.writeError(to: folders.runtime) else { return true }
        logger.warning(
            """
            \(folders.runtime) cannot be written: \(writeError). The board cannot be asked, and forgets everything when it is \
            started again. `systemctl start boardd` makes the folder; or name another one in RUNTIME_DIRECTORY.
            """)
        return false
    }

    /// The feeds of a configuration; those of an empty one, and a fault for the glass, when systemd would only start the
    /// program again and again.
    private static func feeds(
        _ configuration: Configuration, from place: FilePosition, of assembly: FeedFactory, manager: SystemdNotifier,
        log: ConfigurationLog
    ) throws(FeedSettingFailure) -> (feeds: [FeedName: any DepartureFeed], fault: FilePosition?) {
        do {
            let stops = configuration.favourites.map(\.stop)
            return (try assembly.feeds(configuration.feeds, asking: stops, favourites: stops), nil)
        } catch {
            guard manager.isActive else { throw error }
            log.faulty(["\(error)"])
            return (try assembly.feeds([:]), place)
        }
    }
}

/// The services of a group, each with what its end means.
private struct Services {
    private(set) var all: [ServiceGroupConfiguration.ServiceConfiguration] = []
    private let log: RateLimitedLog

    init(_ log: RateLimitedLog) {
        self.log = log
    }

    /// Adds a service that is started again whenever it ends; nil: there is none.
    mutating func restart(_ name: String, _ service: (some Service)?) {
        guard let service else { return }
        all.append(.init(service: Supervisor(name: name, base: service, log: log)))
    }

    /// Adds a service that does not end by itself.
    mutating func add(_ service: some Service) {
        all.append(.init(service: service))
    }

    /// Adds the service whose end is the end of all.
    mutating func lead(_ service: some Service) {
        all.append(
            .init(
                service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup))
    }
}
