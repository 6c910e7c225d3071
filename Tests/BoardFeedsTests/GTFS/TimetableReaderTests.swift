import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Timetables from GTFS")
struct TimetableReaderTests {
    private let fixture = GTFSFixture()

    /// "08:00 1 Quay" of a stop's departures in New York on a day, from midnight to midnight.
    private func board(_ timetable: Timetable, _ stop: String, _ day: String) throws -> [String] {
        let midnight = try #require(Timestamp(local: day + "T00:00:00", in: timetable.zone))
        let next = try #require(Timestamp(local: day + "T23:59:59", in: timetable.zone)) + .seconds(1)
        return timetable.departures(at: timetable.places(of: stop), in: midnight..<next).map { call in
            let trip = timetable.trips[call.instance.trip]
            let planned = timetable.calls(of: call.instance.trip)
            let own = planned[planned.startIndex + call.position]
            let time = timetable.zone.localTime(at: call.departure)
            let minute = time.minute < 10 ? "0\(time.minute)" : "\(time.minute)"
            let headsign = own.headsign >= 0 ? timetable.headsigns[Int(own.headsign)] : trip.headsign
            return "\(time.hour):\(minute) \(timetable.routes[trip.route].name) \(headsign)"
        }
    }

    /// 2026-03-07.
    private func day(_ text: String) -> CivilDate {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return CivilDate(year: parts[0], month: parts[1], day: parts[2]) ?? CivilDate(daysSince1970: 0)
    }

