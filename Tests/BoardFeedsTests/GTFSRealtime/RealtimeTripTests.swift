import BoardCore
import Testing
import TransitRealtime
import Waiting

@testable import BoardFeeds

@Suite("GTFS-Realtime overlay: trips", .endsHangs)
struct RealtimeTripTests {
    @Test("a cancelled trip is shown as cancelled, whatever its call updates")
    func canceled() throws {
        let update = [try Town.update("T1", [Town.call("B", late: 60)], .canceled)]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 cancelled"])
        #expect(try Town.rows(update, at: "D", now: "08:00") == ["1 E Street 08:30 cancelled"])
        // On that day only.
        let tomorrow = [try Town.update("T1", [], .canceled, day: "20260303")]
        #expect(try Town.rows(tomorrow, at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10"])
    }

    @Test("a deleted trip is not shown")
    func deleted() throws {
        #expect(try Town.rows([Town.update("T1", [], .deleted)], at: "B", now: "08:00").isEmpty)
    }

    @Test("an added trip has the calls of the message, and the name of its last stop")
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

    @Test("a replacement has only the calls of the message, and keeps booked times")
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

    @Test("a copy runs in addition to its trip, at its own time and day")
    func duplicated() throws {
        let update = [
            try Town.update("T1", [Town.call("B", late: 120)], .duplicated) {
                $0.tripProperties.tripID = "T1-copy"
                $0.tripProperties.startDate = Town.day
                $0.tripProperties.startTime = "08:05:00"
            }
        ]
        #expect(
            try Town.rows(update, at: "D", now: "08:00") == ["1 E Street 08:30 * 08:30", "1 E Street 08:35 exp 08:37"])
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

