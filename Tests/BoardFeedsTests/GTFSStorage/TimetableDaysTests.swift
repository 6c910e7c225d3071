import BoardCore
import LoopbackServer
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The days of a city's timetable", .endsHangs)
struct TimetableDaysTests {
    /// The city with its trips between two days.
    private func city(from first: String = "20260101", to last: String = "20261231", park: String = "08:11:00")
        -> GTFSFixture
    {
        var city = GTFSFixture.departing(park)
        city.files["calendar.txt"] = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            week,1,1,1,1,1,1,1,\(first),\(last)
            """
        city.files["calendar_dates.txt"] = nil
        return city
    }

    private func publish(_ city: GTFSFixture, _ etag: String, at hall: GTFSTestServer) {
        let bytes = city.zip().bytes
        hall.files.withLock { ($0.archive, $0.etag) = (bytes, etag) }
    }

    private func answer(_ feed: GTFSFeed, _ code: String = "P") async throws -> FeedResponse {
        try await feed.departures(FeedRequest(stop: RealtimeFixture.stop(code)))
    }

    @Test(
        "a timetable that begins in three weeks leaves the one that is true now, said once, and comes on its first day")
    func early() async throws {
        let hall = try GTFSTestServer(city(to: "20260329"))
        let feed = try hall.feed()
        _ = try await hall.rows(feed)
        publish(city(from: "20260330", park: "08:14:00"), "\"two\"", at: hall)
        try await hall.pass(.seconds(7 * 86_400), feed)
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(
            hall.warnings == [
                "the operator's next timetable of Town starts on 2026-03-30: the stored one is used until then"
            ])
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        // It is not asked for again every minute, and not after a restart either.
        for _ in 0..<3 { try await hall.pass(.seconds(120), feed) }
        let another = try hall.feed()
        try await hall.settle(another)
        #expect(hall.asked.count == 2)
        // Its first day begins at 00:00 in New York. Asked daily by then, it is asked that very minute all the same.
        hall.clock.set(try #require(Timestamp(rfc3339: "2026-03-30T03:58:00Z")))
        try await hall.pass(.seconds(61), feed)
        let asked = hall.asked.count
        #expect(try await hall.rows(feed) == [])
        try await hall.pass(.seconds(61), feed)
        #expect(hall.asked.count == asked + 1)
        #expect(try await hall.rows(feed) == ["1 Quay *08:14"])
        #expect(hall.warnings.count == 1)
        #expect(hall.troubles.last == "+ the timetable of Town is now valid until 2026-12-31")
        #expect(
            hall.troubles.first?.hasSuffix("the operator's next one is downloaded when it starts") == true,
            "\(hall.troubles)")
    }

    @Test(
        "whoever keeps the list of stops leaves a timetable that has not begun, too, and reads the stops of the old one"
    )
    func earlyList() async throws {
        let hall = try GTFSTestServer(city())
        try await hall.settle(hall.feed())
        let old = hall.kept("gtfs.town.zip")
        publish(city(from: "20260330"), "\"two\"", at: hall)
        for stops in [["P"], []] {
            #expect(try await hall.catalogue(stops: stops).stops(page: 1) { _ in }.entries > 0)
            #expect(hall.kept("gtfs.town.zip") == old)
        }
        #expect(hall.asked.count == 3)
    }

    @Test(
        "one that begins later is taken where there is none, or where the old one is over, and its first departure told"
    )
    func begins() async throws {
        let hall = try GTFSTestServer(city(from: "20260330"))
        let feed = try hall.feed()
        let first = try await answer(feed)
        #expect(first.departures.isEmpty && first.badRows == 0)
        #expect(first.next?.time == Timestamp(rfc3339: "2026-03-30T12:11:00Z"))
        // The same where only some lines matter.
        let of1 = try await feed.departures(FeedRequest(stop: RealtimeFixture.stop("P"), lines: ["1"]))
        #expect(of1.next?.time == first.next?.time)
        #expect(try await feed.departures(FeedRequest(stop: RealtimeFixture.stop("P"), lines: ["3"])).next?.time == nil)
        #expect(hall.troubles.isEmpty && hall.warnings.isEmpty)

        let over = try GTFSTestServer(city(to: "20260227"))
        let other = try over.feed()
        #expect(try await answer(other).next?.time == nil)
        publish(city(from: "20260330"), "\"two\"", at: over)
        try await over.pass(.seconds(86_400), other)
        #expect(try await answer(other).next?.time == Timestamp(rfc3339: "2026-03-30T12:11:00Z"))
        #expect(over.warnings.isEmpty)
    }

    @Test(
        "every answer says until when the timetable reaches: its calendar's end, or the feed's own where that is sooner"
    )
    func timetableEndsAt() async throws {
        for (feedEnd, end) in [
            (nil, "2026-12-12T05:00:00Z"), ("20300101", "2026-12-12T05:00:00Z"), ("20260308", "2026-03-09T04:00:00Z"),
        ] {
            var city = city(to: "20261211")
            city.files["feed_info.txt"] = feedEnd.map { "feed_publisher_name,feed_end_date\nTram,\($0)\n" }
            let hall = try GTFSTestServer(city)
            #expect(try await answer(hall.feed()).timetableEndsAt == Timestamp(rfc3339: end), "\(feedEnd ?? "none")")
        }
    }

    @Test("an end that is past is said, whatever feed_end_date says, and of a file that a person must replace it")
    func pastEnd() async throws {
        var over = city(to: "20260227")
        over.files["feed_info.txt"] = "feed_publisher_name,feed_end_date\nTram,20300101\n"
        let hall = try GTFSTestServer(over)
        let feed = try hall.feed()
        try await hall.settle(feed)
        let text = "- the timetable of Town ended on 2026-02-27: "
        #expect(hall.troubles == [text + "the operator has no newer one yet; checking daily"])
        // Daily, not weekly.
        try await hall.pass(.seconds(86_400), feed)
        #expect(hall.asked.count == 2)

        let path = hall.folder + "/mine.zip"
        try RecordingFiles.write(over.zip().bytes, to: path)
        let file = try hall.feed(timetable: path)
        try await hall.settle(file)
        #expect(hall.troubles.last == text + "replace \(path)")
        try RecordingFiles.write(city().zip().bytes, to: path)
        try await hall.pass(.seconds(2 * 86_400), file)
        #expect(hall.troubles.last == "+ the timetable of Town is now valid until 2026-12-31")
    }

    @Test(
        "an archive of which no row of the favourites can be read does not take the old one's place, whoever takes it")
    func unreadableRows() async throws {
        let hall = try GTFSTestServer()
        let feed = try hall.feed()
        _ = try await hall.rows(feed)
        let good = hall.kept("gtfs.town.zip")
        // The park's trips alone: others may be read.
        var city = GTFSFixture()
        city.files["stop_times.txt"] = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            a,soon,soon,C1,10
            a,later,later,P,20
            c,25:10:00,25:10:00,C1,1
            c,25:30:00,25:30:00,R,2
            """
        publish(city, "\"two\"", at: hall)
        let failure = try await #require(throws: FeedFailure.self) {
            _ = try await hall.catalogue(stops: ["P"]).stops(page: 1) { _ in }
        }
        #expect(failure.kind == .unreadable && failure.detail.contains("stop_times.txt, line"), "\(failure.detail)")
        #expect(hall.kept("gtfs.town.zip") == good)
        try await hall.pass(.seconds(7 * 86_400), feed)
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(hall.kept("gtfs.town.zip") == good)
        #expect(hall.troubles.count == 1)
    }

    @Test("rows that are left out are said once: how many, and where the first is")
    func badRows() async throws {
        var city = GTFSFixture()
        city.files["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs\na,08:00:00,soon,600\na,x,y,z\n"
        let hall = try GTFSTestServer(city)
        let feed = try hall.feed()
        #expect(try await answer(feed).badRows == 0, "there are departures")
        _ = try await hall.rows(feed, "Q")
        let text = try #require(hall.troubles.first)
        #expect(hall.troubles.count == 1, "\(hall.troubles)")
        #expect(
            text.hasPrefix("- the timetable of Town: ") && text.contains("2 rows could not be read, the first: ")
                && text.contains("frequencies.txt, line 2") && text.hasSuffix(". The other rows are used"), "\(text)")
    }

    @Test("what a city works from is looked at with and without favourites: each address once, by its name")
    func sources() async throws {
        let message = try RealtimeFixture.bytes([
            RealtimeFixture.update("a", [RealtimeFixture.call("P", departs: "08:13")])
        ])
        let hall = try GTFSTestServer()
        hall.files.withLock { $0.messages["/trips"] = message }
        let feed = try hall.feed(realtime: ["/trips", "/alerts"], stops: ["P"])
        let looks = await feed.sources()
        #expect(looks.map(\.name) == ["/gtfs.zip", "/trips", "/alerts"].map { hall.server.url($0) })
        #expect(looks[0].outcome == .ok("from 2026-01-01, until 2026-12-31"))
        guard case .ok(let text) = looks[1].outcome, case .failed(let failure) = looks[2].outcome else {
            Issue.record("\(looks)")
            return
        }
        #expect(text == "no timestamp in the message")
        #expect(failure.kind == .status(404) && failure.detail.contains("/alerts: status 404"))
        #expect(hall.asked.sorted() == ["/alerts", "/gtfs.zip", "/trips"])
        _ = try await hall.rows(feed)
        #expect(hall.asked.count == 3, "what was just heard will do")

        let none = try hall.feed(timetable: hall.server.url("/nothing"), realtime: ["/trips"])
        let missing = await none.sources()
        #expect(missing.count == 1)
        guard case .failed(let reason) = missing[0].outcome else { throw CancellationError() }
        #expect(reason.kind == .status(404))
    }

    @Test("what is looked at says an ended timetable, a bad newer one, and rows that were left out, every time alike")
    func findings() async throws {
        let over = try GTFSTestServer(city(to: "20260227"))
        for _ in 0..<3 {
            #expect(
                try await over.feed().sources().map(\.outcome) == [
                    .fault(
                        "the timetable ended on 2026-02-27: find the operator's new URL and set `timetable` in "
                            + "boardd.toml")
                ])
        }
        let hall = try GTFSTestServer()
        try await hall.settle(hall.feed())
        hall.files.withLock { ($0.archive, $0.etag) = (Array("<html>".utf8), "\"two\"") }
        hall.clock.go(to: .seconds(8 * 86_400))
        guard case .failed(let failure) = try await hall.feed().sources().first?.outcome else {
            throw CancellationError()
        }
        #expect(failure.kind == .unreadable && failure.detail.contains("is not a zip"))
    }

    @Test("an address that was changed and does not answer leaves the old archive unused, and the log says so once")
    func changedAddress() async throws {
        let hall = try GTFSTestServer()
        _ = try await hall.rows(hall.feed())
        let feed = try hall.feed(timetable: hall.server.url("/elsewhere"))
        for _ in 0..<2 {
            let failure = try await hall.failure(feed)
            #expect(failure.kind == .status(404) && failure.detail.contains("/elsewhere"), "\(failure.detail)")
        }
        #expect(
            hall.warnings == [
                "the timetable of Town has a new URL: the stored one, from \(hall.server.url("/gtfs.zip")), "
                    + "is no longer used"
            ])
        // Who takes the change back has it still.
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:11"])
    }
}
