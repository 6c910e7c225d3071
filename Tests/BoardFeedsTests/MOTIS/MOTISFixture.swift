import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

/// An invented town of a MOTIS server.
enum MOTISFixture {
    static let stop = StopID(feed: MOTISFeed.name, code: "xx-Vale_mill:1")
    /// The time of ``CannedTransport``'s responses: 2026-03-02T08:00:30Z.
    static let madeAt = Timestamp(rfc3339: "2026-03-02T08:00:30Z") ?? Timestamp(seconds: 0)

    /// A time on that morning.
    static func at(_ clock: String) -> Timestamp {
        Timestamp(rfc3339: "2026-03-02T\(clock)Z") ?? Timestamp(seconds: 0)
    }

    /// The times of a place.
    static func times(_ pairs: [(String, String)]) -> String {
        pairs.map { #","\#($0.0)":"2026-03-02T\#($0.1):00Z""# }.joined()
    }

    /// A row; `times` and `more` add to its place and to itself.
    static func row(_ line: String, _ headsign: String, _ times: String, _ more: String = "") -> String {
        #"{"place":{"name":"Mill Lane","stopId":"xx-Vale_mill:1:a","lat":5.1E1,"lon":-1.5E0\#(times)},"mode":"BUS","#
            + #""headsign":"\#(headsign)","displayName":"\#(line)","routeShortName":"\#(line)","tripId":"t \#(line)""#
            + "\(more)}"
    }

    /// A response of `/stoptimes`; `place` adds to the stop.
    static func stopTimes(_ rows: [String], place: String = "", next: String = "") -> [UInt8] {
        Array(
            (#"{"place":{"name":"Mill Lane","stopId":"xx-Vale_mill:1","lat":5.1E1,"lon":-1.5E0,"tz":"Europe/London"\#(place)},"#
                + #""previousPageCursor":"","nextPageCursor":"\#(next)","stopTimes":[\#(rows.joined(separator: ","))]}"#)
                .utf8)
    }

    /// A feed with these settings.
    static func feed(
        over transport: any HTTPTransport, _ settings: [String: FeedSettings.Value] = [:], storage: FeedStorage? = nil,
        clock: VirtualClock = VirtualClock()
    ) throws -> MOTISFeed {
        var all = FeedSettings(defaultsOf: MOTISFeed.declaration)
        for (name, value) in settings { all.set(name, to: value) }
        return try MOTISFeed(
            FeedContext(settings: all, transport: transport, clock: clock, storage: storage) {
                name throws(FeedSettingError) in try Feeds.london(name)
            })
    }

    /// The feed response for a body.
    static func feedResponse(
        _ body: [UInt8], status: Int = 200, lines: [String] = []
    ) async throws(FeedError) -> FeedResponse {
        let transport = CannedTransport { _ in (status, body) }
        guard let feed = try? feed(over: transport) else { throw FeedError(.cancelled, detail: "no feed") }
        return try await feed.counted(FeedRequest(stop: stop, lines: lines))
    }
}
