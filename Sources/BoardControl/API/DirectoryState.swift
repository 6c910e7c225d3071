public import BoardCore

/// The stop directory of one feed.
public struct DirectoryState: Hashable, Sendable, Codable {
    /// The update of a directory.
    public struct Update: Hashable, Sendable, Codable {
        /// Whether one is under way.
        public enum State: String, CaseIterable, Sendable, Codable {
            /// None is.
            case idle
            /// One is.
            case running
            /// None is, and the last one failed.
            case failed
        }

        /// Whether one is under way.
        public var state: State
        /// The page of the operator's list that is being read, from 1.
        public var page: Int?
        /// How much of the list was read, from 0 to 1; nil where the operator does not say how long it is.
        public var fraction: Double?
        /// Why the last one failed.
        public var error: String?

        /// An update.
        public init(state: State, page: Int? = nil, fraction: Double? = nil, error: String? = nil) {
            self.state = state
            self.page = page
            self.fraction = fraction
            self.error = error
        }
    }

    /// The feed.
    public var feed: String
    /// How many stops it holds; 0 when there is none yet.
    public var stops: Int
    /// How many lines it holds.
    public var lines: Int
    /// When the operator's list had been read to its end; nil when that has never been.
    public var completed: RFC3339Timestamp?
    /// The update under way, or the last one.
    public var update: Update
    /// When the next update begins by itself.
    public var nextUpdate: RFC3339Timestamp?

    /// A directory.
    public init(
        feed: FeedName, stops: Int, lines: Int, completed: RFC3339Timestamp? = nil,
        update: Update = Update(state: .idle),
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
