import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

/// An invented trips server, in the format of the tutorial project's.
enum Flights {
    static let base = "http://127.0.0.1:9"
    static let malaga = "c4449ff0-1cb9-11e9-b9f8-b3ba95b35000"
    static let rome = "c4449ff0-1cb9-11e9-b9f8-b3ba95b35001"
    static let oslo = "c4449ff0-1cb9-11e9-b9f8-b3ba95b35002"
    /// The `Date` of the canned responses: 2026-03-02T08:00:30Z.
    static let now = Timestamp(seconds: 1_772_438_430)

    /// A trip that departs and expires so many hours after ``now``.
    static func trip(
        _ id: String = malaga, to city: String = "Malaga", _ code: String = "AGP", hours: Int64 = 15 * 24,
        offerEndsAt: Int64? = 100 * 24, price: String = "72", without missing: String? = nil
    ) -> String {
        let moment = { (hours: Int64) in (now.seconds + hours * 3_600) * 1_000 }
        let members = [
            ("currency", #""EUR""#), ("created_at", "\(moment(-40 * 24) + 887)"), ("airlines", #""FR""#),
            ("departure_at", "\(moment(hours))"),
            ("destination", #"{"city":"\#(city)","country_code":"ES","airport_code":"\#(code)"}"#),
            ("flight_number", "4048"),
            ("departure", #"{"city":"Copenhagen","country_code":"DK","airport_code":"CPH"}"#),
            ("return_at", "\(moment(hours + 90))"), ("price", price), ("id", #""\#(id)""#),
            ("expires_at", offerEndsAt.map { "\(moment($0))" } ?? "null"),
        ].filter { $0.0 != missing }
        return "{" + members.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",") + "}"
    }

    /// An airport in a gateway's wrapper: decoded twice.
    static func airport(_ code: String, in zone: String) -> String {
        #"{"statusCode":200,"body":"{\"city\":\"Somewhere\",\"code\":\"\#(code)\",\"tz\":\"\#(zone)\"}"}"#
    }

    /// The responses, by path.
    static let responses = [
        "/trips":
            "[\(trip()),\(trip(rome, to: "Rome", "FCO", hours: 30 * 24, price: "19.9")),\(trip(oslo, to: "Oslo", "OSL", hours: 20))]",
        "/trips/scd": "[\(trip()),\(trip(oslo, to: "Oslo", "OSL", hours: 20, price: "41"))]",
        "/regions": #"[{"id":"scd","name":"Scandinavia","country_codes":["DK","NOR"]},{"id":"../x","name":"Evil"}]"#,
        "/airports/CPH": airport("CPH", in: "Europe/Copenhagen"), "/airports/AGP": airport("AGP", in: "Europe/Lisbon"),
    ]

    /// A transport with these responses; 404 for anything else.
    static func transport(_ changed: [String: (Int, String)] = [:]) -> CannedTransport {
        CannedTransport { path in
            if let other = changed[path] { return (other.0, Array(other.1.utf8)) }
            return responses[path].map { (200, Array($0.utf8)) } ?? (404, Array(#"{"message":"no"}"#.utf8))
        }
    }

    /// The feed's context.
    static func context(
        over transport: any HTTPTransport, url: String = base, saved: [String]? = nil, folder: String? = nil,
        clock: any MachineClock = VirtualClock(), favourites: (@Sendable () -> [String]?)? = nil,
        note: @escaping @Sendable (FeedStorage.LogEntry) -> Void = { _ in }
    ) -> FeedContext {
        var settings = FeedSettings(defaultsOf: TripsFeed.declaration)
        settings.set("url", to: .text(url))
        return FeedContext(
            settings: settings, transport: transport, clock: clock,
            storage: folder.map { FeedStorage(folder: $0, download: { transport }, log: note) },
            favourites: favourites ?? { saved }
        ) { name throws(FeedSettingError) in
            let rules = [
                "Europe/Copenhagen": "CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Lisbon": "WET0WEST,M3.5.0/1,M10.5.0",
            ]
            guard let zone = rules[name].flatMap({ try? Zone(posix: $0) }) else {
                throw FeedSettingError(setting: "zone", detail: "no time zone \"\(name)\": apt install tzdata")
            }
            return zone
        }
    }

    /// The failure of a request; nil if it succeeds.
    static func failure(_ feed: TripsFeed, _ code: String) async -> FeedError? {
        await feed.failure(of: FeedRequest(stop: .trips(code)))
    }
}

extension StopID {
    /// A list of trips.
    static func trips(_ code: String) -> StopID { StopID(feed: TripsFeed.name, code: code) }
}

/// One line for each departure: line, destination, hours after ``Flights/now``, fare.
func picture(_ response: FeedResponse) -> [String] {
    response.departures.map { row in
        let hours = (row.due - Flights.now).components.seconds / 3_600
        return "\(row.line.name) \(row.destination) \(hours)h \(row.fare?.description ?? "-")"
    }
}

/// The display of 20x4 for a response.
func display(_ response: FeedResponse, of profile: FeedProfile, at moment: Timestamp) -> String {
    let setup = Board.Setup(
        favourites: [Favourite(stop: response.stop.id)], profiles: [profile.name: profile],
        size: DisplaySize(columns: 20, rows: 4), zone: .utc)
    let start = Instant(microseconds: 50_000_000)
    let now = start + .seconds(60)
    var board = Board(
        setup, reading: CorrectedClock.Reading(wall: moment - .seconds(60), isSynchronised: true), seed: 0, at: start)
    _ = board.handle(.polled(response), at: now)
    return board.render(at: now).frame.lines.map { "|\($0)|" }.joined(separator: "\n")
}
