internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Reads the configuration anew: on SIGHUP, when favourites.toml was changed, when somebody asks over the control socket,
/// and when the stop directory has changed. A faulty file changes nothing: it is said on the glass and in the log.
final class ReloadService: Service {
    /// What the services live by.
    struct ActiveConfiguration: Sendable {
        var configuration: Configuration
        var feeds: [FeedName: any DepartureFeed]
        var favourites: FavouriteResolution

        /// What the feeds declare of themselves.
        var profiles: [FeedName: FeedProfile] { feeds.mapValues(\.profile) }
    }

    /// What the services were made of, and what they are told.
    struct Services: Sendable {
        let assembly: DeviceFactory
        let feedAssembly: FeedFactory
        let directory: StopDirectory
        let display: DisplayService
        let polls: PollService
        let buttons: ButtonService
        let report: @Sendable (Board.Event) -> Void
    }

    private let state: Mutex<ActiveConfiguration>
    /// Held for as long as a reload takes, by a thread that may wait.
    private let working = Mutex(())
    private let requests: BufferedStream<Void>
    private let option: ConfigurationOption
    private let services: Services
    private let logger: Logger
    private let log: ConfigurationLog
    private let threshold: LogThreshold

    init(
        current: ActiveConfiguration, requests: BufferedStream<Void>, option: ConfigurationOption, services: Services,
        logger: Logger,
        log: ConfigurationLog, threshold: LogThreshold
    ) {
        state = Mutex(current)
        self.requests = requests
        self.option = option
        self.services = services
        self.logger = logger
        self.log = log
        self.threshold = threshold
    }

    /// What the services live by now.
    var current: ActiveConfiguration { state.withLock { $0 } }

    /// Makes the catalogues of the configuration that holds now.
    var catalogue: DirectoryService.Source {
        { feed in
            let current = self.current
            return try self.services.feedAssembly.catalogue(
                of: feed, current.configuration.feeds, asking: current.favourites.favourites.map(\.stop))
        }
    }

    /// The feeds of which a list of stops is kept: those that are there once, and the cities that somebody has a favourite
    /// in, or asked for the list of.
    func listed(keeping kept: Set<FeedName>) -> Set<FeedName> {
        let (configured, used) = state.withLock { state in
            (state.configuration.feeds, Set(state.favourites.favourites.map(\.stop.feed)))
        }
        return Set(FeedFactory.listed(of: configured, using: used.union(kept)))
    }

    /// Asks for it, from any thread; requests that come while it is under way become one more.
    func request() { requests.send(()) }

    /// Reads everything now.
    ///
    /// - Throws: ``ReloadFailure``, after it was said on the glass and in the log.
    func reload() async throws(ReloadFailure) {
        let result: Result<Void, ReloadFailure>
        do throws(ThreadFailure) {
            // A slow disk holds up this thread alone.
            result = try await DedicatedThread.run("reload") {
                self.working.withLock { _ in Result { () throws(ReloadFailure) in try self.read() } }
            }
        } catch {
            throw .noThread(error)
        }
        try result.get()
    }

    func run() async throws {
        for await _ in requests.elements().cancelOnGracefulShutdown() {
            try? await reload()
        }
    }

    private func read() throws(ReloadFailure) {
        let new: Configuration
        do {
            new = try option.load()
        } catch {
            log.faulty(error.faults.map { "\($0)" }, so: "the configuration is faulty; the old one stays")
            services.report(.faultyConfiguration(error.position))
            throw .faulty(error)
        }
        let old = current
        var feeds = old.feeds
        do {
            // Feeds that nobody told anything new keep what they know and what they were asked.
            if new.feeds != old.configuration.feeds {
                let stops = new.favourites.map(\.stop)
                feeds = try services.feedAssembly.feeds(new.feeds, asking: stops, favourites: stops)
            }
        } catch {
            log.faulty(["\(error)"], so: "the old configuration stays")
            services.report(.faultyConfiguration(option.place))
            throw .feed(error)
        }
        let favourites = FavouriteResolution(new.entries, in: services.directory, log: log)
        take(ActiveConfiguration(configuration: new, feeds: feeds, favourites: favourites), after: old)
    }

    private func take(_ new: ActiveConfiguration, after old: ActiveConfiguration) {
        let configuration = new.configuration
        state.withLock { $0 = new }
        threshold.set(configuration.logLevel)
        if configuration.feeds != old.configuration.feeds { services.polls.replace(new.feeds) }
        services.feedAssembly.setFavourites(new.favourites.favourites.map(\.stop))
        services.polls.retain(Set(new.favourites.favourites.map(\.stop)))
        services.report(.configured(services.assembly.setup(new)))
        if services.assembly.needsDisplay(configuration, after: old.configuration) {
            services.display.replace(services.assembly.display(configuration.display))
        }
        if services.assembly.needsButtons(configuration, after: old.configuration) {
            services.buttons.replace(services.assembly.buttons(configuration.buttons))
        }
        for remark in configuration.warnings where !old.configuration.warnings.contains(remark) {
            logger.info("\(remark)")
        }
        log.valid(
            isChanged: configuration != old.configuration || new.favourites != old.favourites,
            Daemon.count(new.favourites.favourites.count, "favourite"))
    }
}

/// Why a new configuration was not taken over; the old one stays.
enum ReloadFailure: Error {
    /// The files are faulty.
    case faulty(ConfigurationFaults)
    /// A feed cannot be made of them.
    case feed(FeedSettingFailure)
    /// The system gave no thread to read them on.
    case noThread(ThreadFailure)
}