    @Test("a station's departures are those of its platforms, with headsigns of the stop, the trip or the last stop")
    func station() throws {
        let (timetable, report) = try fixture.read(["C", "P"])
        #expect(try board(timetable, "C", "2026-03-04") == ["8:00 1 Quay via Park", "9:20 Second Ridge"])
        #expect(try board(timetable, "C1", "2026-03-04") == ["8:00 1 Quay via Park"])
        // The second trip has no boarding at the park.
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

    @Test("only trips that call at a requested stop, or at its station, are selected, and a missing stop is reported")
    func selected() throws {
        let (timetable, report) = try fixture.read(["P", "nowhere"])
        #expect(timetable.trips.map(\.id) == ["a", "b"])
        #expect(timetable.calls(of: 1).count == 4)
        #expect(timetable.trip("b") == 1)
        #expect(timetable.trip("c") == nil)
        #expect(try fixture.read(["C2"]).timetable.trips.map(\.id) == ["a", "b", "c"])
        #expect(report.unknownStops == ["nowhere"])
        #expect(timetable.places(of: "nowhere").count == 1)
    }

    @Test("a trip after 24:00 belongs to the day before, and exceptions take precedence over weekdays")
    func serviceDays() throws {
        let (timetable, report) = try fixture.read(["C"])
        #expect(try board(timetable, "C", "2026-03-05").count == 2)
        #expect(try board(timetable, "C", "2026-03-06") == ["1:10 3 Ridge"])
        #expect(try board(timetable, "C", "2026-03-07") == [])
        let trip = try #require(timetable.trip("c"))
        let thursday = day("2026-03-05")
        #expect(timetable.runs(trip, on: thursday))
        #expect(!timetable.runs(trip, on: thursday.adding(days: 1)))
        #expect(report.selectedDays == day("2026-01-01")...day("2026-12-31"))
    }

    @Test("a timetable is valid from the later of the two first days to the earlier of the two last ones")
    func days() throws {
        var fixture = fixture
        func days(from start: String, to end: String) throws -> [CivilDate?] {
            fixture.files["feed_info.txt"] = "feed_publisher_name,feed_start_date,feed_end_date\nX,\(start),\(end)\n"
            let report = try fixture.read(["C"]).report
            return [report.firstDay, report.lastDay]
        }
        #expect(try days(from: "", to: "") == [day("2026-01-01"), day("2026-12-31")])
        #expect(try days(from: "20260201", to: "20260401") == [day("2026-02-01"), day("2026-04-01")])
        #expect(try days(from: "20200101", to: "20300101") == [day("2026-01-01"), day("2026-12-31")])
        // Saturday to Monday are without service, and so is a Friday that is removed from all of it.
        fixture.files["calendar.txt"] = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            week,0,1,1,1,1,0,0,20260307,20260329
            """
        #expect(try days(from: "", to: "") == [day("2026-03-05"), day("2026-03-27")])
        fixture.files["calendar_dates.txt"] = "service_id,date,exception_type\nweek,20260327,2\n"
        #expect(try fixture.read(["P"]).report.selectedDays == day("2026-03-10")...day("2026-03-26"))
        #expect(try fixture.read(["P"]).report.lastDay == day("2026-03-27"))
    }

    @Test("the valid days are those of all services; those of the selected trips are separate")
    func otherServices() throws {
        var fixture = fixture
        fixture.files["calendar.txt"]? += "\nother,1,1,1,1,1,1,1,20250101,20271231\nbad,1,1,1,1,1,1,1,soon,20281231"
        fixture.files["calendar_dates.txt"]? += "other,20281231,2\nother,20280229,1\nother,soon,1\n"
        let report = try fixture.read(["C"]).report
        #expect(report.firstDay == day("2025-01-01"))
        #expect(report.lastDay == day("2028-02-29"))
        #expect(report.selectedDays == day("2026-01-01")...day("2026-12-31"))
        #expect(report.badRows.isEmpty, "no selected trip has these services")
        #expect(try fixture.read([]).report.lastDay == report.lastDay)
        #expect(try fixture.read([]).report.selectedDays == nil)
    }

    @Test("blank times are interpolated in equal steps, or by distance if all calls have one")
    func blankTimes() throws {
        var fixture = fixture
        let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
        let times = ["8:00:00", "", "", "8:30:00"]
        func read(_ distances: [String]) throws -> [Int32] {
            fixture.files["stop_times.txt"] =
                header
                + zip(["C1", "P", "Q", "R"], times).enumerated().map { index, row in
                    "a,\(row.1),\(row.1),\(row.0),\(index * 7),\(distances[index])\n"
                }.joined()
            let timetable = try fixture.read(["P"]).timetable
            return timetable.calls(of: 0).map { $0.departure / 60 }
        }
        #expect(try read(["", "", "", ""]) == [0, 10, 20, 30])
        #expect(try read(["0", "1", "1.5", "6"]) == [0, 5, 7, 30])
        #expect(try read(["0", "1", "", "6"]) == [0, 10, 20, 30])
        #expect(try read(["0", "5", "1", "6"]) == [0, 10, 20, 30])
    }

    @Test("stops before the first time are dropped; those after the last stay, since the trip goes there")
    func noTimeAtTheEnds() throws {
        var fixture = fixture
        fixture.files["trips.txt"] = "route_id,service_id,trip_id\n1,week,a\n"
        fixture.files["stop_times.txt"] = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            a,,,C1,1
            a,8:10:00,,P,2
            a,,8:20:00,Q,3
            a,,,C2,4
            a,,,R,5
            """
        let (timetable, report) = try fixture.read(["C", "P", "Q"])
        #expect(timetable.calls(of: 0).map { timetable.places[Int($0.place)].id } == ["P", "Q", "C2", "R"])
        #expect(timetable.calls(of: 0).map(\.arrival) == [0, 600, 600, 600])
        #expect(try board(timetable, "P", "2026-03-04") == ["8:10 1 Ridge"])
        #expect(try board(timetable, "Q", "2026-03-04") == ["8:20 1 Ridge"])
        #expect(try board(timetable, "C", "2026-03-04") == [], "its departure there is unknown")
        #expect(report.badRowCount == 1)
        #expect(report.firstBadRow?.line == 2)
    }

    @Test("a call with an unreadable time counts", arguments: ["together", "apart"])
    func unreadableTime(_ order: String) throws {
        var fixture = fixture
        fixture.files["trips.txt"] = "route_id,service_id,trip_id\n1,week,a\n1,week,b\n"
        let rows = [
            "a,8:00:00,8:00:00,C1,1", "a,soon,8:10:00,P,2", "a,8:20:00,soon,Q,3", "a,soon,soon,R,4",
            "b,8:00:00,8:00:00,C1,1", "b,soon,soon,P,2", "b,8:30:00,8:30:00,R,3",
        ]
        fixture.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + (order == "apart" ? [0, 4, 1, 5, 2, 6, 3] : [0, 1, 2, 3, 4, 5, 6]).map { rows[$0] }.joined(
                separator: "\n")
        let (timetable, report) = try fixture.read(["P", "Q", "R"])
        #expect(report.isUnsorted == (order == "apart"))
        #expect(try board(timetable, "P", "2026-03-04") == ["8:10 1 Ridge", "8:15 1 Ridge"])
        #expect(try board(timetable, "Q", "2026-03-04") == ["8:20 1 Ridge"])
        #expect(try board(timetable, "R", "2026-03-04") == [], "a trip's last stop is not a departure")
        #expect(report.badRows[.stopTimes]?.count == 6)
    }

    @Test("a trip's last stop is not a departure, also at a station")
    func lastStop() throws {
        var fixture = fixture
        fixture.files["stop_times.txt"]? += "\na,08:30:00,08:30:00,C2,40,,0"
        let timetable = try fixture.read(["Q", "R", "C"]).timetable
        #expect(try board(timetable, "R", "2026-03-04") == [])
        #expect(try board(timetable, "R", "2026-03-06") == [])
        #expect(try board(timetable, "Q", "2026-03-04") == ["8:20 1 Quay via Park", "9:00 Second Ridge"])
        #expect(try board(timetable, "C2", "2026-03-04") == ["9:20 Second Ridge"])
        let moment = try #require(Timestamp(rfc3339: "2026-03-04T00:00:00-05:00"))
        let week = moment..<(moment + .seconds(7 * 86_400))
        #expect(timetable.departures(at: timetable.places(of: "R"), in: week) == [])
    }

    @Test(
        "if all calls at the stops are unreadable, the failure is that of the first row",
        arguments: [["C", "P"], ["R"], [], ["nowhere"]])
    func nothingReadable(_ stops: [String]) {
        var fixture = fixture
        func failure(_ file: String, _ change: (String) -> String) -> String? {
            let whole = fixture.files[file]
            defer { fixture.files[file] = whole }
            fixture.files[file] = whole.map(change)
            return #expect(throws: TableError.self) { _ = try fixture.read(stops) }?.description
        }
        #expect(
            failure("stop_times.txt") { $0.replacing(/[0-9]+:[0-9]+:[0-9]+/, with: "soon") }?.hasPrefix(
                stops == ["R"]
                    ? "stop_times.txt, line 5, arrival_time: found \"soon\""
                    : "stop_times.txt, line 2, arrival_time: found \"soon\"") == true)
        #expect(
            failure("stop_times.txt") { $0.replacing(/[0-9]+:[0-9]+:[0-9]+/, with: "") }?.hasPrefix("stop_times.txt, ")
                == true)
        #expect(
            failure("stop_times.txt") { $0.replacing(/,[0-9]+,/, with: ",first,") }?.contains(
                "stop_sequence: found \"first\"") == true)
        #expect(
            failure("stop_times.txt") { String($0.prefix { $0 != "\n" }) } != nil
                || !["", "nowhere"].contains(stops.joined()))
        // Tables of selected trips only.
        guard ["C", "R"].contains(stops.first) else { return }
        #expect(
            failure("trips.txt") { $0.replacing(/week|night/, with: "") }?.contains("service_id: found nothing") == true
        )
        #expect(
            failure("trips.txt") { String($0.prefix { $0 != "\n" }) }?.hasPrefix("trips.txt, trip_id: the file has no")
                == true)
    }

    @Test("an unreadable calendar is a failure; one without service is not")
    func unreadableCalendar() throws {
        var fixture = fixture
        fixture.files["calendar.txt"] = fixture.files["calendar.txt"]?.replacing("20260101", with: "soon")
        #expect(try fixture.read(["C"]).report.badRowCount == 1, "the night tram runs")
        let found = #expect(throws: TableError.self) { _ = try fixture.read(["P"]) }
        #expect(found?.description.hasPrefix("calendar.txt, line 2, start_date: found \"soon\"") == true)
        fixture.files["calendar.txt"] = fixture.files["calendar.txt"]?.replacing("soon", with: "20260101")
            .replacing("1,1,1,1,1", with: "0,0,0,0,0")
        #expect(try fixture.read(["P"]).timetable.trips.count == 2)
    }

    @Test("an unsorted table costs a second reading and gives the same timetable")
    func unsorted() throws {
        let sorted = try fixture.read(["C", "P"])
        var fixture = fixture
        let rows = (fixture.files["stop_times.txt"] ?? "").split(separator: "\n")
        for order in [[9, 1, 8, 2, 7, 3, 6, 4, 5], [3, 2, 1, 6, 5, 4, 7, 9, 8], [1, 4, 2, 5, 3, 6, 7, 8, 9]] {
            fixture.files["stop_times.txt"] = ([rows[0]] + order.map { rows[$0] }).joined(separator: "\n")
            let (timetable, report) = try fixture.read(["C", "P"])
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
        var fixture = fixture
        fixture.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + ["a", "b", "c"].enumerated().map { hour, trip in
                ["P", "Q", "R"].enumerated().map { index, stop in
                    let time = "\(hour + 7):\(10 + index * (trip == "c" ? 2 : 1)):00"
                    return "\(trip),\(time),\(time),\(stop),\(index)\n"
                }.joined()
            }.joined()
        let timetable = try fixture.read(["P"]).timetable
        #expect(timetable.trips.map(\.pattern) == [0, 0, 1])
        #expect(timetable.trips.map(\.start) == [25_800, 29_400, 33_000])
    }

    @Test("a trip of frequencies runs from the beginning to before the end")
    func frequencies() throws {
        var fixture = fixture
        fixture.files["frequencies.txt"] = """
            trip_id,start_time,end_time,headway_secs,exact_times
            a,6:00:00,7:00:00,1200,1
            a,23:50:00,24:20:00,900,0
            b,6:00:00,7:00:00,0,
            """
        let (timetable, report) = try fixture.read(["P", "C"])
        #expect(
            try board(timetable, "P", "2026-03-04") == [
                "0:01 1 Quay", "0:16 1 Quay", "6:11 1 Quay", "6:31 1 Quay", "6:51 1 Quay",
            ])
        #expect(timetable.trips[0].frequencies.map(\.isExact) == [true, false])
        #expect(report.badRows[.frequencies]?.first.column == "headway_secs")
        let moment = try #require(Timestamp(rfc3339: "2026-03-04T06:12:00-05:00"))
        let day = moment..<(moment + .seconds(86_400))
        let call = try #require(timetable.departures(at: timetable.places(of: "P"), in: day, most: 1).first)
        #expect(call.instance.start == 22_800)
    }

    @Test("the first departure is found within some days, and not beyond")
    func firstDeparture() throws {
        let timetable = try fixture.read(["C", "P"]).timetable
        func first(_ moment: String, _ days: Int) throws -> String? {
            let moment = try #require(Timestamp(rfc3339: moment))
            let end = timetable.beginning(of: timetable.zone.localTime(at: moment).date.adding(days: days + 1))
            return timetable.departures(at: timetable.places(of: "C"), in: moment..<end, most: 1).first
                .map { "\($0.departure.utc.day). \($0.departure.utc.hour):\($0.departure.utc.minute)" }
        }
        // Thursday evening: the night tram; then a holiday and a weekend.
        #expect(try first("2026-03-05T20:00:00-05:00", 1) == "6. 6:10")
        #expect(try first("2026-03-06T02:00:00-05:00", 2) == nil)
        #expect(try first("2026-03-06T02:00:00-05:00", 3) == "9. 12:0")
        #expect(try first("2026-03-04T08:00:00-05:00", 0) == "4. 13:0")
        #expect(try first("2026-03-04T08:00:01-05:00", 0) == "4. 14:20")
    }

    @Test("on the days of a clock change a service day begins twelve hours before noon")
    func clockChanges() throws {
        var fixture = fixture
        fixture.files["trips.txt"] = "route_id,service_id,trip_id\n1,all,a\n1,all,b\n1,all,c\n"
        fixture.files["calendar.txt"] = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            all,1,1,1,1,1,1,1,20260101,20261231
            """
        let timetable = try fixture.read(["C"]).timetable
        // 25:10 of Saturday is 70 minutes after the midnight before the clock change.
        #expect(try board(timetable, "C", "2026-03-08") == ["1:10 1 Ridge", "8:00 1 Quay", "9:20 1 Ridge"])
        #expect(try board(timetable, "C", "2026-11-01") == ["1:10 1 Ridge", "8:00 1 Quay", "9:20 1 Ridge"])
        let spring = try #require(CivilDate(year: 2026, month: 3, day: 8))
        #expect(timetable.beginning(of: spring) == Timestamp(rfc3339: "2026-03-07T23:00:00-05:00"))
        let autumn = try #require(CivilDate(year: 2026, month: 11, day: 1))
        #expect(timetable.beginning(of: autumn) == Timestamp(rfc3339: "2026-11-01T01:00:00-04:00"))
    }

    @Test("unreadable rows are skipped and counted, with the line of the first")
    func badRows() throws {
        var fixture = fixture
        fixture.files["stop_times.txt"]? += "\na,soon,08:30:00,P,40\nb,09:40:00,09:40:00,P,five\n"
        fixture.files["calendar.txt"]? += "\nnight,1,1,1,1,1,1,1,20260231,20261231\n"
        fixture.files["trips.txt"] = (fixture.files["trips.txt"] ?? "") + "\n,week,b\n"
        fixture.files["routes.txt"]? += "\n1,x,y,tram\n"
        let report = try fixture.read(["C", "P"]).report
        #expect(
            report.badRows[.calendar]?.first.description.hasPrefix(
                "calendar.txt, line 3, start_date: found \"20260231\"") == true)
        #expect(report.badRows[.routes]?.first.column == "route_type")
        #expect(report.badRowCount == 4)
        #expect(report.firstBadRow?.file == "stop_times.txt")
        // The rows at the end make the table unsorted.
        #expect(report.isUnsorted)
        #expect(report.badRows[.stopTimes]?.count == 2)
        #expect(
            report.badRows[.stopTimes]?.first.description
                == "stop_times.txt, line 11, arrival_time: found \"soon\" where a time as HH:MM:SS was expected")
    }

    @Test(
        "names, lines and headsigns are text without HTML and escapes, and a quote that is not doubled costs no more than a bad row"
    )
    func texts() throws {
        var fixture = fixture
        fixture.files["stops.txt"]?.replace("P,Park,", with: "P,\"the \"old\" Park &amp;<br>Zoo\",")
        fixture.files["stops.txt"]?.replace("R,Ridge,", with: #"R,R&icirc;dge\nNorth,"#)
        fixture.files["routes.txt"]?.replace("1,1,First", with: "1,1&frac12;,First")
        fixture.files["trips.txt"]?.replace("Quay via Park", with: "Quay &ndash; Park")
        let (timetable, report) = try fixture.read(["P"])
        let place = try #require(timetable.places(of: "P").first)
        #expect(timetable.places[place].name == #"the "old" Park & Zoo"#)
        #expect(timetable.places.contains { $0.name == "Rîdge North" })
        #expect(timetable.routes.map(\.name).contains("1½"))
        #expect(timetable.trips.map(\.headsign).contains("Quay – Park"))
        #expect(report.badRows[.stops]?.count == 1)
    }

    @Test("an unknown or missing zone is a failure with file, line and column")
    func zones() {
        var fixture = fixture
        fixture.files["agency.txt"] = "agency_name,agency_timezone\nA,Moon/Tycho\n"
        var found = #expect(throws: TableError.self) { _ = try fixture.read(["P"]) }
        #expect(
            found?.description == "agency.txt, line 2, agency_timezone: no time zone \"Moon/Tycho\": apt install tzdata"
        )
        fixture.files["agency.txt"] = "agency_name,agency_timezone\nA,\n"
        found = #expect(throws: TableError.self) { _ = try fixture.read(["P"]) }
        #expect(found?.column == "agency_timezone")
        fixture.files["agency.txt"] = "agency_name,agency_timezone\n"
        found = #expect(throws: TableError.self) { _ = try fixture.read(["P"]) }
        #expect(found?.column == "agency_timezone")
    }

    @Test("all agencies share the first zone; a row with another one is reported")
    func twoZones() throws {
        var fixture = fixture
        fixture.files["agency.txt"]? += "B,Bus,http://example.org,America/Chicago\nD,Dock,http://example.org,\n"
        let (timetable, report) = try fixture.read(["C"])
        #expect(timetable.zone == (try GTFSFixture.newYork("America/New_York")))
        #expect(timetable.routes.map(\.agency) == ["", "", ""])
        #expect(report.badRows[.agency]?.count == 2)
        #expect(
            report.firstBadRow?.description
                == "agency.txt, line 3, agency_timezone: found \"America/Chicago\" where \"America/New_York\" as in line 2 "
                + "(all agencies of a GTFS archive share one zone) was expected")
    }

    @Test("a missing required file is named", arguments: ["agency", "stops", "routes", "trips", "stop_times"])
    func missingFiles(_ name: String) {
        var fixture = fixture
        fixture.files["\(name).txt"] = nil
        let found = #expect(throws: TableError.self) { _ = try fixture.read(["P"]) }
        #expect(found?.kind == .unreadable)
        #expect(found?.file == "\(name).txt")
    }

    @Test("one of the two calendars is required")
    func calendars() throws {
        var fixture = fixture
        fixture.files["calendar.txt"] = nil
        let timetable = try fixture.read(["C"]).timetable
        #expect(try board(timetable, "C", "2026-03-06") == ["1:10 3 Ridge"])
        fixture.files["calendar_dates.txt"] = nil
        #expect(throws: TableError.self) { _ = try fixture.read(["P"]) }
    }
}
