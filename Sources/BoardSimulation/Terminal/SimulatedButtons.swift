public import BoardCore
internal import BoardIO
internal import BoardThreads
internal import Glibc

/// Keys of a terminal as buttons.
///
/// Space, Enter and `n` press button 0, `h` holds it, `o` holds it long, `d` presses it twice, `2` presses button 1;
/// `q` and Ctrl-C quit. Presses and releases come as far apart as a finger's would, so that the hold menu is seen.
/// While the keys are watched, the terminal hands over every key at once and does not show it; it is set back when
/// watching ends, however it ends.
public struct SimulatedButtons: Buttons {
    private let descriptor: Int32
    private let now: @Sendable () -> Instant
    private let onQuit: @Sendable () -> Void

    /// Buttons on a terminal.
    ///
    /// - Parameters:
    ///   - descriptor: the terminal; standard input unless told otherwise. It stays the caller's.
    ///   - now: the clock of elapsed time, which must go at its real speed.
    ///   - onQuit: called on a thread of the buttons' own when a person asks the program to end.
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

    /// Hands the keys' changes to `receive`, on a thread of the buttons' own, until the task is cancelled.
    ///
    /// - Throws: when the descriptor is no terminal, or the terminal is gone.
    public func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(ButtonFault) {
        let fault: ButtonFault?
        do throws(ThreadFailure) {
            let wake = try WakeEvent()
            let keyboard = Keyboard(descriptor: descriptor, wake: wake, now: now, onQuit: onQuit, receive: receive)
            fault = try await DedicatedThread.run("keys", signallingCancellationTo: wake) { keyboard.run() }
        } catch {
            throw ButtonFault("the keys cannot be watched: \(error)")
        }
        if let fault { throw fault }
    }
}

/// The loop that reads a terminal's keys, on a thread of its own.
private struct Keyboard: Sendable {
    let descriptor: Int32
    let wake: WakeEvent
    let now: @Sendable () -> Instant
    let onQuit: @Sendable () -> Void
    let receive: @Sendable (ButtonChange) -> Void

    /// Runs until the wake event; gives a fault when the terminal ends first.
    func run() -> ButtonFault? {
        var saved = termios()
        guard unsafe tcgetattr(descriptor, &saved) == 0 else {
            return ButtonFault("descriptor \(descriptor) is no terminal: no keys")
        }
        var raw = saved
        // Keys one by one, unseen, and Ctrl-C as a key. Output processing stays: the glass shares the terminal.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
        unsafe tcsetattr(descriptor, TCSANOW, &raw)
        defer {
            // Keys that nobody read must not become the shell's next command.
            tcflush(descriptor, TCIFLUSH)
            unsafe tcsetattr(descriptor, TCSANOW, &saved)
        }
        return loop()
    }

    private func loop() -> ButtonFault? {
        var parser = TerminalKeyParser()
        var queue = PressQueue()
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            for change in queue.take(due: now()) { receive(change) }
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let ready = unsafe poll(&entries, 2, wait(for: queue))
            if ready < 0 && errno != EINTR {
                return ButtonFault("the terminal cannot be watched: \(errnoText(errno))")
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

    /// Milliseconds until the next change is due, rounded up; −1: for ever.
    private func wait(for queue: PressQueue) -> Int32 {
        guard let next = queue.pending.first else { return -1 }
        let microseconds = max(0, (next.at - now()).wholeMicroseconds)
        return Int32(clamping: (microseconds + 999) / 1000)
    }
}
