internal import BoardCore
internal import BoardFormats

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
        /// A trip with other calls than the timetable's.
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
    mutating func read(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
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
