internal import BoardCore

extension FeedDirectory {
    /// The maximum edit distance between a text and a candidate.
    static func tolerance(_ text: String) -> Int { max(1, min(3, text.utf8.count / 3)) }

    /// The maximum number of vocabulary words that are substituted for one word.
    private static let maximumSubstitutes = 4
    /// The maximum number of stops that are compared by their whole name.
    private static let maximumCompared = 60

    /// The stops with the most similar codes, best first.
    func stopsWithSimilarCode(_ code: String, limit: Int) throws(SQLiteFailure) -> [(rank: Int64, distance: Int)] {
        let isShort = !code.isEmpty && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
        var found = try nearest(
            to: code, limit: limit,
            connection.statement("SELECT code, rank FROM stop INDEXED BY stop_code ORDER BY code COLLATE NOCASE"))
        if isShort {
            found += try nearest(
                to: code, limit: limit,
                connection.statement(
                    """
                    SELECT short_code, rank FROM stop INDEXED BY stop_short_code WHERE short_code IS NOT NULL
                    ORDER BY short_code
                    """))
        }
        return Array(found.sorted { ($0.distance, $0.rank) < ($1.distance, $1.rank) }.prefix(limit))
    }

    /// The stops with the most similar names, best first, one per name.
    func stopsWithSimilarName(_ text: String, limit: Int) throws(SQLiteFailure) -> [(rank: Int64, distance: Int)] {
        guard let query = SearchQuery(text) else { return [] }
        let groups = try substitutes(query.words)
        let whole = groups.filter { !$0.isEmpty }.map { "(\($0.joined(separator: " OR ")))" }
        guard !whole.isEmpty else { return [] }
        var found: [SearchMatch] = []
        if whole.count == groups.count {
            found = try matching(
                "{name letter} : (\(whole.joined(separator: " AND ")))", .words, limit: Self.maximumCompared)
        }
        if found.isEmpty {
            for group in whole { found += try matching("{name} : \(group)", .words, limit: Self.maximumCompared) }
        }
        var byName: [String: (rank: Int64, distance: Int)] = [:]
        var distance = EditDistance(from: query.canonical)
        let words = query.canonical.split(separator: " ").count
        for match in found {
            let name = match.canonical
            // The distance to the whole name, or to its beginning plus one: "oxfrod circus" of a longer name.
            let beginning = name.split(separator: " ").prefix(words).joined(separator: " ")
            let far = max(name.utf8.count, query.canonical.utf8.count)
            let cost = min(
                distance.distance(to: Array(name.utf8), within: far) ?? far,
                1 + (distance.distance(to: Array(beginning.utf8), within: far) ?? far))
            if let best = byName[name], (best.distance, best.rank) <= (cost, match.rank) { continue }
            byName[name] = (match.rank, cost)
        }
        return Array(byName.values.sorted { ($0.distance, $0.rank) < ($1.distance, $1.rank) }.prefix(limit))
    }

    /// The words to query in FTS5 instead of each word: the word itself where a vocabulary word begins with it, and similar
    /// vocabulary words.
    private func substitutes(_ words: [String]) throws(SQLiteFailure) -> [[String]] {
        var near = words.map { _ in [(word: String, distance: Int)]() }
        var distances = words.map { EditDistance(from: $0) }
        var buffer: [UInt8] = []
        try connection.statement("SELECT word FROM word").each { row in
            row.bytes(0, into: &buffer)
            for index in words.indices {
                let tolerance = Self.tolerance(words[index])
                if let distance = distances[index].distance(to: buffer, within: tolerance), distance > 0 {
                    near[index].append((String(decoding: buffer, as: UTF8.self), distance))
                }
            }
        }
        var groups: [[String]] = []
        for (index, word) in words.enumerated() {
            let begun = try connection.statement("SELECT 1 FROM word WHERE word >= ? AND word < ? LIMIT 1")
                .first(.text(word), .text(word + "\u{10ffff}")) { _ in true }
            let nearest = near[index].sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
                .prefix(Self.maximumSubstitutes)
            groups.append((begun == true ? ["\"\(word)\" *"] : []) + nearest.map { "\"\($0.word)\"" })
        }
        return groups
    }

    /// The rows of a statement (a text and a rank) with the most similar texts.
    private func nearest(
        to text: String, limit: Int, _ statement: SQLiteStatement
    ) throws(SQLiteFailure) -> [(rank: Int64, distance: Int)] {
        let folded = text.lowercased()
        var distances = EditDistance(from: folded)
        var tolerance = Self.tolerance(folded)
        var found: [(rank: Int64, distance: Int)] = []
        var buffer: [UInt8] = []
        try statement.each { row in
            row.bytes(0, into: &buffer)
            guard let distance = distances.distance(to: buffer, within: tolerance) else { return }
            let index = found.firstIndex { $0.distance > distance } ?? found.count
            found.insert((row.integer(1), distance), at: index)
            if found.count > limit { found.removeLast() }
            // With enough results, only a closer match needs its exact distance.
            if found.count == limit, let last = found.last { tolerance = max(0, last.distance - 1) }
        }
        return found
    }
}
