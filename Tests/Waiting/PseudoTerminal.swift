package import Glibc
import Synchronization
import Testing

/// A terminal operated by a test.
package final class PseudoTerminal: Sendable {
    /// The path that a program opens.
    package let path: String
    private let state: Mutex<(master: Int32, seen: [UInt8])>
    /// The program's side. Held open, so that the terminal does not hang up before the program has opened it.
    package let slave: Int32

    package init() throws {
        // posix_openpt and its companions are not available in Swift's glibc module: their requests
        // (asm-generic/ioctls.h; the same on x86 and ARM).
        let setLock: UInt = 0x4004_5431
        let getNumber: UInt = 0x8004_5430
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: Int32 = 0
        try #require(master >= 0)
        try #require(unsafe ioctl(master, setLock, &isLocked) == 0)
        try #require(unsafe ioctl(master, getNumber, &number) == 0)
        path = "/dev/pts/\(number)"
        slave = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        state = Mutex((master, []))
    }

    deinit {
        hangUp()
        close(slave)
    }

    /// Everything written to the terminal so far.
    package var screen: String {
        state.withLock { state in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while state.master >= 0 {
                let count = unsafe read(state.master, &buffer, buffer.count)
                guard count > 0 else { break }
                state.seen += buffer[..<count]
            }
            return String(decoding: state.seen, as: UTF8.self)
        }
    }

    /// Whether the program reads single keys now.
    package var takesKeys: Bool { mode & tcflag_t(ICANON) == 0 }
    /// Whether typed text is echoed, as in a shell.
    package var echoes: Bool { mode & tcflag_t(ECHO) != 0 }

    /// Types on the keyboard.
    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        state.withLock { state in _ = unsafe write(state.master, bytes, bytes.count) }
    }

    /// Closes the window.
    package func hangUp() {
        state.withLock { state in
            if state.master >= 0 { close(state.master) }
            state.master = -1
        }
    }

    /// The terminal's local modes.
    package var mode: tcflag_t {
        var mode = termios()
        _ = unsafe tcgetattr(slave, &mode)
        return mode.c_lflag
    }
}
