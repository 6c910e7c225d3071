/// Why no feed can be made of what a person configured.
public struct FeedSettingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key in the operator's table. "zone" may be the operator's time zone, which nobody configures and this machine must
    /// know.
    public let setting: String
    /// What was found, what is wrong with it and what to do, without an end.
    public let detail: String
    /// In whose table; nil while that is not known.
    public let feed: FeedName?

    /// A failure.
    public init(setting: String, detail: String, feed: FeedName? = nil) {
        self.setting = setting
        self.detail = detail
        self.feed = feed
    }

    /// The table, the setting and what is wrong with it.
    public var description: String { (feed.map { "[feed.\($0)] " } ?? "") + "\(setting): \(detail)" }
}
