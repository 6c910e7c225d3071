/// The name of a feed as configuration and stop identifiers write it: `tfl`, `gtfs.lametro`.
public struct FeedName: Hashable, Sendable, CustomStringConvertible {
    /// The name as written.
    public let description: String

    /// A feed's name; any text.
    public init(_ name: String) {
        description = name
    }
}
