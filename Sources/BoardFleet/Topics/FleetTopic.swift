import BoardCore
import BoardIO
import BoardStore

/// A topic of the fleet (docs/fleet.md): all are below `boardd/1`, where the 1 is the version of everything there.
enum FleetTopic: Hashable, Sendable {
    /// The last response to a query, retained.
    case response(QueryKey)
    /// A board is about to send the request of a query to the operator.
    case fetching(QueryKey)
    /// Whether a board is online, retained; also the will of its connection.
    case status(FleetName)
    /// The queries of a board, retained.
    case queries(FleetName)
    /// What a board shows, for people and Home Assistant, retained.
    case state(FleetName)
    /// A gesture on a board's button, numbered from 1.
    case button(FleetName, Int)
    case command(FleetName, FleetCommand.Name)
    /// A list of favourites, retained.
    case list(FleetName)

    /// The first levels of every topic.
    private static let root = "boardd/1"

    var text: String {
        switch self {
        case .response(let key): "\(Self.root)/answer/\(key.levels)"
        case .fetching(let key): "\(Self.root)/asking/\(key.levels)"
        case .status(let board): "\(Self.board(board))/status"
        case .queries(let board): "\(Self.board(board))/wants"
        case .state(let board): "\(Self.board(board))/state"
        case .button(let board, let number): "\(Self.board(board))/button/\(number)"
        case .command(let board, let name): "\(Self.board(board))/do/\(name.rawValue)"
        case .list(let list): "\(Self.root)/list/\(list)"
        }
    }

    static func board(_ name: FleetName) -> String { "\(root)/board/\(name)" }

    /// Parses a topic; nil for any other text.
    init?(_ text: String) {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count >= 4, levels[0...1].joined(separator: "/") == Self.root else { return nil }
        switch (levels[2], levels.count) {
        case ("answer", 6):
            guard let key = QueryKey(feed: levels[3], code: levels[4], hash: levels[5]) else { return nil }
            self = .response(key)
        case ("asking", 6):
            guard let key = QueryKey(feed: levels[3], code: levels[4], hash: levels[5]) else { return nil }
            self = .fetching(key)
        case ("list", 4):
            guard let list = FleetName(levels[3]) else { return nil }
            self = .list(list)
        case ("board", 5), ("board", 6):
            guard let board = FleetName(levels[3]) else { return nil }
            switch (levels[4], levels.count) {
            case ("status", 5): self = .status(board)
            case ("wants", 5): self = .queries(board)
            case ("state", 5): self = .state(board)
            case ("button", 6):
                guard let number = Int(levels[5]), number > 0 else { return nil }
                self = .button(board, number)
            case ("do", 6):
                guard let name = FleetCommand.Name(rawValue: String(levels[5])) else { return nil }
                self = .command(board, name)
            default: return nil
            }
        default: return nil
        }
    }

    static let allStatuses = "\(root)/board/+/status"
    static let allQueries = "\(root)/board/+/wants"
    static func allCommands(to board: FleetName) -> String { "\(Self.board(board))/do/+" }
}

/// A query in topic names: the same on all boards that fetch the same departures.
struct QueryKey: Hashable, Sendable, CustomStringConvertible {
    /// The number of hexadecimal digits of a hash.
    private static let digits = 8

    let stop: StopID
    /// The first eight hexadecimal digits of the SHA-256 of the stop, lines and `towards`, each followed by a NUL byte.
    let hash: String

    init(_ query: DepartureQuery) {
        stop = query.stop
        // The empty text separates the lines from `towards`.
        let parts: [String] = [query.stop.description] + query.lines + [""] + query.towards
        let bytes: [UInt8] = parts.flatMap { Array($0.utf8) + [0] }
        hash = SHA256.hash(bytes).prefix(Self.digits / 2).map { $0.padded(to: 2, radix: 16) }.joined()
    }

    /// Parses ``levels``; nil for any others.
    init?(feed: Substring, code: Substring, hash: Substring) {
        guard let feed = Self.decoded(feed), let code = Self.decoded(code), !feed.isEmpty, !code.isEmpty,
            hash.utf8.count == Self.digits,
            hash.utf8.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            })
        else { return nil }
        stop = StopID(feed: FeedName(feed), code: code)
        self.hash = String(hash)
    }

    /// The levels of a topic: identifiers are percent-encoded (RFC 3986 §2.1), so that `/`, `+` and `#` never appear.
    var levels: String {
        "\(PercentEncoding.encoded(stop.feed.description))/\(PercentEncoding.encoded(stop.code))/\(hash)"
    }

    /// Nil for a text that is not encoded like this.
    private static func decoded(_ level: Substring) -> String? {
        let text = PercentEncoding.decoded(level).flatMap { String(validating: $0, as: UTF8.self) }
        return text.flatMap { PercentEncoding.encoded($0) == level ? $0 : nil }
    }

    var description: String { "\(stop) (\(hash))" }
}
