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

    /// The limit of the repeats, so that they can always be incremented.
    private static let maximumRepeats = 1_000_000_000

    private var newest: Timestamp?
    private var since: Instant?
    private var repeats = 0
    private var isFrozen = false

    /// The newest timestamp, if it is frozen.
    var frozenSince: Timestamp? { isFrozen ? newest : nil }

    init() {}

    /// Examines the departures of a response, received at `now`, which is `moment`. An empty response is not frozen,
    /// nor are offers: a fare is unchanged for weeks.
    mutating func observe(_ departures: [Departure], at now: Instant, moment: Timestamp) {
        guard
            let madeAt = departures.lazy.filter({ $0.fare == nil }).map(\.madeAt).filter({
                $0 - moment < Self.futureTolerance
            })
            .max()
        else {
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
        repeats += 1
        if repeats >= Self.normalRepeats, now - since >= Self.frozenAfter { isFrozen = true }
    }
}

// MARK: - Snapshot

extension FreezeDetector {
    /// - Throws: `DecodingError` for a state that no responses can cause.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        newest = try container.decodeIfPresent(Timestamp.self, forKey: .newest)
        since = try container.decodeIfPresent(Instant.self, forKey: .since)
        repeats = try container.decode(Int.self, forKey: .repeats)
        isFrozen = try container.decodeIfPresent(Bool.self, forKey: .isFrozen) ?? false
        guard (0...Self.maximumRepeats).contains(repeats) else {
            throw DecodingError.invalid("repeats out of range", in: decoder)
        }
    }
}
