import BoardControl
import BoardCore
import BoardFeeds
import Testing
import Waiting

@testable import boardd

@Suite("SIRI on the glass", .endsHangs)
struct SIRIScreenTests {
    /// A visit in JSON; `more` goes on inside of its journey.
    private func visit(_ line: String, _ destination: String, _ times: String, _ more: String = "") -> String {
        #"{"RecordedAtTime":"2026-03-02T08:00:00Z","MonitoredVehicleJourney":{"LineRef":"\#(line)","DestinationName":["#
            + #""\#(destination)"],"FramedVehicleJourneyRef":{"DatedVehicleJourneyRef":"\#(line)\#(destination)"},"#
            + more + #""MonitoredCall":{"StopPointName":"Mill Lane",\#(times)}}}"#
    }

    private func time(_ name: String, _ clock: String) -> String { #""\#(name)":"2026-03-02T\#(clock):00Z""# }

    private func glass(_ visits: [String], situations: String = "") async throws -> FeedScreen {
        let text =
            #"{"ServiceDelivery":{"ResponseTimestamp":"2026-03-02T08:00:00Z","StopMonitoringDelivery":{"ValidUntil":"#
            + #""2026-03-02T08:01:30Z","MonitoredStopVisit":[\#(visits.joined(separator: ","))]}\#(situations)}}"#
        return try await glass(Array(text.utf8), at: try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z")))
    }

    private func glass(_ body: [UInt8], status: Int = 200, at moment: Timestamp, zone: Zone = .utc) async throws
        -> FeedScreen
    {
        var glass = FeedScreen(
            try SIRIOperator.feed(status: status, body, zone: zone), stop: SIRIOperator.stop, at: moment, zone: zone)
        await glass.ask()
        return glass
    }

    @Test("is live, of the timetable, late without an estimate, and cancelled")
    func rows() async throws {
        var glass = try await glass([
            visit("B6", "Harbour", time("ExpectedDepartureTime", "08:04")),
            visit("12", "Church Road", time("AimedDepartureTime", "08:09"), #""ProgressStatus":"prevTrip","#),
            visit("B6", "Park", time("AimedDepartureTime", "08:20") + #","DepartureStatus":"cancelled""#),
        ])
        #expect(
            glass.text() == """
                |Mill Lane      08:00|
                |B6 Harbour        4m|
                |12 Church Road *  9m|
                |B6 Park         Canc|
                """)
        // The operator believes it for a minute and a half.
        glass.wait(.seconds(91))
        #expect(
            glass.text() == """
                |Mill Lane      08:01|
                |B6 Harbour     ?  2m|
                |12 Church Road *  7m|
                |B6 Park         Canc|
                """)
    }

    @Test("opened, says that a bus is on an earlier trip and how far it is, with its alert before it")
    func opened() async throws {
        let distance = #","Extensions":{"Distances":{"PresentableDistance":"0.7 miles away"}}"#
        let number = #""SituationRef":[{"SituationSimpleRef":"N1"}],"#
        let situation =
            #","SituationExchangeDelivery":[{"Situations":{"PtSituationElement":[{"SituationNumber":"N1","Summary":"Road works"}]}}]"#
        var glass = try await glass(
            [
                visit(
                    "B6", "Harbour", time("AimedDepartureTime", "08:20") + distance,
                    #""ProgressStatus":"prevTrip","# + number)
            ], situations: situation)
        #expect(
            glass.text() == """
                |Mill Lane    ! 08:00|
                |B6 Harbour      *20m|
                |                    |
                |                    |
                """)
        try await glass.open()
        #expect(
            glass.text() == """
                |Alerts           1/2|
                |Road works          |
                |                    |
                |                    |
                """)
        try await glass.step()
        #expect(
            glass.text() == """
                |B6 Harbour       2/2|
                |*19m 08:20          |
                |on earlier trip     |
                |now: 0.7 miles away |
                """)
    }

