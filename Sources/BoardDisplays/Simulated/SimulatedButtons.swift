public import BoardCore
import BoardIO
import Glibc

/// Keys of a terminal as buttons.
///
/// Space, Enter and `n` press button 0, `h` holds it, `o` holds it long, `d` presses it twice, `2` presses button 1;
/// `q` and Ctrl-C quit. Press and release are as far apart as a finger's, so that the hold menu is visible. While the
/// keys are watched, the terminal is in raw mode without echo; its settings are always restored when watching ends.
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
    public func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(DeviceError) {
        let fault: DeviceError?
        do throws(ThreadError) {
            let wake = try WakeEvent()
            fault = try await DedicatedThread.run("keys", signallingCancellationTo: wake) { run(until: wake, receive) }
        } catch {
            throw DeviceError("cannot watch the keys: \(error)")
        }
        if let fault { throw fault }
    }

    /// Reads the keys until the wake event; returns a fault when the terminal ends first.
    private func run(until wake: WakeEvent, _ receive: (ButtonChange) -> Void) -> DeviceError? {
        var saved = termios()
        guard unsafe tcgetattr(descriptor, &saved) == 0 else {
            return DeviceError("descriptor \(descriptor) is not a terminal: no keys")
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

    private func loop(until wake: WakeEvent, _ receive: (ButtonChange) -> Void) -> DeviceError? {
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
                return DeviceError("cannot watch the terminal: \(errnoText(errno))")
            }
            guard ready > 0 else { continue }
            if entries[1].revents != 0 { return nil }
            guard entries[0].revents != 0 else { continue }
            let count = unsafe read(descriptor, &bytes, bytes.count)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { return DeviceError("the terminal was closed: no more keys") }
            for key in bytes[..<count].compactMap({ parser.key($0) }) {
                if key == .quit { onQuit() } else { queue.add(key, at: now()) }
            }
            parser.pause()
        }
    }
}

/// The meaning of a terminal's key.
enum TerminalKey: Hashable, Sendable {
    case press, hold, longHold, double, second, quit

    /// The key of a byte; nil for any other byte.
    init?(byte: UInt8) {
        let controlC: UInt8 = 3
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "n"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): self = .press
        case UInt8(ascii: "h"): self = .hold
        case UInt8(ascii: "o"): self = .longHold
        case UInt8(ascii: "d"): self = .double
        case UInt8(ascii: "2"): self = .second
        case UInt8(ascii: "q"), controlC: self = .quit
        default: return nil
        }
    }

    /// A change of a button, with the time since the previous change.
    struct Step: Hashable, Sendable {
        let after: Duration
        let button: ButtonID
        let isDown: Bool
    }

    /// The changes of a finger: a hold is long enough for the hold menu to be visible (0.6 s and 1.5 s, with a margin).
    var steps: [Step] {
        let tap = Duration.milliseconds(80)
        func press(_ index: Int, for duration: Duration, after pause: Duration = .zero) -> [Step] {
            [
                Step(after: pause, button: ButtonID(index), isDown: true),
                Step(after: duration, button: ButtonID(index), isDown: false),
            ]
        }
        switch self {
        case .press: return press(0, for: tap)
        case .hold: return press(0, for: .milliseconds(800))
        case .longHold: return press(0, for: .milliseconds(1800))
        case .double: return press(0, for: tap) + press(0, for: tap, after: tap)
        case .second: return press(1, for: tap)
        case .quit: return []
        }
    }
}

/// Parses keys from the bytes of a terminal; ignores the sequences of cursor and function keys.
struct TerminalKeyParser {
    private enum State {
        case ground
        /// After ESC.
        case escape
        /// After ESC O: one more byte.
        case single
        /// After ESC [: up to a final byte (ECMA-48 §5.4).
        case sequence
    }

    private var state = State.ground

    /// The key that `byte` completes; nil for other bytes and within a sequence.
    mutating func key(_ byte: UInt8) -> TerminalKey? {
        let escape: UInt8 = 0x1B
        switch state {
        case .ground:
            guard byte != escape else {
                state = .escape
                return nil
            }
            return TerminalKey(byte: byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .sequence
            case UInt8(ascii: "O"): state = .single
            case escape: state = .escape
            default: state = .ground
            }
        case .single:
            state = .ground
        case .sequence:
            if (0x40...0x7E).contains(byte) { state = .ground }
        }
        return nil
    }

    /// Discards an incomplete sequence: without a following byte, the Escape key was pressed alone.
    mutating func pause() {
        state = .ground
    }
}

/// Changes of requested presses, each with its due instant.
struct PressQueue {
    /// The changes to come, in the order of their instants.
    private(set) var pending: [ButtonChange] = []
    private var nextFree: Instant?

    /// The pause between two presses, like a quick finger's.
    private static let pause = Duration.milliseconds(80)
    /// The maximum number of pending changes. A key held down repeats 30 times a second, and the board must stop
    /// stepping when it is released.
    private static let maximumPending = 4

    /// Adds a press, now or after the pending ones. Drops it when too many are pending.
    mutating func add(_ key: TerminalKey, at now: Instant) {
        guard pending.count < Self.maximumPending else { return }
        var at = max(now, nextFree ?? now)
        for step in key.steps {
            at = at + step.after
            pending.append(ButtonChange(button: step.button, isDown: step.isDown, at: at))
        }
        nextFree = at + Self.pause
    }

    mutating func take(due now: Instant) -> [ButtonChange] {
        let due = pending.prefix { $0.at <= now }
        pending.removeFirst(due.count)
        return Array(due)
    }
}
