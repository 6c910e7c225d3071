import BoardCore
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime laid over the timetable: trips")
struct RealtimeRunTests {
    @Test("a trip that is cancelled is struck, whatever is told of its calls")
    func canceled() throws {
        let update = [try Town.update("T1", [try Town.call("B", late: 60)], .canceled)]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 cancelled"])
        #expect(try Town.rows(update, at: "D", now: "08:00") == ["1 E Street 08:30 cancelled"])
        // On that day alone.
        let tomorrow = [try Town.update("T1", [], .canceled, day: "20260303")]
        #expect(try Town.rows(tomorrow, at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10"])
    }

    @Test("a trip that is deleted is not shown at all")
    func deleted() throws {
        #expect(try Town.rows([try Town.update("T1", [], .deleted)], at: "B", now: "08:00").isEmpty)
    }

    @Test("an added trip is built from its calls alone, with the name of its last stop")
    func added() throws {
        for relationship in [TransitRealtime_TripDescriptor.ScheduleRelationship.added, .new] {
            let calls = [
                try Town.call("A", departs: "08:03"), try Town.call("B", arrives: "08:13"),
                try Town.call("D", arrives: "08:20"),
            ]
            let update = [try Town.update("X1", calls, relationship) { $0.trip.routeID = "R2" }]
            #expect(
                try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10", "2 D Street - exp 08:13"])
            #expect(try Town.rows(update, at: "D", now: "08:00") == ["1 E Street 08:30 * 08:30"])
            let named = [
                try Town.update("X1", calls, relationship) {
                    $0.trip.routeID = "R2"
                    $0.tripProperties.tripHeadsign = "Fair"
                }
            ]
            #expect(try Town.rows(named, at: "A", now: "08:02") == ["2 Fair - exp 08:03"])
        }
    }

    @Test("an added trip without a route has the line of a trip with the same stops")
    func addedWithoutRoute() throws {
        let calls = [try Town.call("A", departs: "13:03"), try Town.call("C1", arrives: "13:20")]
        let update = [try Town.update("X1", calls, .added)]
        let row = try #require(try Town.rows(update, at: "A", now: "13:00").first)
        #expect(row == "2 C Street - exp 13:03")
    }

    @Test("a replacement has the calls of the message and no other; what was booked stays known")
    func replacement() throws {
        let calls = [
            try Town.call("A", departs: "08:04"), try Town.call("D", arrives: "08:31"),
            try Town.call("F", arrives: "08:50"),
        ]
        let update = [try Town.update("T1", calls, .replacement)]
        #expect(try Town.rows(update, at: "B", now: "08:00").isEmpty)
        #expect(try Town.rows(update, at: "A", now: "08:02") == ["1 F Street 08:00 exp 08:04"])
        #expect(try Town.rows(update, at: "D", now: "08:02") == ["1 F Street 08:30 exp 08:31"])
    }

