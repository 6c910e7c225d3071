internal import BoardCore

/// A TripUpdate of GTFS-Realtime.
struct TripUpdate: Hashable, Sendable {
    /// The entity ID, which distinguishes two trains with the same trip.
    let entity: String
    var trip: TripDescriptor
    /// The operator's name of the vehicle; empty if missing.
    var vehicle = ""
    /// The update's timestamp, else the message's; nil if both are missing.
    var madeAt: Timestamp?
    /// The delay of the whole trip in seconds.
    var delay: Int?
    /// `trip_properties`: ID, service day and start of a copy or a new trip.
    var newID: String?
    var newDay: CivilDate?
    var newStart: Int?
    /// `trip_properties.trip_headsign`.
    var headsign: String?
    /// The updates of its calls, in the operator's order.
    var stops: [StopTimeUpdate] = []
    /// The IDs of stops that are not in the timetable.
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
