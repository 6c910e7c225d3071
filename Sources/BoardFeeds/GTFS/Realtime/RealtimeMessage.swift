internal import BoardCore

/// A message of GTFS-Realtime, as far as it matters for some stops.
struct RealtimeMessage: Hashable, Sendable {
    /// When it was made, by its header; nil where that is not told.
    private(set) var madeAt: Timestamp?
    private(set) var trips: [TripUpdate] = []
    private(set) var vehicles: [VehiclePosition] = []
    private(set) var alerts: [RealtimeAlert] = []
    /// How many entities there are in all. None: nothing is known, which is not "no service".
    private(set) var entities = 0
    /// Those that could not be read.
    private(set) var badEntities = 0
    /// Those that are about trips or vehicles, whether or not they matter.
    private(set) var tripEntities = 0

    /// Whether it tells of nothing but alerts: these say nothing of how old departures are.
    var hasAlertsOnly: Bool { entities > 0 && tripEntities == 0 }

    /// The most that is kept in all, counted in calls of 48 bytes, some 10 MB: ten times what a large station has. A trip, a
    /// vehicle and a part of an alert are as large as several calls.
    private static let mostParts = 200_000, partsOfTrip = 10, partsOfVehicle = 5, partsOfAlertPart = 5
    /// Bytes of a message that are one part: its texts may be kept.
    private static let bytesOfPart = 64
    private var parts = 0

    /// Nothing is known.
    init() {}

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - body: its bytes, of whatever type they are said to be.
    ///   - interest: the entities that are read; the others are only stepped over. A message can only be laid over the
    ///     timetable whose interest this is.
    /// - Throws: ``RealtimeFault`` where the bytes are no message: a page for people, JSON, nothing, a message cut short.
    init(_ body: [UInt8], entityFilter: RealtimeFilter = .all) throws(RealtimeFault) {
        guard !body.isEmpty else { throw .empty }
        do {
            try read(body, entityFilter)
        } catch let fault as WireFields.Fault {
            throw RealtimeFault(unreadableAt: fault.place, of: body)
        } catch let fault as RealtimeFault {
            throw fault
        } catch {
            throw RealtimeFault(unreadableAt: 0, of: body)
        }
    }

    private mutating func read(_ body: [UInt8], _ entityFilter: RealtimeFilter) throws {
        let bytes = body.span
        var hasHeader = false
        var fields = WireFields(0..<bytes.count)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1:
                hasHeader = true
                try readHeader(field.range, of: bytes)
            case 2:
                entities += 1
                add(field.range, of: bytes, entityFilter)
            default: break
            }
        }
        guard hasHeader else { throw RealtimeFault.noHeader }
        for number in trips.indices where trips[number].madeAt == nil { trips[number].madeAt = madeAt }
        for number in vehicles.indices where vehicles[number].madeAt == nil { vehicles[number].madeAt = madeAt }
        if entities > 0, entities == badEntities { throw RealtimeFault.allMalformed(entities) }
    }

    private mutating func readHeader(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        // One that says that it tells only what has changed is read all the same: the format leaves open what to do then, and
        // some who say so send everything.
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            if field.number == 3 { madeAt = Timestamp(realtime: field.value) }
        }
    }

    /// Reads an entity if it matters; one that is broken does not take the others with it.
    private mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>, _ entityFilter: RealtimeFilter) {
        do {
            var entity = RealtimeEntity()
            // What follows in an entity that is cut short is not known.
            defer { if entity.isOfTrips { tripEntities += 1 } }
            try entity.find(range, of: bytes)
            // In a message that replaces the last one whole there is nothing to delete.
            guard !entity.isDeleted, try entityFilter.includes(entity, of: bytes) else { return }
            guard parts < Self.mostParts else { throw WireFields.Fault(place: range.lowerBound) }
            // Of one that is broken nothing is taken.
            var kept = parts + range.count / Self.bytesOfPart
            let alert = try entity.alert.map { alert in
                let alert = try RealtimeAlert(alert, of: bytes)
                kept += alert.parts * Self.partsOfAlertPart
                return alert
            }
            let vehicle = try entity.vehicle.map { vehicle in
                kept += Self.partsOfVehicle
                return try VehiclePosition(vehicle, of: bytes)
            }
            let update = try entity.update.map { update in
                let id = try WireFields.text(entity.id, of: bytes)
                let told = try TripUpdate(update, of: bytes, entity: id, entityFilter)
                kept += told.stops.count + Self.partsOfTrip
                return told
            }
            guard kept <= Self.mostParts else { throw WireFields.Fault(place: range.lowerBound) }
            parts = kept
            if let update { trips.append(update) }
            if let vehicle { vehicles.append(vehicle) }
            if let alert { alerts.append(alert) }
        } catch {
            badEntities += 1
        }
    }
}

/// Where in a message the parts of an entity are; nil: it has no such part.
struct RealtimeEntity {
    private(set) var id = 0..<0
    private(set) var isDeleted = false
    private(set) var update: Range<Int>?
    private(set) var vehicle: Range<Int>?
    private(set) var alert: Range<Int>?

    /// Whether it is about a trip or a vehicle.
    var isOfTrips: Bool { update != nil || vehicle != nil }

    /// Finds the parts, by the field numbers of transit-realtime.proto.
    fileprivate mutating func find(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
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
