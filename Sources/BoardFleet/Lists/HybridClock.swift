internal import BoardCore

/// The instant of an input, and the corrected time of day then.
struct ListTime: Hashable, Sendable {
    var instant: Instant
    var timestamp: Timestamp
    /// Whether a synchronised clock or the operators' `Date` headers confirm `timestamp`.
    var isCertain: Bool

    init(instant: Instant, timestamp: Timestamp, isCertain: Bool) {
        self.instant = instant
        self.timestamp = timestamp
        self.isCertain = isCertain
    }
}

/// Makes the time stamps of a board's changes, each larger than all stamps that the board has received.
struct HybridClock: Hashable, Sendable {
    /// How far a stamp may be ahead of a certain clock.
    static let tolerance = Duration.seconds(60)

    let board: FleetName
    /// The largest stamp of this board, or received; nil: none.
    private(set) var latest: HybridTimestamp?

    init(board: FleetName, latest: HybridTimestamp? = nil) {
        self.board = board
        self.latest = latest
    }

    /// Whether a stamp is more than ``tolerance`` beyond a time that is certain.
    static func isAhead(_ stamp: HybridTimestamp, at time: ListTime) -> Bool {
        time.isCertain && stamp.timestamp - time.timestamp > tolerance
    }

    /// Records a stamp of another board.
    mutating func observe(_ stamp: HybridTimestamp) {
        latest = latest.map { max($0, stamp) } ?? stamp
    }

    /// The stamp of a change that is made now: from a certain time, or else the latest stamp with a higher counter.
    mutating func next(at time: ListTime) -> HybridTimestamp {
        // After a correction of the own clock the stamps from before may be years ahead: no other board accepts them.
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
