import BoardCore
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime: reading of messages")
struct RealtimeMessageTests {
    /// What a body is refused with.
    private func refusal(_ body: [UInt8]) -> String? {
        do throws(RealtimeFault) {
            _ = try RealtimeMessage(body)
            return nil
        } catch {
            return error.description
        }
    }

    /// Bytes of a message with a header, and then these.
    private func message(_ rest: [UInt8]) throws -> [UInt8] { try Town.bytes([], made: try Town.time("08:00")) + rest }

    /// A field with a length.
    private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length = content.count, varint: [UInt8] = []
        repeat {
            varint.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return [number << 3 | 2] + varint + content
    }

    @Test("what is no message is called by its name")
    func noMessages() {
        #expect(refusal([]) == "found an empty answer where a GTFS-Realtime message was expected")
        #expect(
            refusal(Array("  <!DOCTYPE html><html>Log in".utf8))
                == "found HTML or XML where a GTFS-Realtime message was expected")
        #expect(refusal(Array("\n\n<html>".utf8)) == "found HTML or XML where a GTFS-Realtime message was expected")
        #expect(refusal(Array(#"{"header": {}}"#.utf8)) == "found JSON where a GTFS-Realtime message was expected")
        #expect(refusal([0x1F, 0x8B, 8, 0, 0]) == "found compressed bytes where a GTFS-Realtime message was expected")
        #expect(refusal(Array("Forbidden".utf8)) == #"found "Forbidden" where a GTFS-Realtime message was expected"#)
        #expect(refusal([0x12, 0]) == "found bytes without a header where a GTFS-Realtime message was expected")
        #expect(
            refusal([0xFF, 0xFF, 0xFF])
                == "found a GTFS-Realtime message that is cut short or broken after 0 of 3 bytes")
    }

    @Test("a header alone is nothing known")
    func headerAlone() throws {
        let read = try RealtimeMessage(try message([]))
        #expect(read.entities == 0 && read.trips.isEmpty)
        #expect(read.made == (try Town.time("08:00")))
    }

    @Test("a message cut short anywhere is refused or read as far as it says, and never traps")
    func cut() throws {
        let calls = [try Town.call("A", 10, arrives: "08:00", late: -5), try Town.call("B", 20, departs: "08:10")]
        let whole = try Town.bytes(
            [try Town.update("T1", calls), try Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:00")],
            made: try Town.time("08:00"))
        var refused = 0
        for length in 0..<whole.count where refusal(Array(whole.prefix(length))) != nil { refused += 1 }
        // Only where one of its four parts ends it is a message.
        #expect(refused >= whole.count - 4)
        // Each byte changed in turn: rows or a refusal.
        for place in whole.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF, whole[place] ^ 1] {
                var body = whole
                body[place] = value
                _ = refusal(body)
            }
        }
    }

    @Test("a number of more than ten bytes is refused, on the outside and in an entity")
    func overlong() throws {
        let overlong = [UInt8](repeating: 0x80, count: 10) + [1]
        #expect(refusal(try message([0x18] + overlong)) != nil)
        let good = try Town.update("T1").serialized()
        let read = try RealtimeMessage(try message(field(2, [0x10] + overlong) + field(2, good)))
        #expect(read.badEntities == 1 && read.trips.count == 1)
        #expect(
            refusal(try message(field(2, [0x10] + overlong)))
                == "found a GTFS-Realtime message of which none of the 1 entities can be read")
    }

    @Test("groups are stepped over; a thousand in each other are refused, as are those that do not end")
    func groups() throws {
        let group: [UInt8] = [0x7B, 0x08, 1, 0x12, 2, 0, 0, 0x0D, 0, 0, 0, 0, 0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0x7C]
        let good = try Town.update("T1").serialized()
        #expect(try RealtimeMessage(try message(group + field(2, good + group))).trips.count == 1)
        let deep = [UInt8](repeating: 0x7B, count: 1_000) + [UInt8](repeating: 0x7C, count: 1_000)
        #expect(refusal(try message(deep)) != nil)
        #expect(refusal(try message([0x7B])) != nil)
        #expect(refusal(try message([0x7B, 0x6C])) != nil)
        #expect(try RealtimeMessage(try message(field(2, deep) + field(2, good))).badEntities == 1)
    }

    @Test("messages nested a thousand deep are fields that nobody knows")
    func nested() throws {
        var nested: [UInt8] = []
        for _ in 0..<1_000 { nested = field(3, nested) }
        let good = try Town.update("T1").serialized()
        let read = try RealtimeMessage(try message(field(2, nested) + field(2, good)))
        #expect(read.entities == 2 && read.trips.contains { $0.trip.id == "T1" })
    }

    @Test("unknown values of enumerations keep the row, and unknown fields are passed over")
    func unknowns() throws {
        let call = field(4, Array("B".utf8)) + [0x28, 99] + field(2, [0x08, 60]) + [0xA5, 0x3E, 1, 2, 3, 4]
        let trip = field(1, Array("T1".utf8)) + [0x20, 77]
        let read = try RealtimeMessage(
            try message(field(2, field(1, [0x31]) + field(3, field(1, trip) + field(2, call)))))
        #expect(read.trips.map(\.trip.relationship) == [.scheduled])
        #expect(read.trips.first?.stops.map(\.relationship) == [.scheduled])
        #expect(read.trips.first?.stops.map(\.arrival.delay) == [60])
    }

    @Test("a text that is no UTF-8 spoils its entity alone")
    func badText() throws {
        let bad = field(3, field(1, field(1, [0x54, 0xFF])))
        let read = try RealtimeMessage(try message(field(2, bad) + field(2, try Town.update("T1").serialized())))
        #expect(read.badEntities == 1 && read.trips.count == 1)
    }

    @Test("in a full message there is nothing to delete; one that tells changes alone is read all the same")
    func deletion() throws {
        var deleted = try Town.update("T1")
        deleted.isDeleted = true
        let body = try Town.bytes([deleted, try Town.update("T2")])
        #expect(try RealtimeMessage(body).trips.map(\.trip.id) == ["T2"])
        #expect(try RealtimeMessage(body + field(1, [0x10, 1])).trips.map(\.trip.id) == ["T2"])
    }

    @Test("of several values the last holds, and what is told in parts is put together")
    func lastHolds() throws {
        let event = field(3, [0x08, 60]) + field(3, [0x10] + [0x80, 0x01]) + [0x08, 5, 0x08, 6]
        let body = try message(field(2, field(3, field(1, field(1, Array("T1".utf8))) + field(2, event))))
        let stop = try #require(try RealtimeMessage(body).trips.first?.stops.first)
        #expect(stop.departure.delay == 60)
        #expect(stop.departure.time == Timestamp(seconds: 128))
        #expect(stop.sequence == 6)
    }

    @Test("only entities are read that name a trip or stop of interest")
    func interest() throws {
        let entities = [
            try Town.update("T1"), try Town.update("far", [try Town.call("X1"), try Town.call("X2")]),
            try Town.update("far", [try Town.call("X1"), try Town.call("B")]),
            try Town.vehicle("far", at: "X1", .stoppedAt, seen: "08:00"),
            try Town.vehicle("T1", at: "X1", .stoppedAt, seen: "08:00"),
        ]
        let index = try Town.index()
        let read = try RealtimeMessage(try Town.bytes(entities), interest: index.interest)
        #expect(read.trips.count == 2 && read.vehicles.count == 1 && read.entities == 5)
    }

    @Test("an update of more calls than any trip has is broken, and no message may fill the memory with them")
    func tooManyCalls() throws {
        let good = try Town.update("T1").serialized()
        func update(_ calls: Int) -> [UInt8] {
            let trip = field(1, field(1, Array("T2".utf8)))
            return field(2, field(3, trip + (0..<calls).flatMap { _ in [0x12, 0] }))
        }
        let long = try RealtimeMessage(try message(update(2_000) + field(2, good)))
        #expect(long.trips.map(\.stops.count) == [2_000, 0])
        let longer = try RealtimeMessage(try message(update(2_001) + field(2, good)))
        #expect(longer.trips.map(\.trip.id) == ["T1"] && longer.badEntities == 1)
        // Calls of two bytes, and a trip that is as large as ten calls.
        let many = try RealtimeMessage(try message((0..<150).flatMap { _ in update(1_990) } + field(2, good)))
        #expect(many.trips.count == 97)
        #expect(many.badEntities == 54)
    }

    @Test("an alert of more parts than any has is broken, and no message may fill the memory with them")
    func tooManyParts() throws {
        let good = try Town.update("T1").serialized()
        func alert(_ parts: Int, _ part: [UInt8]) -> [UInt8] {
            field(2, field(1, Array("a".utf8)) + field(5, (0..<parts).flatMap { _ in part }))
        }
        let selector = field(5, [])
        #expect(try RealtimeMessage(try message(alert(20_000, selector))).alerts.map(\.selectors.count) == [20_000])
        // Selectors, times, and translations of one text.
        for broken in [
            alert(20_001, selector), alert(20_001, field(1, [])),
            alert(1, field(10, (0..<20_000).flatMap { _ in field(1, []) })),
        ] {
            let read = try RealtimeMessage(try message(broken + field(2, good)))
            #expect(read.alerts.isEmpty && read.badEntities == 1 && read.trips.map(\.trip.id) == ["T1"])
        }
        let many = try RealtimeMessage(try message((0..<15).flatMap { _ in alert(13_000, selector) } + field(2, good)))
        #expect(many.alerts.count == 3 && many.badEntities == 12 && many.trips.count == 1)
    }

    @Test("a vehicle's name has single blanks, and one of blanks alone is none")
    func vehicleName() throws {
        var entity = try Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:00")
        (entity.vehicle.vehicle.label, entity.vehicle.vehicle.licensePlate) = (" \t", "AB  12\n C")
        #expect(try RealtimeMessage(try Town.bytes([entity])).vehicles.map(\.vehicle) == ["AB 12 C"])
    }

    @Test("nor with vehicles that say nothing")
    func tooManyVehicles() throws {
        let vehicle = field(2, field(1, Array("v".utf8)) + field(4, []))
        let read = try RealtimeMessage(try message((0..<200_001).flatMap { _ in vehicle }))
        #expect(read.vehicles.count == 40_000 && read.badEntities == 160_001)
    }

    @Test("a message that was more than ten minutes old when it came is not believed")
    func state() throws {
        let read = try RealtimeMessage(try message([]))
        func isFrozen(_ text: String) throws -> Bool { RealtimeState(read, at: try Town.time(text)).isFrozen }
        #expect(try !isFrozen("08:10:00"))
        #expect(try isFrozen("08:10:01"))
        #expect(try !isFrozen("07:59"))
        #expect(!RealtimeState(RealtimeMessage(), at: try Town.time("08:00")).isFrozen)
    }
}
