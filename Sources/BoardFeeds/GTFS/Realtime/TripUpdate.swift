import BoardCore

struct TripUpdate: Hashable, Sendable {
    /// The entity ID, which distinguishes two trains with the same trip.
    let entity: String
    var trip: TripDescriptor
    /// The operator's name for the vehicle; empty if missing.
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
    /// The properties of the few calls that have any.
    var properties: [StopTimeUpdate.Properties] = []

    func properties(of stop: StopTimeUpdate) -> StopTimeUpdate.Properties? {
        stop.properties.flatMap { properties.indices.contains($0) ? properties[$0] : nil }
    }

    /// The ID of a call's stop that is not in the timetable; else empty.
    func unknownStop(of stop: StopTimeUpdate) -> String {
        stop.unknownStop.flatMap { unknownStops.indices.contains($0) ? unknownStops[$0] : nil } ?? ""
    }
}

// Trip updates are nine tenths of a message, and calls nine tenths of those: decoding them directly from the bytes
// takes a fifth of the time of generated code. Field numbers: https://gtfs.org/documentation/realtime/reference/. As in
// all protobuf, the last of several values counts; an unknown enumeration value is ignored.

extension TripUpdate {
    /// The typical size of the smallest calls, in bytes.
    private static let smallestCall = 16
    /// The most calls of a trip, several times what real trips have: two bytes of a message may be one.
    static let maximumCalls = 2_000

    init(
        _ range: Range<Int>, of bytes: Span<UInt8>, entity: String, _ entityFilter: RealtimeFilter?
    ) throws(WireError) {
        self.init(entity: entity, trip: TripDescriptor())
        var descriptor = VehicleDescriptor()
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: try trip.read(field.range, of: bytes)
            case 2:
                guard stops.count < Self.maximumCalls else { throw WireError(place: field.range.lowerBound) }
                // Calls have similar sizes.
                if stops.isEmpty {
                    let calls = range.count / max(field.range.count, Self.smallestCall)
                    stops.reserveCapacity(min(calls, Self.maximumCalls))
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

    private mutating func readProperties(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
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
    ) throws(WireError) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: stop.sequence = Int(UInt32(truncatingIfNeeded: field.value))
            case 2: try stop.arrival.read(field.range, of: bytes)
            case 3: try stop.departure.read(field.range, of: bytes)
            case 4:
                stop.place = entityFilter?.place(bytes, field.range)
                stop.unknownStop = nil
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
    fileprivate init(_ before: Self?, _ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
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
    fileprivate mutating func read(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        // Nearly all events are a time of five bytes, as in our century, and nothing else.
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

/// A StopTimeUpdate: the update of one call. A message has thousands, so it stores only numbers.
struct StopTimeUpdate: Hashable, Sendable {
    /// `schedule_relationship` of the call; UNSCHEDULED counts as scheduled.
    enum Relationship: Hashable, Sendable {
        case scheduled
        case skipped
        /// No realtime data from here on.
        case noData
    }

    /// A StopTimeEvent: an arrival or departure.
    struct Event: Hashable, Sendable {
        /// Seconds since 1970; 0: no time.
        private var seconds: Int64 = 0
        private var late = Int32.min

        /// The absolute time, which takes precedence over the delay.
        var time: Timestamp? { seconds == 0 ? nil : Timestamp(seconds: seconds) }

        mutating func set(seconds newValue: Int64) { seconds = Timestamp.hasValue(newValue) ? newValue : 0 }

        /// In seconds; negative: early.
        var delay: Int? {
            get { late == .min ? nil : Int(late) }
            set { late = newValue.map { Int32(clamping: $0) } ?? .min }
        }

        var hasValue: Bool { seconds != 0 || late != .min }
    }

    /// StopTimeProperties, which few calls have.
    struct Properties: Hashable, Sendable {
        /// `assigned_stop_id`: a changed platform.
        var assignedStop: String?
        var headsign: String?
        var boarding: Boarding?
    }

    var arrival = Event()
    var departure = Event()
    /// `stop_id`: an index into ``Timetable/places``; nil if missing, or not in the timetable.
    @PackedIndex var place: Int? = nil
    /// `stop_id` of a stop that is not in the timetable: an index into ``TripUpdate/unknownStops``.
    @PackedIndex var unknownStop: Int? = nil
    @PackedIndex var sequence: Int? = nil
    /// An index into ``TripUpdate/properties``, if any.
    @PackedIndex var properties: Int? = nil
    var relationship = Relationship.scheduled

    var time: Timestamp? { arrival.time ?? departure.time }
    var hasStop: Bool { place != nil || unknownStop != nil }
    /// Whether the vehicle calls there at a reported time.
    var hasTime: Bool { relationship == .scheduled && (arrival.hasValue || departure.hasValue) }
}

/// An index in four bytes; an `Int?` takes sixteen.
@propertyWrapper
struct PackedIndex: Hashable, Sendable {
    private var number: Int32

    init(wrappedValue: Int?) { number = wrappedValue.map { Int32(clamping: $0) } ?? -1 }

    var wrappedValue: Int? {
        get { number < 0 ? nil : Int(number) }
        set { self = PackedIndex(wrappedValue: newValue) }
    }
}

extension [TripUpdate] {
    /// The most updates with the same descriptor; New York's subway has pairs of trains that share one.
    private static var maximumOfOneName: Int { 50 }

    var byPrecedence: [TripUpdate] {
        // Nearly always, each trip has one update.
        guard Set(lazy.map(\.trip.id)).count < count else { return self }
        return distinct.byWeight
    }

    /// The updates that differ in their trip, calls or new ID, at most ``maximumOfOneName`` per descriptor.
    private var distinct: [TripUpdate] {
        var seen: Set<TripUpdate> = []
        var counts: [TripDescriptor: Int] = [:]
        return filter { update in
            var content = TripUpdate(entity: "", trip: update.trip)
            content.stops = update.stops
            content.newID = update.newID
            content.unknownStops = update.unknownStops
            content.properties = update.properties
            guard seen.insert(content).inserted else { return false }
            counts[update.trip, default: 0] += 1
            return counts[update.trip, default: 0] <= Self.maximumOfOneName
        }
    }

    /// Cancellations first, since no other update revokes them; then updates with the most calls: of several trains
    /// with the same ID, the first is matched to the timetable.
    private var byWeight: [TripUpdate] {
        func weight(_ update: TripUpdate) -> Int {
            switch update.trip.relationship {
            case .canceled, .deleted: .max
            default: update.stops.count
            }
        }
        return enumerated().sorted { left, right in
            (weight(right.element), left.offset) < (weight(left.element), right.offset)
        }.map(\.element)
    }
}

extension TripUpdate {
    /// The update without consecutive repetitions of one call, which Seattle's copies of trips have. The last
    /// repetition that is not earlier than the call before counts, else the first.
    var withoutRepeats: TripUpdate {
        guard zip(stops, stops.dropFirst()).contains(where: isRepeated) else { return self }
        var result: [StopTimeUpdate] = []
        for stop in stops {
            guard let last = result.last, isRepeated(last, stop) else {
                result.append(stop)
                continue
            }
            let before = result.dropLast().last { $0.time != nil }?.time
            if let before, let time = stop.time, time < before { continue }
            result[result.count - 1] = stop
        }
        var update = self
        update.stops = result
        return update
    }

    private func isRepeated(_ first: StopTimeUpdate, _ second: StopTimeUpdate) -> Bool {
        guard let sequence = first.sequence, sequence == second.sequence, first.hasStop else { return false }
        return first.place == second.place && unknownStop(of: first) == unknownStop(of: second)
    }
}
