import BoardCore
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime overlay: trips that call elsewhere, and repeated calls")
struct RealtimeElsewhereTests {
    private func calls() throws -> [Town.Call] {
        [
            try Town.call("A", departs: "08:03"), try Town.call("B", departs: "08:13"),
            try Town.call("D", arrives: "08:31"),
        ]
    }

    @Test(
        "an update of a scheduled trip that does not call at the requested stops is ignored")
    func elsewhere() throws {
        for relationship in [
            nil, .scheduled, .unscheduled, .canceled, .duplicated, .deleted,
        ] as [TransitRealtime_TripDescriptor.ScheduleRelationship?] {
            let update = [try Town.update(Town.elsewhere, calls(), relationship) { $0.trip.routeID = "R1" }]
            #expect(
                try Town.rows(update, at: "B", now: "08:05") == ["1 E Street 08:10 * 08:10"],
                "\(String(describing: relationship))")
        }
        // An unknown trip is shown.
        let unknown = [try Town.update("unknown", calls()) { $0.trip.routeID = "R2" }]
        #expect(
            try Town.rows(unknown, at: "B", now: "08:05") == ["1 E Street 08:10 * 08:10", "2 D Street - exp 08:13"])
        // These relationships change the calls of the trip.
        for relationship in [.added, .new, .replacement] as [TransitRealtime_TripDescriptor.ScheduleRelationship] {
            let update = [try Town.update(Town.elsewhere, calls(), relationship) { $0.trip.routeID = "R2" }]
            #expect(try Town.rows(update, at: "B", now: "08:05").contains("2 D Street - exp 08:13"))
        }
    }

    @Test("a timetable has the IDs of all trips, selected or not, sorted or not", arguments: [false, true])
    func allTripIDs(_ isUnsorted: Bool) throws {
        var fixture = GTFSFixture()
        if isUnsorted { fixture.files["stop_times.txt"]? += "\na,8:30:00,8:30:00,R,40,," }
        let (timetable, report) = try fixture.read(["P"])
        #expect(report.isUnsorted == isUnsorted)
        #expect(timetable.trips.map(\.id) == ["a", "b"])
        #expect(["a", "b", "c"].allSatisfy(timetable.allTripIDs.contains))
        #expect(!["", "d", "A", "trip_id"].contains(where: timetable.allTripIDs.contains))
    }

    @Test("4 bytes per trip suffice for few false positives among many trips")
    func hashes() {
        let ids = TripIDSet((0..<50_000).map { "trip \($0)".hash(7) }, seed: 7)
        #expect((0..<50_000).allSatisfy { ids.contains("trip \($0)") })
        #expect((50_000..<100_000).count { ids.contains("trip \($0)") } < 20)
    }

    @Test("of two updates of one call, the one that is not before the previous call counts")
    func repeated() throws {
        func copy(_ second: [Town.Call], _ relationship: TransitRealtime_TripDescriptor.ScheduleRelationship?) throws
            -> [Town.Entity]
        {
            let calls = [try Town.call("A", 10, departs: "08:13")] + second + [try Town.call("D", 40, arrives: "08:43")]
            return [
                try Town.update("T1", calls, relationship) { if relationship != nil { $0.trip.startTime = "08:13:00" } }
            ]
        }
        let wrong = try Town.call("B", 20, departs: "08:11"), right = try Town.call("B", 20, departs: "08:23")
        for order in [[wrong, right], [right, wrong], [right]] {
            #expect(
                try Town.rows(copy(order, .duplicated), at: "B", now: "08:05")
                    == ["1 E Street 08:10 * 08:10", "1 E Street 08:23 exp 08:23"])
            #expect(try Town.rows(copy(order, nil), at: "B", now: "08:05") == ["1 E Street 08:10 exp 08:23"])
            #expect(try Town.rows(copy(order, .added), at: "B", now: "08:05").suffix(1) == ["1 D Street - exp 08:23"])
        }
        // Of two later ones the last counts.
        let late = try Town.call("B", 20, departs: "08:25")
        #expect(try Town.rows(copy([late, right], nil), at: "B", now: "08:05") == ["1 E Street 08:10 exp 08:23"])
        let same = try Town.call("B", 20, departs: "08:13")
        #expect(try Town.rows(copy([wrong, same], nil), at: "B", now: "08:05") == ["1 E Street 08:10 exp 08:13"])
        // A call without a time does not affect the order.
        let untimed = [
            try Town.call("A", 10, departs: "08:13"), try Town.call("B", 20), try Town.call("C1", 30, departs: "08:33"),
            try Town.call("C1", 30, departs: "08:11"),
        ]
        #expect(try Town.rows([Town.update("T1", untimed)], at: "C1", now: "08:05") == ["1 E Street 08:22 exp 08:33"])
    }

    @Test(
        "the trips of a message with many small updates are limited; the others stay scheduled"
    )
    func bounded() throws {
        let updates = try (0..<15_000).map { number in
            try Town.update(
                "new \(number)",
                [
                    Town.call("A", departs: "08:03"), Town.call("B", departs: "08:13"),
                    Town.call("D", arrives: "08:31"),
                ], .added, entity: "\(number)")
        }
        let index = try Town.index()
        let message = try RealtimeMessage(
            Town.bytes(updates, madeAt: Town.time("08:00")), entityFilter: index.entityFilter)
        let overlay = RealtimeOverlay([message], over: index, now: try Town.time("08:00"))
        #expect(message.trips.count <= 15_000)
        #expect((5_000..<9_000).contains(overlay.trips.count), "\(overlay.trips.count)")
        let rows = try Town.departures(of: overlay, at: "B", now: "08:00")
        #expect(rows.count == Timetable.maximumDepartures)
    }

    @Test("a message makes at most 500 searches for trips with the same calls")
    func searches() throws {
        let calls = try calls()
        let updates = try (0...500).map { try Town.update("new \($0)", calls, .added, entity: "\($0)") }
        let trips = try Town.overlay(updates, now: "08:00").trips
        #expect(trips.count == 501)
        #expect(trips.count { $0.line == trips.first?.line } == 500)
    }

    @Test("beyond the limit of departures, the earliest are shown, in any order of updates")
    func earliest() throws {
        let updates = try (0...Timetable.maximumDepartures).map { number in
            let isLast = number == Timetable.maximumDepartures
            return try Town.update(
                "new \(number)",
                [Town.call("B", departs: isLast ? "08:13" : "08:43"), Town.call("D", arrives: "08:51")], .added,
                entity: "\(number)")
        }
        let overlay = try Town.overlay(updates, now: "08:00")
        let rows = try Town.departures(of: overlay, at: "B", now: "08:00")
        #expect(rows.contains { $0.due == (try? Town.time("08:13")) })
    }
}
