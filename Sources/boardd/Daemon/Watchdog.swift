internal import BoardCore

/// Feeds systemd's watchdog from real progress: only when the board loop has turned and the display thread has ended an
/// attempt, good or bad, since the last time. A dead bus is no reason to restart; a stuck thread is.
struct Watchdog {
    private let manager: ServiceManager
    private let display: DisplayService
    private var isReady = false
    private var attempts = 0
    /// When a sign of life is wanted at the latest; nil without a watchdog.
    private(set) var deadline: Instant?

    init(manager: ServiceManager, display: DisplayService) {
        self.manager = manager
        self.display = display
    }

    /// The loop has turned.
    mutating func turned(at now: Instant) {
        if !isReady {
            manager.ready()
            isReady = true
        }
        guard let period = manager.watchdog else { return }
        // Half of the time that systemd allows, so that one late attempt is no death.
        let interval = period / 2
        let ended = display.attempts
        if ended != attempts {
            attempts = ended
            // Most turns come from frames that change anyway; a sign of life then costs no wake-up of its own.
            manager.alive()
            deadline = now + interval
        } else if let due = deadline, now < due {
            return
        } else {
            display.check()
            deadline = now + interval / 2
        }
    }
}
