internal import BoardIO
internal import BoardStore
internal import Glibc
internal import Synchronization

/// The service of this machine: the set-up stops it while it uses the display and the button itself.
final class InstalledService: Sendable {
    private let isStopped = Mutex(false)

    /// - Returns: nil where these files are not the service's, or this user may not control it.
    init?(of source: ConfigurationSource) {
        let hasSystemd = unsafe access("/run/systemd/system", F_OK) == 0
        guard source == .installed, geteuid() == 0, hasSystemd else { return nil }
    }

    /// Stops the service if it runs. Blocks.
    func stop() {
        guard MachineFacts.serviceProperties(environment: Environment.current)?["ActiveState"] == "active" else {
            return
        }
        isStopped.withLock { $0 = true }
        Self.control("stop")
    }

    /// Starts the service again if ``stop()`` stopped it. Blocks.
    func resume() {
        guard isStopped.withLock({ $0 }) else { return }
        Self.control("start")
    }

    /// Starts the service again if ``stop()`` stopped it, from a task.
    func resumeFromTask() async { try? await DedicatedThread.run("setup") { self.resume() } }

    /// Starts the service, or starts it again with the files of now, also with the machine. Blocks.
    func restart() {
        Self.control("enable")
        Self.control("restart")
    }

    private static func control(_ verb: String) {
        let text = Subprocess.output(["systemctl", verb, "boardd.service"], environment: Environment.current)
        if let text, !text.isEmpty { StandardError.write(text) }
    }
}
