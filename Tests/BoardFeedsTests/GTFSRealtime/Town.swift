import BoardCore
import SwiftProtobuf
import Testing
import TransitRealtime

@testable import BoardFeeds

/// A hand-written timetable of an invented town, and realtime messages for it.
///
/// Stops A, B, C1 and C2 (of station C), D and E; G and H without trips. All trips run daily except SUNDAY. 2026-03-02 is a
/// Monday.
enum Town {
    static let day = "20260302"
    static let feed = FeedName("gtfs.town")

    static func zone() throws -> Zone { try Zone(posix: "EST5EDT,M3.2.0,M11.1.0") }

    /// A time on 2 March 2026 in the town; `25:10:00` is on the next day.
    static func time(_ text: String) throws -> Timestamp {
        let seconds = try #require(TripDescriptor.seconds(text.count < 7 ? text + ":00" : text))
        return try #require(Timestamp(rfc3339: "2026-03-02T05:00:00Z")) + .seconds(seconds)
    }

    static func stop(_ code: String) -> StopID { StopID(feed: feed, code: code) }

    /// Trips as text: a call has one time, or arrival and departure.
    private static let trips: [(id: String, route: String, service: Int, calls: String)] = [
        ("T1", "R1", 0, "A 08:00, B 08:10, C1 08:20 08:22, D 08:30, E 08:40"),
        ("T2", "R1", 0, "A 09:00, B 09:10, C1 09:20 09:22, D 09:30, E 09:40"),
        ("LOOP", "R2", 0, "A 10:00, B 10:10, C1 10:20, A 10:30, B 10:40, C1 10:50"),
        ("LATE", "R1", 0, "A 23:50, B 24:02, C1 24:10, D 24:20"),
        ("SUNDAY", "R1", 1, "A 08:05, B 08:15, C1 08:25, D 08:35"),
        ("OFTEN", "R3", 0, "A 12:00, B 12:05, D 12:20"),
        ("BFA26-Weekday-00_084000_R4..N05R", "R4", 0, "A 14:00, B 14:10, D 14:30"),
        ("BFA26-Sunday-00_084000_R4..N05R", "R4", 1, "A 14:00, B 14:10, D 14:30"),
    ]

    static func timetable() throws -> Timetable {
        var places = ["A", "B", "C", "C1", "C2", "D", "E", "F"].map {
            Timetable.Place(id: $0, name: "\($0.prefix(1)) Street")
        }
        for platform in [3, 4] {
            places[platform].parent = 2
            places[platform].platform = String(platform - 2)
        }
        let routes = (1...4).map { Timetable.Route(id: "R\($0)", name: "\($0)", agency: "town", type: $0 == 2 ? 1 : 3) }
        let first = try #require(CivilDate(gtfs: "20260101")), last = try #require(CivilDate(gtfs: "20261231"))
        let daily = ServiceDays(weekdays: Set(Weekday.allCases), range: first...last)
        let sundays = ServiceDays(weekdays: [.sun], range: first...last)
        var calls: [Timetable.Call] = [], patterns: [Range<Int>] = [], all: [Timetable.Trip] = []
        for (number, trip) in trips.enumerated() {
            let begin = calls.count
            var start = 0
            for (position, text) in trip.calls.split(separator: ",").enumerated() {
                let words = text.split(separator: " ").map(String.init)
                let place = try #require(places.firstIndex { $0.id == words[0] })
                let times = try words.dropFirst().map { try #require(TripDescriptor.seconds($0 + ":00")) }
                if position == 0 { start = times[0] }
                calls.append(
                    Timetable.Call(
                        place: Int32(place), sequence: Int32(10 * position + 10), arrival: Int32(times[0] - start),
                        departure: Int32((times.last ?? 0) - start), headsign: -1, boarding: .regular))
            }
            patterns.append(begin..<calls.count)
            let route = try #require(routes.firstIndex { $0.id == trip.route })
            let end = places[Int(calls[calls.count - 1].place)].name
            all.append(
                Timetable.Trip(
                    id: trip.id, route: route, service: trip.service, pattern: number, start: start, headsign: end,
                    direction: 0))
        }
        let often = try #require(all.firstIndex { $0.id == "OFTEN" })
        all[often].frequencies = [Timetable.Frequency(start: 43_200, end: 46_800, headway: 600, isExact: false)]
        return Timetable(
            zone: try zone(), places: places, routes: routes, services: [daily, sundays], calls: calls,
            patterns: patterns, headsigns: [], trips: all, otherStops: names([("G", "G Street"), ("H", "H Street")]),
            otherRoutes: names([("R8", "8")]), allTripIDs: tripIDs(all.map(\.id) + [elsewhere]))
    }

    /// A scheduled trip that calls at none of these stops.
    static let elsewhere = "ELSEWHERE"

    /// The set of these trip IDs.
    private static func tripIDs(_ ids: [String]) -> TripIDSet { TripIDSet(ids.map { $0.hash(5) }, seed: 5) }

    /// The table of these names.
    static func names(_ pairs: [(id: String, name: String)]) -> NameTable {
        var table = NameTable()
        for (id, name) in pairs {
            let bytes = Array((id + name).utf8)
            let (middle, end) = (Int32(id.utf8.count), Int32(bytes.count))
            table.append(TableField(start: 0, end: middle), TableField(start: middle, end: end), of: bytes.span)
        }
        return table
    }

    static func index(_ stops: [String] = ["A", "B", "C", "D", "E"]) throws -> RealtimeIndex {
        RealtimeIndex(try timetable(), stops: stops)
    }

    /// A message as bytes.
    static func bytes(_ entities: [TransitRealtime_FeedEntity], madeAt: Timestamp? = nil) throws -> [UInt8] {
        var message = TransitRealtime_FeedMessage()
        message.header.gtfsRealtimeVersion = "2.0"
        if let madeAt { message.header.timestamp = UInt64(madeAt.seconds) }
        message.entity = entities
        return try message.serializedBytes()
    }

    /// The overlay of a message made at `now`.
    static func overlay(
        _ entities: [TransitRealtime_FeedEntity], now: String, stops: [String] = ["A", "B", "C", "D", "E"]
    ) throws -> RealtimeOverlay {
        let index = try index(stops)
        let message = try RealtimeMessage(bytes(entities, madeAt: time(now)), entityFilter: index.entityFilter)
        #expect(message.badEntities == 0)
        return RealtimeOverlay([message], over: index, now: try time(now))
    }

    static func departures(
        of overlay: RealtimeOverlay, at code: String, now: String, ahead: Duration = .seconds(3_600)
    ) throws -> [Departure] {
        overlay.departures(at: stop(code), now: try time(now), ahead: ahead)
    }

    /// The departures at a stop as text: `1 E Street 08:10 exp 08:12`, the booked time first, if any.
    static func rows(
        _ entities: [TransitRealtime_FeedEntity], at code: String, now: String, ahead: Duration = .seconds(2_300)
    ) throws -> [String] { try rows(of: overlay(entities, now: now), at: code, now: now, ahead: ahead) }

    static func rows(
        of overlay: RealtimeOverlay, at code: String, now: String, ahead: Duration = .seconds(2_300)
    ) throws -> [String] {
        try departures(of: overlay, at: code, now: now, ahead: ahead).map { departure in
            let status =
                switch departure.status {
                case .expected(let time): "exp " + clock(time)
                case .scheduled(let time): "* " + clock(time)
                case .cancelled: "cancelled"
                case .delayed: "delayed"
                }
            return [departure.line.name, departure.destination, departure.booked.map(clock) ?? "-", status]
                .joined(separator: " ")
        }
    }

    static func clock(_ time: Timestamp) -> String {
        guard let zone = try? zone() else { return "?" }
        let local = zone.localTime(at: time)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return two(local.hour) + ":" + two(local.minute) + (local.second == 0 ? "" : ":" + two(local.second))
    }
}

// MARK: - Messages

extension Town {
    typealias Entity = TransitRealtime_FeedEntity
    typealias Call = TransitRealtime_TripUpdate.StopTimeUpdate

