/// How a stop's operator stands with us: what the last questions came to.
enum FeedStatus: Hashable, Sendable, Codable {
    /// Nothing was heard yet.
    case loading
    /// The last question was answered.
    case responding
    /// The last questions failed: the newest reason, and how many in a row.
    case failing(FeedFailure.Kind, count: Int)

    /// The standing after another failure.
    func after(_ failure: FeedFailure.Kind) -> FeedStatus {
        if case .failing(_, let count) = self { return .failing(failure, count: count + 1) }
        return .failing(failure, count: 1)
    }

    /// Whether the last question failed.
    var isFailing: Bool {
        if case .failing = self { return true }
        return false
    }
}

/// Whether answers move on: a feed may answer for hours with the same old estimates.
struct FreezeDetector: Hashable, Sendable, Codable {
    /// A newest timestamp that stands still for this long is called frozen: ten polls, five of the longest caches.
    static let frozenAfter = Duration.seconds(300)
    /// Two equal answers are normal: caches.
    static let normalRepeats = 2
    /// Estimates from further in the future than this are a mistake, and prove nothing.
    static let believable = Duration.seconds(60)
    /// Where the newest estimate is as old as this, nobody has to wait to see that it stands still.
    static let oldest = Duration.seconds(600)

    private var newest: Timestamp?
    private var since: Instant?
    private var repeats = 0
    private var isFrozen = false

    /// The newest timestamp, if it stands still.
    var frozenSince: Timestamp? { isFrozen ? newest : nil }

    /// Nothing was observed yet.
    init() {}

    /// Looks at an answer's departures, received at `now`, when it was `moment`. An empty answer is not frozen, nor are
    /// offers: a fare stands for weeks.
    mutating func observe(_ departures: [Departure], at now: Instant, moment: Timestamp) {
        guard
            let madeAt = departures.lazy.filter({ $0.fare == nil }).map(\.madeAt).filter({
                $0 - moment < Self.believable
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
            isFrozen = moment - madeAt > Self.oldest
            return
        }
        repeats += 1
        if repeats >= Self.normalRepeats, now - since >= Self.frozenAfter { isFrozen = true }
    }
}

// MARK: - Kept over a restart

extension FeedStatus {
    /// More failures in a row than any feed has had, so that one more can always be counted.
    fileprivate static let most = 1_000_000_000
    /// No operator asks for more patience.
    private static let longestPatience = Duration.seconds(366 * 86_400)

    /// Whether it is one that questions can have come to.
    var isValid: Bool {
        guard case .failing(let kind, let count) = self else { return true }
        guard (0...Self.most).contains(count) else { return false }
        guard case .rateLimited(let patience?) = kind else { return true }
        return (.zero...Self.longestPatience).contains(patience)
    }
}

extension FreezeDetector {
    /// A movement that was kept.
    ///
    /// - Throws: `DecodingError` for one that no answers can have had.
    init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        newest = try kept.decodeIfPresent(Timestamp.self, forKey: .newest)
        since = try kept.decodeIfPresent(Instant.self, forKey: .since)
        repeats = try kept.decode(Int.self, forKey: .repeats)
        isFrozen = try kept.decodeIfPresent(Bool.self, forKey: .isFrozen) ?? false
        guard (0...FeedStatus.most).contains(repeats) else {
            throw DecodingError.invalid("no count of repeats", in: decoder)
        }
    }
}
