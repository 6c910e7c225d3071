import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Timetables from GTFS")
struct TimetableReaderTests {
    private let city = City()

    /// "08:00 1 Quay" of a stop's departures in New York on a day, from midnight to midnight.
    private func board(_ timetable: Timetable, _ stop: String, _ day: String) throws -> [String] {
        let midnight = try #require(Timestamp(rfc3339: day + "T00:00:00", in: timetable.zone))
        let next = try #require(Timestamp(rfc3339: day + "T23:59:59", in: timetable.zone)) + .seconds(1)
        return timetable.departures(at: timetable.places(of: stop), in: midnight..<next).map { call in
            let trip = timetable.trips[call.run.trip]
            let planned = timetable.calls(of: call.run.trip)
            let own = planned[planned.startIndex + call.position]
            let time = timetable.zone.localTime(at: call.departure)
            let minute = time.minute < 10 ? "0\(time.minute)" : "\(time.minute)"
            let headsign = own.headsign >= 0 ? timetable.headsigns[Int(own.headsign)] : trip.headsign
            return "\(time.hour):\(minute) \(timetable.routes[trip.route].name) \(headsign)"
        }
    }

    @Test("a station's departures are those of its platforms, with headsigns of the stop, the trip or the last stop")
    func station() throws {
        let (timetable, report) = try city.read(["C", "P"])
        #expect(try board(timetable, "C", "2026-03-04") == ["8:00 1 Quay via Park", "9:20 Second Ridge"])
        #expect(try board(timetable, "C1", "2026-03-04") == ["8:00 1 Quay via Park"])
        // Nobody gets on the second trip at the park, or off the earth at its last stop.
        #expect(try board(timetable, "P", "2026-03-04") == ["8:11 1 Quay"])
        #expect(timetable.places(of: "C").map { timetable.places[$0].id } == ["C", "C1", "C2"])
        #expect(timetable.places(of: "C").compactMap { timetable.places[$0].platform } == ["1", "2"])
        #expect(timetable.trips.map(\.shortName) == ["T1", nil, nil])
        #expect(timetable.trips.map(\.direction) == [0, 1, nil])
        #expect(timetable.routes.map(\.name) == ["1", "Second", "3"])
        #expect(report.badRows.isEmpty)
        #expect(report.stopTimes == 9)
        #expect(!report.isUnsorted)
    }

    @Test("trips that do not call at a stop of interest are not kept, and a stop that is not there is told")
    func kept() throws {
        let (timetable, report) = try city.read(["C2", "nowhere"])
        #expect(timetable.trips.map(\.id) == ["b"])
        #expect(timetable.calls(of: 0).count == 4)
        #expect(timetable.trip("b") == 0)
        #expect(timetable.trip("a") == nil)
        #expect(report.unknownStops == ["nowhere"])
        #expect(timetable.places(of: "nowhere").count == 1)
    }

    @Test("a trip after 24:00 is of the day before, and an exception counts more than the week")
    func serviceDays() throws {
        let (timetable, report) = try city.read(["C"])
        #expect(try board(timetable, "C", "2026-03-05").count == 2)
        #expect(try board(timetable, "C", "2026-03-06") == ["1:10 3 Ridge"])
        #expect(try board(timetable, "C", "2026-03-07") == [])
        let trip = try #require(timetable.trip("c"))
        let day = try #require(CivilDate(year: 2026, month: 3, day: 5))
        #expect(timetable.runs(trip, on: day))
        #expect(!timetable.runs(trip, on: day.adding(days: 1)))
        #expect(report.lastServiceDay == CivilDate(year: 2026, month: 12, day: 31))
        #expect(report.lastDay == report.lastServiceDay)
    }

    @Test("the feed's own dates are told")
    func feedDates() throws {
        var city = city
        city.files["feed_info.txt"] = "feed_publisher_name,feed_start_date,feed_end_date\nX,20260101,20260401\n"
        let report = try city.read(["C"]).report
        #expect(report.feedStart == CivilDate(year: 2026, month: 1, day: 1))
        #expect(report.lastDay == CivilDate(year: 2026, month: 4, day: 1))
    }

    @Test("blank times lie between those around them: in equal steps, or by distance where all tell it")
    func blankTimes() throws {
        var city = city
        let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
        let times = ["8:00:00", "", "", "8:30:00"]
        func read(_ distances: [String]) throws -> [Int32] {
            city.files["stop_times.txt"] =
                header
                + zip(["C1", "P", "Q", "R"], times).enumerated().map { index, row in
                    "a,\(row.1),\(row.1),\(row.0),\(index * 7),\(distances[index])\n"
                }.joined()
            let timetable = try city.read(["P"]).timetable
            return timetable.calls(of: 0).map { $0.departure / 60 }
        }
        #expect(try read(["", "", "", ""]) == [0, 10, 20, 30])
        #expect(try read(["0", "1", "1.5", "6"]) == [0, 5, 7, 30])
        #expect(try read(["0", "1", "", "6"]) == [0, 10, 20, 30])
        #expect(try read(["0", "5", "1", "6"]) == [0, 10, 20, 30])
    }

