internal import BoardCore

/// Why a board did not join a list.
enum SharedListJoinFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case alreadyMember(FleetName)
    /// The program ends.
    case ended
    /// The broker is not connected, or has no list of this name.
    case notReceived(FleetName)

    var description: String {
        switch self {
        case .alreadyMember(let name): "this board shares the list \(name) already"
        case .ended: "boardd is shutting down"
        case .notReceived(let name):
            "no list \(name) was received from the broker yet: check the connection with `boardd fleet`"
        }
    }
}
