/// Detects a feed that responds, for hours perhaps, with the same old estimates.
struct FreezeDetector: Hashable, Sendable, Codable {
    /// The newest timestamp is frozen when it has not advanced for this long: ten polls, five of the longest caches.
    static let frozenAfter = Duration.seconds(300)
    /// Equal responses are normal this often: operators cache.
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

    /// Examines the departures of a response, received at `now`, which is `moment`. A response without departures whose
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
