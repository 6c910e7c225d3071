import BoardCore
import BoardFeeds
import Testing
import Waiting

@testable import BoardFormats

@Suite("MOTIS on the display", .endsHangs)
struct MOTISScreenTests {
    private func row(_ line: String, _ destination: String, _ times: String, _ more: String = "") -> String {
        #"{"place":{"name":"Mill Lane",\#(times)},"mode":"BUS","headsign":"\#(destination)","displayName":"\#(line)","#
            + #""tripId":"t"\#(more)}"#
    }

    private func time(_ name: String, _ clock: String) -> String { #""\#(name)":"2026-03-02T\#(clock):00Z""# }

    private func screen(_ rows: [String], alerts: String = "", trip: String = "{}") async throws -> FeedScreen {
        let times = #"{"place":{"name":"Mill Lane"\#(alerts)},"stopTimes":[\#(rows.joined(separator: ","))]}"#
        let transport = FixedResponses { Array(($0.contains("/trip?") ? trip : times).utf8) }
        let feed = try MOTISFeed(
            FeedContext(
                settings: FeedSettings(defaultsOf: MOTISFeed.declaration), transport: transport, clock: VirtualClock()
            ) { _ in .utc })
        var screen = FeedScreen(
            feed, stop: StopID(feed: MOTISFeed.name, code: "xx_1"), at: Timestamp(seconds: 1_772_438_400))
        await screen.poll()
        return screen
    }

    @Test("shows live, scheduled and cancelled departures")
    func rows() async throws {
        var screen = try await screen([
            row("C6", "Harbour", time("departure", "08:04"), #","realTime":true"#),
            row("12", "Church Road", time("departure", "08:09"), #","realTime":false"#),
            row("C6", "Park", time("scheduledDeparture", "08:20"), #","realTime":true,"tripCancelled":true"#),
        ])
        #expect(
            screen.text() == """
                |Mill Lane      08:00|
                |C6 Harbour        4m|
                |12 Church Road   *9m|
                |C6 Park    Cancelled|
                """)
        // Without further responses a live estimate becomes stale, a scheduled time does not.
        screen.wait(.seconds(181))
        #expect(
            screen.text() == """
                |Mill Lane      08:03|
                |C6 Harbour       ?1m|
                |12 Church Road   *5m|
                |C6 Park   ?Cancelled|
                """)
    }

    @Test("the detail page shows the alerts, then the calling points")
    func opened() async throws {
        let trip =
            #"{"legs":[{"realTime":true,"from":{"name":"Mill Lane",\#(time("departure", "08:04"))},"intermediateStops":["#
            + #"{"name":"Market",\#(time("departure", "08:09"))}],"to":{"name":"Harbour",\#(time("arrival", "08:20"))}}]}"#
        var screen = try await screen(
            [row("C6", "Harbour", time("departure", "08:04"), #","realTime":true"#)],
            alerts: #","alerts":[{"headerText":"Market moved","severityLevel":"WARNING"}]"#, trip: trip)
        #expect(
            screen.text() == """
                |Mill Lane    ⚠ 08:00|
                |C6 Harbour        4m|
                |                    |
                |                    |
                """)
        try await screen.open()
        #expect(screen.text().contains("Market moved"))
        try await screen.step()
        #expect(
            screen.text() == """
                |C6 Harbour          |
                |in 3 min, 08:04     |
                |Mill Lane      08:04|
                |Market         08:09|
                """)
        try await screen.step()
        #expect(
            screen.text() == """
                |C6 Harbour          |
                |Harbour        08:20|
                |updated 08:00       |
                |                    |
                """)
    }
}
