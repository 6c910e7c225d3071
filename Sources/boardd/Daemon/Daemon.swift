internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// The daemon put together: it reads the configuration, starts the services, and waits for the board loop to end.
struct Daemon {
    /// How long a last picture and a hung question may take before the process ends anyway.
    private static let farewell = Duration.seconds(5)

    let configuration: ConfigurationOption
    let source: FeedAssembly.Source
    let glass: Assembly.Glass
    /// Where every frame is also written as JSON; nil: nowhere.
    let frameLog: String?

    /// Runs until told to end.
    ///
    /// - Returns: the exit status.
    func run() async -> Int32 {
        let environment = Environment.current
        let manager = ServiceManager(environment: environment)
        var fault: ConfigurationFaults?
        let loaded: Configuration
        do {
            loaded = try configuration.load()
        } catch  where manager.isListening {
            // A person who restarts the machine must read on the glass why it has no stops; ending would show nothing.
            fault = error
            loaded = Configuration(feeds: [:])
        } catch {
            StandardError.write(error.description + "\n")
            return SystemExit.configuration
        }
        let threshold = LogThreshold(loaded.logLevel)
        let handler = JournalHandler(threshold, isJournal: environment["JOURNAL_STREAM"] != nil)
        let logger = Logger(label: "boardd") { _ in handler }
        fault.map { Self.log($0, to: logger) }
        for remark in loaded.remarks { logger.info("\(remark)") }

        do {
            try await serve(
                loaded, fault: fault, manager: manager, logger: logger, threshold: threshold, environment: environment)
            return 0
        } catch {
            logger.error("\(error)")
            return SystemExit.unavailable
        }
    }

    private func serve(
        _ loaded: Configuration, fault: ConfigurationFaults?, manager: ServiceManager, logger: Logger,
        threshold: LogThreshold, environment: [String: String]
    ) async throws {
        let clock: any MachineClock
        switch source {
        case .live: clock = SystemClock()
        case .replay: clock = ReplayClock()
        }
        let zone: Zone
        do {
            zone = try ZoneDirectory().machineZone(tz: environment["TZ"])
        } catch {
            logger.warning("\(error); the clock on the glass shows UTC")
            zone = .utc
        }
        let feedAssembly = try FeedAssembly(source: source, clock: clock) { logger.warning("recording: \($0)") }
        let feeds = try feedAssembly.feeds(loaded.feeds)
        let mailbox = Mailbox<BoardLoop.Letter>()
        let report: @Sendable (Board.Event) -> Void = { mailbox.post(.event($0)) }
        let assembly = try Assembly(glass: glass, frameLog: openFrameLog(), zone: zone, end: { mailbox.post(.stop) })
        let setup = assembly.setup(loaded, profiles: feeds.mapValues(\.profile))

        let display = DisplayService(assembly.display(loaded.display), clock: clock, logger: logger)
        let polls = PollService(feeds: feeds, logger: logger, report: report)
        let buttons = ButtonService(assembly.buttons(loaded.buttons), logger: logger) { report(.button($0)) }
        let loop = BoardLoop(mailbox, clock: clock, manager: manager, display: display, ask: { polls.ask($0) }) {
            var board = Board(
                setup, reading: clock.reading(), seed: UInt64.random(in: .min ... .max), at: clock.now())
            if let fault { _ = board.handle(.faultyConfiguration(fault.place), at: clock.now()) }
            return board
        }
        let reload = ReloadService(
            current: loaded, option: configuration, assembly: assembly, feedAssembly: feedAssembly, logger: logger,
            threshold: threshold, report: report, display: display, polls: polls, buttons: buttons)

        logger.notice("boardd \(Version.number) starts with \(loaded.favourites.count) favourites")
        var group = ServiceGroupConfiguration(
            services: [
                .init(
                    service: display, successTerminationBehavior: .ignore,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: Restarting(name: "polling", base: polls, logger: logger)),
                .init(service: Restarting(name: "buttons", base: buttons, logger: logger)),
                .init(service: Restarting(name: "reloading", base: reload, logger: logger)),
                .init(
                    service: loop, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            // What it says of starting and stopping services is no news to a person.
            logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
        group.maximumGracefulShutdownDuration = Self.farewell
        try await ServiceGroup(configuration: group).run()
        logger.notice("boardd ends")
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
}

/// Why the daemon cannot start.
struct StartFault: Error, CustomStringConvertible {
    let description: String
}
