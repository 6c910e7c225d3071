/// What all feeds declare, for whoever reads or writes configuration.
public struct FeedDeclarations: Sendable {
    /// The feeds that are there once, in the order in which they are listed.
    public let feeds: [FeedDeclaration]
    /// The kinds of which a person has as many as they configure.
    public let families: [FeedFamily]

    /// Declarations.
    public init(_ feeds: [FeedDeclaration], families: [FeedFamily] = []) {
        self.feeds = feeds
        self.families = families
    }

    /// What the feed of this name declares; nil when there is none, and no family that may have it.
    public subscript(name: FeedName) -> FeedDeclaration? {
        feeds.first { $0.name == name } ?? families.lazy.compactMap { $0.member(name) }.first
    }

    /// The only feed that there can be; nil when there are several.
    public var only: FeedDeclaration? { families.isEmpty && feeds.count == 1 ? feeds.first : nil }

    /// The names as a person may write them: `tfl`, and `gtfs.NAME` for a family.
    public var names: [String] { feeds.map(\.name.description) + families.map { "\($0.name).NAME" } }
}

/// Feeds of one kind, of which there is one for every table `[feed.FAMILY.NAME]`: a city each.
public struct FeedFamily: Sendable {
    /// The longest name of a member.
    private static let longestName = 32

    /// What its feeds' names begin with: `gtfs` of `gtfs.lametro`.
    public let name: String
    private let declare: @Sendable (FeedName) -> FeedDeclaration

    /// A family.
    ///
    /// - Parameters:
    ///   - name: what its feeds' names begin with.
    ///   - declare: what the feed of a name declares.
    public init(_ name: String, declare: @escaping @Sendable (FeedName) -> FeedDeclaration) {
        self.name = name
        self.declare = declare
    }

    /// What the feed of this name declares; nil when it is not one of the family.
    public func member(_ feed: FeedName) -> FeedDeclaration? {
        let prefix = name + "."
        let rest = feed.description.dropFirst(prefix.count)
        guard feed.description.hasPrefix(prefix), Self.isName(rest) else { return nil }
        return declare(feed)
    }

    /// Whether a member may be called so: small letters, digits and hyphens, since it becomes part of file names and, in
    /// capitals, of the names of keys.
    public static func isName(_ text: some StringProtocol) -> Bool {
        (1...longestName).contains(text.utf8.count) && text.first != "-"
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}
