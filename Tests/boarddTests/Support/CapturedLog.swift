import Logging
import Synchronization

@testable import boardd

/// A logger whose lines are kept: "level: message".
final class CapturedLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    /// A logger that takes everything down to `level`.
    func logger(_ level: Logger.Level = .info) -> Logger {
        let handler = Handler(log: self, logLevel: level)
        return Logger(label: "test") { _ in handler }
    }

    /// A voice for faults into a logger that takes everything down to `level`.
    func rateLimited(_ level: Logger.Level = .info) -> RateLimitedLog {
        RateLimitedLog(logger(level), clock: SystemClock())
    }

    private struct Handler: LogHandler {
        let log: CapturedLog
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.kept.withLock { $0.append("\(event.level): \(event.message)") }
        }
    }
}