    @Test("at the terminal, waits there")
    func waiting() async throws {
        var glass = try await glass([
            visit("B6", "Harbour", time("AimedDepartureTime", "08:20"), #""ProgressStatus":"layover","#)
        ])
        try await glass.open()
        #expect(glass.text().contains("terminal"), "\(glass.text())")
    }

    @Test("shows a recorded evening in Brooklyn")
    func brooklyn() async throws {
        guard let body = RecordedRail.read("siri/mta/stop-monitoring_308208_B63_20250608.json") else { return }
        var glass = try await glass(
            body, at: try #require(Timestamp(rfc3339: "2025-06-08T23:02:45-04:00")),
            zone: try Zone(posix: "EST5EDT,M3.2.0,M11.1.0"))
        #expect(
            glass.text() == """
                |5 AV/GARFIEL ! 23:02|
                |B63 PIER 6 BKLYN  4m|
                |B63 PIER 6 BKLYN 42m|
                |B63 PIER 6 BKLYN 55m|
                """)
    }

    @Test("shows a recorded stop in Tampere, a bus of the timetable alone among them")
    func tampere() async throws {
        guard let body = RecordedRail.read("siri/waltti_stop_monitoring_0015_20260927.xml") else { return }
        let zone = try Zone(posix: "EET-2EEST,M3.5.0/3,M10.5.0/4")
        var glass = try await glass(
            body, at: try #require(Timestamp(rfc3339: "2026-09-27T12:54:20+03:00")), zone: zone)
        #expect(
            glass.text() == """
                |S1             12:54|
                |8A Haukiluoma     6m|
                |2  Särkänniemi C*15m|
                |                    |
                """)
    }

    @Test("shows the rows beside a part that is refused, and says where none can be read")
    func parts() async throws {
        let refused = #","SituationExchangeDelivery":[{"Status":false,"ErrorCondition":{"AccessNotAllowedError":{}}}]"#
        var half = try await glass(
            [visit("B6", "Harbour", time("ExpectedDepartureTime", "08:04"))], situations: refused)
        #expect(
            half.text() == """
                |Mill Lane      08:00|
                |B6 Harbour        4m|
                |                    |
                |                    |
                """)
        let report = half.report
        let state = StopState(try #require(report.stops.first), at: report.moment)
        #expect(state.partialFailure?.kind == .status && state.partialFailure?.at == state.lastResponseAt)
        #expect(state.partialFailure?.detail.hasSuffix("no situations in the response, so there are no alerts") == true)
        var unread = try await glass([visit("B6", "Harbour", #""ExpectedDepartureTime":"soon""#)])
        #expect(
            unread.text() == """
                |S1             08:00|
                |Vale's answers      |
                |cannot be read since|
                |07:59               |
                """)
    }

    @Test("cancelled elsewhere in the answer, and opened, has no calls that run")
    func cancelled() async throws {
        let calls =
            #""OnwardCalls":{"OnwardCall":[{"StopPointName":"Park","ExpectedArrivalTime":"2026-03-02T08:20:00Z"}]},"#
        let times = time("AimedDepartureTime", "08:12") + "," + time("ExpectedDepartureTime", "08:12")
        let item = visit("B6", "Harbour", times, calls).replacing(
            "{\"RecordedAtTime\"", with: "{\"ItemIdentifier\":\"I7\",\"RecordedAtTime\"")
        let text =
            #"{"ServiceDelivery":{"ResponseTimestamp":"2026-03-02T08:00:00Z","StopMonitoringDelivery":{"MonitoredStopVisit":"#
            + #"[\#(item)],"MonitoredStopVisitCancellation":[{"ItemRef":"I7","Reason":"No driver"}]}}}"#
        var glass = try await glass(Array(text.utf8), at: try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z")))
        #expect(glass.text().contains("|B6 Harbour      Canc|"), "\(glass.text())")
        try await glass.open()
        var pictures = [glass.text()]
        for _ in 0..<2 {
            try await glass.step()
            pictures.append(glass.text())
        }
        #expect(pictures.contains { $0.contains("Park") }, "\(pictures)")
        #expect(!pictures.contains { $0.contains("08:20") }, "\(pictures)")
    }

    @Test("says of another standard's answer that the operator has failed")
    func foreign() async throws {
        guard let body = RecordedRail.read("siri/ojp_ch-stopover-departure.xml") else { return }
        var glass = try await glass(body, at: try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z")))
        #expect(glass.text().contains("Vale"), "\(glass.text())")
    }
}