    static func update(
        _ trip: String, _ calls: [Call] = [],
        _ relationship: TransitRealtime_TripDescriptor.ScheduleRelationship? = nil, day: String? = Town.day,
        entity: String? = nil, _ change: (inout TransitRealtime_TripUpdate) throws -> Void = { _ in }
    ) throws -> Entity {
        var result = Entity()
        result.id = entity ?? "e-" + trip
        result.tripUpdate.trip.tripID = trip
        if let day { result.tripUpdate.trip.startDate = day }
        if let relationship { result.tripUpdate.trip.scheduleRelationship = relationship }
        result.tripUpdate.stopTimeUpdate = calls
        try change(&result.tripUpdate)
        return result
    }

    /// A call with its sequence or stop, and delays in seconds or times of day.
    static func call(
        _ stop: String? = nil, _ sequence: UInt32? = nil, arrives: String? = nil, departs: String? = nil,
        early: Int32? = nil, late: Int32? = nil, kind relationship: Call.ScheduleRelationship? = nil
    ) throws -> Call {
        var call = Call()
        if let stop { call.stopID = stop }
        if let sequence { call.stopSequence = sequence }
        if let arrives { call.arrival.time = try time(arrives).seconds }
        if let departs { call.departure.time = try time(departs).seconds }
        if let early { call.arrival.delay = early }
        if let late { call.departure.delay = late }
        if let relationship { call.scheduleRelationship = relationship }
        return call
    }

    static func alert(
        _ text: String, route: String? = nil, stop: String? = nil,
        _ change: (inout TransitRealtime_Alert) -> Void = { _ in }
    ) -> Entity {
        .with { entity in
            entity.id = text
            entity.alert.headerText.translation = [.with { $0.text = text }]
            entity.alert.informedEntity = [
                .with {
                    if let route { $0.routeID = route }
                    if let stop { $0.stopID = stop }
                }
            ]
            change(&entity.alert)
        }
    }

    static func vehicle(
        _ trip: String, at stop: String, _ status: TransitRealtime_VehiclePosition.VehicleStopStatus, seen: String,
        day: String? = Town.day, start: String? = nil
    ) throws -> Entity {
        var entity = Entity()
        entity.id = "v-" + trip
        entity.vehicle.trip.tripID = trip
        if let day { entity.vehicle.trip.startDate = day }
        if let start { entity.vehicle.trip.startTime = start }
        entity.vehicle.stopID = stop
        entity.vehicle.currentStatus = status
        entity.vehicle.timestamp = UInt64(try time(seen).seconds)
        entity.vehicle.vehicle.label = "4711"
        return entity
    }
}

extension TransitRealtime_FeedEntity {
    func serialized() throws -> [UInt8] { try serializedBytes() }
}

extension RealtimeMessage {
    /// Decodes all entities.
    init(_ body: [UInt8]) throws(FormatError) { try self.init(body, entityFilter: nil) }
}
