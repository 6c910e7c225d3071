internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Reads the configuration anew on SIGHUP. A faulty file changes nothing: it is said on the glass and in the log.
final class ReloadService: Service {
    /// What the services live by.
    struct Current {
        var configuration: Configuration
        var profiles: [FeedName: FeedProfile]
    }

    private let current: Mutex<Current>
    private let requests = Relay<Void>(keeping: 1)
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
        current: Current, option: ConfigurationOption, assembly: Assembly, feedAssembly: FeedAssembly,
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

    /// Asks for it, from any thread; requests that come while it is under way become one more.
    func request() { requests.send(()) }

    func run() async throws {
        for await _ in requests.elements().cancelOnGracefulShutdown() {
            // A slow disk holds up this thread alone.
            try await DedicatedThread.run("reload") { self.reload() }
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
        let old = current.withLock { $0 }
        var profiles = old.profiles
        do {
            // Feeds that nobody told anything new keep what they know and what they were asked.
            if new.feeds != old.configuration.feeds {
                let feeds = try feedAssembly.feeds(new.feeds)
                profiles = feeds.mapValues(\.profile)
                polls.replace(feeds)
            }
        } catch {
            logger.error("\(error); the old configuration stays")
            report(.faultyConfiguration(option.place))
            return
        }
        current.withLock { $0 = Current(configuration: new, profiles: profiles) }
        threshold.set(new.logLevel)
        polls.keep(Set(new.favourites.map(\.stop)))
        report(.configured(assembly.setup(new, profiles: profiles)))
        if assembly.needsDisplay(new, after: old.configuration) { display.replace(assembly.display(new.display)) }
        if assembly.needsButtons(new, after: old.configuration) { buttons.replace(assembly.buttons(new.buttons)) }
        for remark in new.remarks where !old.configuration.remarks.contains(remark) { logger.info("\(remark)") }
        logger.notice("the configuration was read anew: \(Daemon.count(new.favourites.count, "favourite"))")
    }
}
