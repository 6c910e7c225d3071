import BoardControl
import BoardCore
import BoardFeeds
import BoardService
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("SIRI on the display", .endsHangs)
struct SIRIScreenTests {
    private static let name = FeedName("siri.vale")

    /// A visit in JSON; `more` continues its MonitoredVehicleJourney.
    private func visit(_ line: String, _ destination: String, _ times: String, _ more: String = "") -> String {
        #"{"RecordedAtTime":"2026-03-02T08:00:00Z","MonitoredVehicleJourney":{"LineRef":"\#(line)","DestinationName":["#
            + #""\#(destination)"],"FramedVehicleJourneyRef":{"DatedVehicleJourneyRef":"\#(line)\#(destination)"},"#
            + more + #""MonitoredCall":{"StopPointName":"Mill Lane",\#(times)}}}"#
    }

    private func time(_ name: String, _ clock: String) -> String { #""\#(name)":"2026-03-02T\#(clock):00Z""# }

    private func screen(_ visits: [String], situations: String = "") async throws -> FeedScreen {
        let text =
            #"{"ServiceDelivery":{"ResponseTimestamp":"2026-03-02T08:00:00Z","StopMonitoringDelivery":{"ValidUntil":"#
            + #""2026-03-02T08:01:30Z","MonitoredStopVisit":[\#(visits.joined(separator: ","))]}\#(situations)}}"#
        return try await screen(Array(text.utf8), at: try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z")))
    }

    /// A feed that receives one response to every request.
    private func feed(_ body: [UInt8], _ zone: Zone) throws -> SIRIFeed {
        var settings = FeedSettings(defaultsOf: try #require(SIRIFeed.family.member(Self.name)))
        settings.set("title", to: .text("Vale"))
        settings.set("url", to: .text("https://vale.example/sm"))
        settings.set("zone", to: .text("here"))
        let transport = FixedResponses { _ in body }
        return try SIRIFeed(
            Self.name, FeedContext(settings: settings, transport: transport, clock: VirtualClock()) { _ in zone })
    }

    private func screen(_ body: [UInt8], at moment: Timestamp, zone: Zone = .utc) async throws
        -> FeedScreen
    {
        var screen = FeedScreen(
            try feed(body, zone), stop: StopID(feed: Self.name, code: "S1"), at: moment, zone: zone)
        await screen.poll()
        return screen
    }

    @Test("shows live, scheduled, delayed and cancelled departures")
    func rows() async throws {
        var screen = try await screen([
            visit("B6", "Harbour", time("ExpectedDepartureTime", "08:04")),
            visit("12", "Church Road", time("AimedDepartureTime", "08:09"), #""ProgressStatus":"prevTrip","#),
            visit("B6", "Park", time("AimedDepartureTime", "08:20") + #","DepartureStatus":"cancelled""#),
        ])
        #expect(
            screen.text() == """
                |Mill Lane      08:00|
                |B6 Harbour        4m|
                |12 Church Road   *9m|
                |B6 Park    Cancelled|
                """)
        // An estimate becomes stale after a minute and a half.
        screen.wait(.seconds(91))
        #expect(
            screen.text() == """
                |Mill Lane      08:01|
                |B6 Harbour       ?2m|
                |12 Church Road   *7m|
                |B6 Park    Cancelled|
                """)
    }

    @Test("the detail page shows the alert, then that a bus is on an earlier trip and how far it is")
    func opened() async throws {
        let distance = #","Extensions":{"Distances":{"PresentableDistance":"0.7 miles away"}}"#
        let number = #""SituationRef":[{"SituationSimpleRef":"N1"}],"#
        let situation =
            #","SituationExchangeDelivery":[{"Situations":{"PtSituationElement":[{"SituationNumber":"N1","Summary":"Road works"}]}}]"#
        var screen = try await screen(
            [
                visit(
                    "B6", "Harbour", time("AimedDepartureTime", "08:20") + distance,
                    #""ProgressStatus":"prevTrip","# + number)
            ], situations: situation)
        #expect(
            screen.text() == """
                |Mill Lane    ⚠ 08:00|
                |B6 Harbour      *20m|
                |                    |
                |                    |
                """)
        try await screen.open()
        #expect(
            screen.text() == """
                |⚠ Road works        |
                |                    |
                |                    |
                |                    |
                """)
        try await screen.step()
        #expect(
            screen.text() == """
                |B6 Harbour          |
                |*in 19 min, 08:20   |
                |on earlier trip     |
                |now: 0.7 miles away |
                """)
    }

    @Test("the detail page shows a bus that waits at the terminal")
    func waiting() async throws {
        var screen = try await screen([
            visit("B6", "Harbour", time("AimedDepartureTime", "08:20"), #""ProgressStatus":"layover","#)
        ])
        try await screen.open()
        #expect(screen.text().contains("terminal"), "\(screen.text())")
    }

    @Test("shows a recorded evening in Brooklyn", .needsRecordings)
    func brooklyn() async throws {
        guard let body = Recordings.read("siri/mta/stop-monitoring_308208_B63_20250608.json") else { return }
        var screen = try await screen(
            body, at: try #require(Timestamp(rfc3339: "2025-06-08T23:02:45-04:00")),
            zone: try Zone(posix: "EST5EDT,M3.2.0,M11.1.0"))
        #expect(
            screen.text() == """
                |5 AV/GARFIEL ⚠ 23:02|
                |PIER 6 BKLYN BRID 4m|
                |PIER 6 BKLYN BRI 42m|
                |PIER 6 BKLYN BRI 55m|
                """)
    }

    @Test("shows a recorded stop in Tampere, with one scheduled bus", .needsRecordings)
    func tampere() async throws {
        guard let body = Recordings.read("siri/waltti_stop_monitoring_0015_20260927.xml") else { return }
        let zone = try Zone(posix: "EET-2EEST,M3.5.0/3,M10.5.0/4")
        var screen = try await screen(
            body, at: try #require(Timestamp(rfc3339: "2026-09-27T12:54:20+03:00")), zone: zone)
        #expect(
            screen.text() == """
                |S1             12:54|
                |8A Haukiluoma     6m|
                |2  Särkänniemi C*15m|
                |                    |
                """)
    }

    @Test("shows the rows beside a failed part, and an error where none is readable")
    func parts() async throws {
        let failedDelivery =
            #","SituationExchangeDelivery":[{"Status":false,"ErrorCondition":{"AccessNotAllowedError":{}}}]"#
        var half = try await screen(
            [visit("B6", "Harbour", time("ExpectedDepartureTime", "08:04"))], situations: failedDelivery)
        #expect(
            half.text() == """
                |Mill Lane      08:00|
                |B6 Harbour        4m|
                |                    |
                |                    |
                """)
        let report = half.report
        let state = try #require(report.stops.first)
        #expect(state.partialFailure?.kind == "status" && state.partialFailure?.at == state.lastResponseAt)
        #expect(state.partialFailure?.detail.hasSuffix("no situations in the response, so there are no alerts") == true)
        var unread = try await screen([visit("B6", "Harbour", #""ExpectedDepartureTime":"soon""#)])
        #expect(
            unread.text() == """
                |S1             08:00|
                |Vale has sent       |
                |unreadable data     |
                |since 07:59         |
                """)
    }

    @Test("the detail page of a trip that is cancelled elsewhere in the response has no calls")
    func cancelled() async throws {
        let calls =
            #""OnwardCalls":{"OnwardCall":[{"StopPointName":"Park","ExpectedArrivalTime":"2026-03-02T08:20:00Z"}]},"#
        let times = time("AimedDepartureTime", "08:12") + "," + time("ExpectedDepartureTime", "08:12")
        let item = visit("B6", "Harbour", times, calls).replacing(
            "{\"RecordedAtTime\"", with: "{\"ItemIdentifier\":\"I7\",\"RecordedAtTime\"")
        let text =
            #"{"ServiceDelivery":{"ResponseTimestamp":"2026-03-02T08:00:00Z","StopMonitoringDelivery":{"MonitoredStopVisit":"#
            + #"[\#(item)],"MonitoredStopVisitCancellation":[{"ItemRef":"I7","Reason":"No driver"}]}}}"#
        var screen = try await screen(Array(text.utf8), at: try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z")))
        #expect(screen.text().contains("|B6 Harbour Cancelled|"), "\(screen.text())")
        try await screen.open()
        var pictures = [screen.text()]
        for _ in 0..<2 {
            try await screen.step()
            pictures.append(screen.text())
        }
        #expect(pictures.contains { $0.contains("Park") }, "\(pictures)")
        #expect(!pictures.contains { $0.contains("08:20") }, "\(pictures)")
    }
}
