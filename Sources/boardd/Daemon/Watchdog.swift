internal import BoardCore
internal import Synchronization

/// Tells systemd that the program is ready, and that it lives, from real progress alone: only when the board loop has
/// turned and the display thread has ended an attempt, good or bad, since the last time. A dead bus is no reason to
/// restart; a stuck thread is.
final class Watchdog: Sendable {
    /// What the loop has to do so that a sign of life can be given.
    struct LoopRequirement: Hashable {
        /// When the loop must turn again at the latest; nil: whenever it likes.
        var turnBy: Instant?
        /// Whether the display has to be asked for an attempt, because nothing else made it try.
        var wantsAttempt = false
    }

    private struct Progress {
        var hasTurned = false
        var hasTried = false
        var isReady = false
        /// When the last sign was given; nil before the first one.
        var lastSign: Instant?
    }

    private static let retry = Duration.seconds(1)

    private let manager: SystemdNotifier
    /// Half of the time that systemd allows, so that one late attempt is no death; nil: nobody waits for signs.
    private let interval: Duration?
    private let progress = Mutex(Progress())

    init(manager: SystemdNotifier) {
        self.manager = manager
        interval = manager.watchdog.map { $0 / 2 }
    }

    /// The loop has turned.
    func turned(at now: Instant) -> LoopRequirement {
        progress.withLock { progress in
            progress.hasTurned = true
            sign(&progress, at: now)
            guard progress.isReady else {
                // A message that systemd had no room for is sent again.
                return LoopRequirement(turnBy: progress.hasTried ? now + Self.retry : nil)
            }
            guard let interval, let last = progress.lastSign else { return LoopRequirement() }
            // Most attempts come from frames that change anyway; the display is asked only when none did.
            if now < last + interval { return LoopRequirement(turnBy: last + interval) }
            return LoopRequirement(turnBy: now + interval / 2, wantsAttempt: true)
        }
    }

    /// The display thread has ended an attempt.
    func tried(at now: Instant) {
        progress.withLock { progress in
            progress.hasTried = true
            sign(&progress, at: now)
        }
    }

    private func sign(_ progress: inout Progress, at now: Instant) {
        guard progress.hasTurned, progress.hasTried else { return }
        if !progress.isReady {
            // systemd's clock of signs begins with this message.
            guard manager.ready() else { return }
            progress.isReady = true
        } else {
            guard let interval, let last = progress.lastSign, now >= last + interval else { return }
            guard manager.alive() else { return }
        }
        progress.lastSign = now
        progress.hasTurned = false
        progress.hasTried = false
    }
}
