internal import BoardStore
internal import Logging
internal import Synchronization

/// The least important line that is written, shared by every logger.
final class LogThreshold: Sendable {
    private let value: Mutex<Logger.Level>

    init(_ level: LogLevel) {
        value = Mutex(Self.level(level))
    }

    var level: Logger.Level {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    /// Takes over what a configuration asks for.
    func set(_ level: LogLevel) {
        self.level = Self.level(level)
    }

    private static func level(_ level: LogLevel) -> Logger.Level {
        switch level {
        case .error: .error
        case .warning: .warning
        // Starts, ends and recoveries are notices, and belong to what a person reads by default.
        case .info: .info
        case .debug: .debug
        }
    }
}
