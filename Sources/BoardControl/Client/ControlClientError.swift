internal import BoardIO
internal import Glibc

/// Why a request to a running board failed, with a message for the user.
public enum ControlClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No server listens on the path.
    case noDaemon(path: String)
    /// The user may not use the socket.
    case notPermitted(path: String)
    /// The daemon returned an error.
    case errorResponse(ControlError)
    /// The server is not boardd, or another version of it.
    case unexpectedResponse(String)
    /// No response came within this time.
    case timedOut(Duration)
    /// The connection was lost (`errno`; 0 where the system reports none).
    case broken(code: Int32)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .noDaemon(let path):
            "boardd is not running: no server at \(path). Start it: sudo systemctl start boardd"
        case .notPermitted(let path):
            "\(path): permission denied. Join group \(ControlServer.defaultGroup): "
                + "sudo usermod -aG \(ControlServer.defaultGroup) $USER, then log in again; or use sudo"
        case .errorResponse(let failure):
            failure.message
        case .unexpectedResponse(let detail):
            "unexpected response from the running boardd (\(detail)). After an upgrade: "
                + "sudo systemctl restart boardd"
        case .timedOut(let timeout):
            "the running boardd did not respond within \(timeout); see journalctl -u boardd"
        case .broken(let code):
            "the connection to the running boardd was lost"
                + (code == 0 ? "" : " (\(errnoText(code)))") + "; see journalctl -u boardd"
        }
    }

    /// The error for a failed connect(2).
    init(connecting code: Int32, path: String) {
        switch code {
        case ENOENT, ECONNREFUSED, ENOTDIR: self = .noDaemon(path: path)
        case EACCES, EPERM: self = .notPermitted(path: path)
        default: self = .broken(code: code)
        }
    }
}
