import BoardCore
import BoardFeeds
import Logging
import Synchronization

/// Logs when an operator starts to fail and when it has recovered, nothing in between: writing wears out an SD card.
struct FaultLog {
    /// Faults that only a person can fix: logged once each until they are fixed.
    private enum PersistentFault: Hashable {
        case key(FeedName)
        case stop(StopID)
        /// Trip details, which may have a key and an address of their own.
        case details(FeedName)
    }

    /// One or two failed requests are normal on a network.
    private static let failuresBeforeLogging = 3

    private let log: RateLimitedLog
    /// Failed requests in a row.
    private var failures: [StopID: Int] = [:]
    private var detailFailures: [FeedName: Int] = [:]
    private var outages: Set<FeedName> = []
    private var persistentFaults: Set<PersistentFault> = []
    private var loggedBadRows: Set<StopID> = []
    /// Responses with partial data in a row.
    private var partial: [StopID: Int] = [:]
    /// Operators whose partial data was logged, and those that have sent complete data once.
    private var partialFeeds: Set<FeedName> = []
    private var completeFeeds: Set<FeedName> = []

    init(_ log: RateLimitedLog) {
        self.log = log
    }

    mutating func succeeded(_ response: FeedResponse, by profile: FeedProfile) {
        let stop = response.stop.id
        failures[stop] = nil
        if persistentFaults.remove(.stop(stop)) != nil {
            log.log(.notice, "\(profile.title): stop \(stop) found again")
        }
        if persistentFaults.remove(.key(stop.feed)) != nil {
            log.log(.notice, "\(profile.title): key accepted again")
        }
        if outages.contains(stop.feed), !failures.contains(where: { $0.key.feed == stop.feed }) {
            outages.remove(stop.feed)
            log.log(.notice, "\(profile.title): responding again")
        }
        if response.badRows > 0, loggedBadRows.insert(stop).inserted {
            log.log(.warning, "\(profile.title): skipped \(response.badRows) malformed rows of \(stop). Logged once.")
        }
        observe(response.partialFailure, at: stop, of: profile)
    }

    /// Logs partial data: at once if it is new for the operator or only a person can fix it.
    private mutating func observe(_ partialFailure: FeedError?, at stop: StopID, of profile: FeedProfile) {
        guard let partialFailure else {
            partial[stop] = nil
            completeFeeds.insert(stop.feed)
            guard !partial.contains(where: { $0.key.feed == stop.feed }), partialFeeds.remove(stop.feed) != nil else {
                return
            }
            return log.log(.notice, "\(profile.title): data complete again")
        }
        log.debug("\(stop): partial data: \(partialFailure.detail)")
        partial[stop, default: 0] += 1
        let isLasting =
            switch partialFailure.kind {
            case .keyMissing, .keyRejected, .unknownStop, .certificate: true
            default: partial[stop, default: 0] >= Self.failuresBeforeLogging || !completeFeeds.contains(stop.feed)
            }
        guard isLasting, partialFeeds.insert(stop.feed).inserted else { return }
        log.log(.warning, "\(profile.title): partial data: \(partialFailure.detail)")
    }

    mutating func failed(_ stop: StopID, _ failure: FeedError, of profile: FeedProfile) {
        log.debug("\(stop): \(failure.detail)")
        let isNew: Bool
        switch failure.kind {
        case .cancelled: return
        case .keyRejected, .keyMissing: isNew = persistentFaults.insert(.key(stop.feed)).inserted
        case .unknownStop: isNew = persistentFaults.insert(.stop(stop)).inserted
        default:
            failures[stop, default: 0] += 1
            isNew = failures[stop, default: 0] >= Self.failuresBeforeLogging && outages.insert(stop.feed).inserted
        }
        guard isNew else { return }
        // A server error says so itself.
        let rest = failure.detail.contains("Retrying") ? "" : " Retrying."
        log.log(.warning, "\(profile.title): \(failure.detail).\(rest)")
    }

    mutating func detailsSucceeded(by profile: FeedProfile) {
        detailFailures[profile.name] = nil
        if persistentFaults.remove(.details(profile.name)) != nil {
            log.log(.notice, "\(profile.title): calling points available again")
        }
    }

    mutating func detailsFailed(_ failure: FeedError, of profile: FeedProfile) {
        let feed = profile.name
        log.debug("\(feed), trip details: \(failure.detail)")
        switch failure.kind {
        case .cancelled: return
        case .keyRejected, .keyMissing, .unknownStop: break
        default:
            // Failed polls already log an outage of the operator.
            detailFailures[feed, default: 0] += 1
            guard detailFailures[feed, default: 0] >= Self.failuresBeforeLogging, !outages.contains(feed) else {
                return
            }
        }
        guard persistentFaults.insert(.details(feed)).inserted else { return }
        log.log(
            .warning, "\(profile.title): \(failure.detail). Detail pages show no calling points until this is fixed.")
    }

    /// The configuration was reloaded: forgets the faults of stops that are no longer favourites.
    mutating func retain(_ stops: Set<StopID>) {
        failures = failures.filter { stops.contains($0.key) }
        partial = partial.filter { stops.contains($0.key) }
        persistentFaults = persistentFaults.filter { fault in
            if case .stop(let stop) = fault { stops.contains(stop) } else { true }
        }
    }
}

/// Logs faults of the running program, at most ten lines a day for all: writing wears out an SD card, and faults recur.
/// What a person did (start, stop, reload) is not a fault; reloads have their own limit, since a client may cause them.
final class RateLimitedLog: Sendable {
    /// The limit in any 24 hours: five faults that begin and end.
    static let lines = 10
    /// The limit of reloads.
    static let reloads = 20
    private let logger: Logger
    private let clock: any MachineClock
    private let limiter: Mutex<RateLimiter>

    init(_ logger: Logger, clock: any MachineClock, limit: Int = lines) {
        self.logger = logger
        self.clock = clock
        limiter = Mutex(RateLimiter(limit, per: .seconds(86_400)))
    }

    /// Logs a sentence, from any thread; the day's last line says that it is the last.
    func log(_ level: Logger.Level, _ sentence: String) {
        let now = clock.now()
        // Lines below the threshold do not count.
        guard level >= logger.logLevel else { return }
        guard let isLast = limiter.withLock({ $0.takeLast(at: now) }) else { return }
        let end = isLast ? " (Log limit reached: no more of these lines today.)" : ""
        logger.log(level: level, "\(sentence)\(end)")
    }

    @Sendable func log(_ note: FeedStorage.LogEntry) {
        switch note {
        case .completed(let sentence), .info(let sentence): log(.info, sentence)
        case .warning(let sentence): log(.warning, sentence)
        case .recovered(let sentence): log(.notice, sentence)
        }
    }

    /// Logs a detail: only written at level debug, and not limited.
    func debug(_ sentence: @autoclosure () -> String) {
        logger.debug("\(sentence())")
    }
}
