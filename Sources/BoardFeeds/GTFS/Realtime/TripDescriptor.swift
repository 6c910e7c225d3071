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
