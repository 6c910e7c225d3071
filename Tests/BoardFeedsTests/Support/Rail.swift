import BoardCore
import Testing

@testable import BoardFeeds

/// National Rail's feed as the daemon makes it, with the test's own dependencies.
enum Rail {
    /// Sets of keys.
    static let marketplace = ["RDM_BOARD_KEY": String(repeating: "aB3", count: 16)]
    static let withDetails = marketplace.merging(["RDM_DETAILS_KEY": String(repeating: "xY7", count: 16)]) { $1 }
    static let darwin = ["DARWIN_TOKEN": "0a1b2c3d-1111-2222-3333-0123456789ab"]

    /// Default settings with these changes.
    static func settings(_ keys: [String: String], _ urls: [String: String] = [:]) -> FeedSettings {
        var settings = FeedSettings(defaultsOf: NationalRailFeed.declaration)
        for (name, key) in keys { settings.setSecret(name, to: Secret(key)) }
        for (name, url) in urls { settings.set(name, to: .text(url)) }
        return settings
    }

    static func feed(
        _ keys: [String: String], over transport: any HTTPTransport, _ urls: [String: String] = [:]
    ) throws -> NationalRailFeed {
        try NationalRailFeed(Feeds.context(settings(keys, urls), over: transport))
    }

    /// A response without a `Date`.
    static let response = HTTPResponse(status: 200, received: Timestamp(seconds: 7))

    /// London's current rule.
    static func zone() throws -> Zone { try Feeds.london("Europe/London") }

    /// A time in RFC 3339.
    static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    /// The board in a body of OpenLDBWS.
    static func board(xml body: [UInt8]) throws -> RailBoard {
        guard case .board(let board) = try DarwinResponse(body, response) else { throw FormatError.unexpectedXML }
        return board
    }

    /// A board of the marketplace with these trains, made at a time of the second of March 2026.
    static func board(at time: String, _ trains: String..., more: String = "") throws -> RailBoard {
        let body =
            #"{"generatedAt":"2026-03-02T\#(time):00Z","crs":"AMB"\#(more),"trainServices":[\#(trains.joined(separator: ","))]}"#
        return try RailBoard(marketplace: Array(body.utf8), response)
    }

    /// The feed response for a board.
    static func feedResponse(_ board: RailBoard, of code: String = "AMB", towards: String? = nil) throws -> FeedResponse
    {
        board.feedResponse(
            to: FeedRequest(stop: StopID(feed: NationalRailFeed.name, code: code), towards: towards.map { [$0] } ?? []),
            in: try zone())
    }

    /// The failure of a request; nil if it succeeds.
    static func failure(
        _ feed: some DepartureFeed, _ code: String = "AMB", towards: String? = nil
    ) async -> FeedError? {
        await feed.failure(of: FeedRequest(stop: .rail(code), towards: towards.map { [$0] } ?? []))
    }
}

extension StopID {
    static func rail(_ code: String) -> StopID { StopID(feed: NationalRailFeed.name, code: code) }
}

/// One line for each departure: booked, destination, platform, status, and other attributes.
func picture(_ response: FeedResponse, _ zone: Zone) -> [String] {
    func clock(_ time: Timestamp) -> String {
        let local = zone.localTime(at: time)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(local.hour)):\(two(local.minute))"
    }
    return response.departures.map { row in
        let status =
            switch row.status {
            case .expected(let time): "expected \(clock(time))"
            case .scheduled(let time): "timetabled \(clock(time))"
            case .delayed: "delayed"
            case .cancelled: "cancelled"
            }
        let attributes = row.attributes
        let extras = [
            attributes?.via, attributes?.startsAt.map { "from \($0)" }, attributes?.endsAt.map { "as far as \($0)" },
            attributes?.coaches.map { "\($0) coaches" }, attributes?.isReplacement == true ? "bus" : nil,
        ].compactMap(\.self)
        let start =
            "\(row.booked.map(clock) ?? "") \(row.destination) [\(row.platform ?? "")] \(row.line.id): \(status)"
        return ([start] + extras).joined(separator: ", ")
    }
}
