/// One pole, platform or station of one operator, written `feed:code`.
public struct StopID: Hashable, Sendable, CodableAsText {
    public static let expected = "not a stop identifier"
    public let feed: FeedName
    /// The operator's identifier: text, even if it looks like a number.
    public let code: String

    public init(feed: FeedName, code: String) {
        self.feed = feed
        self.code = code
    }

    /// Parses `feed:code`; nil when there is no colon, or nothing on one side of it.
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

/// A stop as an operator describes it.
public struct Stop: Hashable, Sendable {
    public let id: StopID
    /// The operator's name, as received.
    public let name: String?
    /// The letter on the pole ("N"), if any.
    public let letter: String?
    /// The time zone for its clock times; nil: the board's.
    public let zone: Zone?

    public init(id: StopID, name: String? = nil, letter: String? = nil, zone: Zone? = nil) {
        self.id = id
        self.name = name?.truncatedForDisplay
        self.letter = letter?.truncatedForDisplay
        self.zone = zone
    }
}

/// A route's public name: "73", "N109", "Victoria".
public struct Line: Hashable, Sendable {
    /// The operator's identifier ("n109").
    public let id: String
    /// The public name ("N109").
    public let name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name.truncatedForDisplay
    }

    /// A line's colour: six hexadecimal digits (RRGGBB); nil for anything else, and for white, which stands for none in
    /// GTFS.
    public static func colour(_ text: String) -> String? {
        guard text.utf8.count == 6, text.allSatisfy(\.isHexDigit) else { return nil }
        let colour = text.uppercased()
        return colour == "FFFFFF" ? nil : colour
    }

    /// Whether `text` is this line's identifier or name, ignoring case.
    public func isCalled(_ text: String) -> Bool {
        let folded = text.lowercased()
        return id.lowercased() == folded || name.lowercased() == folded
    }
}

/// The kinds of vehicles that a person tells apart at a glance; operators have more modes.
public enum TransitMode: String, CaseIterable, Hashable, Sendable, Codable {
    case bus, tram
    /// Underground and light railways.
    case metro
    case train, ferry
}
