internal import BoardCore
internal import Logging

/// Says in the log when the display has gone and when it is back.
struct DisplayLog {
    private let log: RateLimitedLog
    private var before: DisplayReport.Health?
    private var isOutSaid = false

    init(_ log: RateLimitedLog) {
        self.log = log
    }

    /// Another display takes the old one's place: whatever is wrong with it is news.
    mutating func replaced() {
        before = nil
        isOutSaid = false
    }

    /// An attempt has ended.
    mutating func observe(_ health: DisplayReport.Health, at now: Instant) {
        defer { before = health }
        switch health {
        case .absent(let fault):
            // A byte that was lost once is healed by the next attempt, and no news. A display that was never there is.
            guard before != .shown, !isOutSaid else { return log.debug("display: \(fault)") }
            isOutSaid = true
            log.log(.warning, "display: \(fault). It is tried again for as long as it takes.", at: now)
        case .shown where isOutSaid:
            isOutSaid = false
            log.log(.notice, "display: back, and drawn anew", at: now)
        case .shown:
            if before == nil { log.debug("display: shown") }
        }
    }
}
