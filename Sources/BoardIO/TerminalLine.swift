import Glibc
import Synchronization

/// Reads lines from the terminal that is standard input.
public enum TerminalLine {
    /// The terminal's settings to restore while it hides what is typed; nil: it shows it.
    private static let shown = Mutex<termios?>(nil)
    private static let maximumLength = 4_096

    /// Writes the prompt; returns the next line, without blanks around it.
    ///
    /// - Parameter isHidden: whether the terminal hides what is typed, from before the prompt on.
    /// - Throws: `CancellationError` at the end of the input.
    public static func read(_ prompt: String, isHidden: Bool = false) async throws -> String {
        if isHidden { hide() }
        defer {
            if isHidden {
                show()
                // The line break was not shown either.
                try? StandardOutput.write("\n")
            }
        }
        try StandardOutput.write(prompt)
        let bytes = try await DedicatedThread.run("terminal") { readBytes() }
        guard let bytes else { throw CancellationError() }
        let text = Substring(String(decoding: bytes, as: UTF8.self))
        return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Restores a terminal that hides what is typed, also from a signal's task.
    public static func show() {
        shown.withLock { settings in
            if var restored = settings { _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &restored) }
            settings = nil
        }
    }

    private static func hide() {
        shown.withLock { settings in
            var current = termios()
            guard unsafe tcgetattr(STDIN_FILENO, &current) == 0 else { return }
            settings = current
            current.c_lflag &= ~tcflag_t(ECHO)
            _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &current)
        }
    }

    /// The bytes of a line; nil at the end of the input.
    private static func readBytes() -> [UInt8]? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < maximumLength {
            let count = unsafe Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes.isEmpty ? nil : bytes }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return bytes
    }
}
