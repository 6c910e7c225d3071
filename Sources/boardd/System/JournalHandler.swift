internal import BoardStore
internal import Glibc
internal import Logging
internal import Synchronization

/// Log lines on standard error: with journald's priority in front when journald reads them, plain for a person.
struct JournalHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let threshold: LogThreshold
    private let isJournal: Bool

    /// - Parameters:
    ///   - threshold: the least important line that is written; a reload may change it.
    ///   - isJournal: whether journald reads (JOURNAL_STREAM is set).
    init(_ threshold: LogThreshold, isJournal: Bool) {
        self.threshold = threshold
        self.isJournal = isJournal
    }

    var logLevel: Logger.Level {
        get { threshold.level }
        set { threshold.level = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let prefix = isJournal ? "<\(Self.priority(of: event.level))>" : "\(event.level): "
        // One line a message, whatever an operator wrote into it.
        let text = "\(event.message)".split(whereSeparator: \.isNewline).joined(separator: " ")
        StandardError.write(prefix + text + "\n")
    }

    /// syslog's numbers, as sd-daemon(3) wants them.
    private static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

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

/// Standard error without C's global FILE.
enum StandardError {
    static func write(_ text: String) {
        StandardStream.write(text, to: STDERR_FILENO)
    }
}

/// Standard output without C's global FILE.
enum StandardOutput {
    static func write(_ text: String) {
        StandardStream.write(text, to: STDOUT_FILENO)
    }
}

private enum StandardStream {
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}
