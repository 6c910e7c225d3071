internal import BoardCore
internal import Logging

/// Logs when the display fails and when it responds again.
struct DisplayLog {
    private let log: RateLimitedLog
    private var before: DisplayReport.Health?
    private var isFaultLogged = false

    init(_ log: RateLimitedLog) {
        self.log = log
    }

    /// Another display replaces the old one: any fault of it is new.
    mutating func replaced() {
        before = nil
        isFaultLogged = false
    }

    mutating func observe(_ health: DisplayReport.Health) {
        defer { before = health }
        switch health {
        case .absent(let fault):
            // The next attempt repairs a single lost byte: not logged. A display that never responded is.
            guard before != .shown, !isFaultLogged else { return log.debug("display: \(fault)") }
            isFaultLogged = true
            log.log(.warning, "display: \(fault). Retrying.")
        case .shown where isFaultLogged:
            isFaultLogged = false
            log.log(.notice, "display: responding again")
        case .shown:
            if before == nil { log.debug("display: shown") }
        }
    }
}
