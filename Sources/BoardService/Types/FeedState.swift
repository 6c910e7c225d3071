public import BoardCore

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
