import BoardCore
import BoardFeeds
import TestOperators
import Testing
import Waiting

@testable import BoardFormats

@Suite("LA Metro on the display", .endsHangs)
struct LAMetroScreenTests {
    private static let moment = Timestamp(seconds: 1_772_467_200)

    /// A board for stop 04098 with these predictions.
    private func screen(_ predictions: [UInt8], _ others: [String: String] = [:]) async throws -> FeedScreen {
        let texts = others.mapValues { Array($0.utf8) }
        let transport = FixedResponses(received: Self.moment) {
            $0 == "/agencies/lametro/stops/04098/predictions/" ? predictions : texts[$0]
        }
        let zone = try Zone(posix: "PST8PDT,M3.2.0,M11.1.0")
        var settings = FeedSettings(defaultsOf: LAMetroFeed.declaration)
        settings.set("url", to: .text("http://127.0.0.1:9"))
        let feed = try LAMetroFeed(
            FeedContext(settings: settings, transport: transport, clock: VirtualClock(wall: Self.moment)) { _ in zone })
        var screen = FeedScreen(
            feed, stop: StopID(feed: LAMetroFeed.name, code: "04098"), at: Self.moment, zone: zone)
        await screen.poll()
        return screen
    }

    @Test("is sorted by time, in the time of Los Angeles, and the detail page shows the alerts of the stop")
    func boulevard() async throws {
        let predictions = #"""
            {"items":[{"block_id":"1","run_id":"4_1_0","seconds":5400.0,"is_departing":false,"route_id":"4","minutes":90.0},
            {"block_id":"2","run_id":"4_2_1","seconds":186,"is_departing":false,"route_id":"4","minutes":3},
            {"block_id":"3","run_id":"704_1_0","seconds":20,"is_departing":true,"route_id":"704","minutes":0}]}
            """#
        var screen = try await screen(
            Array(predictions.utf8),
            [
                "/agencies/lametro/stops/04098/": #"{"id":"04098","display_name":"Ocean / Arizona"}"#,
                "/agencies/lametro/stops/04098/messages/": #"{"items":[{"text":"Stop closed tonight, board at 4th"}]}"#,
                "/agencies/lametro/routes/": #"{"items":[{"id":"4","display_name":"4 Downtown LA - Santa M"}]}"#,
                "/agencies/lametro/routes/4/runs/":
                    #"{"items":[{"id":"4_1_0","direction_name":"East","display_name":"East to Union Station"},"#
                    + #"{"id":"4_2_1","direction_name":"West","display_name":"West to West LA - Sepulveda Bl"}]}"#,
            ])
        #expect(
            screen.text() == """
                |Ocean / Ariz ⚠ 08:00|
                |704 Check front  due|
                |4   West LA - Sep 3m|
                |4   Union      09:30|
                """)
        try await screen.open()
        #expect(
            screen.text() == """
                |⚠ Stop closed       |
                |tonight, board at   |
                |4th                 |
                |                    |
                """)
        try await screen.step()
        try await screen.step()
        #expect(
            screen.text() == """
                |4 West LA -         |
                |Sepulveda Bl        |
                |in 2 min, 08:03     |
                |updated 08:00       |
                """)
    }

    @Test("shows a recorded stop whose lines have no names", .needsRecordings)
    func recorded() async throws {
        guard let body = Recordings.read("lametro/predictions_for_a_given_stop.json") else { return }
        var screen = try await screen(body)
        #expect(
            screen.text() == """
                |04098          08:00|
                |704 Check front   3m|
                |16  Check front  11m|
                |316 Check front  54m|
                """)
        screen.wait(.seconds(181))
        #expect(
            screen.text() == """
                |04098          08:03|
                |704 Check front ?due|
                |16  Check front  ?8m|
                |316 Check front ?51m|
                """)
    }
}
