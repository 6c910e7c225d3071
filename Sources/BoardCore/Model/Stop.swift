/// One pole, platform or station of one operator, written `feed:code`.
public struct StopID: Hashable, Sendable, CustomStringConvertible {
    /// The feed that knows the stop.
    public let feed: FeedName
    /// The operator's own identifier: text, even where it looks like a number.
    public let code: String

    /// A stop of `feed` that its operator calls `code`.
    public init(feed: FeedName, code: String) {
        self.feed = feed
        self.code = code
    }

    /// Reads `feed:code`; nil when there is no colon, or nothing on one side of it.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let feed = text[..<colon]
        let code = text[text.index(after: colon)...]
        guard !feed.isEmpty, !code.isEmpty else { return nil }
        self.init(feed: FeedName(String(feed)), code: String(code))
    }

    /// As configuration writes it: `tfl:490008660N`.
    public var description: String { "\(feed):\(code)" }
}

/// What an operator says of a stop.
public struct Stop: Hashable, Sendable {
    /// The identifier by which it was asked for.
    public let id: StopID
    /// The operator's name of it, as received.
    public let name: String?
    /// The letter on the pole ("N"), where there is one.
    public let letter: String?
    /// The zone in which its clock times are read; nil: the machine's.
    public let zone: Zone?

    /// A stop with what is known of it.
    public init(id: StopID, name: String? = nil, letter: String? = nil, zone: Zone? = nil) {
        self.id = id
        self.name = name?.truncatedForDisplay
        self.letter = letter?.truncatedForDisplay
        self.zone = zone
    }
}
