/// The declarations of all feeds, for code that reads or writes configuration.
public struct FeedDeclarations: Sendable {
    /// The feeds with one instance each, in listing order.
    public let feeds: [FeedDeclaration]
    /// The kinds of feed with an instance for each configured table.
    public let families: [FeedFamily]

    public init(_ feeds: [FeedDeclaration], families: [FeedFamily] = []) {
        self.feeds = feeds
        self.families = families
    }

    /// The declaration of a feed; nil when there is neither a feed nor a family for the name.
    public subscript(name: FeedName) -> FeedDeclaration? {
        feeds.first { $0.name == name } ?? families.lazy.compactMap { $0.member(name) }.first
    }

    /// The only possible feed; nil when there are several.
    public var only: FeedDeclaration? { families.isEmpty && feeds.count == 1 ? feeds.first : nil }

    /// The names as configured: `tfl`, and `gtfs.NAME` for a family.
    public var names: [String] { feeds.map(\.name.description) + families.map(\.placeholder) }
}

/// Feeds of one kind, with one instance for each table `[feed.FAMILY.NAME]`: one per city.
public struct FeedFamily: Sendable {
    private static let longestName = 32

    /// The prefix of its feeds' names: `gtfs` of `gtfs.lametro`.
    public let name: String
    private let declare: @Sendable (FeedName) -> FeedDeclaration

    public init(_ name: String, declare: @escaping @Sendable (FeedName) -> FeedDeclaration) {
        self.name = name
        self.declare = declare
    }

    /// The names of its feeds, for messages.
    public var placeholder: String { "\(name).NAME" }

    /// The declaration of a member; nil when the name is not in the family.
    public func member(_ feed: FeedName) -> FeedDeclaration? {
        let prefix = name + "."
        let rest = feed.description.dropFirst(prefix.count)
        guard feed.description.hasPrefix(prefix), Self.isName(rest) else { return nil }
        return declare(feed)
    }

    /// Whether the text is a valid member name: lower-case letters, digits and hyphens. The name becomes part of file
    /// names and, in capitals, of key names.
    public static func isName(_ text: some StringProtocol) -> Bool {
        (1...longestName).contains(text.utf8.count) && text.first != "-"
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}
