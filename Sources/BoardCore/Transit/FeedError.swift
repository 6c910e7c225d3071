/// Why a request failed, in terms that are the same for every operator.
public struct FeedError: Error, Hashable, Sendable {
    /// The kinds of failure that need different actions.
    public enum Kind: Hashable, Sendable, Codable {
        /// The host name does not resolve, or there is no route.
        case noNetwork
        /// The certificate is outside its validity period. With an uncertain clock this means "waiting for the time".
        case certificateDate
        /// The certificate is invalid for another reason.
        case certificate
        /// The connection or the response timed out, or the connection was refused.
        case timedOut
        case keyRejected
        /// The operator needs a key and none is configured.
        case keyMissing
        /// The operator has no such stop.
        case unknownStop
        /// Too many requests; retry after this time, if the operator sent one.
        case rateLimited(retryAfter: Duration?)
        /// An HTTP status other than 200.
        case status(Int)
        /// The response is not in the expected format (HTML, truncated, over the size limit).
        case unreadable
        /// This machine lacks the time zone of the operator's stops.
        case noZone
        /// The request was cancelled: the program ends or the stop is no longer a favourite.
        case cancelled

        /// Whether only a person can resolve the failure.
        package var isRejection: Bool {
            switch self {
            case .keyRejected, .keyMissing, .unknownStop: true
            default: false
            }
        }
    }

    /// Departures that a feed has cached, returned with a failure.
    public struct CachedDepartures: Hashable, Sendable {
        /// The stop, as in ``FeedResponse/stop``.
        public let stop: Stop
        /// The cached departures that have not expired, as in ``FeedResponse/departures``.
        public let departures: [Departure]

        public init(stop: Stop, departures: [Departure]) {
            self.stop = stop
            self.departures = departures
        }
    }

    public let kind: Kind
    /// A sentence for the log: where, what was found, what was expected. Contains no key.
    public let detail: String
    /// The number of HTTP requests sent until the failure.
    public var requests: Int
    /// The wait that the operator requests (`Retry-After`), for any kind; nil: not sent.
    public let retryAfter: Duration?
    /// The cached departures, for a request for departures; nil: the board keeps the rows of the previous response.
    public let cached: CachedDepartures?

    /// - Parameter retryAfter: the operator's wait for kinds other than `rateLimited`, which has its own.
    public init(
        _ kind: Kind, detail: String, requests: Int = 1, retryAfter: Duration? = nil, cached: CachedDepartures? = nil
    ) {
        self.kind = kind
        self.retryAfter = if case .rateLimited(let wait) = kind { wait } else { retryAfter }
        self.detail = detail
        self.requests = requests
        self.cached = cached
    }
}

/// Why a feed cannot be created from its settings.
public struct FeedSettingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key in the operator's table. "zone" may be the operator's time zone, which is not configured but must exist
    /// on this machine.
    public let setting: String
    /// What was found, the fault and the remedy, without a full stop.
    public let detail: String
    /// The feed of the table; nil while unknown.
    public let feed: FeedName?

    public init(setting: String, detail: String, feed: FeedName? = nil) {
        self.setting = setting
        self.detail = detail
        self.feed = feed
    }

    public var description: String { (feed.map { "[feed.\($0)] " } ?? "") + "\(setting): \(detail)" }
}

extension FeedError.Kind {
    /// Parses a word of the API; nil for any other.
    ///
    /// - Parameters:
    ///   - status: the HTTP status, for "status".
    ///   - retryAfter: for "rate-limited".
    package init?(word: String, status: Int?, retryAfter: Duration?) {
        let kinds: [Self] = [
            .noNetwork, .certificateDate, .certificate, .timedOut, .keyRejected, .keyMissing, .unknownStop,
            .rateLimited(retryAfter: retryAfter), .status(status ?? 0), .unreadable, .noZone, .cancelled,
        ]
        guard let kind = kinds.first(where: { $0.word == word }) else { return nil }
        self = kind
    }

    /// The word of the API.
    package var word: String {
        switch self {
        case .noNetwork: "no-network"
        case .certificateDate: "certificate-date"
        case .certificate: "certificate"
        case .timedOut: "timed-out"
        case .keyRejected: "key-rejected"
        case .keyMissing: "key-missing"
        case .unknownStop: "unknown-stop"
        case .rateLimited: "rate-limited"
        case .status: "status"
        case .unreadable: "unreadable"
        case .noZone: "no-zone"
        case .cancelled: "cancelled"
        }
    }
}
