import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Trips whose times go back")
struct TripTimesTests {
    /// Rows of one trip, with `arrival departure` or one time for both, at the stops C1, P, Q, R in this order.
    private func fixture(_ times: [String], apart: Bool = false) -> GTFSFixture {
        var fixture = GTFSFixture()
        fixture.files["trips.txt"] = "route_id,service_id,trip_id\n1,week,a\n1,week,z\n"
        var rows = zip(["C1", "P", "Q", "R", "C2"], times).enumerated().map { index, row in
            let parts = row.1.split(separator: " ").map(String.init)
            return "a,\(parts.first ?? ""),\(parts.last ?? ""),\(row.0),\(index + 1)"
        }
        if apart { rows.insert("z,1:00:00,1:00:00,C1,1", at: 1) }
        fixture.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + rows.joined(separator: "\n") + "\n"
        return fixture
    }

    /// The departures of the trip on its service day, blank without boarding, and the number of bad rows.
    private func read(_ times: [String], apart: Bool = false) throws -> (times: [String], bad: Int) {
        let (timetable, report) = try fixture(times, apart: apart).read(["C", "P", "Q", "R"])
        let trip = try #require(timetable.trip("a"))
        let start = timetable.trips[trip].start
        return (
            timetable.calls(of: trip).map { call in
                let seconds = start + Int(call.departure)
                let minutes = seconds / 60 % 60
                return call.boarding != .none ? "\(seconds / 3_600):\(minutes < 10 ? "0" : "")\(minutes)" : ""
            }, report.badRowCount
        )
    }

    @Test("a call that goes back by more than twelve hours is on the next day", arguments: [false, true])
    func pastMidnight(_ apart: Bool) throws {
        let found = try read(["23:32:00", "23:59:00", "00:19:00", "00:40:00"], apart: apart)
        #expect(found.times == ["23:32", "23:59", "24:19", "24:40"])
        #expect(found.bad == 0)
        // The correct form.
        #expect(try read(["23:32:00", "23:59:00", "24:19:00", "24:40:00"]).times == found.times)
    }

    @Test("blank times past midnight are interpolated")
    func interpolated() throws {
        let found = try read(["23:30:00", "", "", "00:30:00"])
        #expect(found.times == ["23:30", "23:50", "24:10", "24:30"])
        #expect(found.bad == 0)
    }

    @Test("a vehicle may wait over midnight, and a trip may pass several midnights")
    func waiting() throws {
        #expect(
            try read(["23:30:00", "23:58:00 00:02:00", "00:20:00", "00:40:00"]).times == [
                "23:30", "24:02", "24:20", "24:40",
            ])
        #expect(
            try read(["23:00:00", "09:00:00", "20:00:00", "01:00:00", "06:00:00"]).times
                == ["23:00", "33:00", "44:00", "49:00", "54:00"])
    }

    @Test("a smaller step back is a bad row, and no time is interpolated over it", arguments: [false, true])
    func stepBack(_ apart: Bool) throws {
        let found = try read(["8:00:00", "8:30:00", "8:10:00", "8:40:00"], apart: apart)
        #expect(found.times == ["8:00", "8:30", "", "8:40"])
        #expect(found.bad == 1)
        // Twelve hours are not more than twelve hours.
        #expect(
            try read(["20:00:00", "8:00:00", "20:30:00", "21:00:00"], apart: apart).times == [
                "20:00", "", "20:30", "21:00",
            ])
        let blank = try read(["8:30:00", "", "8:10:00", "", "9:00:00"], apart: apart)
        #expect(blank.times == ["8:30", "", "", "", "9:00"])
        #expect(blank.bad == 1)
        let last = try read(["8:00:00", "8:30:00", "8:10:00"], apart: apart)
        #expect(last.times == ["8:00", "8:30", ""])
        #expect(last.bad == 1)
    }

    @Test("the report has the call where a trip goes back in time")
    func report() throws {
        let report = try fixture(["8:00:00", "8:30:00", "8:10:00", "8:40:00"]).read(["P"]).report
        #expect(
            report.firstBadRow?.description
                == "stop_times.txt, line 2, departure_time: the trip that begins there goes back in time at stop_sequence 3"
        )
    }

    @Test("a call past midnight departs on the next calendar day")
    func board() throws {
        let timetable = try fixture(["23:32:00", "00:19:00", "00:40:00"]).read(["P"]).timetable
        func departures(_ day: String) throws -> [String] {
            let start = try #require(Timestamp(local: day + "T00:00:00", in: timetable.zone))
            return timetable.departures(at: timetable.places(of: "P"), in: start..<(start + .seconds(3_600))).map {
                let time = timetable.zone.localTime(at: $0.departure)
                return "\($0.instance.day.day) \(time.hour):\(time.minute)"
            }
        }
        // Wednesday's trip departs on Thursday; Tuesday's on Wednesday.
        #expect(try departures("2026-03-05") == ["4 0:19"])
        #expect(try departures("2026-03-04") == ["3 0:19"])
        #expect(try departures("2026-03-02") == [], "the service does not run on Sundays")
    }
}
