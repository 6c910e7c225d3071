/// The name of a feed in configuration and stop identifiers: `tfl`, `gtfs.lametro`.
public struct FeedName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ name: String) {
        description = name
    }
}
