import BoardCore
import BoardDisplays
import BoardFeeds
import BoardFleet
import BoardIO
import BoardService
import BoardStore
import ServiceLifecycle
import Synchronization

/// Reloads the configuration: on SIGHUP, after a change of favourites.toml or the stop directory, and on a request over
/// the control socket. A file with faults changes nothing, and is reported on the display and in the log.
final class ReloadService: Service {
    /// The services that a reload updates, and the factories it uses.
    struct Services: Sendable {
        let devices: DeviceFactory
        let feedFactory: FeedFactory
        let directory: StopDirectory
        let display: DisplayService
        let polls: PollService
        let buttons: ButtonService
        /// Nil: another process is the main board, and the name of the board in the fleet is taken.
        let fleet: FleetService?
        /// The display that a search has found, until a reload takes it over.
        let found: Locked<DisplayWiring?>
        let report: @Sendable (Board.Event) -> Void
    }

    private let state: Mutex<ActiveConfiguration>
    /// Held during a reload, by a thread that may block.
    private let working = Mutex(())
    private let requests: BufferedSignal
    private let option: ConfigurationOption
    private let services: Services
    private let log: ConfigurationLog
    private let threshold: LogThreshold

    init(
        current: ActiveConfiguration, requests: BufferedSignal, option: ConfigurationOption, services: Services,
        log: ConfigurationLog, threshold: LogThreshold
    ) {
        state = Mutex(current)
        self.requests = requests
        self.option = option
        self.services = services
        self.log = log
        self.threshold = threshold
    }

    var current: ActiveConfiguration { state.withLock { $0 } }

    /// Makes the catalogues of the configuration in use.
    var catalogue: LocalBoardService.CatalogueSource {
        { feed in
            let current = self.current
            return try self.services.feedFactory.catalogue(
                of: feed, current.configuration, stops: current.favourites.favourites.map(\.stop))
        }
    }

    /// The feeds with a stop list to download: single operators, and cities that have a favourite or a downloaded list.
    func listed(withListsOf downloaded: Set<FeedName>) -> Set<FeedName> {
        let (configured, used) = state.withLock { state in
            (state.configuration.feeds, Set(state.favourites.favourites.map(\.stop.feed)))
        }
        return Set(FeedFactory.listed(of: configured, using: used.union(downloaded)))
    }

    /// Requests a reload, from any thread; requests that come during one are merged.
    func request() { requests.send() }

    /// Reloads now.
    ///
    /// - Throws: ``ServiceError``, which is already on the display and in the log; the old configuration stays.
    func reload() async throws(ServiceError) {
        // A slow disk blocks only this thread.
        try await DedicatedThread.attempt("reload") {
            try self.working.withLock { _ throws(ServiceError) in try self.read() }
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in self.requests.signals() { try? await self.reload() }
        }
    }

    private func read() throws(ServiceError) {
        if let display = services.found.exchange(nil) { use(display) }
        var new: Configuration
        do {
            new = try option.load()
        } catch {
            log.faulty(error.faults.map { "\($0)" }, so: "the configuration is faulty; the old one stays")
            services.report(.faultyConfiguration(error.position))
            throw ServiceError(error, "the configuration is faulty; the old one stays")
        }
        let old = current
        // It is connected, and goes on.
        if new.display.origin == .searched, old.configuration.display.origin == .found {
            new.display = old.configuration.display
        }
        var feeds = old.feeds
        do {
            // Feeds with unchanged settings keep their caches and the requests in flight.
            if !new.hasFeeds(of: old.configuration) {
                feeds = try services.feedFactory.feeds(new)
            }
        } catch {
            log.faulty(["\(error)"], so: "the old configuration stays")
            services.report(.faultyConfiguration(option.place))
            throw ServiceError(.invalid, "\(error); the old configuration stays")
        }
        let favourites = FavouriteResolution(new.entries, in: services.directory, log: log)
        apply(ActiveConfiguration(configuration: new, feeds: feeds, favourites: favourites), after: old)
        log.remarks(new.warnings.filter { !old.configuration.warnings.contains($0) })
        log.valid(
            isChanged: new != old.configuration || favourites != old.favourites,
            Daemon.count(favourites.favourites.count, "favourite"))
    }

    /// Takes over the display that was found: pages and feeds follow its size and its letters. Needs no file, so that a faulty
    /// one does not prevent it.
    private func use(_ display: DisplayWiring) {
        let old = current
        // The configuration has one by now.
        guard old.configuration.display.origin != .configured else { return }
        var new = old
        new.configuration.display = display
        if !new.configuration.hasFeeds(of: old.configuration),
            let feeds = try? services.feedFactory.feeds(new.configuration)
        {
            new.feeds = feeds
        }
        apply(new, after: old)
    }

    private func apply(_ new: ActiveConfiguration, after old: ActiveConfiguration) {
        let configuration = new.configuration
        state.withLock { $0 = new }
        threshold.set(configuration.logLevel)
        // Before the polls, which are shared through it.
        services.fleet?.configure(configuration)
        if !configuration.hasFeeds(of: old.configuration) { services.polls.replace(new.feeds) }
        services.feedFactory.favourites.value = new.favourites.favourites.map(\.stop)
        services.polls.retain(Set(new.favourites.favourites.map(\.stop)))
        services.report(.configured(services.devices.setup(new)))
        if configuration.entries.isEmpty { services.report(.machine(MachineAddress.text)) }
        if services.devices.needsDisplay(configuration, after: old.configuration) {
            services.display.replace(services.devices.display(configuration.display))
        }
        if services.devices.needsButtons(configuration, after: old.configuration) {
            services.buttons.replace(services.devices.buttons(configuration.buttons))
        }
    }
}
