internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

// The services, put together.
extension Daemon {
    /// What the services start with.
    struct Start {
        let configuration: Configuration
        /// Where the configuration's first fault is, for the glass.
        var fault: FilePlace?
        let environment: [String: String]
        let hangUps: UnixSignalsSequence
        let watch: FileWatch
        /// Where reloads are asked for.
        let reloads: Relay<Void>
    }

    /// Runs the services until the board loop has ended.
    func serve(
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
        let restarted: [(name: String, service: (any Service)?)] = [
            ("buttons", buttons), ("reloading", reload), ("watching", start.watch), ("stop directory", updates),
            ("control", control),
        ]
        // Ended from the last to the first: nobody is told anything by a service that has ended already.
        var group = ServiceGroupConfiguration(
            services: [("display", display), ("snapshot", snapshots)].compactMap { Self.restarting($0, voice) } + [
                // Not started again: it only waits for the end, and cannot fail (docs/decisions/threads.md).
                .init(service: polls)
            ] + restarted.compactMap { Self.restarting($0, voice) } + [
                .init(
                    service: loop, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: end),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            // What it says of starting and stopping services is no news to a person.
            logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
        group.maximumGracefulShutdownDuration = TimedEnd.graceful
        let isWhole = try await end.bound(ServiceGroup(configuration: group))
        logger.notice(isWhole ? "boardd ends" : "boardd ends, and leaves behind what hangs")
    }

    /// A service that is started again whenever it ends; nil where there is none.
    private static func restarting(
        _ named: (name: String, service: (any Service)?), _ voice: FaultVoice
    ) -> ServiceGroupConfiguration.ServiceConfiguration? {
        guard let service = named.service else { return nil }
        return .init(service: restarting(named.name, service, voice))
    }

    private static func restarting(_ name: String, _ service: some Service, _ voice: FaultVoice) -> any Service {
        Restarting(name: name, base: service, voice: voice)
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
}