    @Test("live vehicles replace the departures of a headway, up to the last vehicle")
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
        let delayed = [try Town.update("OFTEN", [Town.call("A", late: 60)]) { $0.trip.startTime = "12:10:00" }]
        #expect(try Town.rows(delayed, at: "B", now: "12:10", ahead: .seconds(600)) == ["3 D Street - exp 12:16"])
    }

    @Test("without a date, the times select the service day, also one without service")
    func holiday() throws {
        // A Monday; the trip runs on Sundays.
        let update = try Town.update("SUNDAY", [Town.call("B", departs: "08:17")], day: nil)
        #expect(
            try Town.rows([update], at: "B", now: "08:05") == [
                "1 E Street 08:10 * 08:10", "1 D Street 08:15 exp 08:17",
            ])
        #expect(try Town.rows([update], at: "D", now: "08:30") == ["1 E Street 08:30 * 08:30"], "its last stop")
        #expect(try Town.rows([update], at: "C", now: "08:20").contains("1 D Street 08:25 exp 08:27"))
    }

    @Test("at 00:04 a trip belongs to yesterday's service day, with or without a date")
    func yesterday() throws {
        for day in [Town.day, nil] {
            let update = [try Town.update("LATE", [Town.call("C1", late: 180)], day: day)]
            #expect(try Town.rows(update, at: "C", now: "24:04") == ["1 D Street 00:10 exp 00:13"])
            // In the evening it belongs to today's.
            #expect(try Town.rows(update, at: "C", now: "23:40") == ["1 D Street 00:10 exp 00:13"])
        }
        // Tomorrow's trip is another one.
        let tomorrow = [try Town.update("LATE", [Town.call("C1", late: 180)], day: "20260303")]
        #expect(try Town.rows(tomorrow, at: "C", now: "24:04") == ["1 D Street 00:10 * 00:10"])
    }

    @Test("the calendar date of a trip past midnight means the service day before")
    func dateOfTheCalendar() throws {
        // It starts at 23:50; a trip at 24:05 would have the date of the third.
        let update = [try Town.update("LATE", [Town.call("C1", arrives: "24:13")], day: "20260303")]
        #expect(try Town.rows(update, at: "C", now: "24:04") == ["1 D Street 00:10 exp 00:13"])
        let next = [try Town.update("LATE", [Town.call("C1", arrives: "48:13")], day: "20260303")]
        #expect(try Town.rows(next, at: "C", now: "24:04") == ["1 D Street 00:10 * 00:10"])
    }

    @Test("an invalid date counts as missing")
    func badDay() throws {
        let update = [try Town.update("T1", [Town.call("B", late: 60)], day: "2026-03-02")]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 exp 08:11"])
    }

    @Test("an unknown trip gives departures where it has times, and replaces its scheduled duplicate")
    func unmatched() throws {
        let calls = [
            try Town.call("A", departs: "08:02"), try Town.call("B", arrives: "08:12"),
            try Town.call("unknown", arrives: "08:15"), try Town.call("E", arrives: "08:42"),
        ]
        let update = [try Town.update("OTHER", calls) { $0.trip.routeID = "R1" }]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street - exp 08:12"])
        // A trip of another line is not a duplicate.
        let other = [try Town.update("OTHER", calls) { $0.trip.routeID = "R7" }]
        #expect(try Town.rows(other, at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10", "R7 E Street - exp 08:12"])
        // Delays without a timetable give no times.
        let delays = [
            try Town.update("OTHER", [Town.call("A", late: 60), Town.call("B", late: 60), Town.call("E", late: 60)])
        ]
        #expect(try Town.rows(delays, at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10"])
    }

    @Test("two updates of one trip are two trains, unless they are equal")
    func realDuplicates() throws {
        let one = try Town.update(
            "T1", [Town.call("B", arrives: "08:11"), Town.call("D", arrives: "08:31")], entity: "1")
        var same = one
        same.id = "2"
        #expect(try Town.rows([one, same], at: "B", now: "08:00") == ["1 E Street 08:10 exp 08:11"])
        let other = try Town.update(
            "T1",
            [Town.call("A", arrives: "08:05"), Town.call("B", arrives: "08:17"), Town.call("E", arrives: "08:50")],
            entity: "3")
        let rows = try Town.rows([one, other], at: "B", now: "08:00")
        // The update with more calls is the scheduled trip; the other one ends at D.
        #expect(rows == ["1 D Street - exp 08:11", "1 E Street 08:10 exp 08:17"])
        func assigned(_ platform: String) throws -> Town.Entity {
            var call = try Town.call("C1", departs: "08:22")
            call.stopTimeProperties.assignedStopID = platform
            return try Town.update("T1", [call], entity: platform)
        }
        #expect(try Town.overlay([assigned("C1"), assigned("C2")], now: "08:00").trips.count == 2)
    }

    @Test("the trains with one trip ID are limited", .endsHangs)
    func tooManyOfOneName() throws {
        let updates = try (0..<5_000).map { number in
            try Town.update("T1", [Town.call("B", late: Int32(number))], entity: "\(number)")
        }
        #expect(try Town.overlay(updates, now: "08:00").trips.count == 50)
        // Other days count separately.
        let tomorrow = try Town.update("T1", [Town.call("B", late: 60)], day: "20260303")
        #expect(try Town.overlay(updates + [tomorrow], now: "08:00").trips.count == 51)
    }

    @Test("updates of unknown calls leave the departure scheduled, with the delay of the whole trip, if any")
    func unmatchedCalls() throws {
        let calls: [[Town.Call]] = [
            [try Town.call(late: 60)], [try Town.call(departs: "08:14")],
            [try Town.call(nil, 1, late: 60), try Town.call(nil, 2, late: 60), try Town.call(nil, 3, late: 60)],
            [try Town.call("unknown", departs: "08:14"), try Town.call("unseen", departs: "08:34")],
        ]
        for calls in calls {
            let alone = [try Town.update("T1", calls)]
            #expect(try Town.rows(alone, at: "B", now: "08:05") == ["1 E Street 08:10 * 08:10"])
            let late = [try Town.update("T1", calls) { $0.delay = 180 }]
            #expect(try Town.rows(late, at: "B", now: "08:05") == ["1 E Street 08:10 exp 08:13"])
        }
        // Also at stops of stops.txt.
        let other = [try Town.update("T1", [Town.call("unknown"), Town.call("G", departs: "08:30")])]
        #expect(try Town.rows(other, at: "B", now: "08:05") == ["1 E Street 08:10 * 08:10"])
    }

    @Test("the destination is the last stop, also one without selected trips, and never an earlier one")
    func ends() throws {
        func update(_ end: String, _ relationship: TransitRealtime_TripDescriptor.ScheduleRelationship? = .added) throws
            -> [Town.Entity]
        {
            let calls = [
                try Town.call("A", departs: "13:03"), try Town.call("B", arrives: "13:13"),
                try Town.call(end, arrives: "13:30"),
            ]
            return [try Town.update("X1", calls, relationship) { $0.trip.routeID = "R8" }]
        }
        #expect(try Town.rows(update("G"), at: "B", now: "13:00") == ["8 G Street - exp 13:13"])
        #expect(try Town.rows(update("H", nil), at: "B", now: "13:00") == ["8 H Street - exp 13:13"])
        #expect(try Town.rows(update("unknown"), at: "B", now: "13:00") == ["8  - exp 13:13"])
        #expect(try Town.rows(update(""), at: "B", now: "13:00") == ["8  - exp 13:13"])
        let overlay = try Town.overlay(update("G"), now: "13:00")
        let departure = try #require(Town.departures(of: overlay, at: "B", now: "13:00").first)
        let details = try #require(overlay.tripDetails(of: departure, now: try Town.time("13:00")))
        #expect(details.calls.map(\.name) == ["A Street", "B Street", "G Street"])
        #expect(departure.line == Line(id: "R8", name: "8"))
    }

    @Test("no other update revokes a cancellation, in any order, in any message")
    func cancelledBeside() throws {
        let cancelled = try Town.update("T1", [], .canceled, entity: "1")
        let running = try Town.update("T1", [Town.call("A", late: 60), Town.call("B", late: 120)], entity: "2")
        let deleted = try Town.update("T1", [], .deleted, entity: "3")
        for entities in [[cancelled, running], [running, cancelled]] {
            #expect(try Town.rows(entities, at: "B", now: "08:00") == ["1 E Street 08:10 cancelled"])
        }
        #expect(try Town.rows([running, deleted], at: "B", now: "08:00").isEmpty)
        let index = try Town.index()
        let messages = try [running, cancelled].map {
            try RealtimeMessage(Town.bytes([$0], madeAt: Town.time("08:00")), entityFilter: index.entityFilter)
        }
        let overlay = RealtimeOverlay(messages, over: index, now: try Town.time("08:00"))
        #expect(try Town.rows(of: overlay, at: "B", now: "08:00") == ["1 E Street 08:10 cancelled"])
    }

    @Test("a copy without updates is not a second train")
    func copyOfItself() throws {
        let copy = try Town.update("T1", [], .duplicated)
        #expect(try Town.rows([copy], at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10"])
        // As in Seattle: the copy's start in the descriptor, and all its times.
        let calls = [
            try Town.call("A", 10, departs: "08:03"), try Town.call("B", 20, departs: "08:13"),
            try Town.call("E", 50, arrives: "08:43"),
        ]
        let other = try Town.update("T1", calls, .duplicated) { $0.trip.startTime = "08:03:00" }
        #expect(
            try Town.rows([other], at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10", "1 E Street 08:13 exp 08:13"])
    }

    @Test("a train with another ID that has left does not come back as a scheduled departure")
    func ghost() throws {
        let calls = [
            try Town.call("A", departs: "07:58"), try Town.call("B", departs: "08:08:45"),
            try Town.call("E", arrives: "08:38"),
        ]
        let update = try Town.update("OTHER", calls) { $0.trip.routeID = "R1" }
        #expect(try Town.rows([update], at: "B", now: "08:09") == ["1 E Street - exp 08:08:45"])
        for now in ["08:09:20", "08:10:50", "08:12"] {
            #expect(try Town.rows([update], at: "B", now: now).isEmpty, "\(now)")
        }
        // It does not replace the next train.
        let before = try Town.update("OTHER", [Town.call("B", departs: "09:04"), Town.call("E", arrives: "09:34")]) {
            $0.trip.routeID = "R1"
        }
        let between = try Town.update("NEXT", [Town.call("B", departs: "09:09"), Town.call("E", arrives: "09:38")]) {
            $0.trip.routeID = "R1"
        }
        #expect(try Town.rows([before], at: "B", now: "09:11:30").isEmpty)
        #expect(try Town.rows([before, between], at: "B", now: "09:05") == ["1 E Street - exp 09:09"])
        // The same for a vehicle of a trip with frequencies.
        let often = [
            try Town.call("A", departs: "12:01"), try Town.call("B", departs: "12:06"),
            try Town.call("D", arrives: "12:21"),
        ]
        let vehicle = try Town.update("OFTEN", often, .unscheduled) { $0.trip.startTime = "12:01:00" }
        #expect(try Town.rows([vehicle], at: "B", now: "12:06:40", ahead: .seconds(600)) == ["3 D Street - * 12:15"])
        #expect(
            try Town.rows([vehicle], at: "B", now: "12:05:40", ahead: .seconds(600)) == [
                "3 D Street - exp 12:06", "3 D Street - * 12:15",
            ])
    }

    @Test("New York's trip IDs lack the timetable's prefix, and often the path")
    func subway() throws {
        for name in ["084000_R4..N05R", "084000_R4..N", "084000_R4..N99X"] {
            let calls = [try Town.call("B", arrives: "14:13"), try Town.call("D", arrives: "14:33")]
            let update = [try Town.update(name, calls) { $0.trip.routeID = "R4" }]
            #expect(try Town.rows(update, at: "B", now: "14:00") == ["4 D Street 14:10 exp 14:13"])
        }
        // Another path is not a scheduled train.
        let calls = [
            try Town.call("B", arrives: "14:13"), try Town.call("A", arrives: "14:23"),
            try Town.call("E", arrives: "14:33"),
        ]
        let update = [try Town.update("084000_R4..N99X", calls) { $0.trip.routeID = "R4" }]
        #expect(try Town.rows(update, at: "B", now: "14:00").contains("4 E Street - exp 14:13"))
        // Other operators' IDs have no such form.
        #expect(NYCTTripID("T1") == nil)
        #expect(NYCTTripID("123456_abc") == nil)
    }

    @Test("a vehicle at the platform keeps its departure after its time")
    func atPlatform() throws {
        let update = try Town.update("T1", [Town.call("B", late: 0)])
        let vehicle = try Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:10:50")
        #expect(try Town.rows([update], at: "B", now: "08:11").isEmpty)
        #expect(try Town.rows([update, vehicle], at: "B", now: "08:11") == ["1 E Street 08:10 exp 08:10"])
        #expect(try Town.rows([update, vehicle], at: "B", now: "08:12").isEmpty)
        // A feed with vehicle positions only has no times.
        let overlay = try Town.overlay([vehicle], now: "08:11")
        let rows = try Town.departures(of: overlay, at: "B", now: "08:11", ahead: .seconds(600))
        #expect(rows.map(\.status) == [.scheduled(try Town.time("08:10"))])
        #expect(rows.map(\.vehicle) == ["4711"])
        // Also long after its time.
        let late = try Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:24:50")
        #expect(try Town.rows([late], at: "B", now: "08:25") == ["1 E Street 08:10 * 08:10"])
        let moving = try Town.vehicle("T1", at: "B", .inTransitTo, seen: "08:10:50")
        #expect(try Town.rows([moving], at: "B", now: "08:11").isEmpty)
    }

    @Test("a vehicle beyond the stop has left, whatever its estimate or booked time")
    func beyond() throws {
        let ahead = try Town.vehicle("T1", at: "D", .stoppedAt, seen: "08:05")
        let late = try Town.update("T1", [Town.call("A", late: 120)])
        let past = try Town.update("T1", [Town.call("D", departs: "08:06")])
        for entities in [[ahead], [late, ahead], [past, ahead]] {
            #expect(try Town.rows(entities, at: "B", now: "08:05:10").isEmpty)
        }
        #expect(
            try Town.rows([past, ahead], at: "D", now: "08:05:10", ahead: .seconds(600)) == [
                "1 E Street 08:30 exp 08:06"
            ])
        // A vehicle about to arrive has not left.
        let coming = try Town.vehicle("T1", at: "B", .incomingAt, seen: "08:05")
        #expect(try Town.rows([late, coming], at: "B", now: "08:05:10") == ["1 E Street 08:10 exp 08:12"])
        // A cancellation stays.
        let skipped = try Town.update("T1", [Town.call("B", kind: .skipped)])
        #expect(try Town.rows([skipped, ahead], at: "B", now: "08:05:10") == ["1 E Street 08:10 cancelled"])
    }

    @Test("a vehicle of a trip with frequencies belongs to the instance with its start")
    func vehicleOfFrequency() throws {
        func instance(_ start: String) throws -> Town.Entity {
            try Town.update("OFTEN", [Town.call("A", late: 60)], entity: start) { $0.trip.startTime = start + ":00" }
        }
        func labels(_ vehicle: Town.Entity) throws -> [String] {
            let overlay = try Town.overlay([instance("12:10"), instance("12:20"), vehicle], now: "12:12")
            return try Town.departures(of: overlay, at: "B", now: "12:12", ahead: .seconds(1_200)).map {
                "\(Town.clock($0.due)) \($0.vehicle)"
            }
        }
        func vehicle(_ start: String?, day: String? = Town.day) throws -> Town.Entity {
            try Town.vehicle("OFTEN", at: "A", .inTransitTo, seen: "12:12", day: day, start: start)
        }
        #expect(try labels(vehicle("12:20:00")) == ["12:16 ", "12:26 4711"])
        #expect(try labels(vehicle("12:10:00", day: nil)) == ["12:16 4711", "12:26 "])
        // An instance without update, and an unknown instance.
        #expect(try labels(vehicle("12:00:00")) == ["12:16 ", "12:26 "])
        #expect(try labels(vehicle(nil)) == ["12:16 ", "12:26 "])
    }

    @Test("a vehicle without a date is matched, and one of a copy")
    func vehicleOfOthers() throws {
        func label(_ update: Town.Entity, _ vehicle: Town.Entity) throws -> [String] {
            let overlay = try Town.overlay([update, vehicle], now: "13:00")
            return try Town.departures(of: overlay, at: "A", now: "13:00", ahead: .seconds(3_000)).map(\.vehicle)
        }
        let calls = [try Town.call("A", departs: "13:03"), try Town.call("D", arrives: "13:20")]
        let added = try Town.update("X1", calls, .added)
        #expect(try label(added, Town.vehicle("X1", at: "A", .stoppedAt, seen: "13:00", day: nil)) == ["4711"])
        #expect(try label(added, Town.vehicle("X1", at: "A", .stoppedAt, seen: "13:00", day: "20260303")) == [""])
        let copy = try Town.update("T1", [Town.call("A", late: 0)], .duplicated) {
            $0.tripProperties.tripID = "T1-copy"
            $0.tripProperties.startDate = Town.day
            $0.tripProperties.startTime = "13:05:00"
        }
        #expect(try label(copy, Town.vehicle("T1-copy", at: "A", .stoppedAt, seen: "13:00")) == ["4711"])
        #expect(try label(copy, Town.vehicle("T1", at: "A", .stoppedAt, seen: "13:00")) == [""])
    }
}
