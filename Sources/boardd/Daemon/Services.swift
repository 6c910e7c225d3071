import BoardControl
import BoardCore
import BoardDisplays
import BoardFeeds
import BoardFleet
import BoardIO
import BoardService
import BoardStore
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

// The services of a board, built in the order of its data: inputs, outputs, the board, its interfaces; then run as a group.
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
        let manager: SystemdNotifier
        let logger: Logger
        let threshold: LogThreshold
    }

    func serve(_ start: StartParameters) async throws {
        let inputs = try await inputs(start)
        let outputs = try outputs(inputs, start)
        let loop = loop(inputs, outputs, start)
        let interfaces = interfaces(inputs, outputs, start)
        defer { outputs.viewers.finish() }
        let logger = start.logger
        logger.notice(
            "boardd \(Version.number) started with \(Self.count(inputs.current.favourites.favourites.count, "favourite"))"
        )
        for socket in inputs.pageSockets { logger.notice("page: \(Self.pageURL(socket))") }
        if inputs.isMainBoard && inputs.current.favourites.favourites.isEmpty {
            logger.notice("next: sudo boardd setup; display and button: docs/wiring.md")
        }
        try await group(loop, inputs, outputs, interfaces, start).run()
        logger.notice("boardd stopped")
        if let failure = outputs.failure.value { throw failure }
    }

    /// What the board is made of, and what tells it about the world.
    private struct Inputs {
        let clock: any MachineClock
        let zone: Zone
        let log: RateLimitedLog
        let mailbox: Mailbox<BoardLoop.Message>
        let feedFactory: FeedFactory
        let folders: Folders
        let directory: StopDirectory
        let isMainBoard: Bool
        let pageSockets: [ListeningSocket]
        let current: ActiveConfiguration
        let fault: FilePosition?
        let snapshotFile: SnapshotFile?
        let heldFile: SnapshotFile
        let stored: Board.Snapshot?
        let hasBeenHeld: Bool
        let pairing: PairingService
        let setupWindow: SetupWindow
    }

    private func inputs(_ start: StartParameters) async throws -> Inputs {
        let zone = Self.zone(start.environment["TZ"], logger: start.logger)
        let clock: any MachineClock = source.isLive ? SystemClock() : ReplayClock()
        let log = RateLimitedLog(start.logger, clock: clock)
        let mailbox = try Mailbox<BoardLoop.Message>()
        let feedFactory = try FeedFactory(
            source: source, clock: clock, note: log.log, dates: { mailbox.post(.event(.date($0))) },
            onFailure: { log.log(.warning, "recording: \($0)") })
        let (feeds, feedFault) = try Self.feeds(
            start.configuration, from: configuration.place, of: feedFactory, manager: start.manager, log: start.log)
        let folders = Folders(environment: start.environment, state: stateFolder)
        let directory = StopDirectory(folder: folders.state)
        let isMainBoard = isMainBoard(start.environment, in: folders, logger: start.logger)
        let snapshotFile = isMainBoard ? SnapshotFile("board.json", in: folders.runtime) : nil
        let heldFile = SnapshotFile("button-was-held", in: folders.state)
        let pageSockets = try pageSockets(start.manager, logger: start.logger)
        let (current, stored, hasBeenHeld, pairing) = try await DedicatedThread.run("start") {
            let favourites = FavouriteResolution(start.configuration.entries, in: directory, log: start.log)
            return (
                ActiveConfiguration(configuration: start.configuration, feeds: feeds, favourites: favourites),
                snapshotFile.flatMap { StoredSnapshot.consume(from: $0) }, isMainBoard && heldFile.exists,
                PairingService(
                    folder: isMainBoard ? folders.state : nil, clock: clock, log: { log.log(.warning, "page: \($0)") }
                ) { event in
                    switch event {
                    case .started(let code, let until): mailbox.post(.event(.pairing(code: code, until: until)))
                    case .ended(let isPaired): mailbox.post(.event(.pairingEnded(isPaired: isPaired)))
                    }
                }
            )
        }
        return Inputs(
            clock: clock, zone: zone, log: log, mailbox: mailbox,
            feedFactory: feedFactory, folders: folders, directory: directory, isMainBoard: isMainBoard,
            pageSockets: pageSockets, current: current, fault: start.fault ?? feedFault, snapshotFile: snapshotFile,
            heldFile: heldFile, stored: stored, hasBeenHeld: hasBeenHeld, pairing: pairing,
            setupWindow: SetupWindow(clock: clock) { mailbox.post(.event(.setupOpened)) })
    }

    /// What the board's commands go to.
    private struct Outputs {
        /// Why the frames can no longer be written; nil: they can.
        let failure: Locked<OutputError?>
        let devices: DeviceFactory
        let watchdog: Watchdog
        let display: DisplayService
        let viewers: Viewers
        let fleet: FleetService
        let polls: PollService
        let buttons: ButtonService
        let snapshots: SnapshotService?
        let found: Locked<DisplayWiring?>
    }

    private func outputs(_ inputs: Inputs, _ start: StartParameters) throws -> Outputs {
        let (clock, log, mailbox) = (inputs.clock, inputs.log, inputs.mailbox)
        let failure = Locked<OutputError?>(nil)
        let found = Locked<DisplayWiring?>(nil)
        let devices = try DeviceFactory(
            displayTarget: displayTarget, frameLog: openFrameLog(), zone: inputs.zone,
            note: inputs.pageSockets.first.map { "page: \(Self.pageURL($0))" },
            found: { wiring in
                wiring.finding.map { log.log(.notice, "display: \($0)") }
                found.value = wiring
                start.reloads.send()
            }, end: { mailbox.post(.stop) },
            lost: { error in
                // A closed pipe or terminal is a normal end.
                if ![EPIPE, EIO].contains(error.number) { failure.value = error }
                mailbox.post(.stop)
            })
        let watchdog = Watchdog(manager: start.manager)
        let display = try DisplayService(
            devices.display(start.configuration.display), clock: clock, log: log,
            advice: displayTarget == .hardware && !start.manager.isActive
                ? "without a display: boardd run --simulate draws the board in this terminal" : nil,
            tried: { watchdog.tried(at: $0) })
        let viewers = Viewers()
        let (isMainBoard, folders) = (inputs.isMainBoard, inputs.folders)
        let fleet = FleetService(
            clock: clock,
            machine: .init(
                version: Version.number, hostName: MachineAddress.name,
                device: Self.deviceID(isMainBoard ? folders.runtime : "\(getpid())"),
                file: isMainBoard && Folders.isWritable(folders.state) ? folders.state + "/fleet.json" : nil),
            editor: configuration.editor,
            hooks: .init(
                report: { mailbox.post(.event($0)) }, log: { log.log($1 ? .warning : .notice, $0) },
                reload: { start.reloads.send() }, changed: { viewers.send() }))
        return Outputs(
            failure: failure, devices: devices, watchdog: watchdog, display: display, viewers: viewers, fleet: fleet,
            polls: PollService(
                feeds: inputs.current.feeds, log: log, sharing: { fleet.sharing($0) },
                report: { mailbox.post(.event($0)) }),
            buttons: ButtonService(devices.buttons(start.configuration.buttons), log: log, clock: clock) {
                mailbox.post(.event(.button($0)))
            },
            snapshots: try inputs.snapshotFile.map {
                try SnapshotService($0, heldFile: inputs.heldFile, clock: clock, log: log)
            }, found: found)
    }

    private func loop(_ inputs: Inputs, _ outputs: Outputs, _ start: StartParameters) -> BoardLoop {
        let (clock, fleet, polls, pairing) = (inputs.clock, outputs.fleet, outputs.polls, inputs.pairing)
        let (snapshots, viewers) = (outputs.snapshots, outputs.viewers)
        let setup = outputs.devices.setup(inputs.current)
        return BoardLoop(
            inputs.mailbox, clock: clock, manager: start.manager, watchdog: outputs.watchdog, display: outputs.display,
            handlers: .init(
                poll: { polls.poll($0) }, pollForOthers: { polls.pollForOthers($0) },
                fetchDetails: { polls.fetchDetails($0) }, save: { snapshots?.save($0) },
                observe: { fleet.observe($0, hasChanged: $1) }, changed: { viewers.send() },
                declinePairing: { pairing.decline() }, openSetup: { [window = inputs.setupWindow] in window.open() },
                recognised: { fleet.recognised($0, $1) })
        ) { [stored = inputs.stored, hasBeenHeld = inputs.hasBeenHeld, fault = inputs.fault] in
            var board = Board(
                setup, reading: clock.reading(), seed: UInt64.random(in: .min ... .max), restoring: stored,
                hasBeenHeld: hasBeenHeld, at: clock.now())
            if let fault { _ = board.handle(.faultyConfiguration(fault), at: clock.now()) }
            return board
        }
    }

    /// Who changes the board, and who looks at it.
    private struct Interfaces {
        let reload: ReloadService
        /// Nil: the stop directory cannot be updated.
        let updates: DirectoryService?
        let board: LiveBoardService
        /// Nil: there is neither a control socket nor a page.
        let server: ControlService?
    }

    private func interfaces(_ inputs: Inputs, _ outputs: Outputs, _ start: StartParameters) -> Interfaces {
        let (clock, log, mailbox, directory) = (inputs.clock, inputs.log, inputs.mailbox, inputs.directory)
        let (folders, pairing, fleet) = (inputs.folders, inputs.pairing, outputs.fleet)
        let reload = ReloadService(
            current: inputs.current, requests: start.reloads, option: configuration,
            services: .init(
                devices: outputs.devices, feedFactory: inputs.feedFactory, directory: directory,
                display: outputs.display, polls: outputs.polls, buttons: outputs.buttons,
                fleet: inputs.isMainBoard ? fleet : nil, found: outputs.found, report: { mailbox.post(.event($0)) }),
            log: start.log, threshold: start.threshold)
        let updates =
            source.isLive && Folders.isWritable(folders.state)
            ? DirectoryService(
                directory, folder: folders.state, feeds: { reload.listed(withListsOf: $0) }, clock: clock, log: log,
                source: reload.catalogue, changed: { reload.request() }) : nil
        let board = LiveBoardService(
            local: LocalBoardService(
                directory: directory, editor: configuration.editor.recording(in: FavouritesHistory(clock: clock)),
                clock: clock, active: { reload.current }, catalogue: reload.catalogue, updates: updates),
            mailbox: mailbox, display: outputs.display, buttons: outputs.buttons, reloading: reload,
            viewers: outputs.viewers, fleet: fleet, clock: clock, zone: inputs.zone)
        let setup = SetupService(
            configuration, reloading: reload, window: inputs.setupWindow, devices: outputs.devices,
            buttons: outputs.buttons)
        let control =
            inputs.isMainBoard
            ? [
                HTTPEndpoint.control(
                    path: folders.controlSocket,
                    router: Router(
                        board: board,
                        adding: Route.pairing(pairing, isLocal: true) + Route.setup(setup)
                            + Route.fleet(fleet)))
            ] : []
        let pages = Self.pageEndpoints(
            inputs.pageSockets, board: board, pairing: pairing, setup: setup, share: folders.share)
        let endpoints = control + pages
        return Interfaces(
            reload: reload, updates: updates, board: board,
            server: endpoints.isEmpty ? nil : ControlService(endpoints, log: log))
    }

    private func group(
        _ loop: BoardLoop, _ inputs: Inputs, _ outputs: Outputs, _ interfaces: Interfaces, _ start: StartParameters
    ) -> ServiceGroup {
        let (reload, fleet, mailbox) = (interfaces.reload, outputs.fleet, inputs.mailbox)
        // Shut down from the last to the first: no service sends to one that has ended already.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        func supervise(_ name: String, _ service: (some Service)?) {
            guard let service else { return }
            services.append(.init(service: Supervisor(name: name, base: service, log: inputs.log, clock: inputs.clock)))
        }
        supervise("display", outputs.display)
        supervise("snapshot", outputs.snapshots)
        // Not supervised: they end only with the shutdown, and cannot fail (docs/decisions/threads.md).
        services += [.init(service: outputs.polls), .init(service: outputs.buttons)]
        supervise("reloading", reload)
        supervise("watching", start.watch)
        supervise("stop directory", interfaces.updates)
        supervise("control", interfaces.server)
        let hangups = ClosureService {
            await cancelWhenGracefulShutdown {
                for await _ in start.hangupSignals { reload.request() }
            }
        }
        if inputs.isMainBoard { fleet.configure(start.configuration) }
        let fleetWork = ClosureService { [board = interfaces.board] in
            await cancelWhenGracefulShutdown { await fleet.run(board) }
            fleet.stop()
        }
        let addresses = Self.addressService(
            inputs.pageSockets, reloading: reload, clock: inputs.clock, report: { mailbox.post(.event($0)) })
        let deadline = ShutdownDeadline { [failure = outputs.failure] in
            start.logger.notice("boardd stopped; threads that did not finish were abandoned")
            start.sink.release()
            ProgramEnd.exit(failure.value == nil ? 0 : ExitStatus.ioError)
        }
        services += [
            .init(service: hangups), .init(service: addresses), .init(service: fleetWork),
            // Its end shuts the group down.
            .init(
                service: loop, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: deadline),
        ]
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            // Users do not need its messages about starting and stopping services.
            logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
        configuration.maximumGracefulShutdownDuration = ShutdownDeadline.graceful
        return ServiceGroup(configuration: configuration)
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
