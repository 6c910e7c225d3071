/// The name of a feed in configuration and stop identifiers: `tfl`, `gtfs.lametro`.
public struct FeedName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Accepts any text.
    public init(_ name: String) {
        description = name
    }
}
