import BoardCore
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime: decoding of messages")
struct RealtimeMessageTests {
    /// The error of decoding a body.
    private func fault(_ body: [UInt8]) -> String? {
        do throws(FormatError) {
            _ = try RealtimeMessage(body)
            return nil
        } catch {
            return error.description
        }
    }

    /// A message with a header and these bytes.
    private func message(_ rest: [UInt8]) throws -> [UInt8] {
        try Town.bytes([], madeAt: Town.time("08:00")) + rest
    }

    /// A field with a length.
    private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length = content.count, varint: [UInt8] = []
        repeat {
            varint.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return [number << 3 | 2] + varint + content
    }

    @Test("the error names what the body is instead of a message")
    func noMessages() {
        #expect(fault([]) == "found an empty response where a GTFS-Realtime message was expected")
        #expect(
            fault(Array("  <!DOCTYPE html><html>Log in".utf8))
                == "found HTML or XML where a GTFS-Realtime message was expected")
        #expect(fault(Array("\n\n<html>".utf8)) == "found HTML or XML where a GTFS-Realtime message was expected")
        #expect(fault(Array(#"{"header": {}}"#.utf8)) == "found JSON where a GTFS-Realtime message was expected")
        #expect(fault([0x1F, 0x8B, 8, 0, 0]) == "found compressed bytes where a GTFS-Realtime message was expected")
        #expect(fault(Array("Forbidden".utf8)) == #"found "Forbidden" where a GTFS-Realtime message was expected"#)
        #expect(fault([0x12, 0]) == "found bytes without a header where a GTFS-Realtime message was expected")
        #expect(fault([0xFF, 0xFF, 0xFF]) == "found a GTFS-Realtime message truncated or malformed after 0 of 3 bytes")
    }

    @Test("a header alone has no data")
    func headerAlone() throws {
        let read = try RealtimeMessage(message([]))
        #expect(read.entities == 0 && read.trips.isEmpty)
        #expect(read.madeAt == (try Town.time("08:00")))
    }

    @Test("a message truncated anywhere is rejected or decoded, and never traps")
    func cut() throws {
        let calls = [try Town.call("A", 10, arrives: "08:00", late: -5), try Town.call("B", 20, departs: "08:10")]
        let whole = try Town.bytes(
            [Town.update("T1", calls), Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:00")],
            madeAt: Town.time("08:00"))
        var rejected = 0
        for length in 0..<whole.count where fault(Array(whole.prefix(length))) != nil { rejected += 1 }
        // Valid only at the end of one of its four parts.
        #expect(rejected >= whole.count - 4)
        // Each byte changed in turn: a message or an error.
        for place in whole.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF, whole[place] ^ 1] {
                var body = whole
                body[place] = value
                _ = fault(body)
            }
        }
    }

    @Test("a varint of more than ten bytes is rejected, in the message and in an entity")
    func overlong() throws {
        let overlong = [UInt8](repeating: 0x80, count: 10) + [1]
        #expect(fault(try message([0x18] + overlong)) != nil)
        let good = try Town.update("T1").serialized()
        let read = try RealtimeMessage(message(field(2, [0x10] + overlong) + field(2, good)))
        #expect(read.badEntities == 1 && read.trips.count == 1)
        #expect(
            fault(try message(field(2, [0x10] + overlong)))
                == "found a GTFS-Realtime message none of whose 1 entities can be read")
    }

    @Test("groups are skipped; a thousand nested ones are rejected, as are unterminated ones")
    func groups() throws {
        let group: [UInt8] = [0x7B, 0x08, 1, 0x12, 2, 0, 0, 0x0D, 0, 0, 0, 0, 0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0x7C]
        let good = try Town.update("T1").serialized()
        #expect(try RealtimeMessage(message(group + field(2, good + group))).trips.count == 1)
        let deep = [UInt8](repeating: 0x7B, count: 1_000) + [UInt8](repeating: 0x7C, count: 1_000)
        #expect(fault(try message(deep)) != nil)
        #expect(fault(try message([0x7B])) != nil)
        #expect(fault(try message([0x7B, 0x6C])) != nil)
        #expect(try RealtimeMessage(message(field(2, deep) + field(2, good))).badEntities == 1)
    }

    @Test("messages nested a thousand deep are unknown fields")
    func nested() throws {
        var nested: [UInt8] = []
        for _ in 0..<1_000 { nested = field(3, nested) }
        let good = try Town.update("T1").serialized()
        let read = try RealtimeMessage(message(field(2, nested) + field(2, good)))
        #expect(read.entities == 2 && read.trips.contains { $0.trip.id == "T1" })
    }

    @Test("unknown enumeration values and unknown fields are ignored")
    func unknowns() throws {
        let call = field(4, Array("B".utf8)) + [0x28, 99] + field(2, [0x08, 60]) + [0xA5, 0x3E, 1, 2, 3, 4]
        let trip = field(1, Array("T1".utf8)) + [0x20, 77]
        let read = try RealtimeMessage(message(field(2, field(1, [0x31]) + field(3, field(1, trip) + field(2, call)))))
        #expect(read.trips.map(\.trip.relationship) == [.scheduled])
        #expect(read.trips.first?.stops.map(\.relationship) == [.scheduled])
        #expect(read.trips.first?.stops.map(\.arrival.delay) == [60])
    }

    @Test("invalid UTF-8 makes only its entity malformed")
    func badText() throws {
        let bad = field(3, field(1, field(1, [0x54, 0xFF])))
        let read = try RealtimeMessage(message(field(2, bad) + field(2, Town.update("T1").serialized())))
        #expect(read.badEntities == 1 && read.trips.count == 1)
    }

    @Test("deleted entities of a full message are ignored; a differential message is decoded like a full one")
    func deletion() throws {
        var deleted = try Town.update("T1")
        deleted.isDeleted = true
        let body = try Town.bytes([deleted, Town.update("T2")])
        #expect(try RealtimeMessage(body).trips.map(\.trip.id) == ["T2"])
        #expect(try RealtimeMessage(body + field(1, [0x10, 1])).trips.map(\.trip.id) == ["T2"])
    }

    @Test("the last of several values counts, and repeated submessages are merged")
    func lastHolds() throws {
        let event = field(3, [0x08, 60]) + field(3, [0x10] + [0x80, 0x01]) + [0x08, 5, 0x08, 6]
        let body = try message(field(2, field(3, field(1, field(1, Array("T1".utf8))) + field(2, event))))
        let stop = try #require(try RealtimeMessage(body).trips.first?.stops.first)
        #expect(stop.departure.delay == 60)
        #expect(stop.departure.time == Timestamp(seconds: 128))
        #expect(stop.sequence == 6)
    }

    @Test("only entities with a selected trip or a requested stop are decoded")
    func entityFilter() throws {
        let entities = [
            try Town.update("T1"), try Town.update("far", [Town.call("X1"), Town.call("X2")]),
            try Town.update("far", [Town.call("X1"), Town.call("B")]),
            try Town.vehicle("far", at: "X1", .stoppedAt, seen: "08:00"),
            try Town.vehicle("T1", at: "X1", .stoppedAt, seen: "08:00"),
        ]
        let index = try Town.index()
        let read = try RealtimeMessage(Town.bytes(entities), entityFilter: index.entityFilter)
        #expect(read.trips.count == 2 && read.vehicles.count == 1 && read.entities == 5)
    }

    @Test("an update with too many calls is malformed, and the calls of a message are limited")
    func tooManyCalls() throws {
        let good = try Town.update("T1").serialized()
        func update(_ calls: Int) -> [UInt8] {
            let trip = field(1, field(1, Array("T2".utf8)))
            return field(2, field(3, trip + (0..<calls).flatMap { _ in [0x12, 0] }))
        }
        let long = try RealtimeMessage(message(update(2_000) + field(2, good)))
        #expect(long.trips.map(\.stops.count) == [2_000, 0])
        let longer = try RealtimeMessage(message(update(2_001) + field(2, good)))
        #expect(longer.trips.map(\.trip.id) == ["T1"] && longer.badEntities == 1)
        // Calls of two bytes; a trip counts as ten calls.
        let many = try RealtimeMessage(message((0..<150).flatMap { _ in update(1_990) } + field(2, good)))
        #expect(many.trips.count == 97)
        #expect(many.badEntities == 54)
    }

    @Test("an alert with too many parts is malformed, and the parts of a message are limited")
    func tooManyParts() throws {
        let good = try Town.update("T1").serialized()
        func alert(_ parts: Int, _ part: [UInt8]) -> [UInt8] {
            field(2, field(1, Array("a".utf8)) + field(5, (0..<parts).flatMap { _ in part }))
        }
        let selector = field(5, [])
        #expect(try RealtimeMessage(message(alert(20_000, selector))).alerts.map(\.selectors.count) == [20_000])
        // Selectors, periods, and translations of one text.
        for broken in [
            alert(20_001, selector), alert(20_001, field(1, [])),
            alert(1, field(10, (0..<20_001).flatMap { _ in field(1, []) })),
        ] {
            let read = try RealtimeMessage(message(broken + field(2, good)))
            #expect(read.alerts.isEmpty && read.badEntities == 1 && read.trips.map(\.trip.id) == ["T1"])
        }
        let many = try RealtimeMessage(message((0..<15).flatMap { _ in alert(13_000, selector) } + field(2, good)))
        #expect(many.alerts.count == 3 && many.badEntities == 12 && many.trips.count == 1)
    }

    @Test("a vehicle's name has single blanks, and a blank label is not a name")
    func vehicleName() throws {
        var entity = try Town.vehicle("T1", at: "B", .stoppedAt, seen: "08:00")
        (entity.vehicle.vehicle.label, entity.vehicle.vehicle.licensePlate) = (" \t", "AB  12\n C")
        #expect(try RealtimeMessage(Town.bytes([entity])).vehicles.map(\.vehicle) == ["AB 12 C"])
    }

    @Test("the vehicles of a message are limited, also empty ones")
    func tooManyVehicles() throws {
        let vehicle = field(2, field(1, Array("v".utf8)) + field(4, []))
        let read = try RealtimeMessage(message((0..<200_001).flatMap { _ in vehicle }))
        #expect(read.vehicles.count == 40_000 && read.badEntities == 160_001)
    }

    @Test("a message that was more than ten minutes old when received is frozen")
    func state() throws {
        let read = try RealtimeMessage(message([]))
        func isFrozen(_ text: String) throws -> Bool { read.isFrozen(at: try Town.time(text)) }
        #expect(try !isFrozen("08:10:00"))
        #expect(try isFrozen("08:10:01"))
        #expect(try !isFrozen("07:59"))
        #expect(!RealtimeMessage().isFrozen(at: try Town.time("08:00")))
    }
}
