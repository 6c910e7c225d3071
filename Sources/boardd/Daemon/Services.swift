import BoardControl
import BoardCore
import BoardFeeds
import BoardFleet
import BoardIO
import BoardPage
import BoardService
import BoardStore
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

// The services, put together.
extension Daemon {
    struct StartParameters {
        let configuration: Configuration
        /// The position of the configuration's first fault, shown on the display.
        var fault: FilePosition?
        let log: ConfigurationLog
        let environment: [String: String]
        let hangupSignals: UnixSignalsSequence
        let watch: FileWatch
        let reloads: BufferedSignal
        let sink: LogSink
    }

    func serve(
        _ start: StartParameters, manager: SystemdNotifier, logger: Logger, threshold: LogThreshold
    ) async throws {
        let loaded = start.configuration
        let clock: any MachineClock = source.isLive ? SystemClock() : ReplayClock()
        let log = RateLimitedLog(logger, clock: clock)
        let zone = Self.zone(start.environment["TZ"], logger: logger)
        let mailbox = try Mailbox<BoardLoop.Message>()
        let report: @Sendable (Board.Event) -> Void = { mailbox.post(.event($0)) }
        let feedFactory = try FeedFactory(
            source: source, clock: clock, note: log.log, dates: { report(.date($0)) },
            onFailure: { log.log(.warning, "recording: \($0)") })
        let (feeds, feedFault) = try Self.feeds(
            loaded, from: configuration.place, of: feedFactory, manager: manager, log: start.log)
        let fault = start.fault ?? feedFault
        let folders = Folders(environment: start.environment, state: stateFolder)
        let directory = StopDirectory(folder: folders.state)
        let isMainBoard = isMainBoard(start.environment, in: folders, logger: logger)
        let snapshotFile = isMainBoard ? SnapshotFile("board.json", in: folders.runtime) : nil
        let heldFile = SnapshotFile("button-was-held", in: folders.state)
        let pageSockets = try pageSockets(manager, logger: logger)
        let (current, stored, hasBeenHeld, pairing) = try await DedicatedThread.run("start") {
            let favourites = FavouriteResolution(loaded.entries, in: directory, log: start.log)
            return (
                ActiveConfiguration(configuration: loaded, feeds: feeds, favourites: favourites),
                snapshotFile.flatMap { StoredSnapshot.consume(from: $0) }, isMainBoard && heldFile.exists,
                PairingService(
                    folder: isMainBoard ? folders.state : nil, clock: clock, log: { log.log(.warning, "page: \($0)") }
                ) { event in
                    switch event {
                    case .started(let code, let until): report(.pairing(code: code, until: until))
                    case .ended(let isPaired): report(.pairingEnded(isPaired: isPaired))
                    }
                }
            )
        }

        let outputFailure = Mutex<OutputError?>(nil)
        let devices = try DeviceFactory(
            displayTarget: displayTarget, frameLog: openFrameLog(), zone: zone,
            note: pageSockets.first.map { "page: \(Self.pageURL($0))" }, end: { mailbox.post(.stop) },
            lost: { failure in
                // A closed pipe or terminal is a normal end.
                if ![EPIPE, EIO].contains(failure.number) { outputFailure.withLock { $0 = failure } }
                mailbox.post(.stop)
            })
        let setup = devices.setup(current)
        let watchdog = Watchdog(manager: manager)
        let display = try DisplayService(
            devices.display(loaded.display), clock: clock, log: log,
            advice: displayTarget == .hardware && !manager.isActive
                ? "without a display: boardd run --simulate draws the board in this terminal" : nil,
            tried: { watchdog.tried(at: $0) })
        let viewers = Viewers()
        let fleet = FleetService(
            clock: clock,
            machine: .init(
                version: Version.number, hostName: MachineAddress.name,
                device: Self.deviceID(isMainBoard ? folders.runtime : "\(getpid())"),
                file: isMainBoard && Folders.isWritable(folders.state) ? folders.state + "/fleet.json" : nil),
            editor: configuration.editor,
            hooks: .init(
                report: report, log: { log.log($1 ? .warning : .notice, $0) }, reload: { start.reloads.send() },
                changed: { viewers.send() }))
        let polls = PollService(feeds: feeds, log: log, sharing: { fleet.sharing($0) }, report: report)
        let buttons = ButtonService(devices.buttons(loaded.buttons), log: log, clock: clock) { report(.button($0)) }
        let snapshots = try snapshotFile.map { try SnapshotService($0, heldFile: heldFile, clock: clock, log: log) }
        let loop = BoardLoop(
            mailbox, clock: clock, manager: manager, watchdog: watchdog, display: display, poll: { polls.poll($0) },
            pollForOthers: { polls.pollForOthers($0) }, fetchDetails: { polls.fetchDetails($0) },
            save: { snapshots?.save($0) }, observe: { fleet.observe($0, hasChanged: $1) }, changed: { viewers.send() },
            declinePairing: { pairing.decline() }, recognised: { fleet.recognised($0, $1) }
        ) {
            var board = Board(
                setup, reading: clock.reading(), seed: UInt64.random(in: .min ... .max), restoring: stored,
                hasBeenHeld: hasBeenHeld, at: clock.now())
            if let fault { _ = board.handle(.faultyConfiguration(fault), at: clock.now()) }
            return board
        }
        let reload = ReloadService(
            current: current, requests: start.reloads, option: configuration,
            services: .init(
                devices: devices, feedFactory: feedFactory, directory: directory, display: display, polls: polls,
                buttons: buttons, fleet: isMainBoard ? fleet : nil, report: report),
            log: start.log, threshold: threshold)
        let updates =
            source.isLive && Folders.isWritable(folders.state)
            ? DirectoryService(
                directory, folder: folders.state, feeds: { reload.listed(withListsOf: $0) }, clock: clock, log: log,
                source: reload.catalogue, changed: { reload.request() }) : nil
        let board = LiveBoardService(
            local: LocalBoardService(
                directory: directory, editor: configuration.editor.recording(in: FavouritesHistory(clock: clock)),
                clock: clock, active: { reload.current }, catalogue: reload.catalogue, updates: updates),
            mailbox: mailbox, display: display, buttons: buttons, reloading: reload, viewers: viewers, fleet: fleet,
            clock: clock, zone: zone)
        let control =
            isMainBoard
            ? [
                HTTPEndpoint.control(
                    path: folders.controlSocket,
                    router: Router(board: board, adding: Route.pairing(pairing, isLocal: true) + Route.fleet(fleet)))
            ] : []
        let pages = Self.pageEndpoints(
            pageSockets, PageParts(board: board, pairing: pairing, folders: folders, reloading: reload))
        let server = control.isEmpty && pages.isEmpty ? nil : ControlService(control + pages, log: log)

        logger.notice(
            "boardd \(Version.number) started with \(Self.count(setup.favourites.count, "favourite"))")
        for socket in pageSockets {
            logger.notice("page: \(Self.pageURL(socket))")
        }
        if isMainBoard && setup.favourites.isEmpty {
            logger.notice(
                "next: sudo boardd setup; display and button: docs/wiring.md"
            )
        }
        let deadline = ShutdownDeadline {
            logger.notice("boardd stopped; threads that did not finish were abandoned")
            start.sink.release()
            ProgramEnd.exit(outputFailure.withLock { $0 } == nil ? 0 : ExitStatus.ioError)
        }
        defer { viewers.finish() }
        // Shut down from the last to the first: no service sends to one that has ended already.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        func supervise(_ name: String, _ service: (some Service)?) {
            guard let service else { return }
            services.append(.init(service: Supervisor(name: name, base: service, log: log, clock: clock)))
        }
        supervise("display", display)
        supervise("snapshot", snapshots)
        // Not supervised: they end only with the shutdown, and cannot fail (docs/decisions/threads.md).
        services += [.init(service: polls), .init(service: buttons)]
        supervise("reloading", reload)
        supervise("watching", start.watch)
        supervise("stop directory", updates)
        supervise("control", server)
        let hangups = ClosureService {
            await cancelWhenGracefulShutdown {
                for await _ in start.hangupSignals { reload.request() }
            }
        }
        if isMainBoard { fleet.configure(loaded) }
        let fleetWork = ClosureService {
            await cancelWhenGracefulShutdown { await fleet.run(board) }
            fleet.stop()
        }
        let addresses = Self.addressService(pageSockets, reloading: reload, clock: clock, report: report)
        services += [
            .init(service: hangups), .init(service: addresses), .init(service: fleetWork),
            // Its end shuts the group down.
            .init(
                service: loop, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: deadline),
        ]
        var group = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            // Users do not need its messages about starting and stopping services.
            logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
        group.maximumGracefulShutdownDuration = ShutdownDeadline.graceful
        try await ServiceGroup(configuration: group).run()
        logger.notice("boardd stopped")
        if let failure = outputFailure.withLock({ $0 }) { throw failure }
    }

    /// Identifies this board in Home Assistant.
    ///
    /// - Parameter board: distinguishes it from other boards on the machine.
    private static func deviceID(_ board: String) -> DeviceID? {
        guard let machine = try? SmallFile.read("/etc/machine-id", limit: 64).text.prefix(while: { !$0.isNewline }),
            !machine.isEmpty
        else { return nil }
        return DeviceID(machineID: machine + (board == Folders.usualRuntime ? "" : board))
    }

    /// Whether this process is the main board: it has a control socket and saves snapshots. A board in a terminal next
    /// to the main one is not, unless it has a RUNTIME_DIRECTORY of its own.
    ///
    /// Nor is a process without write access to that folder. That is logged once, since retries would not end.
    private func isMainBoard(_ environment: [String: String], in folders: Folders, logger: Logger) -> Bool {
        guard environment["RUNTIME_DIRECTORY"] != nil || displayTarget == .hardware && source.isLive else {
            return false
        }
        guard let writeError = Folders.writeError(to: folders.runtime) else { return true }
        logger.warning(
            """
            \(folders.runtime) cannot be written: \(writeError). No control socket, and the board starts empty after a \
            restart. Start with `systemctl start boardd`, or set RUNTIME_DIRECTORY to another folder.
            """)
        return false
    }

    /// The feeds of a configuration. Under systemd, which would restart the program again and again, a failure gives
    /// the feeds of an empty configuration and a fault for the display.
    private static func feeds(
        _ configuration: Configuration, from place: FilePosition, of factory: FeedFactory, manager: SystemdNotifier,
        log: ConfigurationLog
    ) throws(FeedSettingError) -> (feeds: [FeedName: any DepartureFeed], fault: FilePosition?) {
        do {
            return (try factory.feeds(configuration), nil)
        } catch {
            guard manager.isActive else { throw error }
            log.faulty(["\(error)"])
            return (try factory.feeds(Configuration()), place)
        }
    }
}
