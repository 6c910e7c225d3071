import BoardCore
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime: trip details")
struct RealtimeTripDetailsTests {
    /// The calls of the first departure at a stop: `B Street 08:10 exp 08:12`.
    private func calls(
        _ entities: [Town.Entity], at code: String, now: String, later: String? = nil
    ) throws -> (calls: [String], location: String?) {
        let overlay = try Town.overlay(entities, now: now)
        let departure = try #require(Town.departures(of: overlay, at: code, now: now, ahead: .seconds(7_200)).first)
        let details = try #require(overlay.tripDetails(of: departure, now: try Town.time(later ?? now)))
        return (
            details.calls.map { call in
                let state =
                    switch call.state {
                    case .expected(let time): "exp " + Town.clock(time)
                    case .scheduled(let time): "* " + Town.clock(time)
                    case .called(let time): "called " + (time.map(Town.clock) ?? "")
                    case .arrived(let time): "there " + Town.clock(time)
                    case .cancelled: "cancelled"
                    case .delayed: "delayed"
                    }
                return "\(call.name) \(call.booked.map(Town.clock) ?? "-") \(state)"
            }, details.location
        )
    }

    @Test("a scheduled trip has its calls, none of which has been made")
    func scheduled() throws {
        let page = try calls([], at: "B", now: "08:05")
        #expect(
            page.calls == [
                "A Street 08:00 * 08:00", "B Street 08:10 * 08:10", "C Street 08:22 * 08:22", "D Street 08:30 * 08:30",
                "E Street 08:40 * 08:40",
            ])
        #expect(page.location == nil)
    }

    @Test("a live trip has past and expected calls, the last stop with its arrival")
    func live() throws {
        let update = try Town.update("T1", [Town.call("A", late: 60), Town.call("D", kind: .skipped)])
        #expect(
            try calls([update], at: "B", now: "08:05").calls == [
                "A Street 08:00 called 08:01", "B Street 08:10 exp 08:11", "C Street 08:22 exp 08:23",
                "D Street 08:30 cancelled", "E Street 08:40 exp 08:41",
            ])
    }

    @Test("a vehicle position takes precedence over estimates")
    func vehicle() throws {
        let update = try Town.update("T1", [Town.call("B", late: 0)])
        let stopped = try Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:10")
        let page = try calls([update, stopped], at: "B", now: "08:10:40")
        #expect(
            page.calls.prefix(3) == ["A Street 08:00 called ", "B Street 08:10 called ", "C Street 08:22 exp 08:22"])
        #expect(page.location == nil)
        let moving = try Town.vehicle("T1", at: "B", .inTransitTo, seen: "08:10")
        let moved = try calls([update, moving], at: "B", now: "08:10:10")
        #expect(moved.calls.prefix(2) == ["A Street 08:00 called ", "B Street 08:10 exp 08:10"])
        #expect(moved.location == "\u{2192} B Street")
    }

    @Test("the own stop has the requested code, so that the board finds it")
    func ownStop() throws {
        let overlay = try Town.overlay([], now: "08:05")
        let departure = try #require(Town.departures(of: overlay, at: "C", now: "08:05", ahead: .seconds(7_200)).first)
        let details = try #require(overlay.tripDetails(of: departure, now: try Town.time("08:05")))
        #expect(details.calls.map(\.code) == ["A", "B", "C", "D", "E"])
    }

    @Test("an unscheduled trip is found in the next message, also with another entity ID")
    func added() throws {
        func added(_ entity: String, _ minute: String) throws -> Town.Entity {
            let calls = [try Town.call("A", departs: "08:0\(minute)"), try Town.call("D", arrives: "08:20")]
            return try Town.update("X1", calls, .added, entity: entity) { $0.trip.routeID = "R2" }
        }
        let overlay = try Town.overlay([added("1", "3")], now: "08:01")
        let departure = try #require(Town.departures(of: overlay, at: "A", now: "08:01", ahead: .seconds(600)).first)
        let next = try Town.overlay([added("17", "4")], now: "08:02")
        let details = try #require(next.tripDetails(of: departure, now: try Town.time("08:02")))
        #expect(details.calls.map(\.state) == [.expected(try Town.time("08:04")), .expected(try Town.time("08:20"))])
        #expect(try Town.overlay([], now: "08:02").tripDetails(of: departure, now: Town.time("08:02")) == nil)
    }

    @Test("a trip instance ID survives its text form", arguments: ["T1", "a/b//c", "", "é/1"])
    func names(_ trip: String) throws {
        var id = TripInstanceID(
            TripUpdate(entity: "1/2", trip: TripDescriptor(id: trip, day: CivilDate(gtfs: Town.day))))
        #expect(TripInstanceID(id.text) == id)
        id.entity = ""
        id.start = -600
        #expect(TripInstanceID(id.text) == id)
        #expect(TripInstanceID("1/2/9999/x") == nil)
        #expect(TripInstanceID("T1") == nil)
    }
}
