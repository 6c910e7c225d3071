internal import BoardCore

/// What is told of one run: a trip update.
struct TripUpdate: Hashable, Sendable {
    /// The entity's id: what tells two trains apart that have the same trip.
    let entity: String
    var trip: TripSelector
    /// The operator's name of the vehicle; empty when not told.
    var vehicle = ""
    /// When it was made; nil: when the message was.
    var made: Timestamp?
    /// How many seconds late the trip is as a whole.
    var delay: Int?
    /// `trip_properties`: what a copy or a new trip is called, and when it starts.
    var newID: String?
    var newDay: CivilDate?
    var newStart: Int?
    /// `trip_properties.trip_headsign`.
    var headsign: String?
    /// What is told of its calls, in the operator's order.
    var stops: [StopUpdate] = []
}
