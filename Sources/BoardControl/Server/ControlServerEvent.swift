internal import Glibc

/// What the server has to say to whoever looks after it.
public enum ControlServerEvent: Hashable, Sendable, CustomStringConvertible {
    /// It listens on this path.
    case listening(path: String)
    /// The socket could not be given to its group, so only the daemon's own user and group may use it.
    case withoutGroup(String, reason: String)
    /// It can take no more connections for now (`errno`): clients wait. Said once, until ``acceptsAgain``.
    case cannotAccept(code: Int32)
    /// It takes connections again.
    case acceptingAgain

    /// A sentence, with what to do where there is something.
    public var description: String {
        switch self {
        case .listening(let path):
            "control socket: listens on \(path)"
        case .withoutGroup(let group, let reason):
            "control socket: not given to group \(group) (\(reason)); commands must run as the daemon's user or root"
        case .cannotAccept(let code):
            "control socket: takes no connections for now (\(errorText(code))); look at LimitNOFILE of the unit"
        case .acceptingAgain:
            "control socket: takes connections again"
        }
    }
}

/// What the system calls an `errno`.
func errorText(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
