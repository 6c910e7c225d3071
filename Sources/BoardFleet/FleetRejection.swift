import BoardCore

/// What the broker does not let this board do.
enum FleetRejection: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Responses and announcements of requests from a board that is not a hub: intended in an office (docs/fleet/acl).
    case responses
    case topic(String)

    init(_ topic: String, isHub: Bool) {
        switch FleetTopic(topic) {
        case .response where !isHub, .fetching where !isHub: self = .responses
        default: self = .topic(topic)
        }
    }

    /// Whether a person must change the permissions.
    var isFault: Bool { self != .responses }

    var description: String {
        switch self {
        case .responses:
            "the broker does not allow this board to send responses to others; it polls only for itself while no other board responds"
        case .topic(let topic): "the broker does not let this board use \(topic); check its ACL (docs/fleet.md)"
        }
    }
}
