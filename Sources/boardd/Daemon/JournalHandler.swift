import BoardCore
import BoardIO
import BoardStore
import Glibc
import Logging
import Synchronization

/// Log lines on standard error: with journald's priority prefix when journald reads them, otherwise plain.
struct JournalHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    /// A reload may change it.
    let threshold: LogThreshold
    /// Whether journald reads (``isJournal(environment:descriptor:)``).
    let isJournal: Bool
    /// Receives whole lines, from any thread.
    var write: @Sendable (String) -> Void = { StandardError.write($0) }

    /// Whether journald reads a descriptor: JOURNAL_STREAM holds its device and inode (systemd.exec(5)). The variable
    /// alone proves nothing, since a terminal that systemd started hands it on.
    static func isJournal(environment: [String: String], descriptor: Int32 = STDERR_FILENO) -> Bool {
        var file = stat()
        guard let stream = environment["JOURNAL_STREAM"], unsafe fstat(descriptor, &file) == 0 else { return false }
        return stream == "\(file.st_dev):\(file.st_ino)"
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
        write(prefix + "\(event.message)".asPrintedLine + "\n")
    }

    /// syslog's numbers, as sd-daemon(3) expects them.
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

/// Writes log lines to standard error, unless that is the terminal on which the display is drawn: there it buffers them
/// until the drawing ends.
final class LogSink: Sendable {
    /// The most lines in the buffer; the oldest are dropped first.
    private static let maximumLines = 500

    /// The buffered lines; nil: not buffering.
    private let buffer: Mutex<[String]?>
    private let write: @Sendable (String) -> Void

    /// - Parameter isBuffering: whether lines are buffered until ``release()``.
    init(isBuffering: Bool, write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }) {
        buffer = Mutex(isBuffering ? [] : nil)
        self.write = write
    }

    static func isSameTerminal(_ one: Int32, _ other: Int32) -> Bool {
        var first = stat()
        var second = stat()
        guard isatty(one) == 1, isatty(other) == 1, unsafe fstat(one, &first) == 0,
            unsafe fstat(other, &second) == 0
        else { return false }
        return first.st_rdev == second.st_rdev
    }

    func take(_ line: String) {
        let isBuffered = buffer.withLock { buffered in
            guard let lines = buffered else { return false }
            buffered = (lines + [line]).suffix(Self.maximumLines)
            return true
        }
        if !isBuffered { write(line) }
    }

    /// Writes the buffered lines, and stops buffering.
    func release() {
        let lines = buffer.withLock { buffered in
            defer { buffered = nil }
            return buffered ?? []
        }
        for line in lines { write(line) }
    }
}
