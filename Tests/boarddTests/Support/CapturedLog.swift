import BoardIO
import Logging
import Synchronization

@testable import boardd

/// A logger that captures its lines as "level: message".
final class CapturedLog: Sendable {
    private let captured = Mutex<[String]>([])

    var lines: [String] { captured.withLock { $0 } }

    /// A logger with the threshold `level`.
    func logger(_ level: Logger.Level = .info) -> Logger {
        let handler = Handler(log: self, logLevel: level)
        return Logger(label: "test") { _ in handler }
    }

    /// A rate-limited log into a logger with the threshold `level`.
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
            log.captured.withLock { $0.append("\(event.level): \(event.message)") }
        }
    }
}
