internal import BoardCore

/// What is told of one run: a trip update.
struct TripUpdate: Hashable, Sendable {
    /// The entity's id: what tells two trains apart that have the same trip.
    let entity: String
    var trip: TripDescriptor
    /// The operator's name of the vehicle; empty when not told.
    var vehicle = ""
    /// When it was made, else when the message was; nil: neither is told.
    var madeAt: Timestamp?
    /// How many seconds late the trip is as a whole.
    var delay: Int?
    /// `trip_properties`: what a copy or a new trip is called, and when it starts.
    var newID: String?
    var newDay: CivilDate?
    var newStart: Int?
    /// `trip_properties.trip_headsign`.
    var headsign: String?
    /// What is told of its calls, in the operator's order.
    var stops: [StopTimeUpdate] = []
    /// The ids of stops that the timetable does not know.
    var unknownStops: [String] = []
    /// What few calls have.
    var properties: [StopTimeUpdate.Properties] = []

    /// What a call has that few have.
    func properties(of stop: StopTimeUpdate) -> StopTimeUpdate.Properties? {
        stop.properties.flatMap { properties.indices.contains($0) ? properties[$0] : nil }
    }

    /// The id of a call's stop that the timetable does not know; empty for others, and where it is not told.
    func unknownStop(of stop: StopTimeUpdate) -> String {
        stop.unknownStop.flatMap { unknownStops.indices.contains($0) ? unknownStops[$0] : nil } ?? ""
    }
}
