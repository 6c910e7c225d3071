import BoardCore
import Glibc

/// Standard error without C's global FILE. Failed writes are ignored.
public enum StandardError {
    /// Writes foreign text, without control characters.
    public static func write(_ text: String) {
        _ = writeText(text.asPrintedLines, to: STDERR_FILENO)
    }

    /// Writes this program's own text for a terminal, with escape sequences.
    public static func draw(_ text: String) {
        _ = writeText(text, to: STDERR_FILENO)
    }
}

/// Standard output without C's global FILE.
public enum StandardOutput {
    /// Writes foreign text, without control characters.
    ///
    /// - Throws: ``OutputError``, but not for a pipe closed by its reader.
    public static func write(_ text: String) throws(OutputError) {
        try draw(text.asPrintedLines)
    }

    /// Writes this program's own text for a terminal, with escape sequences.
    public static func draw(_ text: String) throws(OutputError) {
        let number = writeText(text, to: STDOUT_FILENO)
        if number != 0, number != EPIPE { throw OutputError(number: number) }
    }
}

/// A failed write to standard output: the disk is full, or the parent closed it.
public struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The `errno`.
    public let number: Int32

    public init(number: Int32) { self.number = number }

    public var description: String {
        "cannot write standard output: \(errnoText(number)); the result is lost or incomplete"
    }
}

/// Writes all of the text; returns the `errno`, 0 for success.
private func writeText(_ text: String, to descriptor: Int32) -> Int32 {
    writeAll(Array(text.utf8).span, to: descriptor)
}

/// Checks that this process may open enough files: parts of the runtime end the program without them.
public enum Descriptors {
    /// The daemon holds about 20 (timers, signals, watches, the socket, the display); each transfer and each client of
    /// the control socket takes one more.
    private static let needed: rlim_t = 48

    /// What is wrong and what to do; nil if the limit is high enough.
    public static var shortage: String? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < needed else {
            return nil
        }
        return "boardd cannot start: it may open \(limit.rlim_cur) files, and needs \(needed). "
            + "Raise the limit: `ulimit -n`, or LimitNOFILE= in the unit."
    }
}
