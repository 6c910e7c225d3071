/// Suggestions for misspelt words.
public enum Spelling {
    /// The word nearest to `text`, other than `text` itself; nil when none is near enough.
    public static func nearest(to text: String, of words: [String]) -> String? {
        let folded = text.lowercased()
        var distances = EditDistance(from: folded)
        let ranked = words.filter { $0 != text }.map { word in
            (word: word, distance: distances.distance(to: Array(word.lowercased().utf8)) ?? .max)
        }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(folded.count, best.word.count) / 3) ? best.word : nil
    }
}

/// The number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment), over
/// bytes and without allocating: for comparing a word with tens of thousands.
public struct EditDistance: Sendable {
    private let target: [UInt8]
    private var older: [Int] = []
    private var old: [Int] = []
    private var new: [Int] = []

    /// - Parameter text: a folded or lower-case text.
    public init(from text: String) { target = Array(text.utf8) }

    /// The distance to `bytes`; nil when greater than `limit`. ASCII capitals equal lower-case letters.
    public mutating func distance(to bytes: [UInt8], within limit: Int = .max) -> Int? {
        guard abs(bytes.count - target.count) <= limit else { return nil }
        // Common prefixes and suffixes cost nothing; codes have long ones.
        var start = 0
        let shorter = min(target.count, bytes.count)
        while start < shorter, target[start] == Self.lowercased(bytes[start]) { start += 1 }
        var end = 0
        while end < shorter - start, target[target.count - 1 - end] == Self.lowercased(bytes[bytes.count - 1 - end]) {
            end += 1
        }
        let rows = start..<(target.count - end)
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
                let letter = Self.lowercased(bytes[column])
                var cost = min(new[j] + 1, old[j + 1] + 1, old[j] + (target[row] == letter ? 0 : 1))
                if row > start, j > 0, target[row] == Self.lowercased(bytes[column - 1]), target[row - 1] == letter {
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

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte + 0x20 : byte }
}
