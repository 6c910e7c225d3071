public import BoardCore

/// A feed in use.
public struct FeedState: Hashable, Sendable, Codable {
    /// A key of keys.env that the feed uses.
    public struct Key: Hashable, Sendable, Codable {
        /// The name ("TFL_APP_KEY"), never the value.
        public var name: String
        /// Whether it has a value.
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
    /// The keys of keys.env that it uses.
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
    /// The running update of a stop directory, or the last one.
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

    /// The name of the feed.
    public var feed: String
    /// The number of stops; 0 before the first download.
    public var stops: Int
    /// The number of lines.
    public var lines: Int
    /// When the last download was complete; nil if never.
    public var completed: Timestamp?
    /// The running update, or the last one.
    public var update: Update
    /// When the next scheduled update starts.
    public var nextUpdate: Timestamp?

    public init(
        feed: FeedName, stops: Int, lines: Int, completed: Timestamp? = nil,
        update: Update = .idle,
        nextUpdate: Timestamp? = nil
    ) {
        self.feed = feed.description
        self.stops = stops
        self.lines = lines
        self.completed = completed
        self.update = update
        self.nextUpdate = nextUpdate
    }
}