    @Test("stops before the first time and after the last are left out and counted")
    func noTimeAtTheEnds() throws {
        var city = city
        city.files["stop_times.txt"] = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            a,,,C1,1
            a,8:10:00,,P,2
            a,,8:20:00,Q,3
            a,,,R,4
            """
        let (timetable, report) = try city.read(["P"])
        #expect(timetable.calls(of: 0).map { timetable.places[Int($0.place)].id } == ["P", "Q"])
        #expect(timetable.calls(of: 0).map(\.arrival) == [0, 600])
        #expect(report.badRows[.stopTimes]?.first.line == 2)
    }

    @Test("rows of a trip that are not together cost a second reading and give the same timetable")
    func unsorted() throws {
        let sorted = try city.read(["C", "P"])
        var city = city
        let rows = (city.files["stop_times.txt"] ?? "").split(separator: "\n")
        for order in [[9, 1, 8, 2, 7, 3, 6, 4, 5], [3, 2, 1, 6, 5, 4, 7, 9, 8], [1, 4, 2, 5, 3, 6, 7, 8, 9]] {
            city.files["stop_times.txt"] = ([rows[0]] + order.map { rows[$0] }).joined(separator: "\n")
            let (timetable, report) = try city.read(["C", "P"])
            for stop in ["C", "P", "C2"] {
                #expect(try board(timetable, stop, "2026-03-04") == board(sorted.timetable, stop, "2026-03-04"))
                #expect(try board(timetable, stop, "2026-03-06") == board(sorted.timetable, stop, "2026-03-06"))
            }
            #expect(report.isUnsorted == (order[0] != 3))
            #expect(report.badRows.isEmpty)
        }
    }

    @Test("trips at the same intervals share a pattern")
    func patterns() throws {
        var city = city
        city.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + ["a", "b", "c"].enumerated().map { hour, trip in
                ["P", "Q", "R"].enumerated().map { index, stop in
                    let time = "\(hour + 7):\(10 + index * (trip == "c" ? 2 : 1)):00"
                    return "\(trip),\(time),\(time),\(stop),\(index)\n"
                }.joined()
            }.joined()
        let timetable = try city.read(["P"]).timetable
        #expect(timetable.trips.map(\.pattern) == [0, 0, 1])
        #expect(timetable.trips.map(\.start) == [25_800, 29_400, 33_000])
    }

    @Test("a trip of frequencies runs from the beginning to before the end")
    func frequencies() throws {
        var city = city
        city.files["frequencies.txt"] = """
            trip_id,start_time,end_time,headway_secs,exact_times
            a,6:00:00,7:00:00,1200,1
            a,23:50:00,24:20:00,900,0
            b,6:00:00,7:00:00,0,
            """
        let (timetable, report) = try city.read(["P", "C"])
        #expect(
            try board(timetable, "P", "2026-03-04") == [
                "0:01 1 Quay", "0:16 1 Quay", "6:11 1 Quay", "6:31 1 Quay", "6:51 1 Quay",
            ])
        #expect(timetable.trips[0].frequencies.map(\.isExact) == [true, false])
        #expect(report.badRows[.frequencies]?.first.column == "headway_secs")
        let moment = try #require(Timestamp(rfc3339: "2026-03-04T06:12:00-05:00"))
        let call = try #require(timetable.firstDeparture(at: timetable.places(of: "P"), from: moment, days: 1))
        #expect(call.run.start == 22_800)
        #expect(timetable.departure(call.run, at: call.position) == call.departure)
        #expect(timetable.arrival(call.run, at: call.position) == call.arrival)
    }

    @Test("the first departure is found days ahead, and not farther than that")
    func firstDeparture() throws {
        let timetable = try city.read(["C", "P"]).timetable
        func first(_ moment: String, _ days: Int) throws -> String? {
            let moment = try #require(Timestamp(rfc3339: moment))
            return timetable.firstDeparture(at: timetable.places(of: "C"), from: moment, days: days)
                .map { "\($0.departure.utc.day). \($0.departure.utc.hour):\($0.departure.utc.minute)" }
        }
        // Thursday evening: the night tram; then a holiday and a week-end.
        #expect(try first("2026-03-05T20:00:00-05:00", 1) == "6. 6:10")
        #expect(try first("2026-03-06T02:00:00-05:00", 2) == nil)
        #expect(try first("2026-03-06T02:00:00-05:00", 3) == "9. 12:0")
        #expect(try first("2026-03-04T08:00:00-05:00", 0) == "4. 13:0")
        #expect(try first("2026-03-04T08:00:01-05:00", 0) == "4. 14:20")
    }

    @Test("on the nights when the clocks are changed a service day begins twelve hours before noon")
    func clockChanges() throws {
        var city = city
        city.files["trips.txt"] = "route_id,service_id,trip_id\n1,all,a\n1,all,b\n1,all,c\n"
        city.files["calendar.txt"] = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            all,1,1,1,1,1,1,1,20260101,20261231
            """
        let timetable = try city.read(["C"]).timetable
        // 25:10 of Saturday is one hour and ten minutes after the midnight before the clocks are put forward.
        #expect(try board(timetable, "C", "2026-03-08") == ["1:10 1 Ridge", "8:00 1 Quay", "9:20 1 Ridge"])
        #expect(try board(timetable, "C", "2026-11-01") == ["1:10 1 Ridge", "8:00 1 Quay", "9:20 1 Ridge"])
        let spring = try #require(CivilDate(year: 2026, month: 3, day: 8))
        #expect(timetable.beginning(of: spring) == Timestamp(rfc3339: "2026-03-07T23:00:00-05:00"))
        let autumn = try #require(CivilDate(year: 2026, month: 11, day: 1))
        #expect(timetable.beginning(of: autumn) == Timestamp(rfc3339: "2026-11-01T01:00:00-04:00"))
    }

