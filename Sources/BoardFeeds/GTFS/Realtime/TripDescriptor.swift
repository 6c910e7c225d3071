internal import BoardCore

/// A TripDescriptor: identifies the trip of a TripUpdate, VehiclePosition or Alert.
struct TripDescriptor: Hashable, Sendable {
    /// `schedule_relationship`.
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
        /// A copy of a trip at another time.
        case duplicated
    }

    /// `trip_id`; empty if missing.
    var id = ""
    /// `route_id`.
    var route: String?
    /// `direction_id`.
    var direction: Int?
    /// `start_date`: the service day; nil if missing or invalid.
    var day: CivilDate?
    /// `start_time`: seconds from the beginning of the service day.
    var start: Int?
    var relationship = Relationship.scheduled
}

extension TripDescriptor {
    /// Merges a trip descriptor with the values read before.
    mutating func read(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: id = try WireFields.text(field.range, of: bytes)
            case 2: start = Self.seconds(try WireFields.text(field.range, of: bytes))
            case 3: day = CivilDate(gtfs: try WireFields.text(field.range, of: bytes))
            case 4: set(relationship: field.value)
            case 5: route = field.range.isEmpty ? nil : try WireFields.text(field.range, of: bytes)
            case 6: direction = Int(UInt32(truncatingIfNeeded: field.value))
            default: break
            }
        }
    }

    /// An unknown number changes nothing.
    private mutating func set(relationship number: UInt64) {
        switch number {
        case 0: relationship = .scheduled
        case 1, 8: relationship = .added
        case 2: relationship = .unscheduled
        case 3: relationship = .canceled
        case 5: relationship = .replacement
        case 6: relationship = .duplicated
        case 7: relationship = .deleted
        default: break
        }
    }

    /// `7:05:00` or `25:10:00` in seconds; nil for any other text.
    static func seconds(_ text: String) -> Int? {
        // Most messages have no start time.
        if text.isEmpty { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { part in
            part.count <= 3 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2], minutes < 60,
            seconds < 60
        else { return nil }
        return hours * 3_600 + minutes * 60 + seconds
    }
}
