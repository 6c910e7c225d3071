import BoardCore

/// What the broker does not permit to this board.
enum FleetRejection: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Responses, and the announcements of requests, of a board that is no hub: intended in an office (docs/fleet/acl).
    case responses
    case topic(String)

    init(_ topic: String, isHub: Bool) {
        switch FleetTopic(topic) {
        case .response where !isHub, .fetching where !isHub: self = .responses
        default: self = .topic(topic)
        }
    }

    /// Whether a person must change the rights.
    var isFault: Bool { self != .responses }

    var description: String {
        switch self {
        case .responses:
            "the broker does not permit this board to send responses to others; it polls for itself alone while no other board responds"
        case .topic(let topic): "the broker does not permit \(topic) to this board; check its ACL (docs/fleet.md)"
        }
    }
}
