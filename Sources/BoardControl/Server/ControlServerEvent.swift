internal import BoardIO
internal import Glibc

public enum ControlServerEvent: Hashable, Sendable, CustomStringConvertible {
    /// An endpoint accepts connections.
    case listening(String)
    /// A client at an address that is not served was disconnected.
    case disconnected(String, endpoint: String)
    /// The socket's group could not be set, so only the daemon's own user and group may use it.
    case withoutGroup(String, reason: String)
    /// An endpoint cannot accept connections for now (`errno`): clients wait. Reported once, until ``acceptingAgain(_:)``.
    case cannotAccept(String, code: Int32)
    case acceptingAgain(String)

    public var description: String {
        switch self {
        case .listening(let endpoint):
            "\(endpoint): listening"
        case .disconnected(let address, let endpoint):
            "\(endpoint): disconnected \(address), which is in no network of this machine; "
                + "add its network to networks in [page] of boardd.toml to serve it"
        case .withoutGroup(let group, let reason):
            "control socket: cannot set group \(group) (\(reason)); run commands as the daemon's user or root"
        case .cannotAccept(let endpoint, let code):
            "\(endpoint): cannot accept connections (\(errnoText(code))); check LimitNOFILE in the unit"
        case .acceptingAgain(let endpoint):
            "\(endpoint): accepting connections again"
        }
    }
}
