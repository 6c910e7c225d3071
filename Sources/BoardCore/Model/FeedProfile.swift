/// What a feed declares of itself, so that no other file learns its name.
public struct FeedProfile: Hashable, Sendable {
    /// How many requests an operator allows in any window of `per`.
    public struct Quota: Hashable, Sendable {
        /// Requests allowed in one window.
        public let requests: Int
        /// The window's length.
        public let per: Duration

        /// A quota.
        public init(requests: Int, per: Duration) {
            self.requests = requests
            self.per = per
        }
    }

    /// What stands first in a row: that by which riders know a departure.
    public enum LeadingColumn: Hashable, Sendable {
        /// The line: of buses and trams, and wherever a line is a promise.
        case line
        /// The booked time, and the platform behind the destination: of trains that have times of their own.
        case booked
        /// The day: of what is offered or booked weeks ahead.
        case day
    }

    /// The name in configuration and stop identifiers.
    public let name: FeedName
    /// The operator's name for people and for the log.
    public let title: String
    /// What the glass calls the operator: one short word, of four letters or so.
    public let shortTitle: String
    /// The words that the operator's terms ask for.
    public let attribution: String
    /// The age from which an estimate is marked as aged.
    public let staleAfter: Duration
    /// Endings of stop names that say nothing on a board, as the operator writes them.
    public let suffixes: [String]
    /// Short forms of long line names, by the line's identifier.
    public let shortLines: [String: String]
    /// What stands first in a row.
    public let leadingColumn: LeadingColumn
    /// The time between two polls of one stop.
    public let interval: Duration
    /// What the operator allows.
    public let quota: Quota

    /// A feed's declaration.
    ///
    /// - Parameter shortTitle: what the glass calls the operator; nil: the title is short enough.
    public init(
        name: FeedName, title: String, shortTitle: String? = nil, attribution: String, staleAfter: Duration,
        suffixes: [String],
        shortLines: [String: String] = [:], leadingColumn: LeadingColumn = .line, interval: Duration, quota: Quota
    ) {
        self.name = name
        self.title = title
        self.shortTitle = shortTitle ?? title
        self.attribution = attribution
        self.staleAfter = staleAfter
        self.suffixes = suffixes
        self.shortLines = shortLines
        self.leadingColumn = leadingColumn
        self.interval = interval
        self.quota = quota
    }
}
