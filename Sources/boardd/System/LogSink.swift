internal import Glibc
internal import Synchronization

/// Writes log lines to standard error, unless that is the terminal on which the display is drawn: there it buffers them until
/// the drawing ends.
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
