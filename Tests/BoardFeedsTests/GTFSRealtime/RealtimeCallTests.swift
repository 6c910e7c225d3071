import BoardCore
import Testing
import TransitRealtime

@testable import BoardFeeds

/// From the archive and the bytes of a message to the rows of a stop.
@Suite("GTFS-Realtime: the calls of a trip")
struct RealtimeCallTests {
    /// Stops A to D, X beside the line, and station K with two platforms. T1 calls at A to D, P1 at K1, B and D, STAY at A for ten minutes.
    private static func timetable(
        _ stops: [String], _ change: (inout GTFSFixture) -> Void = { _ in }
    ) throws -> Timetable {
        var fixture = GTFSFixture()
        fixture.files["stops.txt"] = """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
            A,A Street,40,-74,,,
            B,B Street,40,-74,,,
            C,C Street,40,-74,,,
            D,D Street,40,-74,,,
            X,X Street,40,-74,,,
            K,K Station,40,-74,1,,
            K1,K Station,40,-74,0,K,1
            K2,K Station,40,-74,0,K,2
            """
        fixture.files["routes.txt"] = "route_id,route_short_name,route_type\nR,1,3\nP,2,3\nS,3,3\n"
        fixture.files["trips.txt"] = """
            route_id,service_id,trip_id,direction_id
            R,week,T1,0
            P,week,P1,0
            S,week,STAY,0
            S,week,X1,1\n
            """
        fixture.files["stop_times.txt"] = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T1,10:00:00,10:00:00,A,1
            T1,10:05:00,10:05:00,B,2
            T1,10:10:00,10:10:00,C,3
            T1,10:15:00,10:15:00,D,4
            P1,10:00:00,10:00:00,K1,1
            P1,10:05:00,10:05:00,B,2
            P1,10:15:00,10:15:00,D,3
            STAY,10:00:00,10:10:00,A,1
            STAY,10:15:00,10:15:00,B,2
            STAY,10:20:00,10:20:00,C,3
            X1,11:00:00,11:00:00,X,1
            X1,11:10:00,11:10:00,D,2\n
            """
        change(&fixture)
        return try fixture.read(stops).timetable
    }

    private static func overlay(
        _ entities: [Town.Entity], at stops: [String], now: String = "09:50",
        _ change: (inout GTFSFixture) -> Void = { _ in }
    ) throws -> RealtimeOverlay {
        let index = RealtimeIndex(try timetable(stops, change), stops: stops)
        let message = try RealtimeMessage(
            Town.bytes(entities, madeAt: Town.time(now)), entityFilter: index.entityFilter)
        return RealtimeOverlay([message], over: index, now: try Town.time(now))
    }

    /// The rows at each favourite.
    private static func rows(
        _ entities: [Town.Entity], at stops: [String], now: String = "09:50",
        _ change: (inout GTFSFixture) -> Void = { _ in }
    ) throws -> [[String]] {
        let overlay = try overlay(entities, at: stops, now: now, change)
        return try stops.map { try Town.rows(of: overlay, at: $0, now: now) }
    }

    @Test("a departure has the colour and the mode of its route, with realtime data and without")
    func looks() throws {
        let update = try Town.update("T1", [Town.call("A", departs: "10:01"), Town.call("D", arrives: "10:16")])
        let added = try Town.update("T9", [Town.call("A", departs: "10:20"), Town.call("D", arrives: "10:30")], .added)
        {
            $0.trip.routeID = "S"
        }
        let overlay = try Self.overlay([update, added], at: ["A"]) { fixture in
            fixture.files["routes.txt"] =
                "route_id,route_short_name,route_type,route_color\nR,1,400,00a651\nP,2,3,\nS,3,202,0019A8\n"
        }
        let departures = try Town.departures(of: overlay, at: "A", now: "09:50")
        #expect(departures.map(\.line.name) == ["1", "3", "3"])
        #expect(departures.map(\.lineColour) == ["00A651", "0019A8", "0019A8"])
        #expect(departures.map(\.mode) == [.metro, .bus, .bus])
    }

    @Test("a train that moves to another platform leaves from there, in whatever order the message has it")
    func platforms() throws {
        let old = try Town.call("K1", 1, kind: .skipped), new = try Town.call("K2", 1, departs: "10:01")
        let (unnumberedOld, unnumberedNew) = (
            try Town.call("K1", kind: .skipped), try Town.call("K2", departs: "10:01")
        )
        var assigned = try Town.call("K1", 1, departs: "10:01")
        assigned.stopTimeProperties.assignedStopID = "K2"
        let unknown = try Town.call("K1", 1, kind: .noData)
        for calls in [
            [old, new], [new, old], [new], [assigned], [unnumberedOld, unnumberedNew], [unnumberedNew], [unknown, new],
        ] {
            let update = try Town.update("P1", calls + [Town.call("D", 3, arrives: "10:16")])
            let row = ["2 D Street 10:00 exp 10:01"]
            #expect(try Self.rows([update], at: ["K2"]) == [row])
            #expect(try Self.rows([update], at: ["K1"]) == [[]])
            #expect(try Self.rows([update], at: ["K1", "K2", "K"]) == [[], row, row])
            let rows = try Self.rows([update], at: ["B"])[0]
            #expect(rows.contains("2 D Street 10:05 exp 10:06"), "\(rows) \(calls)")
        }
        let skipped = try Town.update("P1", [old])
        #expect(try Self.rows([skipped], at: ["K1", "K2"]) == [["2 D Street 10:00 cancelled"], []])
    }

    @Test("calls that a trip does not make change nothing, whatever the other favourites are")
    func foreign() throws {
        let foreign = [try Town.call("X", departs: "10:02"), try Town.call("K1", departs: "10:04")]
        let own = [
            try Town.call("A", departs: "10:01"), try Town.call("X", departs: "10:02"),
            try Town.call("D", arrives: "10:16"),
        ]
        for (calls, row) in [(foreign, "1 D Street 10:00 * 10:00"), (own, "1 D Street 10:00 exp 10:01")] {
            let update = try Town.update("T1", calls)
            let others = ["3 C Street 10:10 * 10:10"]
            #expect(try Self.rows([update], at: ["X"]) == [[]])
            #expect(try Self.rows([update], at: ["X", "A"]) == [[], [row] + others])
            #expect(try Self.rows([update], at: ["A"]) == [[row] + others])
            #expect(try Self.overlay([update], at: ["A"]).badUpdates == (calls.count == 2 ? 2 : 1))
            // Also of a second train with this ID.
            let second = try Town.update(
                "T1", [Town.call("X", departs: "10:03"), Town.call("D", arrives: "10:20")], entity: "2")
            #expect(try Self.rows([update, second], at: ["X", "A"])[0].isEmpty)
        }
    }

    @Test("a stop that is named twice, and called at once, has one departure")
    func twice() throws {
        for calls in [
            [
                try Town.call("A", departs: "10:01"), try Town.call("A", departs: "10:04"),
                try Town.call("D", arrives: "10:16"),
            ],
            [
                try Town.call("A", departs: "10:01"), try Town.call("D", arrives: "10:16"),
                try Town.call("A", departs: "10:04"),
            ],
        ] {
            #expect(
                try Self.rows([Town.update("T1", calls)], at: ["A"])[0].filter { $0.hasPrefix("1") } == [
                    "1 D Street 10:00 exp 10:01"
                ])
        }
    }

    @Test("a time that follows from an earlier call is not after the report of a later one")
    func stay() throws {
        let update = try Town.update(
            "STAY", [Town.call("A", arrives: "10:08"), Town.call("B", arrives: "10:15", departs: "10:15")])
        #expect(try Self.rows([update], at: ["A"], now: "10:05")[0] == ["3 C Street 10:10 exp 10:10"])
        let late = try Town.update("STAY", [Town.call("A", arrives: "10:08"), Town.call("B", departs: "10:19")])
        #expect(try Self.rows([late], at: ["A"], now: "10:05")[0] == ["3 C Street 10:10 exp 10:18"])
    }

    @Test(
        "a vehicle that leaves a later stop early has left the earlier ones before, whether or not they have a report")
    func early() throws {
        let update = try Town.update("T1", [Town.call("C", departs: "10:03")])
        #expect(
            try Self.rows([update], at: ["A", "B"], now: "09:50").map { $0.filter { $0.hasPrefix("1") } } == [
                ["1 D Street 10:00 * 09:53"], ["1 D Street 10:05 * 09:58"],
            ])
        // A slightly early one does not exclude the timetable.
        let slightly = try Town.update("T1", [Town.call("C", departs: "10:08")])
        #expect(try Self.rows([slightly], at: ["B"], now: "09:50")[0].first == "1 D Street 10:05 * 10:05")
        // Past, and with a report that is contradicted by the vehicle's place.
        for calls in [
            [try Town.call("C", departs: "10:03")],
            [try Town.call("A", departs: "10:09"), try Town.call("C", arrives: "10:03", departs: "10:09")],
        ] {
            #expect(
                try Self.rows([Town.update("T1", calls)], at: ["A"], now: "10:04")[0].filter { $0.hasPrefix("1") }
                    .isEmpty)
        }
    }

    @Test("only a report of a later call proves that the vehicle has passed, and not what follows from one")
    func proofs() throws {
        // C is left early after a stay, and the arrival there is not reported.
        func change(_ fixture: inout GTFSFixture) {
            fixture.files["stop_times.txt"]?.replace("T1,10:10:00,10:10:00,C", with: "T1,10:10:00,10:20:00,C")
            fixture.files["stop_times.txt"]?.replace("T1,10:15:00,10:15:00,D", with: "T1,10:25:00,10:25:00,D")
        }
        let stay = try Town.update("T1", [Town.call("B", departs: "10:07"), Town.call("C", departs: "10:12")])
        #expect(try Self.rows([stay], at: ["B"], now: "10:04", change)[0].contains("1 D Street 10:05 exp 10:07"))
        // B has no report.
        let between = try Town.update(
            "T1", [Town.call("A", departs: "10:08"), Town.call("B", kind: .noData), Town.call("D", arrives: "10:15")])
        #expect(try Self.rows([between], at: ["A"], now: "10:06")[0].contains("1 D Street 10:00 exp 10:08"))
        // The report of D is of another day.
        let far = try Town.update("T1", [Town.call("A", departs: "10:01"), Town.call("D", arrives: "00:15")])
        #expect(try Self.rows([far], at: ["A"])[0].contains("1 D Street 10:00 exp 10:01"))
    }

    @Test("departures never go back along a trip")
    func order() throws {
        let all = ["A", "B", "C", "D"]
        let times = [nil, "09:40", "10:00", "10:06", "10:21", "13:00"]
        for first in times {
            for second in times {
                for third in times {
                    let calls = try zip(all, [first, second, third]).compactMap { stop, time in
                        try time.map { try Town.call(stop, departs: $0) }
                    }
                    // Of the timetable, and from the message alone.
                    let updates = try ["T1", "new"].map { try Town.update($0, calls, $0 == "new" ? .added : nil) }
                    let overlay = try Self.overlay(updates, at: all, now: "09:30")
                    #expect(overlay.trips.count == (calls.isEmpty ? 1 : 2))
                    for trip in overlay.trips {
                        let departures = trip.calls.compactMap { ($0.live ?? $0.planned)?.departure }
                        #expect(departures == departures.sorted(), "\([first, second, third])")
                    }
                }
            }
        }
    }

    @Test("a deviation that no vehicle has counts as none")
    func nonsense() throws {
        for late in [Int32(-15_000), 100_000] {
            let update = try Town.update("T1", [Town.call("B", early: late, late: late)])
            #expect(
                try Self.rows([update], at: ["A", "B"]).map(\.first) == [
                    "1 D Street 10:00 * 10:00", "1 D Street 10:05 * 10:05",
                ])
            let whole = try Town.update("T1") { $0.delay = late }
            #expect(try Self.rows([whole], at: ["B"])[0].first == "1 D Street 10:05 * 10:05")
            #expect(try Self.overlay([update], at: ["B"]).badUpdates == 1)
            #expect(try Self.overlay([whole], at: ["B"]).badUpdates == 1)
        }
        // Far off, between two that agree.
        let update = try Town.update(
            "T1", [Town.call("A", late: 60), Town.call("B", late: 14_000), Town.call("C", early: 60, late: 60)])
        #expect(try Self.rows([update], at: ["B"])[0].filter { $0.hasPrefix("1") } == ["1 D Street 10:05 exp 10:06"])
    }

    @Test("an update without a usable trip ID is of the trip with its route, direction, start and day")
    func descriptor() throws {
        func update(_ id: String, start: String = "10:00:00", direction: UInt32? = 0, _ cancelled: Bool) throws
            -> Town.Entity
        {
            try Town.update(
                id, cancelled ? [] : [Town.call("A", departs: "10:20"), Town.call("D", arrives: "10:35")],
                cancelled ? .canceled : nil, entity: "e"
            ) {
                ($0.trip.routeID, $0.trip.startTime) = ("R", start)
                if let direction { $0.trip.directionID = direction }
            }
        }
        func shown(_ update: Town.Entity, _ change: (inout GTFSFixture) -> Void = { _ in }) throws -> [String] {
            try Self.rows([update], at: ["A"], change)[0].filter { $0.hasPrefix("1") }
        }
        for id in ["", "other"] {
            #expect(try shown(update(id, true)) == ["1 D Street 10:00 cancelled"])
            #expect(try shown(update(id, false)) == ["1 D Street 10:00 exp 10:20"])
            #expect(try shown(update(id, direction: nil, true)) == ["1 D Street 10:00 cancelled"])
            // Two trips may be meant.
            #expect(
                try shown(update(id, true)) { Self.add("R", "T2", to: &$0) } == [
                    "1 D Street 10:00 * 10:00", "1 D Street 10:00 * 10:00",
                ])
        }
        // A trip with an ID of its own beside the cancelled one that it replaces, in any order.
        let cancelled = try Town.update("T1", [], .canceled)
        for entities in [[cancelled, try update("other", false)], [try update("other", false), cancelled]] {
            let rows = try Self.rows(entities, at: ["A"])[0].filter { $0.hasPrefix("1") }
            #expect(rows == ["1 D Street 10:00 cancelled", "1 D Street - exp 10:20"])
        }
        #expect(try shown(update("", start: "10:01:00", true)).contains("1 D Street 10:00 * 10:00"))
        #expect(try shown(update("", direction: 1, true)).contains("1 D Street 10:00 * 10:00"))
    }

    @Test("a trip that ends early has its last stop as its destination, and a cancelled one that of the timetable")
    func short() throws {
        let update = try Town.update(
            "T1", [Town.call("A", departs: "10:01"), Town.call("C", kind: .skipped), Town.call("D", kind: .skipped)])
        #expect(
            try Self.rows([update], at: ["A", "B"]).map(\.first) == [
                "1 B Street 10:00 exp 10:01", "1 D Street 10:05 cancelled",
            ])
    }

    /// Adds a trip at 10:00 from A to D.
    private static func add(_ route: String, _ trip: String, to fixture: inout GTFSFixture) {
        fixture.files["trips.txt"]? += "\(route),week,\(trip),0\n"
        fixture.files["stop_times.txt"]? += "\(trip),10:00:00,10:00:00,A,1\n\(trip),10:15:00,10:15:00,D,2\n"
    }

    @Test("a bus that two routes list has one row, the live one; two buses of one route have two")
    func copies() throws {
        for trips in [["T1", "T2"], ["T2", "T1"]] {
            let live = try Town.update(trips[0], [Town.call("A", departs: "10:03")])
            for (route, expected) in [
                ("Q", ["1 D Street 10:00 exp 10:03"]),
                ("R", ["1 D Street 10:00 * 10:00", "1 D Street 10:00 exp 10:03"]),
            ] {
                let rows = try Self.rows([live], at: ["A"]) { fixture in
                    fixture.files["routes.txt"]? += "Q,1,3\n"
                    Self.add(route, "T2", to: &fixture)
                }
                #expect(rows[0].filter { $0.hasPrefix("1") } == expected)
            }
        }
    }

    @Test(
        "a call that needs a telephone call or the driver has that with its message and number; one with a window of time has no time"
    )
    func arrangements() throws {
        func change(_ fixture: inout GTFSFixture) {
            fixture.files["trips.txt"]? += "R,week,CALL,0\n"
            fixture.files["booking_rules.txt"] =
                "booking_rule_id,booking_type,message,pickup_message,phone_number\nb,1,Later,An hour before,01234 567\n"
            fixture.files["stop_times.txt"] = """
                trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,pickup_booking_rule_id,start_pickup_drop_off_window,end_pickup_drop_off_window
                CALL,10:00:00,10:00:00,A,1,2,b,,
                CALL,10:05:00,10:05:00,B,2,3,,,
                CALL,,,X,3,2,b,10:06:00,10:09:00
                CALL,,,K1,4,0,,,
                CALL,10:10:00,10:10:00,C,5,0,,,
                CALL,10:15:00,10:15:00,D,6,0,,,\n
                """
        }
        let stops = ["A", "B", "X", "K1", "C"]
        let live = try Town.update("CALL", [Town.call("A", departs: "10:01")])
        for entities in [[], [live]] {
            let overlay = try Self.overlay(entities, at: stops, change)
            func arrangements(_ stop: String) throws -> [TripAttributes.Arrangement?] {
                try Town.departures(of: overlay, at: stop, now: "09:50", ahead: .seconds(2_300))
                    .map { $0.attributes?.arrangement }
            }
            let phone = TripAttributes.Arrangement(by: .phone, message: "An hour before", phone: "01234 567")
            #expect(try arrangements("A") == [phone])
            #expect(try arrangements("B") == [TripAttributes.Arrangement(by: .driver)])
            #expect(try arrangements("C") == [nil])
            #expect(try arrangements("X").isEmpty && arrangements("K1").isEmpty)
        }
        // Realtime data may change it.
        var call = try Town.call("C", departs: "10:11")
        call.stopTimeProperties.pickupType = .coordinateWithDriver
        let overlay = try Self.overlay([Town.update("CALL", [call])], at: stops, change)
        let row = try Town.departures(of: overlay, at: "C", now: "09:50", ahead: .seconds(2_300)).first
        #expect(row?.attributes?.arrangement?.by == .driver)
    }
}
