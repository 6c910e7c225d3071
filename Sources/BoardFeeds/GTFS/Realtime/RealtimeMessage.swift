import BoardCore

/// The entities of a GTFS-Realtime message that matter for some stops.
package struct RealtimeMessage: Hashable, Sendable {
    private(set) var madeAt: Timestamp?
    private(set) var trips: [TripUpdate] = []
    private(set) var vehicles: [VehiclePosition] = []
    private(set) var alerts: [RealtimeAlert] = []
    /// The number of all entities. 0 means no data, not "no service".
    private(set) var entities = 0
    private(set) var badEntities = 0
    /// The number of entities about trips or vehicles, selected or not.
    private(set) var tripEntities = 0

    /// Whether all entities are alerts: then the message's age is not that of departures.
    var hasAlertsOnly: Bool { entities > 0 && tripEntities == 0 }

    /// The memory limit in units of a call (48 bytes), about 10 MB: ten times the data of a large station. A trip, a
    /// vehicle and a part of an alert are as large as several calls.
    private static let maximumParts = 200_000, partsOfTrip = 10, partsOfVehicle = 5, partsOfAlertPart = 5
    /// The bytes of an entity that count as one part, since its texts may be stored.
    private static let bytesOfPart = 64
    private var parts = 0

    init() {}

    /// Decodes a message.
    ///
    /// - Parameters:
    ///   - body: the bytes, whatever their content type.
    ///   - entityFilter: selects the entities to decode; nil: all. The message fits only this filter's timetable.
    /// - Throws: ``FormatError`` if the bytes are not a message: HTML, JSON, empty, truncated.
    package init(_ body: [UInt8], entityFilter: RealtimeFilter?) throws(FormatError) {
        guard !body.isEmpty else { throw .empty }
        let hasHeader: Bool
        do throws(WireError) {
            hasHeader = try read(body.span, entityFilter)
        } catch {
            throw FormatError(unreadableAt: error.place, of: body)
        }
        guard hasHeader else { throw .noHeader }
        for number in trips.indices where trips[number].madeAt == nil { trips[number].madeAt = madeAt }
        for number in vehicles.indices where vehicles[number].madeAt == nil { vehicles[number].madeAt = madeAt }
        if entities > 0, entities == badEntities {
            throw FormatError("found a GTFS-Realtime message none of whose \(entities) entities can be read")
        }
    }

    /// - Returns: whether there is a header.
    private mutating func read(_ bytes: Span<UInt8>, _ entityFilter: RealtimeFilter?) throws(WireError) -> Bool {
        var hasHeader = false
        var fields = WireFields(0..<bytes.count)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1:
                hasHeader = true
                // A differential message is decoded like a full one: the specification leaves it undefined, and some
                // operators that declare it send everything.
                var header = WireFields(field.range)
                while let field = try header.next(in: bytes) {
                    if field.number == 3 { madeAt = Timestamp(realtime: field.value) }
                }
            case 2:
                entities += 1
                add(field.range, of: bytes, entityFilter)
            default: break
            }
        }
        return hasHeader
    }

    /// Decodes an entity if the filter selects it; a malformed one does not affect the others.
    private mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>, _ entityFilter: RealtimeFilter?) {
        do {
            var entity = RealtimeEntity()
            // Also if the entity is truncated.
            defer { if entity.isOfTrips { tripEntities += 1 } }
            try entity.find(range, of: bytes)
            // A full message has nothing to delete.
            guard !entity.isDeleted, try entityFilter?.includes(entity, of: bytes) ?? true else { return }
            guard parts < Self.maximumParts else { throw WireError(place: range.lowerBound) }
            // Nothing of a malformed entity is stored.
            var total = parts + range.count / Self.bytesOfPart
            let alert = try entity.alert.map { alert in
                let alert = try RealtimeAlert(alert, of: bytes)
                total += alert.parts * Self.partsOfAlertPart
                return alert
            }
            let vehicle = try entity.vehicle.map { vehicle in
                total += Self.partsOfVehicle
                return try VehiclePosition(vehicle, of: bytes)
            }
            let update = try entity.update.map { update in
                let id = try WireFields.text(entity.id, of: bytes)
                let trip = try TripUpdate(update, of: bytes, entity: id, entityFilter)
                total += trip.stops.count + Self.partsOfTrip
                return trip
            }
            guard total <= Self.maximumParts else { throw WireError(place: range.lowerBound) }
            parts = total
            if let update { trips.append(update) }
            if let vehicle { vehicles.append(vehicle) }
            if let alert { alerts.append(alert) }
        } catch {
            badEntities += 1
        }
    }

    /// The age beyond which a message is frozen, and the longest that any message is used: its estimates are past by
    /// then (feeds.md §4.3). Operators make one every 15 to 60 s.
    static let frozenAfter = Duration.seconds(600)

    /// Whether the operator has stopped making messages and keeps sending the same one, so nothing in it is live. A
    /// message without a timestamp is never frozen.
    ///
    /// - Parameter date: the time of the response by the operator's clock (HTTP `Date`), else by ours.
    func isFrozen(at date: Timestamp) -> Bool { madeAt.isSomeAnd { date - $0 > Self.frozenAfter } }
}

/// The byte ranges of an entity's parts in a message; nil for missing parts.
struct RealtimeEntity {
    private(set) var id = 0..<0
    private(set) var isDeleted = false
    private(set) var update: Range<Int>?
    private(set) var vehicle: Range<Int>?
    private(set) var alert: Range<Int>?

