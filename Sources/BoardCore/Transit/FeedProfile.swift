/// A feed's properties, so that no other file contains its name.
public struct FeedProfile: Hashable, Sendable {
    /// The number of requests that an operator allows in any window of length `per`.
    public struct Quota: Hashable, Sendable {
        public let requests: Int
        public let per: Duration

        public init(requests: Int, per: Duration) {
            self.requests = requests
            self.per = per
        }
    }

    /// The first column of a row: what riders recognise a departure by.
    public enum LeadingColumn: Hashable, Sendable {
        /// The line: buses, trams, and all services without individual times.
        case line
        /// The booked time, with the platform after the destination: trains with individual times.
        case booked
        /// The day: departures offered or booked weeks ahead.
        case day
    }

    /// The name in configuration and stop identifiers.
    public let name: FeedName
    /// The operator's name in messages and in the log.
    public let title: String
    /// The operator's name on the display: one word of about four letters. Default: the title.
    public let shortTitle: String
    /// The attribution that the operator's terms require.
    public let attribution: String
    public let expiry: ExpiryPolicy
    /// Suffixes of the operator's stop names that carry no information on a board.
    public let suffixes: [String]
    /// Short forms of long line names, by line identifier.
    public let shortLines: [String: String]
    public let leadingColumn: LeadingColumn
    /// The time between two polls of one stop.
    public let interval: Duration
    public let quota: Quota

    public init(
        name: FeedName, title: String, shortTitle: String? = nil, attribution: String,
        expiry: ExpiryPolicy = ExpiryPolicy(), suffixes: [String], shortLines: [String: String] = [:],
        leadingColumn: LeadingColumn = .line, interval: Duration, quota: Quota
    ) {
        self.name = name
        self.title = title
        self.shortTitle = shortTitle ?? title
        self.attribution = attribution
        self.expiry = expiry
        self.suffixes = suffixes
        self.shortLines = shortLines
        self.leadingColumn = leadingColumn
        self.interval = interval
        self.quota = quota
    }
}
