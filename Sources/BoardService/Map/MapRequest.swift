public import BoardCore

/// What a map shows.
public struct MapRequest: Hashable, Sendable {
    /// The maximum number of stops on a map, and in the list of a box.
    public static let maximumStops = 150

    /// The scales, in metres per pixel at the centre; the values are those of the query.
    public enum Scale: String, CaseIterable, Sendable {
        case half = "0.5", one = "1", two = "2", five = "5", ten = "10", twenty = "20"

        public var metresPerPixel: Double {
            switch self {
            case .half: 0.5
            case .one: 1
            case .two: 2
            case .five: 5
            case .ten: 10
            case .twenty: 20
            }
        }
    }

    /// The size of the picture in pixels.
    public struct Size: Hashable, Sendable, CustomStringConvertible {
        /// The widths and heights that are drawn.
        public static let allowed = 120...1024
        public static let standard = Size(width: 360, height: 480)

        public let width: Int
        public let height: Int

        private init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        /// Parses "360x480"; nil where a number is missing or not ``allowed``.
        public init?(written text: some StringProtocol) {
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard sides.count == 2, sides.allSatisfy(Self.allowed.contains) else { return nil }
            self.init(width: sides[0], height: sides[1])
        }

        public var description: String { "\(width)x\(height)" }
    }

    /// A line, by the operator's identifier or name.
    public struct NamedLine: Hashable, Sendable {
        public let feed: FeedName
        public let line: String

        public init(feed: FeedName, line: String) {
            self.feed = feed
            self.line = line
        }
    }

    /// The place in the middle.
    public var centre: Coordinates
    public var scale = Scale.two
    public var size = Size.standard
    /// The stop to mark; one that the stop directory lacks is not marked.
    public var stop: StopID?
    /// The line to draw, at the cost of a request to its operator.
    public var line: NamedLine?

    public init(centre: Coordinates) {
        self.centre = centre
    }
}
