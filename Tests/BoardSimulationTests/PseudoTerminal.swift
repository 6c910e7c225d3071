internal import Glibc
internal import Synchronization
internal import Testing
internal import Waiting

/// A pseudo-terminal on which a test types.
final class PseudoTerminal: Sendable {
    /// The program's side.
    let slave: Int32
    private let master: Mutex<Int32>

    init() throws {
        // posix_openpt and its companions are not in Swift's glibc module: these are their requests
        // (asm-generic/ioctls.h; the same on x86 and ARM).
        let setLock: UInt = 0x4004_5431
        let getNumber: UInt = 0x8004_5430
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var isLocked: Int32 = 0
        var number: Int32 = 0
        try #require(master >= 0)
        try #require(unsafe ioctl(master, setLock, &isLocked) == 0)
        try #require(unsafe ioctl(master, getNumber, &number) == 0)
        let path = "/dev/pts/\(number)"
        slave = unsafe open(path, O_RDWR | O_NOCTTY)
        try #require(slave >= 0)
        self.master = Mutex(master)
    }

    deinit {
        close(slave)
        hangUp()
    }

    /// Types keys once the program has set raw mode: before that they would wait for Enter, and Ctrl-C would be a signal.
    func type(_ text: String) async throws {
        #expect(await eventually { mode() & tcflag_t(ICANON) == 0 })
        let bytes = Array(text.utf8)
        master.withLock { master in _ = unsafe write(master, bytes, bytes.count) }
    }

    /// Closes the terminal.
    func hangUp() {
        master.withLock { master in
            if master >= 0 { close(master) }
            master = -1
        }
    }

    /// The terminal's local modes.
    func mode() -> tcflag_t {
        var mode = termios()
        _ = unsafe tcgetattr(slave, &mode)
        return mode.c_lflag
    }
}
