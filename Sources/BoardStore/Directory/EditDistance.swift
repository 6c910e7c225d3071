/// Letters to insert, leave out, change or swap with their neighbour, over bytes and without making an array each time:
/// for a word against tens of thousands.
struct EditDistance {
    private let wanted: [UInt8]
    private var older: [Int] = []
    private var old: [Int] = []
    private var new: [Int] = []

    /// Distances from `text`, which is folded or of small letters.
    init(from text: String) {
        wanted = Array(text.utf8)
    }

    /// How far `bytes` are; nil when farther than `limit`. Capitals of ASCII count as small letters.
    mutating func distance(to bytes: [UInt8], within limit: Int) -> Int? {
        guard abs(bytes.count - wanted.count) <= limit else { return nil }
        // What begins alike and ends alike costs nothing: of codes little is left.
        var start = 0
        let shorter = min(wanted.count, bytes.count)
        while start < shorter, wanted[start] == Self.small(bytes[start]) { start += 1 }
        var end = 0
        while end < shorter - start,
            wanted[wanted.count - 1 - end] == Self.small(bytes[bytes.count - 1 - end])
        {
            end += 1
        }
        let rows = start..<(wanted.count - end)
        let columns = start..<(bytes.count - end)
        if rows.isEmpty || columns.isEmpty { return max(rows.count, columns.count) }

        old.removeAll(keepingCapacity: true)
        old.append(contentsOf: 0...columns.count)
        for row in rows {
            new.removeAll(keepingCapacity: true)
            new.append(row - start + 1)
            var least = row - start + 1
            for column in columns {
                let j = column - start
                let letter = Self.small(bytes[column])
                var cost = min(new[j] + 1, old[j + 1] + 1, old[j] + (wanted[row] == letter ? 0 : 1))
                if row > start, j > 0, wanted[row] == Self.small(bytes[column - 1]), wanted[row - 1] == letter {
                    cost = min(cost, older[j - 1] + 1)
                }
                new.append(cost)
                least = min(least, cost)
            }
            if least > limit { return nil }
            swap(&older, &old)
            swap(&old, &new)
        }
        return old[columns.count] <= limit ? old[columns.count] : nil
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte + 0x20 : byte
    }
}
