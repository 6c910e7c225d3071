internal import BoardCore

/// Where a vehicle was seen.
struct VehiclePosition: Hashable, Sendable {
    /// What it does at the stop that is named.
    enum Status: Hashable, Sendable {
        /// It is about to arrive.
        case incoming
        /// It stands there.
        case stopped
        /// It has left the one before.
        case inTransit
    }

    var trip: TripDescriptor
    /// The operator's name of it; empty when not told.
    var vehicle = ""
    /// The stop where it is, or that it comes to next: its `stop_sequence` and its id.
    var sequence: Int?
    var stop: String?
    var status = Status.inTransit
    /// When it was seen, else when the message was made; nil: neither is told.
    var madeAt: Timestamp?
}