    var isOfTrips: Bool { update != nil || vehicle != nil }

    /// Finds the parts, by the field numbers of transit-realtime.proto.
    fileprivate mutating func find(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: id = field.range
            case 2: isDeleted = field.value != 0
            case 3: update = field.range
            case 4: vehicle = field.range
            case 5: alert = field.range
            default: break
            }
        }
    }
}

extension Timestamp {
    /// A message's seconds since 1970; nil for 0, which means "unknown", and for implausible values.
    init?(realtime seconds: some BinaryInteger) {
        guard let seconds = Int64(exactly: seconds), Self.hasValue(seconds) else { return nil }
        self.init(seconds: seconds)
    }

    /// Whether a message's seconds since 1970 are a plausible time.
    static func hasValue(_ seconds: Int64) -> Bool {
        // Before the year 3000: larger values are milliseconds or a mistake.
        seconds > 0 && seconds < 32_503_680_000
    }
}

/// A TripDescriptor: identifies the trip of a TripUpdate, VehiclePosition or Alert.
struct TripDescriptor: Hashable, Sendable {
    enum Relationship: Hashable, Sendable {
        case scheduled
        /// An extra trip: ADDED, NEW.
        case added
        /// A trip without a timetable, or with a headway and no exact times.
        case unscheduled
        /// A cancelled trip that is shown as such.
        case canceled
        /// A cancelled trip that is not shown.
        case deleted
        /// A trip whose calls differ from the timetable's.
        case replacement
        case duplicated
    }

    /// `trip_id`; empty if missing.
    var id = ""
    var route: String?
    var direction: Int?
    /// `start_date`: the service day; nil if missing or invalid.
    var day: CivilDate?
    /// `start_time`: seconds from the beginning of the service day.
    var start: Int?
    var relationship = Relationship.scheduled

    /// Merges a trip descriptor with the values read before.
    mutating func read(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: id = try WireFields.text(field.range, of: bytes)
            case 2: start = bytes.time(TableField(field.range)).map(Int.init)
            case 3: day = bytes.date(TableField(field.range))
            case 4: relationship = Self.relationships[field.value] ?? relationship
            case 5: route = field.range.isEmpty ? nil : try WireFields.text(field.range, of: bytes)
            case 6: direction = Int(UInt32(truncatingIfNeeded: field.value))
            default: break
            }
        }
    }

    /// By number.
    private static let relationships: [UInt64: Relationship] = [
        0: .scheduled, 1: .added, 2: .unscheduled, 3: .canceled, 5: .replacement, 6: .duplicated, 7: .deleted,
        8: .added,
    ]
}

struct VehiclePosition: Hashable, Sendable {
    var trip: TripDescriptor
    /// The operator's name for the vehicle; empty if missing.
    var vehicle = ""
    /// `stop_sequence` and `stop_id` of the current or next stop.
    var sequence: Int?
    var stop: String?
    /// Whether `current_status` is STOPPED_AT ``stop``; else the vehicle is on the way there.
    var isStopped = false
    /// The position's timestamp, else the message's; nil if both are missing.
    var madeAt: Timestamp?
}

extension VehiclePosition {
    /// Decodes a vehicle position by GTFS-Realtime's field numbers.
    init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        trip = TripDescriptor()
        var descriptor = VehicleDescriptor()
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: try trip.read(field.range, of: bytes)
            case 3: sequence = Int(UInt32(truncatingIfNeeded: field.value))
            case 4 where field.value <= 2: isStopped = field.value == 1
            case 5: madeAt = Timestamp(realtime: field.value)
            case 7: stop = try WireFields.nonEmptyText(field.range, of: bytes)
            case 8: try descriptor.read(field.range, of: bytes)
            default: break
            }
        }
        vehicle = descriptor.name
    }
}

struct VehicleDescriptor {
    private var id = "", label = "", licensePlate = ""

    /// The text that people can read on the vehicle, else its identifier; empty if the operator reports none.
    var name: String { [label, licensePlate, id].lazy.map(\.plainText).first { !$0.isEmpty } ?? "" }

    mutating func read(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: id = try WireFields.text(field.range, of: bytes)
            case 2: label = try WireFields.text(field.range, of: bytes)
            case 3: licensePlate = try WireFields.text(field.range, of: bytes)
            default: break
            }
        }
    }
}

/// A `trip_id` of New York's subway: `036050_2..S07R`.
///
/// Six digits are the start in hundredths of a minute after midnight of the service day; the route, the direction and
/// the path follow. The timetable adds a prefix (`…Weekday-00_036050_2..S07R`); messages often omit the path.
struct NYCTTripID: Hashable, Sendable {
    /// `036050_2..S`: the ID without the path.
    let train: String
    /// `07R`; empty if omitted.
    let path: String

    /// Parses an ID of this form; nil for other operators' IDs.
    init?(_ text: Substring) {
        let start = text.utf8.prefix(7)
        guard start.count == 7, start.last == UInt8(ascii: "_"), start.dropLast().allSatisfy(\.isDigit),
            let dots = text.firstRange(of: ".."), dots.upperBound < text.endIndex
        else { return nil }
        let afterDirection = text.index(after: dots.upperBound)
        train = String(text[..<afterDirection])
        path = String(text[afterDirection...])
    }

    /// Parses a timetable's ID, without its prefix.
    init?(inTimetable text: String) {
        guard let dash = text.firstIndex(of: "_") else { return nil }
        self.init(text[text.index(after: dash)...])
    }
}
