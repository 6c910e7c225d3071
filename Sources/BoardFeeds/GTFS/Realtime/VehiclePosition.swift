internal import BoardCore

/// A VehiclePosition of GTFS-Realtime.
struct VehiclePosition: Hashable, Sendable {
    /// `current_status` at ``stop``.
    enum Status: Hashable, Sendable {
        case incoming
        case stopped
        case inTransit
    }

    var trip: TripDescriptor
    /// The operator's name of the vehicle; empty if missing.
    var vehicle = ""
    /// `stop_sequence` and `stop_id` of the current or next stop.
    var sequence: Int?
    var stop: String?
    var status = Status.inTransit
    /// The position's timestamp, else the message's; nil if both are missing.
    var madeAt: Timestamp?
}
