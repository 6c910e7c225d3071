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
    private static let limit = 500

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
            buffered = (lines + [line]).suffix(Self.limit)
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

/// Standard error without C's global FILE. Failed writes are ignored.
enum StandardError {
    /// Writes foreign text, without control characters.
    static func write(_ text: String) {
        _ = writeText(text.asPrintedLines, to: STDERR_FILENO)
    }

    /// Writes this program's own text for a terminal, with escape sequences.
    static func draw(_ text: String) {
        _ = writeText(text, to: STDERR_FILENO)
    }
}

/// Standard output without C's global FILE.
enum StandardOutput {
    /// Writes foreign text, without control characters.
    ///
    /// - Throws: ``OutputError``, but not for a pipe closed by its reader.
    static func write(_ text: String) throws(OutputError) {
        try draw(text.asPrintedLines)
    }

    /// Writes this program's own text for a terminal, with escape sequences.
    static func draw(_ text: String) throws(OutputError) {
        let number = writeText(text, to: STDOUT_FILENO)
        if number != 0, number != EPIPE { throw OutputError(number: number) }
    }
}

/// A failed write to standard output: the disk is full, or the parent closed it.
struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The `errno`.
    let number: Int32

    var description: String {
        "cannot write standard output: \(errnoText(number)); the result is lost or incomplete"
    }
}

/// Writes all of the text; returns the `errno`, 0 for success.
private func writeText(_ text: String, to descriptor: Int32) -> Int32 {
    writeAll(Array(text.utf8).span, to: descriptor)
}

/// Checks that this process may open enough files: parts of the runtime end the program without them.
enum Descriptors {
    /// The daemon holds about 20 (timers, signals, watches, the socket, the display); each transfer and each client of
    /// the control socket takes one more.
    private static let needed: rlim_t = 48

    /// What is wrong and what to do; nil if the limit is high enough.
    static var shortage: String? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < needed else {
            return nil
        }
        return "boardd cannot start: it may open \(limit.rlim_cur) files, and needs \(needed). "
            + "Raise the limit: `ulimit -n`, or LimitNOFILE= in the unit."
    }
}
