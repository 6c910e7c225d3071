internal import Glibc
internal import Synchronization

/// Where log lines go: to standard error at once, unless that is the terminal on which the glass is drawn. There they
/// would be drawn over, so they are kept until the terminal is a person's again.
final class LogSink: Sendable {
    /// Lines that are kept at most; the oldest go first.
    private static let limit = 500

    /// The kept lines; nil: nothing is kept.
    private let buffer: Mutex<[String]?>
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isKeeping: whether lines are kept until ``release()``.
    ///   - write: takes whole lines.
    init(isKeeping: Bool, write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }) {
        buffer = Mutex(isKeeping ? [] : nil)
        self.write = write
    }

    /// Whether two descriptors are the same terminal.
    static func isSameTerminal(_ one: Int32, _ other: Int32) -> Bool {
        var first = stat()
        var second = stat()
        guard isatty(one) == 1, isatty(other) == 1, unsafe fstat(one, &first) == 0,
            unsafe fstat(other, &second) == 0
        else { return false }
        return first.st_rdev == second.st_rdev
    }

    /// Takes a whole line.
    func take(_ line: String) {
        let isKept = buffer.withLock { kept in
            guard let lines = kept else { return false }
            kept = (lines + [line]).suffix(Self.limit)
            return true
        }
        if !isKept { write(line) }
    }

    /// Writes what was kept, and keeps nothing from now on.
    func release() {
        let lines = buffer.withLock { kept in
            defer { kept = nil }
            return kept ?? []
        }
        for line in lines { write(line) }
    }
}
