internal import BoardCore
internal import BoardFormats

struct TripUpdate: Hashable, Sendable {
    /// The entity ID, which distinguishes two trains with the same trip.
    let entity: String
    var trip: TripDescriptor
    /// The operator's name of the vehicle; empty if missing.
    var vehicle = ""
    /// The update's timestamp, else the message's; nil if both are missing.
    var madeAt: Timestamp?
    var delay: Int?
    /// `trip_properties`: ID, service day and start of a copy or a new trip.
    var newID: String?
    var newDay: CivilDate?
    var newStart: Int?
    /// `trip_properties.trip_headsign`.
    var headsign: String?
    /// The updates of its calls, in the operator's order.
    var stops: [StopTimeUpdate] = []
    var unknownStops: [String] = []
    /// The properties of the few calls that have some.
    var properties: [StopTimeUpdate.Properties] = []

    func properties(of stop: StopTimeUpdate) -> StopTimeUpdate.Properties? {
        stop.properties.flatMap { properties.indices.contains($0) ? properties[$0] : nil }
    }

    /// The ID of a call's stop that is not in the timetable; else empty.
    func unknownStop(of stop: StopTimeUpdate) -> String {
        stop.unknownStop.flatMap { unknownStops.indices.contains($0) ? unknownStops[$0] : nil } ?? ""
    }
}

// Trip updates are nine tenths of a message, and their calls nine tenths of trip updates: decoded directly from the bytes, they take
// a fifth of the time of generated code. Field numbers: https://gtfs.org/documentation/realtime/reference/. As in all protobuf, the
// last of several values counts; an unknown enumeration value is ignored.

extension TripUpdate {
    /// The bytes of a typical smallest call.
    private static let smallestCall = 16
    /// The most calls of a trip, several times those of real trips: two bytes of a message may be one.
    static let mostCalls = 2_000

    init(
        _ range: Range<Int>, of bytes: Span<UInt8>, entity: String, _ entityFilter: RealtimeFilter?
    ) throws(WireFields.Fault) {
        self.init(entity: entity, trip: TripDescriptor())
        var descriptor = VehicleDescriptor()
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: try trip.read(field.range, of: bytes)
            case 2:
                guard stops.count < Self.mostCalls else { throw WireFields.Fault(place: field.range.lowerBound) }
                // Calls have similar sizes.
                if stops.isEmpty {
                    let calls = range.count / max(field.range.count, Self.smallestCall)
                    stops.reserveCapacity(min(calls, Self.mostCalls))
                }
                // Decoded in place: a copy costs as much as decoding.
                stops.append(StopTimeUpdate())
                try Self.read(
                    field.range, of: bytes, entityFilter, into: &stops[stops.count - 1], &unknownStops, &properties)
            case 3:
                try descriptor.read(field.range, of: bytes)
                vehicle = descriptor.name
            case 4: madeAt = Timestamp(realtime: field.value)
            case 5: delay = Int(Int32(truncatingIfNeeded: field.value))
            case 6: try readProperties(field.range, of: bytes)
            default: break
            }
        }
    }

    private mutating func readProperties(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: newID = try WireFields.nonEmptyText(field.range, of: bytes)
            case 2: newDay = bytes.date(TableField(field.range))
            case 3: newStart = bytes.time(TableField(field.range)).map(Int.init)
            case 5:
                let name = try WireFields.text(field.range, of: bytes).plainText
                headsign = name.isEmpty ? nil : name
            default: break
            }
        }
    }

    private static func read(
        _ range: Range<Int>, of bytes: Span<UInt8>, _ entityFilter: RealtimeFilter?, into stop: inout StopTimeUpdate,
        _ unknownStops: inout [String], _ properties: inout [StopTimeUpdate.Properties]
    ) throws(WireFields.Fault) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: stop.sequence = Int(UInt32(truncatingIfNeeded: field.value))
            case 2: try stop.arrival.read(field.range, of: bytes)
            case 3: try stop.departure.read(field.range, of: bytes)
            case 4:
                stop.place = entityFilter?.place(bytes, field.range)
                if stop.place == nil, !field.range.isEmpty {
                    stop.unknownStop = unknownStops.count
                    unknownStops.append(try WireFields.text(field.range, of: bytes))
                }
            case 5:
                switch field.value {
                case 1: stop.relationship = .skipped
                case 2: stop.relationship = .noData
                default: stop.relationship = .scheduled
                }
            case 6:
                let before = stop.properties.map { properties[$0] }
                let merged = try StopTimeUpdate.Properties(before, field.range, of: bytes)
                stop.properties = properties.count
                properties.append(merged)
            default: break
            }
        }
    }
}

extension StopTimeUpdate.Properties {
    fileprivate init(_ before: Self?, _ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        self = before ?? Self()
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: assignedStop = field.range.isEmpty ? nil : try WireFields.text(field.range, of: bytes)
            case 2:
                let name = try WireFields.text(field.range, of: bytes).plainText
                headsign = name.isEmpty ? nil : name
            case 3: boarding = Boarding(Int(truncatingIfNeeded: field.value))
            default: break
            }
        }
    }
}

extension StopTimeUpdate.Event {
    @inline(__always)
    fileprivate mutating func read(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        // Nearly all events have a time of five bytes, as in our century, and nothing else.
        if range.count == 6, let seconds = WireFields.number(2, ofFiveBytesAt: range.lowerBound, in: bytes) {
            return set(seconds: Int64(bitPattern: seconds))
        }
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: delay = Int(Int32(truncatingIfNeeded: field.value))
            case 2: set(seconds: Int64(bitPattern: field.value))
            default: break
            }
        }
    }
}
