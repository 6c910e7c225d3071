import BoardCore
import Testing

@testable import BoardFeeds

@Suite("GTFS: the next departure beyond the window")
struct NextDepartureTests {
    /// The next departure after `window` as text: `later 00:02`, `nextDay 08:10`.
    private func next(
        _ code: String, now: String, lines: [String] = [], towards: String? = nil, directions: [String] = [],
        platforms: [String] = [], window: Duration = .seconds(7_200)
    ) throws -> String? {
        let request = FeedRequest(
            stop: Town.stop(code), lines: lines, towards: towards.map { [$0] } ?? [], platforms: platforms,
            directions: directions)
        let moment = try Town.time(now)
        return try Town.timetable().next(for: request, from: moment + window, now: moment).map { next in
            switch next {
            case .laterToday(let time): "later " + Town.clock(time)
            case .nextDay(let time): "nextDay " + Town.clock(time)
            }
        }
    }

    @Test("a later departure of the same service day is later today, also past midnight")
    func evening() throws {
        #expect(try next("B", now: "20:00") == "later 00:02")
        #expect(try next("B", now: "21:30") == "later 00:02")
        // The same for a gap at midday.
        #expect(try next("B", now: "10:41", lines: ["1"]) == "later 00:02")
    }

    @Test("a departure of another service day is next day")
    func night() throws {
        #expect(try next("B", now: "24:03") == "nextDay 08:10")
        #expect(try next("B", now: "28:00") == "nextDay 08:10")
        #expect(try next("C", now: "08:31", lines: ["1"], window: .seconds(3_600)) == "later 00:10")
        #expect(try next("B", now: "14:00", lines: ["2"]) == "nextDay 10:10")
    }

    @Test("hours after the last departure, the next one is to come: also that of a line that runs once a night")
    func morning() throws {
        #expect(try next("B", now: "09:11", lines: ["3"]) == "later 12:05")
        #expect(try next("C", now: "24:20", lines: ["1"], window: .seconds(3_600)) == "nextDay 08:22")
        var fixture = GTFSFixture()
        fixture.files["trips.txt"] = "route_id,service_id,trip_id\n1,week,n\n"
        fixture.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nn,25:00:00,25:00:00,P,1\nn,25:30:00,25:30:00,Q,2\n"
        // Of Tuesday, 3 March.
        #expect(try next(in: fixture, at: "P", now: "33:00") == "later 4 Mar 01:00")
        #expect(try next(in: fixture, at: "P", now: "25:30") == "nextDay 4 Mar 01:00")
    }

    @Test("of a line that does not run for days or months, the next departure is known")
    func days() throws {
        let fixture = GTFSFixture()
        // 6 March is a Friday without service; Monday is the ninth.
        #expect(try next(in: fixture, at: "Q", now: "89:00") == "later 9 Mar 09:00")
        var summer = fixture
        summer.files["calendar.txt"] = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            week,1,1,1,1,1,0,0,20270104,20270930
            """
        summer.files["calendar_dates.txt"] = "service_id,date,exception_type\nnight,20260305,1\n"
        #expect(try next(in: summer, at: "Q", now: "10:00") == "later 4 Jan 09:00")
        #expect(try next(in: summer, at: "Q", now: "10:00", lines: ["9"]) == nil)
    }

    @Test("a feed_start_date after the first day of the calendar hides no departure")
    func start() throws {
        var fixture = GTFSFixture()
        fixture.files["feed_info.txt"] =
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date\nTown,http://example.org,en,20260601\n"
        #expect(try next(in: fixture, at: "Q", now: "10:00") == "nextDay 3 Mar 09:00")
    }

    private func next(in fixture: GTFSFixture, at code: String, now: String, lines: [String] = []) throws -> String? {
        let moment = try Town.time(now)
        let timetable = try fixture.read([code]).timetable
        let request = FeedRequest(stop: Town.stop(code), lines: lines)
        return timetable.next(for: request, from: moment + .seconds(7_200), now: moment).map { next in
            let day = timetable.zone.localTime(at: next.time).date
            let text = "\(day.day) \(["Jan", "Feb", "Mar"][day.month - 1]) " + Town.clock(next.time)
            return if case .nextDay = next { "nextDay \(text)" } else { "later \(text)" }
        }
    }

    @Test("departures that do not match the request are ignored")
    func filters() throws {
        #expect(try next("B", now: "24:03", directions: ["0"]) == "nextDay 08:10")
        #expect(try next("B", now: "24:03", directions: ["1"]) == nil)
        #expect(try next("B", now: "24:03", directions: ["d street"]) == "nextDay 12:05")
        #expect(try next("C", now: "24:12", platforms: ["1"]) == "nextDay 08:22")
        #expect(try next("C", now: "24:12", platforms: ["2"]) == nil)
        #expect(try next("B", now: "24:03", towards: "E") == "later 08:10")
        #expect(try next("B", now: "20:00", towards: "E") == "later 08:10")
        #expect(try next("D", now: "20:00", towards: "B") == nil)
    }
}
