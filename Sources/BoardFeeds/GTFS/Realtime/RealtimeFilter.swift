internal import BoardFormats

/// Selects the entities of a message that may matter: those with a selected trip, a requested stop, or a route or agency
/// that serves one. It also numbers the timetable's stops, so that their IDs need no String.
///
/// It is a Bloom filter of identifiers: it sometimes includes an irrelevant entity and never misses a relevant one.
package final class RealtimeFilter: Sendable {
    private static let seed: UInt64 = 0x5EED

    private let bits: [UInt64]
    private let mask: UInt64
    /// Whether an alert for any agency may matter: the timetable does not name the agencies of its routes.
    private let includesAllAgencies: Bool
    /// All trips of the timetable.
    private let trips: TripIDSet
    /// The stop IDs, by index into ``Timetable/places``.
    let places: ByteKeys

    /// - Parameters:
    ///   - names: identifiers of trips, stops, routes and agencies.
    ///   - places: the IDs of the timetable's stops, each once.
    ///   - trips: all trips of the timetable.
    ///   - includesAllAgencies: whether an alert for any agency may matter.
    init(in names: [String], places: [String], trips: TripIDSet, includesAllAgencies: Bool) {
        self.trips = trips
        self.places = ByteKeys(places)
        self.includesAllAgencies = includesAllAgencies
        // 32 bits per name: at worst one irrelevant entity in 32 is included.
        var size = 4_096
        while size < names.count * 32, size < 1 << 26 { size *= 2 }
        var bits = [UInt64](repeating: 0, count: size / 64)
        mask = UInt64(size - 1)
        for name in names {
            let bytes = Array(name.utf8)
            let bit = ByteKeys.hash(bytes.span, 0..<bytes.count, Self.seed) & mask
            bits[Int(bit / 64)] |= 1 << (bit % 64)
        }
        self.bits = bits
    }

    /// The index of the stop with the ID in these bytes; nil if it is not in the timetable.
    @inline(__always)
    func place(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let number = places.number(of: TableField(range), in: bytes)
        return number == ByteKeys.unknown ? nil : number
    }

    @inline(__always)
    func mayContain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let bit = ByteKeys.hash(bytes, range, Self.seed) & mask
        return bits[Int(truncatingIfNeeded: bit / 64)] & 1 << (bit % 64) != 0
    }

    func includes(_ entity: RealtimeEntity, of bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        if let update = entity.update, try isNamed(inUpdate: update, bytes) { return true }
        if let vehicle = entity.vehicle, try isNamed(inVehicle: vehicle, bytes) { return true }
        if let alert = entity.alert, try isNamed(inAlert: alert, bytes) { return true }
        return false
    }

    /// The trip of a trip update, or the stop of one of its calls.
    private func isNamed(inUpdate update: Range<Int>, _ bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(update)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: if try isNamed(trip: field.range, bytes) { return true }
            case 2: if try isNamed(4, in: field.range, bytes) { return true }
            default: break
            }
        }
        return false
    }

    /// The trip of a vehicle, or the stop where it is.
    private func isNamed(inVehicle vehicle: Range<Int>, _ bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(vehicle)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: if try isNamed(trip: field.range, bytes) { return true }
            case 7: if mayContain(bytes, field.range) { return true }
            default: break
            }
        }
        return false
    }

    /// A trip descriptor: the trip by its ID, or a trip that is not in the timetable by its route and start.
    private func isNamed(trip: Range<Int>, _ bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(trip)
        var (id, hasStart, isOfRoute) = (0..<0, false, false)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: id = field.range
            case 2: hasStart = true
            case 5: isOfRoute = mayContain(bytes, field.range)
            default: break
            }
        }
        return !id.isEmpty && mayContain(bytes, id) || (hasStart && isOfRoute && !trips.contains(bytes, id))
    }

    /// The informed entities of an alert. A selector with a trip, stop or route concerns these alone; another one with a route type or a
    /// direction is always included.
    private func isNamed(inAlert alert: Range<Int>, _ bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(alert)
        while let field = try fields.next(in: bytes) {
            guard field.number == 5 else { continue }
            var selector = WireFields(field.range)
            var (isOpen, isOfNames) = (false, false)
            while let part = try selector.next(in: bytes) {
                switch part.number {
                case 1: isOpen = isOpen || includesAllAgencies || mayContain(bytes, part.range)
                case 2, 5:
                    if mayContain(bytes, part.range) { return true }
                    isOfNames = true
                case 3, 6: isOpen = true
                case 4:
                    if try isNamed(1, or: 5, in: part.range, bytes) { return true }
                    isOfNames = true
                default: break
                }
            }
            if isOpen, !isOfNames { return true }
        }
        return false
    }

    /// Whether one of a message's text fields, by field number, is a name.
    @inline(__always)
    private func isNamed(
        _ number: Int, or other: Int? = nil, in message: Range<Int>, _ bytes: Span<UInt8>
    ) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(message)
        while let field = try fields.next(in: bytes) {
            if field.number == number || field.number == other, mayContain(bytes, field.range) { return true }
        }
        return false
    }
}
