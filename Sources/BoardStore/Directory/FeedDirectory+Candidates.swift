internal import BoardCore

extension FeedDirectory {
    /// How many letters of a text may be wrong for a candidate still to be meant.
    static func tolerance(_ text: String) -> Int { max(1, min(3, text.utf8.count / 3)) }

    /// How many words of the vocabulary stand in for one that a person wrote.
    private static let mostStandIns = 4
    /// How many stops are compared by their whole name.
    private static let mostCompared = 60

    /// The stops whose code is nearest to `code`, nearest first.
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

    /// The stops whose name is nearest to `text`, nearest first, one of each name.
    func stopsWithSimilarName(_ text: String, limit: Int) throws(SQLiteFailure) -> [(rank: Int64, distance: Int)] {
        guard let query = SearchQuery(text) else { return [] }
        let groups = try substitutes(query.words)
        let whole = groups.filter { !$0.isEmpty }.map { "(\($0.joined(separator: " OR ")))" }
        guard !whole.isEmpty else { return [] }
        var found: [SearchMatch] = []
        if whole.count == groups.count {
            found = try matching(
                "{name letter} : (\(whole.joined(separator: " AND ")))", .words, limit: Self.mostCompared)
        }
        if found.isEmpty {
            for group in whole { found += try matching("{name} : \(group)", .words, limit: Self.mostCompared) }
        }
        var byName: [String: (rank: Int64, distance: Int)] = [:]
        var distance = EditDistance(from: query.canonical)
        let words = query.canonical.split(separator: " ").count
        for match in found {
            let name = match.canonical
            // Nearest over the whole name, or nearly so over its beginning: "oxfrod circus" of a longer name.
            let beginning = name.split(separator: " ").prefix(words).joined(separator: " ")
            let far = max(name.utf8.count, query.canonical.utf8.count)
            let cost = min(
                distance.distance(to: Array(name.utf8), within: far) ?? far,
                1 + (distance.distance(to: Array(beginning.utf8), within: far) ?? far))
            if let known = byName[name], (known.distance, known.rank) <= (cost, match.rank) { continue }
            byName[name] = (match.rank, cost)
        }
        return Array(byName.values.sorted { ($0.distance, $0.rank) < ($1.distance, $1.rank) }.prefix(limit))
    }

    /// For each word, what FTS5 is asked instead: the word itself where some word begins with it, and words of the
    /// vocabulary that are nearly it.
    private func substitutes(_ words: [String]) throws(SQLiteFailure) -> [[String]] {
        var near = words.map { _ in [(word: String, distance: Int)]() }
        var distances = words.map { EditDistance(from: $0) }
        var buffer: [UInt8] = []
        try connection.statement("SELECT word FROM word").each { row in
            row.bytes(0, into: &buffer)
            for place in words.indices {
                let tolerance = Self.tolerance(words[place])
                if let distance = distances[place].distance(to: buffer, within: tolerance), distance > 0 {
                    near[place].append((String(decoding: buffer, as: UTF8.self), distance))
                }
            }
            return true
        }
        var groups: [[String]] = []
        for (place, word) in words.enumerated() {
            let begun = try connection.statement("SELECT 1 FROM word WHERE word >= ? AND word < ? LIMIT 1")
                .first(.text(word), .text(word + "\u{10ffff}")) { _ in true }
            let nearest = near[place].sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
                .prefix(Self.mostStandIns)
            groups.append((begun == true ? ["\"\(word)\" *"] : []) + nearest.map { "\"\($0.word)\"" })
        }
        return groups
    }

    /// The rows of a statement, of a text and a rank, whose text is nearest to `text`.
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
            guard let distance = distances.distance(to: buffer, within: tolerance) else { return true }
            let place = found.firstIndex { $0.distance > distance } ?? found.count
            found.insert((row.integer(1), distance), at: place)
            if found.count > limit { found.removeLast() }
            // Once there are enough, only a nearer one is worth counting its letters.
            if found.count == limit, let last = found.last { tolerance = max(0, last.distance - 1) }
            return true
        }
        return found
    }
}
