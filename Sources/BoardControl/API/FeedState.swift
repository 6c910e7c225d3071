public import BoardCore

/// A feed that is in use.
public struct FeedState: Hashable, Sendable, Codable {
    /// A key of keys.env that the feed knows.
    public struct Key: Hashable, Sendable, Codable {
        /// Its name ("TFL_APP_KEY"); never what it is.
        public var name: String
        /// Whether there is one.
        public var isSet: Bool

        /// A key.
        public init(name: String, isSet: Bool) {
            self.name = name
            self.isSet = isSet
        }
    }

    /// The name in configuration and identifiers: "tfl".
    public var name: String
    /// The operator's name for people.
    public var title: String
    /// What the operator wants to be said ("Powered by TfL Open Data").
    public var attribution: String
    /// Seconds between two questions about one stop.
    public var intervalSeconds: Double
    /// Its keys.
    public var keys: [Key]

    /// A feed.
    public init(name: FeedName, title: String, attribution: String, interval: Duration, keys: [Key] = []) {
        self.name = name.description
        self.title = title
        self.attribution = attribution
        intervalSeconds = interval / .seconds(1)
        self.keys = keys
    }
}
