internal import Dispatch
internal import ServiceLifecycle

/// Bounds the shutdown: the program ends soon after a signal even when a service hangs. It is the last service of its group,
/// which shuts its services down from the last to the first.
struct ShutdownDeadline: Service {
    /// How long services may take to end by themselves before they are cancelled.
    static let graceful = Duration.seconds(4)
    /// How long they may take after that before they are abandoned with their threads.
    static let cancelled = Duration.seconds(1)

    var limit = graceful + cancelled
    /// Ends the program while services still run.
    let abandon: @Sendable () -> Void

    func run() async throws {
        try? await gracefulShutdown()
        // Not a task, for which the group would wait.
        let milliseconds = Int(limit / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { abandon() }
    }
}
