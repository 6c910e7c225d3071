internal import BoardIO
internal import Glibc

public enum ControlServerEvent: Hashable, Sendable, CustomStringConvertible {
    case listening(path: String)
    /// The socket's group could not be set, so only the daemon's own user and group may use it.
    case withoutGroup(String, reason: String)
    /// The server cannot accept connections for now (`errno`): clients wait. Reported once, until ``acceptingAgain``.
    case cannotAccept(code: Int32)
    case acceptingAgain

    public var description: String {
        switch self {
        case .listening(let path):
            "control socket: listening on \(path)"
        case .withoutGroup(let group, let reason):
            "control socket: cannot set group \(group) (\(reason)); run commands as the daemon's user or root"
        case .cannotAccept(let code):
            "control socket: cannot accept connections (\(errnoText(code))); check LimitNOFILE in the unit"
        case .acceptingAgain:
            "control socket: accepting connections again"
        }
    }
}
