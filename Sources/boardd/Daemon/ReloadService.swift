internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

/// Reads the configuration anew on SIGHUP. A faulty file changes nothing: it is said on the glass and in the log.
final class ReloadService: Service {
    private let current: Mutex<Configuration>
    private let option: ConfigurationOption
    private let assembly: Assembly
    private let feedAssembly: FeedAssembly
    private let logger: Logger
    private let threshold: LogThreshold
    private let report: @Sendable (Board.Event) -> Void
    private let display: DisplayService
    private let polls: PollService
    private let buttons: ButtonService

    init(
        current: Configuration, option: ConfigurationOption, assembly: Assembly, feedAssembly: FeedAssembly,
        logger: Logger, threshold: LogThreshold, report: @escaping @Sendable (Board.Event) -> Void,
        display: DisplayService, polls: PollService, buttons: ButtonService
    ) {
        self.current = Mutex(current)
        self.option = option
        self.assembly = assembly
        self.feedAssembly = feedAssembly
        self.logger = logger
        self.threshold = threshold
        self.report = report
        self.display = display
        self.polls = polls
        self.buttons = buttons
    }

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            reload()
        }
    }

    private func reload() {
        let new: Configuration
        do {
            new = try option.load()
        } catch {
            Daemon.log(error, to: logger)
            logger.error("the configuration is faulty; the old one stays")
            report(.faultyConfiguration(error.place))
            return
        }
        let old = current.withLock { current in
            defer { current = new }
            return current
        }
        do {
            let feeds = try feedAssembly.feeds(new.feeds)
            polls.replace(feeds)
            report(.configured(assembly.setup(new, profiles: feeds.mapValues(\.profile))))
        } catch {
            logger.error("\(error); the old configuration stays")
            report(.faultyConfiguration(FilePlace(file: "boardd.toml")))
            return
        }
        threshold.set(new.logLevel)
        if new.display != old.display { display.replace(assembly.display(new.display)) }
        if new.buttons.map(\.wiring) != old.buttons.map(\.wiring) { buttons.replace(assembly.buttons(new.buttons)) }
        logger.notice("the configuration was read anew: \(new.favourites.count) favourites")
    }
}
