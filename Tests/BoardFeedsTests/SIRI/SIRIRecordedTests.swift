import BoardCore
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The recordings of SIRI", .endsHangs, .needsRecordings)
struct SIRIRecordedTests {
    /// The feed response for one recording, as if for this stop; nil without the recording.
    private func response(_ name: String, of code: String = "S1", zone: Zone? = nil) throws -> FeedResponse? {
        try Recordings.read("siri/" + name).map {
            try Vale.feedResponse($0, of: StopID(feed: Vale.feed, code: code), zone: zone)
        }
    }

    @Test(
        "each recording has its number of departures",
        arguments: [
            ("ara/core_notify-stop-monitoring.xml", 3, 2), ("ara/core_stopmonitoring-lite-delivery.json", 1, 1),
            ("ara/core_stopmonitoring-lite-without-order.json", 1, 1),
            ("ara/core_stopmonitoring-response-double-delivery-soap.xml", 2, 2),
            ("ara/core_stopmonitoring-response-soap.xml", 2, 2), ("ara/siri_notify_stop_monitoring.xml", 1, 1),
            // 263 visits, of which 67 have left; 190 are scheduled.
            ("ara/siri_stopmonitoring-response-long-soap.xml", 196, 6), ("idfm_siri_lite_shapes_synthetic.json", 3, 2),
            ("mta/stop-monitoring_308208_B63_20250608.json", 3, 3), ("traveline_nextbuses_none.xml", 0, 0),
            ("traveline_nextbuses_one.xml", 1, 0), ("waltti_stop_monitoring_0015_20260927.xml", 2, 1),
        ])
    func boards(_ name: String, _ count: Int, _ live: Int) throws {
        guard let response = try response(name) else { return }
        #expect(response.departures.count == count)
        #expect(response.departures.count { if case .expected = $0.status { true } else { false } } == live)
        #expect(response.badRows == 0)
        #expect(response.departures.allSatisfy { !$0.line.id.isEmpty && !$0.destination.isEmpty })
    }

    @Test(
        "each of the others is described",
        arguments: [
            ("SiriLike_2.xml", "SIRI Vehicle Monitoring"), ("SiriLike_2_multi.xml", "SIRI Vehicle Monitoring"),
            ("SiriLike_Empty.xml", "SIRI Vehicle Monitoring"),
            ("ojp_ch-error-notripfound.xml", "OJP, a different standard"),
            ("ojp_ch-stopover-departure.xml", "OJP, a different standard"),
            ("ojp_ch2-journey-situation.xml", "OJP, a different standard"),
            ("ojp_ch2-stopover-occupancy.xml", "OJP, a different standard"),
            ("ojp_vvo-stopover-departure.xml", "TRIAS, a different standard"),
            ("ara/core_checkstatus-negative-response-soap.xml", "the status of a SIRI service"),
        ])
    func others(_ name: String, _ found: String) throws {
        guard let body = Recordings.read("siri/" + name) else { return }
        let fault = try #require(throws: FormatError.self) { try SIRIResponse(body) }
        #expect(fault.description.contains(found), "\(fault)")
        #expect(fault.description.hasSuffix("where SIRI Stop Monitoring was expected"), "\(fault)")
    }

    @Test("two are errors with the operator's message")
    func errors() async throws {
        for (name, status, kind, message) in [
            ("ara/siri_fault-response.xml", 500, FeedError.Kind.keyRejected, "LoginException: Echec de connexion"),
            ("ara/siri_checkstatus-soap-response-unavailable.xml", 200, .status(503), "UNAVAILABLE"),
        ] {
            guard let body = Recordings.read("siri/" + name) else { return }
            let feed = try Vale.make(["request": "soap"], key: "k", over: CannedTransport { _ in (status, body) })
            let reported = await Vale.failure(feed)
            let failure = try #require(reported)
            #expect(failure.kind == kind)
            #expect(failure.detail.contains("; server message: " + message), "\(failure.detail)")
        }
    }

    @Test("a stop in Brooklyn late in the evening: buses on earlier trips, and their line's alert")
    func brooklyn() throws {
        let name = "mta/stop-monitoring_308208_B63_20250608.json"
        guard let response = try response(name, of: "308208") else { return }
        #expect(
            Vale.rows(response) == [
                "B63 PIER 6 BKLYN BRIDGE PARK via 5 AV 03:07:26, booked 02:56:57",
                "B63 PIER 6 BKLYN BRIDGE PARK via 5 AV 03:45:33, booked 03:24:14, previousTrip",
                "B63 PIER 6 BKLYN BRIDGE PARK via 5 AV 03:58:11, booked 03:54:14, previousTrip",
            ])
        #expect(response.stop.name == "5 AV/GARFIELD PL")
        #expect(response.departures.map(\.vehicle) == ["481", "380", "388"])
        #expect(
            response.alerts == [
                Alert(
                    "B35, B63, and B70 buses are running with delays due to the Puerto Rican Day Parade and heavy traffic on "
                        + "5th Ave between 60th St and 39th Ave. Allow additional travel time.",
                    lines: ["MTA NYCT_B63", "B63"])
            ])
        #expect(response.departures.allSatisfy { $0.staleAt == Timestamp(rfc3339: "2025-06-08T23:03:39.006-04:00") })
    }

    @Test("a stop in Tampere: one late bus, one scheduled")
    func tampere() throws {
        guard let response = try response("waltti_stop_monitoring_0015_20260927.xml", of: "0015") else { return }
        #expect(
            Vale.rows(response) == ["8A Haukiluoma 10:01:12, booked 09:58:12", "2 Särkänniemi C *10:10, booked 10:10"])
    }

    @Test("a station in Paris in its gateway's format: late, arriving, cancelled, and one without a time")
    func paris() throws {
        guard let response = try response("idfm_siri_lite_shapes_synthetic.json") else { return }
        #expect(
            Vale.rows(response) == [
                "C01727 Paris Austerlitz 10:08, booked 10:05", "C01737 Paris Nord 10:00:30",
                "C01737 Paris Nord cancelled, booked 10:20",
            ])
        #expect(response.stop.name == "Cernay")
    }

    @Test("a stop in version 1.0: the destination in the direction, scheduled times only")
    func traveline() throws {
        guard let response = try response("traveline_nextbuses_one.xml") else { return }
        #expect(Vale.rows(response) == ["42 Toddington, The Green *14:09, booked 14:09"])
        #expect(response.departures.first?.attributes?.id == nil)
    }
}
