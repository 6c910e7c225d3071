internal import BoardIO
internal import BoardStore
internal import Glibc
internal import Synchronization

/// The service of this machine: the set-up stops it while it uses the display and the button itself.
final class InstalledService: Sendable {
    private static let service = "boardd.service"
    /// The units that were stopped, in the order in which systemd starts them.
    private let stopped = Mutex<[String]>([])

    /// - Returns: nil where these files are not the service's, or this user may not control it.
    init?(of source: ConfigurationSource) {
        let hasSystemd = unsafe access("/run/systemd/system", F_OK) == 0
        guard source == .installed, geteuid() == 0, hasSystemd else { return nil }
    }

    /// Stops the service if it runs, and the socket of its page: a browser that connects would start it again. Blocks.
    func stop() {
        for unit in [PageSwitch.socket, Self.service] {
            let state = MachineFacts.properties(of: unit, environment: Environment.current)?["ActiveState"]
            guard state == "active" else { continue }
            stopped.withLock { $0.append(unit) }
            Self.control("stop", unit)
        }
    }

    /// Starts again what ``stop()`` stopped. Blocks.
    func resume() {
        for unit in stopped.withLock({ $0 }) { Self.control("start", unit) }
    }

    /// Starts the service again if ``stop()`` stopped it, from a task.
    func resumeFromTask() async { try? await DedicatedThread.run("setup") { self.resume() } }

    /// Starts the service, or starts it again with the files of now, also with the machine. Blocks.
    func restart() {
        Self.control("enable", Self.service)
        // First: systemd does not start a socket whose service runs already.
        if stopped.withLock({ $0.contains(PageSwitch.socket) }) { Self.control("start", PageSwitch.socket) }
        Self.control("restart", Self.service)
    }

    private static func control(_ verb: String, _ unit: String) {
        let text = Subprocess.output(["systemctl", verb, unit], environment: Environment.current)
        if let text, !text.isEmpty { StandardError.write(text) }
    }
}