    @Test("a copy runs beside its trip, at its own time, on its own day")
    func duplicated() throws {
        let update = [
            try Town.update("T1", [try Town.call("B", late: 120)], .duplicated) {
                $0.tripProperties.tripID = "T1-copy"
                $0.tripProperties.startDate = Town.day
                $0.tripProperties.startTime = "08:05:00"
            }
        ]
        #expect(
            try Town.rows(update, at: "D", now: "08:00")
                == ["1 E Street 08:30 * 08:30", "1 E Street 08:35 exp 08:37"])
        #expect(
            try Town.rows(update, at: "A", now: "07:59") == ["1 E Street 08:00 * 08:00", "1 E Street 08:05 * 08:05"])
    }

    @Test("a trip without a timetable has the times of the message")
    func unscheduled() throws {
        let calls = [
            try Town.call("A", departs: "08:03"), try Town.call("B", arrives: "08:13"),
            try Town.call("D", arrives: "08:20"),
        ]
        let update = [try Town.update("X9", calls, .unscheduled) { $0.trip.routeID = "R3" }]
        #expect(try Town.rows(update, at: "A", now: "08:02") == ["3 D Street - exp 08:03"])
    }

    @Test("live vehicles take the place of a promise of how often one comes, up to the last of them")
    func frequency() throws {
        #expect(
            try Town.rows([], at: "B", now: "12:00", ahead: .seconds(1_800)) == [
                "3 D Street - * 12:05", "3 D Street - * 12:15", "3 D Street - * 12:25",
            ])
        let calls = [
            try Town.call("A", departs: "12:08"), try Town.call("B", arrives: "12:13"),
            try Town.call("D", arrives: "12:20"),
        ]
        let update = [try Town.update("OFTEN", calls, .unscheduled) { $0.trip.startTime = "12:08:00" }]
        #expect(
            try Town.rows(update, at: "B", now: "12:00", ahead: .seconds(1_800))
                == ["3 D Street - exp 12:13", "3 D Street - * 12:25"])
        let delayed = [try Town.update("OFTEN", [try Town.call("A", late: 60)]) { $0.trip.startTime = "12:10:00" }]
        #expect(try Town.rows(delayed, at: "B", now: "12:10", ahead: .seconds(600)) == ["3 D Street - exp 12:16"])
    }

    @Test("at four past midnight yesterday's service day is meant, said or not")
    func yesterday() throws {
        for day in [Town.day, nil] {
            let update = [try Town.update("LATE", [try Town.call("C1", late: 180)], day: day)]
            #expect(try Town.rows(update, at: "C", now: "24:04") == ["1 D Street 00:10 exp 00:13"])
            // And in the evening it is today's.
            #expect(try Town.rows(update, at: "C", now: "23:40") == ["1 D Street 00:10 exp 00:13"])
        }
        // Tomorrow's run is another one.
        let tomorrow = [try Town.update("LATE", [try Town.call("C1", late: 180)], day: "20260303")]
        #expect(try Town.rows(tomorrow, at: "C", now: "24:04") == ["1 D Street 00:10 * 00:10"])
    }

    @Test("of a trip past midnight, the date of the calendar is the service day before it")
    func dateOfTheCalendar() throws {
        // It starts at 23:50; a trip of 24:05 would have the date of the third.
        let update = [try Town.update("LATE", [try Town.call("C1", arrives: "24:13")], day: "20260303")]
        #expect(try Town.rows(update, at: "C", now: "24:04") == ["1 D Street 00:10 exp 00:13"])
        let next = [try Town.update("LATE", [try Town.call("C1", arrives: "48:13")], day: "20260303")]
        #expect(try Town.rows(next, at: "C", now: "24:04") == ["1 D Street 00:10 * 00:10"])
    }

    @Test("a day that is none counts as not told")
    func badDay() throws {
        let update = [try Town.update("T1", [try Town.call("B", late: 60)], day: "2026-03-02")]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 exp 08:11"])
    }

    @Test("a trip that the timetable does not have gives rows where it has times, and takes the place of its twin")
    func unmatched() throws {
        let calls = [
            try Town.call("A", departs: "08:02"), try Town.call("B", arrives: "08:12"),
            try Town.call("unheard-of", arrives: "08:15"), try Town.call("E", arrives: "08:42"),
        ]
        let update = [try Town.update("OTHER", calls) { $0.trip.routeID = "R1" }]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street - exp 08:12"])
        // Another line's is none.
        let other = [try Town.update("OTHER", calls) { $0.trip.routeID = "R7" }]
        #expect(try Town.rows(other, at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10", "R7 E Street - exp 08:12"])
        // Delays alone say nothing without a timetable.
        let delays = [
            try Town.update(
                "OTHER", [try Town.call("A", late: 60), try Town.call("B", late: 60), try Town.call("E", late: 60)])
        ]
        #expect(try Town.rows(delays, at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10"])
    }

    @Test("two updates of one trip are two trains, unless they say the same")
    func realDuplicates() throws {
        let one = try Town.update(
            "T1", [try Town.call("B", arrives: "08:11"), try Town.call("D", arrives: "08:31")], entity: "1")
        var same = one
        same.id = "2"
        #expect(try Town.rows([one, same], at: "B", now: "08:00") == ["1 E Street 08:10 exp 08:11"])
        let other = try Town.update(
            "T1",
            [
                try Town.call("A", arrives: "08:05"), try Town.call("B", arrives: "08:17"),
                try Town.call("E", arrives: "08:50"),
            ],
            entity: "3")
        let rows = try Town.rows([one, other], at: "B", now: "08:00")
        #expect(
            rows == ["1 E Street - exp 08:11", "1 E Street 08:10 exp 08:17"]
                || rows == ["1 D Street - exp 08:11", "1 E Street 08:10 exp 08:17"])
    }

    @Test("New York's names: what the timetable writes before the first underscore is left out, and often the path")
    func subway() throws {
        for name in ["084000_R4..N05R", "084000_R4..N", "084000_R4..N99X"] {
            let calls = [try Town.call("B", arrives: "14:13"), try Town.call("D", arrives: "14:33")]
            let update = [try Town.update(name, calls) { $0.trip.routeID = "R4" }]
            #expect(try Town.rows(update, at: "B", now: "14:00") == ["4 D Street 14:10 exp 14:13"])
        }
        // Another way: no train of the timetable.
        let calls = [
            try Town.call("B", arrives: "14:13"), try Town.call("A", arrives: "14:23"),
            try Town.call("E", arrives: "14:33"),
        ]
        let update = [try Town.update("084000_R4..N99X", calls) { $0.trip.routeID = "R4" }]
        #expect(try Town.rows(update, at: "B", now: "14:00").contains("4 E Street - exp 14:13"))
        // Other cities' names are what they are.
        #expect(NYCTTripID("T1") == nil)
        #expect(NYCTTripID("123456_abc") == nil)
    }

    @Test("a message whose calls are all elsewhere means another trip of this name")
    func renamed() throws {
        let calls = [try Town.call("F", departs: "23:55"), try Town.call("F", arrives: "24:15")]
        let update = [try Town.update("LATE", calls) { $0.trip.routeID = "R1" }]
        #expect(try Town.rows(update, at: "A", now: "23:40").isEmpty)
        #expect(try Town.rows([], at: "A", now: "23:40") == ["1 D Street 23:50 * 23:50"])
    }

    @Test("a vehicle that stands at the platform keeps its row, though its time is past")
    func atPlatform() throws {
        let update = try Town.update("T1", [try Town.call("B", late: 0)])
        let vehicle = try Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:10:50")
        #expect(try Town.rows([update], at: "B", now: "08:11").isEmpty)
        #expect(try Town.rows([update, vehicle], at: "B", now: "08:11") == ["1 E Street 08:10 exp 08:10"])
        #expect(try Town.rows([update, vehicle], at: "B", now: "08:12").isEmpty)
        // A feed of vehicles alone says no times.
        let board = try Town.board([vehicle], now: "08:11")
        let rows = board.departures(at: Town.stop("B"), now: try Town.time("08:11"), ahead: .seconds(600))
        #expect(rows.map(\.status) == [.timetabled(try Town.time("08:10"))])
        #expect(rows.map(\.vehicle) == ["4711"])
        let moving = try Town.vehicle("T1", at: "B", .inTransitTo, seen: "08:10:50")
        #expect(try Town.rows([moving], at: "B", now: "08:11").isEmpty)
    }
}
