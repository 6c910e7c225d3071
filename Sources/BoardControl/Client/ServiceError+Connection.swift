internal import BoardIO
internal import BoardService
internal import Glibc

// Errors of a connection to the running board.
extension ServiceError {
    /// The error for a failed connect(2).
    static func connecting(to path: String, code: Int32) -> ServiceError {
        switch code {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            ServiceError(
                .noDaemon, "boardd is not running: no server at \(path). Start it: sudo systemctl start boardd")
        case EACCES, EPERM:
            ServiceError(
                .noAccess,
                "\(path): permission denied. Join group \(ControlServer.defaultGroup): "
                    + "sudo usermod -aG \(ControlServer.defaultGroup) $USER, then log in again; or use sudo")
        default: .connectionLost(code: code)
        }
    }

    /// - Parameter code: the `errno`; 0 where the system reports none.
    static func connectionLost(code: Int32) -> ServiceError {
        ServiceError(
            .connectionLost,
            "the connection to the running boardd was lost"
                + (code == 0 ? "" : " (\(errnoText(code)))") + "; see journalctl -u boardd")
    }

    static func timedOut(after timeout: Duration) -> ServiceError {
        ServiceError(
            .timedOut, "the running boardd did not respond within \(timeout); see journalctl -u boardd")
    }

    static func unexpectedResponse(_ detail: String) -> ServiceError {
        ServiceError(
            .unexpectedResponse,
            "unexpected response from the running boardd (\(detail)). After an upgrade: "
                + "sudo systemctl restart boardd")
    }
}
