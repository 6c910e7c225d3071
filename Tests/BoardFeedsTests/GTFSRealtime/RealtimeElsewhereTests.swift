import BoardCore
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime laid over the timetable: trips that call elsewhere, and calls told twice")
struct RealtimeElsewhereTests {
    private func calls() throws -> [Town.Call] {
        [
            try Town.call("A", departs: "08:03"), try Town.call("B", departs: "08:13"),
            try Town.call("D", arrives: "08:31"),
        ]
    }

    @Test(
        "an update of a trip that the timetable has and that calls at no stop of interest says nothing of these stops")
    func elsewhere() throws {
        for relationship in [
            nil, .scheduled, .unscheduled, .canceled, .duplicated, .deleted,
        ] as [TransitRealtime_TripDescriptor.ScheduleRelationship?] {
            let update = [try Town.update(Town.elsewhere, try calls(), relationship) { $0.trip.routeID = "R1" }]
            #expect(
                try Town.rows(update, at: "B", now: "08:05") == ["1 E Street 08:10 * 08:10"],
                "\(String(describing: relationship))")
        }
        // One that the timetable does not have is a vehicle that only the message knows.
        let unknown = [try Town.update("unknown", try calls()) { $0.trip.routeID = "R2" }]
        #expect(
            try Town.rows(unknown, at: "B", now: "08:05") == ["1 E Street 08:10 * 08:10", "2 D Street - exp 08:13"])
        // These say that they call where the timetable does not.
        for relationship in [.added, .new, .replacement] as [TransitRealtime_TripDescriptor.ScheduleRelationship] {
            let update = [try Town.update(Town.elsewhere, try calls(), relationship) { $0.trip.routeID = "R2" }]
            #expect(try Town.rows(update, at: "B", now: "08:05").contains("2 D Street - exp 08:13"))
        }
    }

    @Test("a timetable knows all trips of its archive, kept or not, sorted by trips or not", arguments: [false, true])
    func known(_ apart: Bool) throws {
        var city = City()
        if apart { city.files["stop_times.txt"]? += "\na,8:30:00,8:30:00,R,40,," }
        let (timetable, report) = try city.read(["C2"])
        #expect(report.isUnsorted == apart)
        #expect(timetable.trips.map(\.id) == ["b"])
        #expect(["a", "b", "c"].allSatisfy(timetable.knownTrips.contains))
        #expect(!["", "d", "A", "trip_id"].contains(where: timetable.knownTrips.contains))
    }

    @Test("the hashes of many trips fit 4 bytes each, and hardly another identifier has one of them")
    func hashes() {
        let known = KnownTrips(
            (0..<50_000).map { number in
                let id = Array("trip \(number)".utf8)
                return ByteKeys.hash(id.span, 0..<id.count, 7)
            }, seed: 7)
        #expect((0..<50_000).allSatisfy { known.contains("trip \($0)") })
        #expect((50_000..<100_000).count { known.contains("trip \($0)") } < 20)
    }

    @Test("of two calls of one sequence at one stop the one counts that is not before the call before it")
    func repeated() throws {
        func copy(_ second: [Town.Call], _ relationship: TransitRealtime_TripDescriptor.ScheduleRelationship?) throws
            -> [Town.Entity]
        {
            let calls =
                [try Town.call("A", 10, departs: "08:13")] + second + [try Town.call("D", 40, arrives: "08:43")]
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
        // Of two that come after the call before them the last.
        let late = try Town.call("B", 20, departs: "08:25")
        #expect(try Town.rows(copy([late, right], nil), at: "B", now: "08:05") == ["1 E Street 08:10 exp 08:23"])
        let same = try Town.call("B", 20, departs: "08:13")
        #expect(try Town.rows(copy([wrong, same], nil), at: "B", now: "08:05") == ["1 E Street 08:10 exp 08:13"])
        // A call without a time between them says nothing of the order.
        let untimed = [
            try Town.call("A", 10, departs: "08:13"), try Town.call("B", 20), try Town.call("C1", 30, departs: "08:33"),
            try Town.call("C1", 30, departs: "08:11"),
        ]
        #expect(
            try Town.rows([try Town.update("T1", untimed)], at: "C1", now: "08:05") == ["1 E Street 08:22 exp 08:33"])
    }

    @Test(
        "a message of few bytes a trip makes no more runs than a board may hold, and the others keep the timetable's rows"
    )
    func bounded() throws {
        let updates = try (0..<15_000).map { number in
            try Town.update(
                "new \(number)",
                [
                    try Town.call("A", departs: "08:03"), try Town.call("B", departs: "08:13"),
                    try Town.call("D", arrives: "08:31"),
                ], .added, entity: "\(number)")
        }
        let index = try Town.index()
        let message = try RealtimeMessage(
            try Town.bytes(updates, made: try Town.time("08:00")), interest: index.interest)
        let board = RealtimeBoard([message], over: index, now: try Town.time("08:00"))
        #expect(message.trips.count <= 15_000)
        #expect((5_000..<9_000).contains(board.runs.count), "\(board.runs.count)")
        let rows = board.departures(at: Town.stop("B"), now: try Town.time("08:00"), ahead: .seconds(3_600))
        #expect(rows.count == Timetable.mostDepartures)
    }

    @Test("a message makes 500 searches for trips with the same calls at most")
    func searches() throws {
        let calls = try calls()
        let updates = try (0...500).map { try Town.update("new \($0)", calls, .added, entity: "\($0)") }
        let runs = try Town.board(updates, now: "08:00").runs
        #expect(runs.count == 501)
        #expect(runs.count { $0.line == runs.first?.line } == 500)
    }

    @Test("of more trains than a question is answered with the earliest are shown, in whatever order they are told")
    func earliest() throws {
        let updates = try (0...Timetable.mostDepartures).map { number in
            let isLast = number == Timetable.mostDepartures
            return try Town.update(
                "new \(number)",
                [try Town.call("B", departs: isLast ? "08:13" : "08:43"), try Town.call("D", arrives: "08:51")], .added,
                entity: "\(number)")
        }
        let index = try Town.index()
        let message = try RealtimeMessage(
            try Town.bytes(updates, made: try Town.time("08:00")), interest: index.interest)
        let board = RealtimeBoard([message], over: index, now: try Town.time("08:00"))
        let rows = board.departures(at: Town.stop("B"), now: try Town.time("08:00"), ahead: .seconds(3_600))
        #expect(rows.contains { $0.due == (try? Town.time("08:13")) })
    }
}
