import BoardCore
import BoardStore

/// The instant of an input, and the corrected time at that instant.
struct ListTime: Hashable, Sendable {
    var instant: Instant
    var timestamp: Timestamp
    /// Whether a synchronised clock or the operators' `Date` headers confirm `timestamp`.
    var isCertain: Bool
}

/// Makes the timestamps of a board's changes, each larger than all stamps that the board has received.
struct HybridClock: Hashable, Sendable {
    /// How far a stamp may be ahead of a clock that is certain.
    static let tolerance = Duration.seconds(60)

    let board: FleetName
    /// The largest stamp made or received; nil: none.
    private(set) var latest: HybridTimestamp?

    init(board: FleetName, latest: HybridTimestamp? = nil) {
        self.board = board
        self.latest = latest
    }

    /// Whether a stamp is more than ``tolerance`` ahead of a time that is certain.
    static func isAhead(_ stamp: HybridTimestamp, at time: ListTime) -> Bool {
        time.isCertain && stamp.timestamp - time.timestamp > tolerance
    }

    /// Records another board's stamp.
    mutating func observe(_ stamp: HybridTimestamp) {
        latest = latest.map { max($0, stamp) } ?? stamp
    }

    /// The stamp of a change made now: the time if it is certain, otherwise the latest stamp with a higher counter.
    mutating func next(at time: ListTime) -> HybridTimestamp {
        // After this board's clock was corrected, earlier stamps may be years ahead: no other board accepts them.
        let seen = latest.flatMap { Self.isAhead($0, at: time) ? nil : $0 }
        let wall = time.isCertain ? UInt64(max(0, time.timestamp.microseconds)) / 1_000 : 0
        let stamp: HybridTimestamp
        if let seen, wall <= seen.milliseconds {
            let isFull = seen.counter == .max
            stamp = HybridTimestamp(
                milliseconds: seen.milliseconds + (isFull ? 1 : 0), counter: isFull ? 0 : seen.counter + 1, board: board
            )
        } else {
            stamp = HybridTimestamp(milliseconds: wall, counter: 0, board: board)
        }
        latest = stamp
        return stamp
    }
}

/// The time of a change to a shared list: a hybrid logical clock (Kulkarni et al., "Logical Physical Clocks", 2014).
/// Ordered by milliseconds, counter and board.
struct HybridTimestamp: Hashable, Comparable, Sendable, CodableAsText {
    static let expected = "not a time such as 1795698000123.7-kitchen"
    /// In milliseconds: 48 bits.
    static let maximum = UInt64(1) << 48 - 1

    /// Since 1970-01-01T00:00:00Z.
    let milliseconds: UInt64
    /// Distinguishes changes within a millisecond, and those of boards without a synchronised clock.
    let counter: UInt16
    let board: FleetName

    /// Milliseconds beyond 48 bits are reduced to ``maximum``.
    init(milliseconds: UInt64, counter: UInt16, board: FleetName) {
        self.milliseconds = min(milliseconds, Self.maximum)
        self.counter = counter
        self.board = board
    }

    var timestamp: Timestamp { Timestamp(microseconds: Int64(milliseconds) * 1_000) }

    static func < (left: Self, right: Self) -> Bool {
        (left.milliseconds, left.counter, left.board) < (right.milliseconds, right.counter, right.board)
    }

    /// `1795698000123-kitchen`, with a counter other than 0 `1795698000123.7-kitchen`.
    var description: String {
        counter == 0 ? "\(milliseconds)-\(board)" : "\(milliseconds).\(counter)-\(board)"
    }

    /// Parses a ``description``; nil for anything else.
    init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let hyphen = text.utf8.firstIndex(of: UInt8(ascii: "-")),
            let board = FleetName(text[text.index(after: hyphen)...])
        else { return nil }
        let parts = text[..<hyphen].split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let milliseconds = parts.first.flatMap(Self.number),
            milliseconds <= Self.maximum,
            let counter = parts.count == 1 ? 0 : Self.number(parts[1]).flatMap(UInt16.init(exactly:))
        else { return nil }
        self.init(milliseconds: milliseconds, counter: counter, board: board)
    }

    /// Only digits: `UInt64` would also read a sign.
    private static func number(_ text: Substring) -> UInt64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt64(text) : nil
    }
}
