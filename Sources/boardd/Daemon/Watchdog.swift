internal import BoardCore
internal import Synchronization

/// Notifies systemd that the program is ready and alive, from real progress alone: only when the board loop has iterated and
/// the display thread has ended an attempt, failed or not, since the last time. A failed bus is no reason to restart; a
/// stuck thread is.
final class Watchdog: Sendable {
    /// What the loop must do so that the next notification can be sent.
    struct LoopRequirement: Hashable {
        /// The latest time of the next iteration; nil: no limit.
        var iterateBy: Instant?
        /// Whether the display needs a request for an attempt, because nothing else caused one.
        var needsAttempt = false
    }

    private struct Progress {
        var hasIterated = false
        var hasTried = false
        var isReady = false
        /// When the last notification was sent; nil before the first one.
        var lastNotification: Instant?
    }

    private static let retry = Duration.seconds(1)

    private let manager: SystemdNotifier
    /// Half of systemd's time limit, so that one late attempt does no harm; nil: no watchdog.
    private let interval: Duration?
    private let progress = Mutex(Progress())

    init(manager: SystemdNotifier) {
        self.manager = manager
        interval = manager.watchdog.map { $0 / 2 }
    }

    func iterated(at now: Instant) -> LoopRequirement {
        progress.withLock { progress in
            progress.hasIterated = true
            notify(&progress, at: now)
            guard progress.isReady else {
                // The display's attempt may send READY before anything else wakes the loop, which the watchdog then expects. A message
                // that systemd's socket had no room for is sent again.
                return LoopRequirement(iterateBy: now + Self.retry)
            }
            guard let interval, let last = progress.lastNotification else { return LoopRequirement() }
            // Most attempts come from frames that change anyway; only without one is the display checked.
            if now < last + interval { return LoopRequirement(iterateBy: last + interval) }
            return LoopRequirement(iterateBy: now + interval / 2, needsAttempt: true)
        }
    }

    /// The display thread has ended an attempt.
    func tried(at now: Instant) {
        progress.withLock { progress in
            progress.hasTried = true
            notify(&progress, at: now)
        }
    }

    private func notify(_ progress: inout Progress, at now: Instant) {
        guard progress.hasIterated, progress.hasTried else { return }
        if !progress.isReady {
            // systemd's watchdog starts with this message.
            guard manager.ready() else { return }
            progress.isReady = true
        } else {
            guard let interval, let last = progress.lastNotification, now >= last + interval else { return }
            guard manager.alive() else { return }
        }
        progress.lastNotification = now
        progress.hasIterated = false
        progress.hasTried = false
    }
}
