/// Why a feed cannot be created from its settings.
public struct FeedSettingFailure: Error, Hashable, Sendable, CustomStringConvertible {
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
