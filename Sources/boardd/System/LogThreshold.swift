internal import BoardStore
internal import Logging
internal import Synchronization

/// The least severe level that is written, shared by all loggers.
final class LogThreshold: Sendable {
    private let value: Mutex<Logger.Level>

    init(_ level: LogLevel) {
        value = Mutex(Self.level(level))
    }

    var level: Logger.Level {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    /// Sets the level of a configuration.
    func set(_ level: LogLevel) {
        self.level = Self.level(level)
    }

    private static func level(_ level: LogLevel) -> Logger.Level {
        switch level {
        case .error: .error
        case .warning: .warning
        // Starts, stops and recoveries are notices, which the default level includes.
        case .info: .info
        case .debug: .debug
        }
    }
}
