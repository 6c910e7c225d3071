/// Suggestions for misspelt words.
public enum Spelling {
    /// The word nearest to `text`; nil when none is near enough.
    public static func nearest(to text: String, of words: [String]) -> String? {
        let folded = Array(text.lowercased())
        let ranked = words.map { (word: $0, distance: distance(folded, Array($0.lowercased()))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(folded.count, best.word.count) / 3) ? best.word : nil
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
    public static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var older: [Int] = []
        var old = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var new = [i + 1]
            for (j, other) in right.enumerated() {
                var cost = min(new[j] + 1, old[j + 1] + 1, old[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    cost = min(cost, older[j - 1] + 1)
                }
                new.append(cost)
            }
            older = old
            old = new
        }
        return old[right.count]
    }
}
