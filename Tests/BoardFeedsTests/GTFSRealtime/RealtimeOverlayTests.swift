import BoardCore
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime overlay: times")
struct RealtimeOverlayTests {
    @Test("a departure without an update is scheduled, not on time")
    func noUpdate() throws {
        #expect(try Town.rows([], at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10"])
    }

    @Test("a delay applies to later calls, not to earlier ones")
    func propagation() throws {
        let update = [try Town.update("T1", [Town.call("B", late: 120)])]
        #expect(try Town.rows(update, at: "A", now: "07:50", ahead: .seconds(1_200)) == ["1 E Street 08:00 * 08:00"])
        #expect(try Town.rows(update, at: "B", now: "07:50") == ["1 E Street 08:10 exp 08:12"])
        #expect(try Town.rows(update, at: "C", now: "07:50") == ["1 E Street 08:22 exp 08:24"])
        #expect(try Town.rows(update, at: "D", now: "08:00") == ["1 E Street 08:30 exp 08:32"])
    }

    @Test("a trip's last stop is not a departure")
    func lastStop() throws {
        #expect(
            try Town.rows(
                [Town.update("T1", [Town.call("E", early: 60)])], at: "E", now: "08:00", ahead: .seconds(3_600)
            ).isEmpty)
    }

    @Test("the next updated call ends the delay of the one before")
    func nextUpdate() throws {
        let update = [try Town.update("T1", [Town.call("A", late: 300), Town.call("C1", late: 60)])]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 exp 08:15"])
        #expect(try Town.rows(update, at: "D", now: "08:00") == ["1 E Street 08:30 exp 08:31"])
    }

    @Test("a time takes precedence over a delay, and sets the delay of later calls")
    func timeBeatsDelay() throws {
        let call = try Town.call("B", departs: "08:14", late: 60)
        let update = [try Town.update("T1", [call])]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 exp 08:14"])
        #expect(try Town.rows(update, at: "D", now: "08:00") == ["1 E Street 08:30 exp 08:34"])
    }

    @Test("an arrival alone delays the departure equally, with the planned stop time")
    func arrivalAlone() throws {
        let update = [try Town.update("T1", [Town.call("C1", arrives: "08:25")])]
        #expect(try Town.rows(update, at: "C", now: "08:00") == ["1 E Street 08:22 exp 08:27"])
    }

    @Test("a departure before the arrival is the arrival")
    func departureBeforeArrival() throws {
        let update = [try Town.update("T1", [Town.call("C1", arrives: "08:29", departs: "08:25")])]
        #expect(try Town.rows(update, at: "C", now: "08:00") == ["1 E Street 08:22 exp 08:29"])
        // Seven minutes late, like the later calls.
        #expect(try Town.rows(update, at: "D", now: "08:10") == ["1 E Street 08:30 exp 08:37"])
    }

    @Test("an early departure is shown early")
    func early() throws {
        let update = [try Town.update("T1", [Town.call("B", late: -180)])]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 exp 08:07"])
    }

    @Test("a skipped stop is cancelled, and the delay before it continues after it")
    func skipped() throws {
        let update = [
            try Town.update(
                "T1", [Town.call("A", late: 240), Town.call("B", kind: .skipped), Town.call("E", kind: .skipped)])
        ]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 cancelled"])
        #expect(try Town.rows(update, at: "C", now: "08:00") == ["1 D Street 08:22 exp 08:26"])
    }

    @Test("a stop before skipped calls only is the last one, and cancelled")
    func truncated() throws {
        let update = [try Town.update("T1", [Town.call("D", kind: .skipped), Town.call("E", kind: .skipped)])]
        #expect(try Town.rows(update, at: "C", now: "08:00") == ["1 E Street 08:22 cancelled"])
        let overlay = try Town.overlay(update, now: "08:00")
        let departure = try #require(Town.departures(of: overlay, at: "B", now: "08:00").first)
        #expect(departure.attributes?.endsAt == "C Street")
        #expect(departure.attributes?.startsAt == nil)
    }

    @Test("from a stop with NO_DATA on, departures are scheduled, until the next update")
    func noData() throws {
        let update = [
            try Town.update("T1", [Town.call("A", late: 240), Town.call("B", kind: .noData), Town.call("D", late: 60)])
        ]
        #expect(try Town.rows(update, at: "B", now: "08:00") == ["1 E Street 08:10 * 08:10"])
        #expect(try Town.rows(update, at: "C", now: "08:00") == ["1 E Street 08:22 * 08:22"])
        #expect(try Town.rows(update, at: "D", now: "08:00") == ["1 E Street 08:30 exp 08:31"])
    }

    @Test("the delay of the whole trip applies up to the first call with an update")
    func tripDelay() throws {
        let whole = [try Town.update("T1") { $0.delay = 180 }]
        #expect(try Town.rows(whole, at: "B", now: "08:00") == ["1 E Street 08:10 exp 08:13"])
        let later = [try Town.update("T1", [Town.call("D", arrives: "08:48")]) { $0.delay = 1_080 }]
        #expect(try Town.rows(later, at: "B", now: "08:20") == ["1 E Street 08:10 exp 08:28"])
        #expect(try Town.rows(later, at: "D", now: "08:20") == ["1 E Street 08:30 exp 08:48"])
    }

    @Test("a call is matched by its sequence, else by its stop, in a loop the next visit")
    func matching() throws {
        let bySequence = [try Town.update("LOOP", [Town.call("A", 40, late: 60)])]
        #expect(
            try Town.rows(bySequence, at: "A", now: "09:55") == [
                "2 C Street 10:00 * 10:00", "2 C Street 10:30 exp 10:31",
            ])
        let byStop = [try Town.update("LOOP", [Town.call("A", late: 60), Town.call("A", late: 300)])]
        #expect(
            try Town.rows(byStop, at: "A", now: "09:58")
                == ["2 C Street 10:00 exp 10:01", "2 C Street 10:30 exp 10:35"])
        // A sequence of another stop is wrong, and the stop counts.
        let wrong = [try Town.update("T1", [Town.call("D", 20, late: 60)])]
        #expect(try Town.rows(wrong, at: "B", now: "08:05") == ["1 E Street 08:10 * 08:10"])
        #expect(try Town.rows(wrong, at: "D", now: "08:05") == ["1 E Street 08:30 exp 08:31"])
    }

    @Test("the first updated call with a time may be the second visit of a loop")
    func secondVisit() throws {
        let update = [try Town.update("LOOP", [Town.call("A", arrives: "10:33")])]
        #expect(try Town.rows(update, at: "A", now: "10:25") == ["2 C Street 10:30 exp 10:33"])
        #expect(try Town.rows(update, at: "B", now: "10:25") == ["2 C Street 10:40 exp 10:43"])
        // A later time selects the visit of earlier calls without times.
        let skipped = try Town.update("LOOP", [Town.call("A", kind: .skipped), Town.call("B", arrives: "10:43")])
        #expect(try Town.rows([skipped], at: "A", now: "10:25") == ["2 C Street 10:30 cancelled"])
        #expect(try Town.rows([skipped], at: "B", now: "10:25") == ["2 C Street 10:40 exp 10:43"])
        let early = try Town.update("LOOP", [Town.call("A", kind: .skipped), Town.call("B", arrives: "10:11")])
        #expect(
            try Town.rows([early], at: "B", now: "10:05") == [
                "2 C Street 10:10 exp 10:11", "2 C Street 10:40 exp 10:41",
            ])
    }

    @Test("a time of another year is ignored")
    func otherYear() throws {
        var call = try Town.call("B")
        for seconds: Int64 in [100, 1_900_000_000] {
            call.departure.time = seconds
            #expect(try Town.rows([Town.update("T1", [call])], at: "B", now: "08:05") == ["1 E Street 08:10 * 08:10"])
            let late = [try Town.update("T1", [Town.call("A", late: 60), call])]
            #expect(try Town.rows(late, at: "B", now: "08:05") == ["1 E Street 08:10 exp 08:11"])
        }
    }

    @Test("a live departure stays half a minute after its estimate, a scheduled one a minute")
    func ageing() throws {
        let update = [try Town.update("T1", [Town.call("B", late: 1_200)])]
        #expect(try Town.rows(update, at: "B", now: "08:30:29").count == 1)
        #expect(try Town.rows(update, at: "B", now: "08:30:30").isEmpty)
        #expect(try Town.rows([], at: "B", now: "08:10:59").count == 1)
        #expect(try Town.rows([], at: "B", now: "08:11:00").isEmpty)
    }

    @Test("an estimate has the timestamp of its update, else of its message; a scheduled departure that of the message")
    func madeAt() throws {
        let update = [
            try Town.update("T1", [Town.call("B", late: 60)]) { $0.timestamp = UInt64(try Town.time("07:58").seconds) },
            try Town.update("T2", [Town.call("B", late: 60)]),
        ]
        let overlay = try Town.overlay(update, now: "08:00")
        let rows = try Town.departures(of: overlay, at: "B", now: "08:00", ahead: .seconds(9_000))
        #expect(rows.map { Town.clock($0.madeAt) } == ["07:58", "08:00", "08:00"])
        #expect(rows.map(\.line.name) == ["1", "1", "2"])
    }

    @Test(
        "a scheduled departure is as old as the last trip message, so that a frozen feed is detected")
    func frozen() throws {
        let index = try Town.index()
        let old = try RealtimeMessage(Town.bytes([Town.update("T2")], madeAt: Town.time("07:00")))
        var alert = Town.Entity()
        alert.alert.effect = .detour
        let alerts = try RealtimeMessage(Town.bytes([alert], madeAt: Town.time("07:58")))
        func madeAt(_ messages: [RealtimeMessage]) throws -> [String] {
            RealtimeOverlay(messages, over: index, now: try Town.time("08:00"))
                .departures(at: Town.stop("B"), now: try Town.time("08:00"), ahead: .seconds(1_200))
                .map { Town.clock($0.madeAt) }
        }
        #expect(try madeAt([old, alerts]) == ["07:00"])
        // Without trip messages the timetable is current.
        #expect(try madeAt([alerts]) == ["08:00"])
        #expect(try madeAt([]) == ["08:00"])
    }

    @Test("a message with changed bytes gives departures or an error")
    func changedBytes() throws {
        let entities = [
            try Town.update("T1", [Town.call("A", 10, arrives: "08:00", late: -5), Town.call("B", late: 60)]),
            try Town.update("T2", [Town.call("C1", departs: "09:22")], .replacement) { $0.delay = 60 },
            try Town.update("X", [Town.call("A", departs: "08:20"), Town.call("B", departs: "08:30")], .added),
            try Town.update("OFTEN", [Town.call("A", late: 60)], .duplicated) {
                $0.tripProperties.startDate = Town.day
                $0.tripProperties.startTime = "08:01:00"
            }, try Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:00"),
        ]
        let whole = try Town.bytes(entities, madeAt: Town.time("08:00"))
        let index = try Town.index()
        var random: UInt64 = 42
        var rejected = 0
        for _ in 0..<400 {
            var body = whole
            for _ in 0..<3 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                body[Int(random >> 33) % body.count] = UInt8(truncatingIfNeeded: random >> 20)
            }
            do throws(FormatError) {
                let overlay = RealtimeOverlay(
                    [try RealtimeMessage(body, entityFilter: index.entityFilter)], over: index,
                    now: Timestamp(seconds: 1_772_456_400))
                for code in ["A", "B", "C"] {
                    let rows = overlay.departures(
                        at: Town.stop(code), now: Timestamp(seconds: 1_772_456_400), ahead: .seconds(3_600))
                    for row in rows { _ = overlay.tripDetails(of: row, now: Timestamp(seconds: 1_772_456_400)) }
                }
            } catch {
                rejected += 1
            }
        }
        #expect((1..<400).contains(rejected))
    }

    @Test("a platform change is shown, by assignment or by the stop alone")
    func platform() throws {
        var call = try Town.call("C1", late: 0)
        call.stopTimeProperties.assignedStopID = "C2"
        call.stopTimeProperties.stopHeadsign = "Elsewhere"
        for call in [call, try Town.call("C2", late: 0), try Town.call("C2", 30, late: 0)] {
            let overlay = try Town.overlay([Town.update("T1", [call])], now: "08:00", stops: ["C", "C1", "C2"])
            let rows = try Town.departures(of: overlay, at: "C", now: "08:00")
            #expect(rows.map(\.platform) == ["2"])
            #expect(try Town.rows(of: overlay, at: "C1", now: "08:00").isEmpty)
            #expect(try Town.rows(of: overlay, at: "C2", now: "08:00").count == 1)
        }
        #expect(try Town.rows([Town.update("T1", [call])], at: "C", now: "08:00") == ["1 Elsewhere 08:22 exp 08:22"])
    }

    @Test("a call without boarding is not a departure")
    func pickup() throws {
        var call = try Town.call("B", late: 0)
        call.stopTimeProperties.pickupType = .none
        #expect(try Town.rows([Town.update("T1", [call])], at: "B", now: "08:00").isEmpty)
    }
}
