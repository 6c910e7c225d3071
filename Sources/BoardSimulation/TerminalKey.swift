internal import BoardCore

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

    /// The pause between two presses, as of a quick finger.
    private static let pause = Duration.milliseconds(80)
    /// The maximum number of pending changes. A key held down repeats 30 times a second, and the board must stop stepping
    /// when it is released.
    private static let limit = 4

    /// Adds a press, now or after the pending ones. Drops it when too many are pending.
    mutating func add(_ key: TerminalKey, at now: Instant) {
        guard pending.count < Self.limit else { return }
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
