public import BoardCore

/// The state of a stop on the board.
public struct StopState: Hashable, Sendable, Codable {
    /// The state of the stop's feed.
    public enum Status: String, CaseIterable, Sendable, Codable {
        /// No response yet.
        case loading
        /// The last request succeeded.
        case live
        /// Responses arrive, but their newest estimate has not changed for minutes.
        case frozen
        /// The last request failed: see ``StopState/lastError``.
        case failing
    }

    /// Why the last failed request failed, or why a part of a response is missing.
    public struct LastError: Hashable, Sendable, Codable {
        /// A word for programs: "rate-limited".
        public var kind: String
        /// Where the error occurred, what was found, what was expected. Contains no key.
        public var detail: String
        public var at: RFC3339Timestamp

        public init(_ failure: FeedError.Kind, detail: String, at: RFC3339Timestamp) {
            kind = failure.word
            self.detail = detail
            self.at = at
        }
    }

    /// The stop, `feed:code`.
    public var stop: String
    /// The operator's name for the stop; its identifier before the first response.
    public var name: String
    /// The label on the display, if the user set one.
    public var label: String?
    /// The lines on the board; empty: all.
    public var lines: [String]
    /// The distance of a stop that was found by proximity.
    public var distanceMetres: Double?
    public var status: Status
    /// When the last response arrived; nil before the first.
    public var lastResponseAt: RFC3339Timestamp?
    /// The age of that response in seconds, by the monotonic clock.
    public var ageSeconds: Double?
    /// When the operator made the newest estimate; nil if there is none. A new response may contain old estimates.
    public var newestEstimate: RFC3339Timestamp?
    /// The number of departures that are valid now.
    public var departures: Int
    /// The end of the operator's timetable; nil if there is none or the operator does not report it. An empty list
    /// after it does not mean that nothing runs.
    public var timetableEndsAt: RFC3339Timestamp?
    /// Why the last failed request failed; nil if none has failed since the last response.
    public var lastError: LastError?
    /// Why a part of the last response is missing, such as all realtime data; nil if it is complete.
    public var partialFailure: LastError?
    /// When the next poll is due; nil if none is planned.
    public var nextPoll: RFC3339Timestamp?

    public init(
        stop: StopID, name: String, label: String? = nil, lines: [String] = [], distance: Metres? = nil,
        status: Status, lastResponseAt: RFC3339Timestamp? = nil, ageSeconds: Double? = nil,
        newestEstimate: RFC3339Timestamp? = nil, departures: Int = 0, timetableEndsAt: RFC3339Timestamp? = nil,
        lastError: LastError? = nil, partialFailure: LastError? = nil, nextPoll: RFC3339Timestamp? = nil
    ) {
        self.stop = stop.description
        self.name = name
        self.label = label
        self.lines = lines
        distanceMetres = distance?.count
        self.status = status
        self.lastResponseAt = lastResponseAt
        self.ageSeconds = ageSeconds
        self.newestEstimate = newestEstimate
        self.departures = departures
        self.timetableEndsAt = timetableEndsAt
        self.lastError = lastError
        self.partialFailure = partialFailure
        self.nextPoll = nextPoll
    }
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

/// A feed in use.
public struct FeedState: Hashable, Sendable, Codable {
    /// A key of keys.env that the feed uses.
    public struct Key: Hashable, Sendable, Codable {
        /// The name ("TFL_APP_KEY"), never the value.
        public var name: String
        public var isSet: Bool

        public init(name: String, isSet: Bool) {
            self.name = name
            self.isSet = isSet
        }
    }

    /// The name in configuration and identifiers: "tfl".
    public var name: String
    /// The operator's display name.
    public var title: String
    /// The attribution that the operator requires ("Powered by TfL Open Data").
    public var attribution: String
    /// Seconds between two polls of one stop.
    public var intervalSeconds: Double
    public var keys: [Key]

    public init(name: FeedName, title: String, attribution: String, interval: Duration, keys: [Key] = []) {
        self.name = name.description
        self.title = title
        self.attribution = attribution
        intervalSeconds = interval / .seconds(1)
        self.keys = keys
    }
}

/// The stop directory of one feed.
public struct DirectoryState: Hashable, Sendable, Codable {
    public struct Update: Hashable, Sendable, Codable {
        public enum State: String, CaseIterable, Sendable, Codable {
            /// No update is running.
            case idle
            case running
            /// No update is running; the last one failed.
            case failed
        }

        public var state: State
        /// The page of the operator's list that is being downloaded, from 1.
        public var page: Int?
        /// The part of the list that has been downloaded, from 0 to 1; nil if the operator does not report its length.
        public var fraction: Double?
        /// Why the last update failed.
        public var error: String?
        /// The kind of that error.
        public var errorKind: ServiceError.Kind?

        public init(state: State, page: Int? = nil, fraction: Double? = nil, error: ServiceError? = nil) {
            self.state = state
            self.page = page
            self.fraction = fraction
            self.error = error?.message
            errorKind = error?.kind
        }

        public static let idle = Update(state: .idle)

        /// - Parameter pages: the number of completed pages.
        public static func running(pages: Int, fraction: Double?) -> Update {
            Update(state: .running, page: pages + 1, fraction: fraction)
        }

        public static func failed(_ error: ServiceError) -> Update { Update(state: .failed, error: error) }
    }

    public var feed: String
    /// The number of stops; 0 before the first download.
    public var stops: Int
    public var lines: Int
    /// When the last download was complete; nil if never.
    public var completed: RFC3339Timestamp?
    /// The running update, or the last one.
    public var update: Update
    /// When the next scheduled update starts.
    public var nextUpdate: RFC3339Timestamp?

    public init(
        feed: FeedName, stops: Int, lines: Int, completed: RFC3339Timestamp? = nil,
        update: Update = .idle,
        nextUpdate: RFC3339Timestamp? = nil
    ) {
        self.feed = feed.description
        self.stops = stops
        self.lines = lines
        self.completed = completed
        self.update = update
        self.nextUpdate = nextUpdate
    }
}
