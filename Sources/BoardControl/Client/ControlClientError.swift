internal import Glibc

/// Why a running board could not be asked, in words for the person who typed the command.
public enum ControlClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody listens on the path.
    case noDaemon(path: String)
    /// The socket is there and may not be used.
    case notPermitted(path: String)
    /// The daemon understood and refuses.
    case refused(ControlError)
    /// What answers is no boardd, or one of another version.
    case unexpectedResponse(String)
    /// There was no answer in this time.
    case timedOut(Duration)
    /// The connection broke (`errno`; 0 where the system gave none).
    case broken(code: Int32)

    /// What was found and what to do.
    public var description: String {
        switch self {
        case .noDaemon(let path):
            "boardd is not running: nobody answers at \(path). Start it: sudo systemctl start boardd"
        case .notPermitted(let path):
            "you may not use \(path): add yourself to group \(ControlServer.defaultGroup): "
                + "sudo usermod -aG \(ControlServer.defaultGroup) $USER, then log in again; or use sudo this once"
        case .refused(let refusal):
            refusal.message
        case .unexpectedResponse(let detail):
            "the running boardd answers something else than this one expects (\(detail)). After an upgrade: "
                + "sudo systemctl restart boardd"
        case .timedOut(let timeout):
            "the running boardd did not answer within \(timeout); see journalctl -u boardd"
        case .broken(let code):
            "the connection to the running boardd broke"
                + (code == 0 ? "" : " (\(errorText(code)))") + "; see journalctl -u boardd"
        }
    }

    /// What a failed connect(2) means.
    init(connecting code: Int32, path: String) {
        switch code {
        case ENOENT, ECONNREFUSED, ENOTDIR: self = .noDaemon(path: path)
        case EACCES, EPERM: self = .notPermitted(path: path)
        default: self = .broken(code: code)
        }
    }
}
