import BoardCore
import Testing

@testable import BoardFeeds

/// An invented town that a MOTIS knows.
enum MOTISFixture {
    static let stop = StopID(feed: MOTISFeed.name, code: "xx-Vale_mill:1")
    /// When ``CannedTransport`` answers: 2026-03-02T08:00:30Z.
    static let told = Timestamp(rfc3339: "2026-03-02T08:00:30Z") ?? Timestamp(seconds: 0)

    /// A moment of that morning.
    static func at(_ clock: String) -> Timestamp {
        Timestamp(rfc3339: "2026-03-02T\(clock)Z") ?? Timestamp(seconds: 0)
    }

    /// Times as a place writes them.
    static func times(_ pairs: [(String, String)]) -> String {
        pairs.map { #","\#($0.0)":"2026-03-02T\#($0.1):00Z""# }.joined()
    }

    /// A row; `times` and `more` go on inside of its place and of itself.
    static func row(_ line: String, _ headsign: String, _ times: String, _ more: String = "") -> String {
        #"{"place":{"name":"Mill Lane","stopId":"xx-Vale_mill:1:a","lat":5.1E1,"lon":-1.5E0\#(times)},"mode":"BUS","#
            + #""headsign":"\#(headsign)","displayName":"\#(line)","routeShortName":"\#(line)","tripId":"t \#(line)""#
            + "\(more)}"
    }

    /// An answer of `/stoptimes`; `place` goes on inside of the stop.
    static func answer(_ rows: [String], place: String = "", next: String = "") -> [UInt8] {
        Array(
            (#"{"place":{"name":"Mill Lane","stopId":"xx-Vale_mill:1","lat":5.1E1,"lon":-1.5E0,"tz":"Europe/London"\#(place)},"#
                + #""previousPageCursor":"","nextPageCursor":"\#(next)","stopTimes":[\#(rows.joined(separator: ","))]}"#)
                .utf8)
    }

    /// A feed with these settings.
    static func feed(
        over transport: any HTTPTransport, _ settings: [String: FeedSettings.Value] = [:], storage: FeedStorage? = nil,
        clock: ManualClock = ManualClock()
    ) throws -> MOTISFeed {
        var all = FeedSettings(defaultsOf: MOTISFeed.declaration)
        for (name, value) in settings { all.set(name, to: value) }
        return try MOTISFeed(
            FeedContext(settings: all, transport: transport, clock: clock, storage: storage) {
                name throws(FeedSettingFailure) in
                try Feeds.london(name)
            })
    }

    /// What a feed makes of an answer.
    static func answered(
        _ body: [UInt8], status: Int = 200, lines: [String] = []
    ) async throws(FeedFailure) -> FeedResponse {
        let transport = CannedTransport { _ in (status, body) }
        guard let feed = try? feed(over: transport) else { throw FeedFailure(.cancelled, detail: "no feed") }
        return try await feed.departures(FeedRequest(stop: stop, lines: lines))
    }
}