    @Test("rows that cannot be read are left out and counted, with the place of the first")
    func badRows() throws {
        var city = city
        city.files["stop_times.txt"]? += "\na,soon,08:30:00,P,40\nb,09:40:00,09:40:00,P,five\n"
        city.files["calendar.txt"]? += "\nnight,1,1,1,1,1,1,1,20260231,20261231\n"
        city.files["trips.txt"] = (city.files["trips.txt"] ?? "") + "\n,week,b\n"
        city.files["routes.txt"]? += "\n1,x,y,tram\n"
        let report = try city.read(["C", "P"]).report
        #expect(
            report.badRows[.calendar]?.first.description.hasPrefix(
                "calendar.txt, line 3, start_date: found \"20260231\"") == true)
        #expect(report.badRows[.routes]?.first.column == "route_type")
        // The rows at the end make their trips come twice.
        #expect(report.isUnsorted)
        #expect(report.badRows[.stopTimes]?.count == 2)
        #expect(
            report.badRows[.stopTimes]?.first.description
                == "stop_times.txt, line 11, arrival_time: found \"soon\" where a time as HH:MM:SS was expected")
    }

    @Test("a zone that this machine does not know, or none, is a failure with file, line and column")
    func zones() {
        var city = city
        city.files["agency.txt"] = "agency_name,agency_timezone\nA,Moon/Tycho\n"
        var found = #expect(throws: GTFSFailure.self) { _ = try city.read(["P"]) }
        #expect(
            found?.description == "agency.txt, line 2, agency_timezone: no time zone \"Moon/Tycho\": apt install tzdata"
        )
        city.files["agency.txt"] = "agency_name,agency_timezone\nA,\n"
        found = #expect(throws: GTFSFailure.self) { _ = try city.read(["P"]) }
        #expect(found?.column == "agency_timezone")
        city.files["agency.txt"] = "agency_name,agency_timezone\n"
        found = #expect(throws: GTFSFailure.self) { _ = try city.read(["P"]) }
        #expect(found?.column == "agency_timezone")
    }

    @Test(
        "a file that must be there and is not is named",
        arguments: ["agency", "stops", "routes", "trips", "stop_times"])
    func missingFiles(_ name: String) {
        var city = city
        city.files["\(name).txt"] = nil
        let found = #expect(throws: GTFSFailure.self) { _ = try city.read(["P"]) }
        #expect(found?.kind == .noFile)
        #expect(found?.file == "\(name).txt")
    }

    @Test("one of the two calendars is enough, and none is too few")
    func calendars() throws {
        var city = city
        city.files["calendar.txt"] = nil
        let timetable = try city.read(["C"]).timetable
        #expect(try board(timetable, "C", "2026-03-06") == ["1:10 3 Ridge"])
        city.files["calendar_dates.txt"] = nil
        #expect(throws: GTFSFailure.self) { _ = try city.read(["P"]) }
    }
}
