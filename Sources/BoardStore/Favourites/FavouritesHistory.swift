public import BoardCore
internal import Synchronization

/// The last change of favourites.toml by an editor, for as long as it can be taken back.
public final class FavouritesHistory: Sendable {
    /// How long a change can be taken back.
    static let longest = Duration.seconds(600)

    private struct Change {
        let before: [UInt8]
        let after: [UInt8]
        let at: Instant
    }

    private let clock: any MachineClock
    private let change = Mutex<Change?>(nil)

    public init(clock: any MachineClock) {
        self.clock = clock
    }

    /// The content of the file before and after the last change; nil: there is none, or it is too old.
    var last: (before: [UInt8], after: [UInt8])? {
        let now = clock.now()
        return change.withLock { change in
            if let at = change?.at, now - at > Self.longest { change = nil }
            return change.map { ($0.before, $0.after) }
        }
    }

    func record(before: [UInt8], after: [UInt8]) {
        let now = clock.now()
        change.withLock { $0 = Change(before: before, after: after, at: now) }
    }

    func clear() { change.withLock { $0 = nil } }
}
