internal import BoardCore

/// Which trip a message means: its trip descriptor.
struct TripDescriptor: Hashable, Sendable {
    /// What becomes of the trip.
    enum Relationship: Hashable, Sendable {
        /// It runs by the timetable, more or less.
        case scheduled
        /// It runs beside the timetable: ADDED, NEW.
        case added
        /// It has no timetable, or is one of a frequency that promises no times.
        case unscheduled
        /// It does not run, and people are told so.
        case canceled
        /// It does not run, and people are not told.
        case deleted
        /// Its calls are others than the timetable's.
        case replacement
        /// It is a copy of a trip at another time.
        case duplicated
    }

    /// `trip_id`; empty where it is not told.
    var id = ""
    /// `route_id`.
    var route: String?
    /// `direction_id`.
    var direction: Int?
    /// `start_date`: the service day. Nil where it is not told, or is none.
    var day: CivilDate?
    /// `start_time`: seconds from the beginning of the service day.
    var start: Int?
    var relationship = Relationship.scheduled
}
