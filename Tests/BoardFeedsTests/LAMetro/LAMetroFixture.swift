import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

/// An invented town with LA Metro's old API: two agencies, three routes.
enum LAMetroFixture {
    static let base = "http://127.0.0.1:9"

    /// The responses, by path.
    static let responses: [String: String] = [
        "/agencies/": #"[{"display_name":"Boulevard Rail","id":"lametro-rail"},{"id":"lametro"},{"id":"elsewhere"}]"#,
        "/agencies/lametro/routes/":
            #"{"items":[{"id":"7","display_name":"7 Harbor - Hills Via Cen"},{"id":"10","display_name":"10/48 Park - Pier"}]}"#,
        "/agencies/lametro-rail/routes/": #"{"items":[{"id":"801","display_name":"Metro Blue Line"}]}"#,
        "/agencies/lametro/routes/7/runs/": #"""
        {"items":[{"route_id":"7_1_0","direction_name":"East","id":"7_1_0","display_in_ui":true,"display_name":"East to Hills"},
        {"route_id":"7_2_0","direction_name":"East","display_in_ui":true,"display_name":"East to Summit Rd"},
        {"route_id":"7_3_1","direction_name":"West","id":"7_3_1","display_in_ui":true,"display_name":"West to Harbor"},
        {"route_id":"7_9_1","direction_name":"West","id":"7_9_1","display_in_ui":false,"display_name":"West to Depot"}]}
        """#, "/agencies/lametro/routes/7/sequence/": stops("001", "002", "003", "004", "005"),
        "/agencies/lametro/routes/10/sequence/": stops("002", "009"),
        "/agencies/lametro-rail/routes/801/sequence/": stops("80101", "80102"),
        "/agencies/lametro/routes/7/runs/7_1_0/stops/": stops("001", "002", "003", "004"),
        "/agencies/lametro/routes/7/runs/7_2_0/stops/": stops("001", "002", "003", "005"),
        "/agencies/lametro/routes/7/runs/7_3_1/stops/": stops("004", "003", "002", "001"),
        "/agencies/lametro/stops/002/":
            #"{"id":"002","display_name":"Second / Main","latitude":34.02,"longitude":-118.2}"#,
        "/agencies/lametro/stops/002/routes/":
            #"{"items":[{"id":"7"},{"id":"10","display_name":"10/48 Park - Pier"}]}"#,
        "/agencies/lametro/stops/002/predictions/": #"""
        {"items":[
        {"block_id":"0701","run_id":"7_1_0","seconds":1055.0,"is_departing":false,"route_id":"7","minutes":17.0},
        {"block_id":"0702","run_id":"7_3_1","seconds":186,"is_departing":false,"route_id":"7","minutes":3},
        {"block_id":"1001","run_id":"10_5_0","seconds":"45","is_departing":true,"route_id":"10","minutes":0},
        {"block_id":"0703","run_id":"7_2_0","minutes":52,"route_id":"7"},
        {"block_id":"0704","run_id":"7_2_0","route_id":"7"},
        {"block_id":"0705","run_id":"7_2_0","seconds":1e300,"route_id":"7"}]}
        """#,
    ]

    /// A list of stops, ending with a layover without a number.
    private static func stops(_ numbers: String...) -> String {
        let rows = numbers.map { number in
            #"{"latitude":34.0\#(number.suffix(1)),"display_name":"Stop \#(number)","longitude":-118.2,"id":"\#(number)"}"#
        }
        let layover = #"{"longitude":-118.2,"latitude":34.0,"display_name":"Division 13 Layover"}"#
        return #"{"items":[\#((rows + [layover]).joined(separator: ","))]}"#
    }

    /// Los Angeles' current time zone rule.
    static func zone() throws(FeedSettingError) -> Zone {
        guard let zone = try? Zone(posix: "PST8PDT,M3.2.0,M11.1.0") else {
            throw FeedSettingError(setting: "zone", detail: "none")
        }
        return zone
    }

    /// The feed's context.
    static func context(
        over transport: any HTTPTransport, url: String = base, cancelled: String = "",
        clock: any MachineClock = VirtualClock()
    ) -> FeedContext {
        var settings = FeedSettings(defaultsOf: LAMetroFeed.declaration)
        settings.set("url", to: .text(url))
        settings.set("cancelled", to: .text(cancelled))
        return FeedContext(settings: settings, transport: transport, clock: clock) { name throws(FeedSettingError) in
            guard name == "America/Los_Angeles" else { throw FeedSettingError(setting: "zone", detail: name) }
            return try zone()
        }
    }

    /// A transport with the town's responses; 404 for anything else.
    static func transport(_ changed: [String: (Int, String)] = [:]) -> CannedTransport {
        CannedTransport { path in
            if let other = changed[path] { return (other.0, Array(other.1.utf8)) }
            return responses[path].map { (200, Array($0.utf8)) } ?? (404, Array(#"{"detail":"Not Found"}"#.utf8))
        }
    }

    /// A feed that receives one body for every request.
    static func feed(responding body: [UInt8], status: Int = 200) throws -> LAMetroFeed {
        try LAMetroFeed(context(over: CannedTransport { _ in (status, body) }))
    }

    /// The failure of a request; nil if it succeeds.
    static func failure(_ feed: LAMetroFeed, _ code: String = "002") async -> FeedError? {
        await feed.failure(of: FeedRequest(stop: .lametro(code)))
    }
}

extension StopID {
    /// A stop of LA Metro.
    static func lametro(_ code: String) -> StopID { StopID(feed: LAMetroFeed.name, code: code) }
}
