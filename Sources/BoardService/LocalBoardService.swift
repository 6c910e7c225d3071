public import BoardCore
import BoardFeeds
import BoardIO
public import BoardStore
import Synchronization

/// The stops and the favourites in this process: configuration files, stop directory and feeds, without a running board.
public struct LocalBoardService: StopService, FavouriteService {
    /// Makes the stop list of a feed, with a transport of its own; nil: the feed has none.
    public typealias CatalogueSource = @Sendable (FeedName) throws -> (any StopCatalogue)?

    public let directory: StopDirectory
    let editor: FavouritesEditor
    let active: @Sendable () throws(ServiceError) -> ActiveConfiguration
    let catalogue: CatalogueSource
    let updates: (any DirectoryUpdating)?
    let clock: any MachineClock
    let routes = RouteCache()
    private let pace = EditPace()

    package func configurationInUse() throws(ServiceError) -> ActiveConfiguration { try active() }

    /// Waits until the file may be written again.
    func awaitTurn() async throws(ServiceError) {
        while let next = pace.next(at: clock.now()) {
            await clock.sleep(until: next)
            if Task.isCancelled { throw ServiceError(.unavailable, "the client has gone; nothing was changed") }
        }
    }

    /// - Parameters:
    ///   - active: returns the configuration in use.
    ///   - catalogue: makes the stop lists of the configuration in use.
    ///   - updates: the updates of the stop directory in this process; nil: it has no write access to the directory.
    public init(
        directory: StopDirectory, editor: FavouritesEditor, clock: any MachineClock,
        active: @escaping @Sendable () throws(ServiceError) -> ActiveConfiguration,
        catalogue: @escaping CatalogueSource, updates: (any DirectoryUpdating)? = nil
    ) {
        self.directory = directory
        self.editor = editor
        self.clock = clock
        self.active = active
        self.catalogue = catalogue
        self.updates = updates
    }
}

/// The pace of all clients together: nobody notices it, and a phone that never stops cannot wear out an SD card.
private final class EditPace: Sendable {
    private let pace = Mutex(WritePace(longest: .seconds(2)))

    /// When the next write may begin; nil: now, and that write counts.
    func next(at now: Instant) -> Instant? {
        pace.withLock { pace in
            if let next = pace.next, now < next { return next }
            pace.wrote(at: now)
            return nil
        }
    }
}

/// A configuration in use, with the feeds and favourites made from it.
public struct ActiveConfiguration: Sendable {
    public var configuration: Configuration
    public var feeds: [FeedName: any DepartureFeed]
    public var favourites: FavouriteResolution

    public init(configuration: Configuration, feeds: [FeedName: any DepartureFeed], favourites: FavouriteResolution) {
        self.configuration = configuration
        self.feeds = feeds
        self.favourites = favourites
    }

    public var profiles: [FeedName: FeedProfile] { feeds.mapValues(\.profile) }

    /// The stops on the board.
    var stops: Set<StopID> { Set(favourites.favourites.map(\.stop)) }

    /// The feeds of the favourites, and those to which a person has given a table or a key before the first favourite.
    var chosenFeeds: Set<FeedName> {
        let tables = Set(configuration.tables.map(\.plainName))
        let given = configuration.feeds.filter { name, settings in
            let secrets = FeedRegistry.declarations[name]?.secrets ?? []
            return tables.contains("feed.\(name)") || secrets.contains { settings.secret($0) != nil }
        }
        return Set(stops.map(\.feed)).union(given.keys)
    }
}

// MARK: - The stop directory

/// The updates of stop lists in this process.
public protocol DirectoryUpdating: Sendable {
    /// The state of every list's update, and when the next one begins; nil while one is running.
    var report: [FeedName: (update: DirectoryState.Update, next: Instant?)] { get }
    /// Requests an update now, from any thread; one in progress continues.
    ///
    /// - Parameter feed: the list, even one that was never downloaded; nil: all lists.
    func request(_ feed: FeedName?)
}

extension LocalBoardService {
    public func directory() async throws(ServiceError) -> [DirectoryState] {
        let editions = (try? await directory.read { $0.editions().found }) ?? []
        let updates = updates?.report ?? [:]
        let (now, wall) = (clock.now(), clock.reading().wall)
        let names = Set(editions.map(\.feed)).union(updates.keys)
        return names.sorted { $0.description < $1.description }.map { name in
            let edition = editions.first { $0.feed == name }
            let (update, next) = updates[name] ?? (.idle, nil)
            return DirectoryState(
                feed: name, stops: edition?.stops ?? 0, lines: edition?.lines ?? 0,
                completed: edition?.completed, update: update,
                nextUpdate: next.map { wall + ($0 - now) })
        }
    }

    public func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState] {
        guard let updates else {
            throw ServiceError(.notAllowed, "boardd has no write access to the stop directory (STATE_DIRECTORY)")
        }
        if let feed {
            try checkList(of: feed)
            guard try list(of: feed) != nil else { throw ServiceError(.notFound, "\(feed) has no stop list") }
        }
        updates.request(feed)
        return try await directory()
    }

    /// The list of a feed; nil: none is configured.
    func list(of feed: FeedName) throws(ServiceError) -> (any StopCatalogue)? {
        do {
            return try catalogue(feed)
        } catch {
            throw ServiceError(.failed, "\(error)")
        }
    }

    /// Rejects a feed that is not configured, or has no list of stops and lines.
    package func checkList(of feed: FeedName) throws(ServiceError) {
        if let reason = FeedRegistry.missingListReason(of: feed) { throw ServiceError(.notFound, reason) }
        guard try active().configuration.feeds.keys.contains(feed) else { throw try unknownFeed(feed) }
    }
    func unknownFeed(_ feed: FeedName) throws(ServiceError) -> ServiceError {
        .unknownFeed(feed, known: try active().configuration.feedNames(of: FeedRegistry.declarations))
    }
}
