/// Why a question got no answer, in the board's own terms: the same for every operator.
public struct FeedFailure: Error, Hashable, Sendable {
    /// What a person can tell apart, and does something else about.
    public enum Kind: Hashable, Sendable, Codable {
        /// The name does not resolve, or no route leads there.
        case noNetwork
        /// The certificate is refused by its date: with an unsure clock that means "waiting for the time".
        case certificateDate
        /// The certificate is refused for another reason.
        case certificate
        /// The operator accepts nothing, or does not answer in time.
        case timedOut
        /// The operator refuses the key.
        case keyRejected
        /// The operator wants a key and none is configured.
        case keyMissing
        /// The operator does not know the stop.
        case unknownStop
        /// Too many requests; ask again after this time, where the operator said one.
        case rateLimited(retryAfter: Duration?)
        /// Another HTTP status than 200.
        case status(Int)
        /// The answer is not what the format promises (HTML, cut short, over the size limit).
        case unreadable
        /// The question was abandoned, because the program ends or the stop is no longer a favourite.
        case cancelled

        /// Whether only a person can end it.
        var isRejection: Bool {
            switch self {
            case .keyRejected, .keyMissing, .unknownStop: true
            default: false
            }
        }
    }

    /// What a feed knows of a stop although nobody answered, because it keeps what it is told.
    public struct CachedDepartures: Hashable, Sendable {
        /// The stop, as ``FeedResponse/stop``.
        public let stop: Stop
        /// The departures that were told last and are not over, as ``FeedResponse/departures``.
        public let departures: [Departure]

        /// What is known.
        public init(stop: Stop, departures: [Departure]) {
            self.stop = stop
            self.departures = departures
        }
    }

    /// What went wrong.
    public let kind: Kind
    /// A sentence for the log: where, what was found, what was expected. Holds no key.
    public let detail: String
    /// Requests that the failure cost.
    public let requests: Int
    /// How long the operator wants to be left alone, whatever is wrong with it; nil: it does not say.
    public let retryAfter: Duration?
    /// What is known all the same, of a question about departures; nil: what was told before stays, and ages.
    public let cached: CachedDepartures?

    /// A failure.
    ///
    /// - Parameter retryAfter: what the operator says of another one than `throttled`, which has its own.
    public init(
        _ kind: Kind, detail: String, requests: Int = 1, retryAfter: Duration? = nil,
        cached: CachedDepartures? = nil
    ) {
        self.kind = kind
        self.retryAfter = if case .rateLimited(let wanted) = kind { wanted } else { retryAfter }
        self.detail = detail
        self.requests = requests
        self.cached = cached
    }

    /// The same failure with every time moved by `shift`.
    public func shifted(by shift: Duration) -> FeedFailure {
        FeedFailure(
            kind, detail: detail, requests: requests, retryAfter: retryAfter,
            cached: cached.map { cached in
                CachedDepartures(stop: cached.stop, departures: cached.departures.map { $0.shifted(by: shift) })
            })
    }
}
