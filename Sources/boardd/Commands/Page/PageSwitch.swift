import BoardCore
import BoardIO
import BoardService
import Glibc

/// Turns the page of this machine's service on and off, through its socket unit. All methods block.
struct PageSwitch {
    static let socket = "boardd-page.socket"
    private static let service = "boardd.service"

    /// Runs systemctl with these words; returns what it printed.
    private let systemctl: ([String]) -> String

    /// What systemd reports about the socket unit.
    struct State: Hashable, Sendable {
        var isInstalled = false
        var isOn = false
        var isFailed = false
        /// The port of the first address at which it listens.
        var port: UInt16?

        /// - Parameter text: the output of `systemctl show`.
        init(_ text: String) {
            for line in text.split(whereSeparator: \.isNewline) {
                switch line {
                case "LoadState=loaded": isInstalled = true
                case "ActiveState=active": isOn = true
                case "ActiveState=failed": isFailed = true
                default:
                    // "Listen=[::]:80 (Stream)"
                    guard port == nil, line.hasPrefix("Listen="), let colon = line.lastIndex(of: ":") else { continue }
                    port = UInt16(line[line.index(after: colon)...].prefix { $0 != " " })
                }
            }
        }
    }

    /// The switch of this machine.
    ///
    /// - Parameter command: the command of the user, for messages.
    static func installed(for command: String) throws(ServiceError) -> PageSwitch {
        guard unsafe access("/run/systemd/system", F_OK) == 0 else {
            throw ServiceError(
                .unavailable,
                "systemd does not run here, and it opens the port of the page. "
                    + "Without it: boardd run --page 127.0.0.1:8480")
        }
        guard geteuid() == 0 else {
            throw ServiceError(.notAllowed, "only root may open a port for the board: sudo \(command)")
        }
        return PageSwitch(environment: Environment.current)
    }

    init(systemctl: @escaping ([String]) -> String) {
        self.systemctl = systemctl
    }

    /// The switch with this machine's systemctl.
    init(environment: [String: String]) {
        self.init { words in
            let call = words.first == "show" ? Subprocess.output : Subprocess.change
            return call(["systemctl"] + words, environment) ?? ""
        }
    }

    var state: State {
        State(systemctl(["show", Self.socket, "--no-pager", "-p", "LoadState,ActiveState,Listen"]))
    }

    /// Turns the page on, also for the next start of the machine.
    ///
    /// - Returns: its port.
    func on() throws(ServiceError) -> UInt16 {
        let before = state
        guard before.isInstalled else {
            throw ServiceError(
                .unavailable, "\(Self.socket) is not installed: install the package, or run sudo make install")
        }
        var printed = systemctl(["enable", "--quiet", Self.socket])
        if !before.isOn {
            // systemd does not start a socket whose service runs already.
            printed += systemctl(["stop", Self.service])
            printed += systemctl(["start", Self.socket, Self.service])
        }
        let after = state
        guard after.isOn, let port = after.port else {
            printed += systemctl(["disable", "--quiet", Self.socket])
            printed += systemctl(["reset-failed", Self.socket])
            throw ServiceError(.unavailable, Self.sentence(port: after.port, printed))
        }
        return port
    }

    /// Turns the page off, also for the next start of the machine.
    func off() throws(ServiceError) {
        var printed = systemctl(["disable", "--quiet", Self.socket])
        printed += systemctl(["stop", Self.socket])
        // The running board holds the port as well.
        printed += systemctl(["try-restart", Self.service])
        guard !state.isOn else {
            throw ServiceError(.failed, "the page is still on: \(printed.asPrintedLine)")
        }
    }

    private static func sentence(port: UInt16?, _ printed: String) -> String {
        let lines = printed.split(whereSeparator: \.isNewline).map { String($0).asPrintedLine }
        let detail = lines.isEmpty ? "" : " systemd reports: \(lines.joined(separator: "; "))"
        let other = port == 8480 ? 8481 : 8480
        return "the page cannot listen at port \(port.map { "\($0)" } ?? "80"): another program may have it "
            + "(sudo ss -ltnp shows which). Choose another port: sudo systemctl edit \(socket), with the lines [Socket], "
            + "ListenStream= and ListenStream=\(other); then sudo boardd page on.\(detail)"
    }
}
