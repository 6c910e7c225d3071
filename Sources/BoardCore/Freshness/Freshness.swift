/// The reliability of a time.
public enum Freshness: Hashable, Sendable {
    /// A realtime estimate.
    case live
    /// A realtime estimate older than the feed's `staleAfter`.
    case stale
    /// Only the timetable.
    case scheduled
}

extension Departure {
    /// Of a departure on a board: see ``received(at:staleAfter:)``.
    package func freshness(at moment: Timestamp) -> Freshness {
        if case .scheduled = status { return .scheduled }
        return staleAt.isSomeAnd { moment > $0 } ? .stale : .live
    }
}

/// How long the departures of a feed are shown: the numbers that a feed declares instead of deciding itself.
public struct ExpiryPolicy: Hashable, Sendable {
    /// The age from which an estimate is stale: six polls at 30 s.
    public let staleAfter: Duration
    /// From the expected time of a live departure to its expiry: the time to close the doors, and a rounded minute.
    public let liveGrace: Duration
    /// From the time of a scheduled or cancelled departure to its expiry: no report shows whether it has left.
    public let scheduledGrace: Duration
    /// From the last report of a vehicle at the stop to its expiry, even though its time has passed.
    public let atStopGrace: Duration
    /// From the last report of a delayed departure without an estimate to its expiry: the longest back-off, so that a
    /// temporary failure removes no row.
    public let delayedGrace: Duration
    /// From the last call of a trip, or the last report of it, to the expiry of its details.
    public let detailsGrace: Duration

    public init(
        staleAfter: Duration = .seconds(180), liveGrace: Duration = .seconds(30),
        scheduledGrace: Duration = .seconds(60), atStopGrace: Duration = .seconds(60),
        delayedGrace: Duration = .seconds(300), detailsGrace: Duration = .seconds(120)
    ) {
        self.staleAfter = staleAfter
        self.liveGrace = liveGrace
        self.scheduledGrace = scheduledGrace
        self.atStopGrace = atStopGrace
        self.delayedGrace = delayedGrace
        self.detailsGrace = detailsGrace
    }
}

/// Detects a feed that responds, for hours perhaps, with the same old estimates.
struct FreezeDetector: Hashable, Sendable, Codable {
    /// The newest timestamp is frozen when it has not advanced for this long: ten polls, five times the longest cache.
    static let frozenAfter = Duration.seconds(300)
    /// This many equal responses are normal: operators cache.
    static let normalRepeats = 2
    /// Estimates further in the future than this are errors and are ignored.
    static let futureTolerance = Duration.seconds(60)
    /// When the newest estimate is already this old, it is frozen at once.
    static let frozenAtOnceAfter = Duration.seconds(600)

    private var newest: Timestamp?
    private var since: Instant?
    private var repeats = 0
    private var isFrozen = false

    /// The newest timestamp, if it is frozen.
    var frozenSince: Timestamp? { isFrozen ? newest : nil }

    /// Checks the departures of a response received at `now`, which is `moment`. A response without departures whose
    /// estimates are renewed is not frozen.
    mutating func observe(_ departures: [Departure], at now: Instant, moment: Timestamp) {
        let times = departures.lazy.filter(\.isRenewed).map(\.madeAt)
        guard let madeAt = times.filter({ $0 - moment < Self.futureTolerance }).max() else {
            self = FreezeDetector()
            return
        }
        guard let newest, let since, madeAt <= newest else {
            self = FreezeDetector()
            newest = madeAt
            since = now
            isFrozen = moment - madeAt > Self.frozenAtOnceAfter
            return
        }
        repeats = min(repeats, Self.normalRepeats) + 1
        if repeats >= Self.normalRepeats, now - since >= Self.frozenAfter { isFrozen = true }
    }
}
