import BoardCore
import BoardFeeds
import Testing

@Suite("SIRI on the glass")
struct SIRIGlassTests {
    /// A visit in JSON; `more` goes on inside of its journey.
    private func visit(_ line: String, _ destination: String, _ times: String, _ more: String = "") -> String {
        #"{"RecordedAtTime":"2026-03-02T08:00:00Z","MonitoredVehicleJourney":{"LineRef":"\#(line)","DestinationName":["#
            + #""\#(destination)"],"FramedVehicleJourneyRef":{"DatedVehicleJourneyRef":"\#(line)\#(destination)"},"#
            + more + #""MonitoredCall":{"StopPointName":"Mill Lane",\#(times)}}}"#
    }

    private func time(_ name: String, _ clock: String) -> String { #""\#(name)":"2026-03-02T\#(clock):00Z""# }

    private func glass(_ visits: [String], situations: String = "") async throws -> FeedGlass {
        let text =
            #"{"ServiceDelivery":{"ResponseTimestamp":"2026-03-02T08:00:00Z","StopMonitoringDelivery":{"ValidUntil":"#
            + #""2026-03-02T08:01:30Z","MonitoredStopVisit":[\#(visits.joined(separator: ","))]}\#(situations)}}"#
        return try await glass(Array(text.utf8), at: try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z")))
    }

    private func glass(_ body: [UInt8], status: Int = 200, at moment: Timestamp, zone: Zone = .utc) async throws
        -> FeedGlass
    {
        var glass = FeedGlass(
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

    @Test("says of another standard's answer that the operator has failed")
    func foreign() async throws {
        guard let body = RecordedRail.read("siri/ojp_ch-stopover-departure.xml") else { return }
        var glass = try await glass(body, at: try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z")))
        #expect(glass.text().contains("Vale"), "\(glass.text())")
    }
}
