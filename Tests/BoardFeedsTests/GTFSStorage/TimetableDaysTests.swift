import BoardCore
import LoopbackServer
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The valid days of a GTFS timetable", .endsHangs)
struct TimetableDaysTests {
    /// The feed with its trips between two days.
    private func fixture(from first: String = "20260101", to last: String = "20261231", park: String = "08:11:00")
        -> GTFSFixture
    {
        var fixture = GTFSFixture.departing(park)
        fixture.files["calendar.txt"] = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            week,1,1,1,1,1,1,1,\(first),\(last)
            """
        fixture.files["calendar_dates.txt"] = nil
        return fixture
    }

    private func publish(_ fixture: GTFSFixture, _ etag: String, at testServer: GTFSTestServer) {
        let bytes = fixture.zip().bytes
        testServer.files.withLock { ($0.archive, $0.etag) = (bytes, etag) }
    }

    private func response(_ feed: GTFSFeed, _ code: String = "P") async throws -> FeedResponse {
        try await feed.departures(FeedRequest(stop: Town.stop(code)))
    }

    @Test("a timetable that starts in three weeks is logged once, and replaces the current one on its first day")
    func early() async throws {
        let testServer = try GTFSTestServer(fixture(to: "20260329"))
        let feed = try testServer.feed()
        _ = try await testServer.rows(feed)
        publish(fixture(from: "20260330", park: "08:14:00"), "\"two\"", at: testServer)
        try await testServer.pass(.seconds(7 * 86_400), feed)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        #expect(
            testServer.infos == [
                "the operator's next timetable of Town starts on 2026-03-30: the stored one is used until then"
            ])
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        // It is not downloaded every minute, nor after a restart.
        for _ in 0..<3 { try await testServer.pass(.seconds(120), feed) }
        let another = try testServer.feed()
        try await testServer.settle(another)
        #expect(testServer.requestedPaths.count == 2)
        // Its first day begins at 00:00 in New York. A download follows in that minute, despite the daily interval.
        testServer.clock.set(try #require(Timestamp(rfc3339: "2026-03-30T03:58:00Z")))
        try await testServer.pass(.seconds(61), feed)
        let requestCount = testServer.requestedPaths.count
        #expect(try await testServer.rows(feed) == [])
        try await testServer.pass(.seconds(61), feed)
        #expect(testServer.requestedPaths.count == requestCount + 1)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:14"])
        #expect(testServer.infos.count == 1)
        #expect(testServer.problems.last == "+ the timetable of Town is now valid until 2026-12-31")
        #expect(
            testServer.problems.first?.hasSuffix("the operator's next one is downloaded when it starts") == true,
            "\(testServer.problems)")
    }

    @Test("a stop directory update also postpones a timetable that has not started, and reads the stops of the old one")
    func earlyList() async throws {
        let testServer = try GTFSTestServer(fixture())
        try await testServer.settle(testServer.feed())
        let old = testServer.file("gtfs.town.zip")
        publish(fixture(from: "20260330"), "\"two\"", at: testServer)
        for stops in [["P"], []] {
            #expect(try await testServer.catalogue(stops: stops).stops(page: 1) { _ in }.entries > 0)
            #expect(testServer.file("gtfs.town.zip") == old)
        }
        #expect(testServer.requestedPaths.count == 3)
    }

    @Test(
        "a timetable that starts later is used if there is none, or the old one has expired, with its first departure")
    func begins() async throws {
        let testServer = try GTFSTestServer(fixture(from: "20260330"))
        let feed = try testServer.feed()
        let first = try await response(feed)
        #expect(first.departures.isEmpty && first.badRows == 0)
        #expect(first.next?.time == Timestamp(rfc3339: "2026-03-30T12:11:00Z"))
        // The same for some lines.
        let of1 = try await feed.departures(FeedRequest(stop: Town.stop("P"), lines: ["1"]))
        #expect(of1.next?.time == first.next?.time)
        #expect(try await feed.departures(FeedRequest(stop: Town.stop("P"), lines: ["3"])).next?.time == nil)
        #expect(testServer.problems.isEmpty && testServer.infos.isEmpty)

        let over = try GTFSTestServer(fixture(to: "20260227"))
        let other = try over.feed()
        #expect(try await response(other).next?.time == nil)
        publish(fixture(from: "20260330"), "\"two\"", at: over)
        try await over.pass(.seconds(86_400), other)
        #expect(try await response(other).next?.time == Timestamp(rfc3339: "2026-03-30T12:11:00Z"))
        #expect(over.infos.isEmpty)
    }

    @Test("a list of stops is not made from a timetable that has ended, and what to do is said; nothing is stored")
    func endedList() async throws {
        let testServer = try GTFSTestServer(fixture(to: "20260227"))
        let failure = try await #require(throws: FeedError.self) {
            _ = try await testServer.catalogue(stops: []).stops(page: 1) { _ in }
        }
        #expect(
            failure.detail
                == "the timetable of Town ended on 2026-02-27 and is not stored: find the operator's new URL, "
                + "or another feed with boardd cities search")
        let names = try testServer.names()
        #expect(!names.contains("gtfs.town.zip"), "\(names)")
    }

    @Test("a timetable that has ended does not replace one in effect")
    func endedReplacement() async throws {
        let testServer = try GTFSTestServer(fixture())
        let feed = try testServer.feed()
        try await testServer.settle(feed)
        let old = testServer.file("gtfs.town.zip")
        publish(fixture(to: "20260227"), "\"two\"", at: testServer)
        try await testServer.pass(.seconds(8 * 86_400), feed)
        #expect(testServer.requestedPaths.count == 2)
        #expect(testServer.file("gtfs.town.zip") == old)
        #expect(
            testServer.problems.last?.contains("ended on 2026-02-27 and is not stored") == true,
            "\(testServer.problems)")
    }

    @Test("every response has the end of the timetable: of its calendar, or of the feed if earlier")
    func timetableEndsAt() async throws {
        for (feedEnd, end) in [
            (nil, "2026-12-12T05:00:00Z"), ("20300101", "2026-12-12T05:00:00Z"), ("20260308", "2026-03-09T04:00:00Z"),
        ] {
            var fixture = fixture(to: "20261211")
            fixture.files["feed_info.txt"] = feedEnd.map { "feed_publisher_name,feed_end_date\nTram,\($0)\n" }
            let testServer = try GTFSTestServer(fixture)
            #expect(
                try await response(testServer.feed()).timetableEndsAt == Timestamp(rfc3339: end), "\(feedEnd ?? "none")"
            )
        }
    }

    @Test("a past end is logged, whatever feed_end_date, and for a file that the user must replace it")
    func pastEnd() async throws {
        var over = fixture(to: "20260227")
        over.files["feed_info.txt"] = "feed_publisher_name,feed_end_date\nTram,20300101\n"
        let testServer = try GTFSTestServer(over)
        let feed = try testServer.feed()
        try await testServer.settle(feed)
        let text = "- the timetable of Town ended on 2026-02-27: "
        #expect(testServer.problems == [text + "the operator has no newer one yet; checking daily"])
        // Daily, not weekly.
        try await testServer.pass(.seconds(86_400), feed)
        #expect(testServer.requestedPaths.count == 2)

        let path = testServer.folder + "/mine.zip"
        try RecordingFiles.write(over.zip().bytes, to: path)
        let file = try testServer.feed(timetable: path)
        try await testServer.settle(file)
        #expect(testServer.problems.last == text + "replace \(path)")
        try RecordingFiles.write(fixture().zip().bytes, to: path)
        try await testServer.pass(.seconds(2 * 86_400), file)
        #expect(testServer.problems.last == "+ the timetable of Town is now valid until 2026-12-31")
    }

    @Test(
        "people read times in the zone of the station, else of the stop, else of the agency; the instants are those of the agency"
    )
    func stopZones() async throws {
        var fixture = GTFSFixture()
        fixture.files["stops.txt"] = """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,stop_timezone
            C,Central,40,-74,1,,,America/Chicago
            C1,Central,40,-74,0,C,1,America/Los_Angeles
            C2,Central,40,-74,0,C,2,
            P,Park,40,-74,,,,America/Los_Angeles
            Q,Quay,40,-74,0,,,
            R,Ridge,40,-74,0,,,Moon/Tycho
            """
        let testServer = try GTFSTestServer(fixture)
        let feed = try testServer.feed(stops: ["C", "C1", "C2", "P", "Q", "R"])
        let now = try Town.time("08:00")
        for (code, hours) in [("C", -6), ("C1", -6), ("C2", -6), ("P", -8), ("Q", -5)] {
            let zone = try #require(try await response(feed, code).stop.zone)
            #expect(zone.offset(at: now) == .seconds(hours * 3_600), "\(code)")
            #expect(try await feed.check(Town.stop(code)).zone == zone)
        }
        #expect(try await response(feed).departures.first?.due == Town.time("08:11"))
        // A zone that this machine lacks concerns its stop alone.
        let failure = try await #require(throws: FeedError.self) { _ = try await response(feed, "R") }
        #expect(failure.kind == .noZone && failure.detail.contains("stop_timezone of R"), "\(failure)")
    }

    @Test("a zone that this machine lacks is its fault, not the operator's")
    func noZone() async throws {
        var fixture = GTFSFixture()
        fixture.files["agency.txt"] =
            "agency_id,agency_name,agency_url,agency_timezone\nA,Tram,http://example.org,US/Pacific\n"
        let feed = try GTFSTestServer(fixture).feed()
        let failure = try await #require(throws: FeedError.self) { _ = try await response(feed) }
        #expect(failure.kind == .noZone && failure.detail.contains("no time zone \"US/Pacific\""), "\(failure)")
    }

    @Test(
        "an archive without readable rows for the favourites does not replace the old one")
    func unreadableRows() async throws {
        let testServer = try GTFSTestServer()
        let feed = try testServer.feed()
        _ = try await testServer.rows(feed)
        let good = testServer.file("gtfs.town.zip")
        // Only the park's trips are unreadable.
        var fixture = GTFSFixture()
        fixture.files["stop_times.txt"] = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            a,soon,soon,C1,10
            a,later,later,P,20
            c,25:10:00,25:10:00,C1,1
            c,25:30:00,25:30:00,R,2
            """
        publish(fixture, "\"two\"", at: testServer)
        let failure = try await #require(throws: FeedError.self) {
            _ = try await testServer.catalogue(stops: ["P"]).stops(page: 1) { _ in }
        }
        #expect(failure.kind == .unreadable && failure.detail.contains("stop_times.txt, line"), "\(failure.detail)")
        #expect(testServer.file("gtfs.town.zip") == good)
        try await testServer.pass(.seconds(7 * 86_400), feed)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        #expect(testServer.file("gtfs.town.zip") == good)
        #expect(testServer.problems.count == 1)
    }

    @Test("skipped rows are logged once: their number, and the first")
    func badRows() async throws {
        var fixture = GTFSFixture()
        fixture.files["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs\na,08:00:00,soon,600\na,x,y,z\n"
        let testServer = try GTFSTestServer(fixture)
        let feed = try testServer.feed()
        #expect(try await response(feed).badRows == 0, "there are departures")
        _ = try await testServer.rows(feed, "Q")
        let text = try #require(testServer.problems.first)
        #expect(testServer.problems.count == 1, "\(testServer.problems)")
        #expect(
            text.hasPrefix("- the timetable of Town: ") && text.contains("2 rows could not be read, the first: ")
                && text.contains("frequencies.txt, line 2") && text.hasSuffix(". The other rows are used"), "\(text)")
    }

    @Test("the sources are checked with and without favourites: each URL once")
    func sources() async throws {
        let message = try Town.bytes([Town.update("a", [Town.call("P", departs: "08:13")])])
        let testServer = try GTFSTestServer()
        testServer.send(message)
        let feed = try testServer.feed(realtime: ["/trips", "/alerts"], stops: ["P"])
        let checks = await feed.sources()
        #expect(checks.map(\.name) == ["/gtfs.zip", "/trips", "/alerts"].map { testServer.server.url($0) })
        #expect(checks[0].outcome == .ok("from 2026-01-01, until 2026-12-31"))
        guard case .ok(let text) = checks[1].outcome, case .failed(let failure) = checks[2].outcome else {
            Issue.record("\(checks)")
            return
        }
        #expect(text == "no timestamp in the message")
        #expect(failure.kind == .status(404) && failure.detail.contains("/alerts: status 404"))
        #expect(testServer.requestedPaths.sorted() == ["/alerts", "/gtfs.zip", "/trips"])
        _ = try await testServer.rows(feed)
        #expect(testServer.requestedPaths.count == 3, "fresh messages are not fetched again")

        let none = try testServer.feed(timetable: testServer.server.url("/nothing"), realtime: ["/trips"])
        let missing = await none.sources()
        #expect(missing.count == 1)
        guard case .failed(let reason) = missing[0].outcome else { throw CancellationError() }
        #expect(reason.kind == .status(404))
    }

    @Test("a check reports an expired timetable, a bad newer one, and skipped rows, every time")
    func findings() async throws {
        let over = try GTFSTestServer(fixture(to: "20260227"))
        for _ in 0..<3 {
            #expect(
                try await over.feed().sources().map(\.outcome) == [
                    .fault(
                        "the timetable ended on 2026-02-27: find the operator's new URL and set `timetable` in "
                            + "boardd.toml")
                ])
        }
        let testServer = try GTFSTestServer()
        try await testServer.settle(testServer.feed())
        testServer.files.withLock { ($0.archive, $0.etag) = (Array("<html>".utf8), "\"two\"") }
        testServer.clock.go(to: .seconds(8 * 86_400))
        guard case .failed(let failure) = try await testServer.feed().sources().first?.outcome else {
            throw CancellationError()
        }
        #expect(failure.kind == .unreadable && failure.detail.contains("is not a zip"))
    }

    @Test("a changed URL that fails leaves the old archive unused, which is logged once")
    func changedAddress() async throws {
        let testServer = try GTFSTestServer()
        _ = try await testServer.rows(testServer.feed())
        let feed = try testServer.feed(timetable: testServer.server.url("/elsewhere"))
        for _ in 0..<2 {
            let failure = try await testServer.failure(feed)
            #expect(failure.kind == .status(404) && failure.detail.contains("/elsewhere"), "\(failure.detail)")
        }
        #expect(
            testServer.infos == [
                "the timetable of Town has a new URL: the stored one, from \(testServer.server.url("/gtfs.zip")), "
                    + "is no longer used"
            ])
        // The old URL has its archive still.
        #expect(try await testServer.rows(testServer.feed()) == ["1 Quay *08:11"])
    }
}
