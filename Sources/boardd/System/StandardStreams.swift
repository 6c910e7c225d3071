internal import BoardCore
internal import BoardIO
internal import Glibc

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
    /// - Throws: ``OutputFailure``, but not for a pipe closed by its reader.
    static func write(_ text: String) throws(OutputFailure) {
        try draw(text.asPrintedLines)
    }

    /// Writes this program's own text for a terminal, with escape sequences.
    static func draw(_ text: String) throws(OutputFailure) {
        let number = writeText(text, to: STDOUT_FILENO)
        if number != 0, number != EPIPE { throw OutputFailure(number: number) }
    }
}

/// A failed write to standard output: the disk is full, or the parent closed it.
struct OutputFailure: Error, Hashable, CustomStringConvertible {
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
