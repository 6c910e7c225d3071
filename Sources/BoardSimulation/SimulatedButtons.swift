public import BoardCore
internal import BoardIO
internal import Glibc

/// Keys of a terminal as buttons.
///
/// Space, Enter and `n` press button 0, `h` holds it, `o` holds it long, `d` presses it twice, `2` presses button 1;
/// `q` and Ctrl-C quit. Press and release are as far apart as a finger's, so that the hold menu is visible. While the
/// keys are watched, the terminal is in raw mode without echo; its settings are restored when watching ends, in every
/// case.
public struct SimulatedButtons: Buttons {
    private let descriptor: Int32
    private let now: @Sendable () -> Instant
    private let onQuit: @Sendable () -> Void

    /// - Parameters:
    ///   - descriptor: the terminal, by default standard input. The caller closes it.
    ///   - now: the monotonic clock, at real speed.
    ///   - onQuit: called on the buttons' thread when the user quits.
    public init(
        descriptor: Int32 = 0, now: @escaping @Sendable () -> Instant = Self.bootTime,
        onQuit: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.now = now
        self.onQuit = onQuit
    }

    /// Elapsed time by CLOCK_BOOTTIME.
    public static let bootTime: @Sendable () -> Instant = {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Passes the keys' changes to `receive`, on a dedicated thread, until the task is cancelled.
    ///
    /// - Throws: when the descriptor is not a terminal, or the terminal was closed.
    public func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(ButtonFault) {
        let fault: ButtonFault?
        do throws(ThreadFailure) {
            let wake = try WakeEvent()
            fault = try await DedicatedThread.run("keys", signallingCancellationTo: wake) { run(until: wake, receive) }
        } catch {
            throw ButtonFault("cannot watch the keys: \(error)")
        }
        if let fault { throw fault }
    }

    /// Reads the keys until the wake event; returns a fault when the terminal ends first.
    private func run(until wake: WakeEvent, _ receive: (ButtonChange) -> Void) -> ButtonFault? {
        var saved = termios()
        guard unsafe tcgetattr(descriptor, &saved) == 0 else {
            return ButtonFault("descriptor \(descriptor) is not a terminal: no keys")
        }
        var raw = saved
        // Single keys without echo, and Ctrl-C as a key. Output processing stays on: the display shares the terminal.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
        unsafe tcsetattr(descriptor, TCSANOW, &raw)
        defer {
            // Unread keys must not become input of the shell.
            tcflush(descriptor, TCIFLUSH)
            unsafe tcsetattr(descriptor, TCSANOW, &saved)
        }
        return loop(until: wake, receive)
    }

    private func loop(until wake: WakeEvent, _ receive: (ButtonChange) -> Void) -> ButtonFault? {
        var parser = TerminalKeyParser()
        var queue = PressQueue()
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            for change in queue.take(due: now()) { receive(change) }
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let limit = queue.pending.first.map { ($0.at - now()).pollLimit }
            let ready = unsafe poll(&entries, 2, limit ?? -1)
            if ready < 0 && errno != EINTR {
                return ButtonFault("cannot watch the terminal: \(errnoText(errno))")
            }
            guard ready > 0 else { continue }
            if entries[1].revents != 0 { return nil }
            guard entries[0].revents != 0 else { continue }
            let count = unsafe read(descriptor, &bytes, bytes.count)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { return ButtonFault("the terminal was closed: no more keys") }
            for key in bytes[..<count].compactMap({ parser.key($0) }) {
                if key == .quit { onQuit() } else { queue.add(key, at: now()) }
            }
            parser.pause()
        }
    }
}
