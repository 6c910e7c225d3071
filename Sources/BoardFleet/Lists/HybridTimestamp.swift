internal import BoardCore

/// The time of a change of a shared list: a hybrid logical clock (Kulkarni et al., "Logical Physical Clocks", 2014). Ordered
/// by milliseconds, counter and board.
struct HybridTimestamp: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The most milliseconds: 48 bits.
    static let maximum = UInt64(1) << 48 - 1

    /// Since 1970-01-01T00:00:00Z.
    let milliseconds: UInt64
    /// Distinguishes changes within a millisecond, and those of boards without a synchronised clock.
    let counter: UInt16
    /// The board that made the change.
    let board: FleetName

    /// More milliseconds than 48 bits can hold are reduced to the most.
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

    /// Digits alone: `UInt64` would also read a sign.
    private static func number(_ text: Substring) -> UInt64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt64(text) : nil
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let stamp = HybridTimestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a time as 1795698000123.7-kitchen")
        }
        self = stamp
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
