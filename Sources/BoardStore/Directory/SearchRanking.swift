import BoardCore

extension FeedDirectory {
    private static let columns = "stop.rank, stop.kind, stop.canonical, stop.letter"

    /// The matches of the user's text (by code) and of the query in it (by name), best first; at most `limit`, which is
    /// at least 1.
    func matches(_ text: String, _ query: SearchQuery?, limit: Int) throws(StoreError) -> [SearchMatch] {
        var found: [SearchMatch] = []
        var seen: Set<Int64> = []
        // A tier may begin with stops of better tiers, so the limit is raised by their number.
        func add(_ query: (Int) throws(StoreError) -> [SearchMatch]) throws(StoreError) {
            guard found.count < limit else { return }
            let matches = try query(limit + found.count)
            for match in matches.sorted(by: { $0.precedes($1) }) where found.count < limit {
                if seen.insert(match.rank).inserted { found.append(match) }
            }
        }
        try add { limit throws(StoreError) in try called(text, limit: limit) }
        guard let query else { return found }
        try add { limit throws(StoreError) in try named(query, .name, limit: limit) { [$0.whole] } }
        try add { limit throws(StoreError) in try named(query, .beginning, limit: limit, \.beginnings) }
        for tier in [SearchMatch.Tier.words, .elsewhere] {
            try add { limit throws(StoreError) in
                try matching(query.expression(anywhere: tier == .elsewhere), tier, limit: limit)
            }
        }
        return found
    }

    private func called(_ text: String, limit: Int) throws(StoreError) -> [SearchMatch] {
        var code = text[...]
        while code.first?.isWhitespace == true { code.removeFirst() }
        while code.last?.isWhitespace == true { code.removeLast() }
        if let id = StopID(code) {
            guard id.feed == feed else { return [] }
            code = id.code[...]
        }
        guard !code.isEmpty else { return [] }
        var found: [SearchMatch] = []
        for column in ["code = ? COLLATE NOCASE", "short_code = ?"] {
            found += try connection.statement("SELECT \(Self.columns) FROM stop WHERE \(column) LIMIT ?")
                .all(.text(String(code)), .integer(limit)) { row in Self.match(row, .code) }
        }
        return found
    }

    /// The stops whose names are in these ranges of a query.
    private func named(
        _ query: SearchQuery, _ tier: SearchMatch.Tier, limit: Int, _ ranges: (SearchQuery.Name) -> [Range<String>]
    ) throws(StoreError) -> [SearchMatch] {
        // Within a kind, the index is in the order of the list, so each query can stop at the limit.
        let statement = try connection.statement(
            """
            SELECT \(Self.columns) FROM stop INDEXED BY stop_name
            WHERE kind = ?1 AND canonical >= ?2 AND canonical < ?3 AND (?4 IS NULL OR letter = ?4 COLLATE NOCASE)
            ORDER BY canonical, letter, rank LIMIT ?5
            """)
        var found: [SearchMatch] = []
        for kind in ListedStop.Kind.allCases {
            for name in query.names {
                for range in ranges(name) {
                    found += try statement.all(
                        .integer(kind.importance), .text(range.lowerBound), .text(range.upperBound),
                        .optional(name.letter),
                        .integer(limit)
                    ) { row in Self.match(row, tier) }
                }
            }
        }
        return found
    }

    /// The most important stops that match an FTS5 expression.
    func matching(_ expression: String, _ tier: SearchMatch.Tier, limit: Int) throws(StoreError) -> [SearchMatch] {
        // CROSS JOIN makes the word index the outer loop: its order is the list's.
        try connection.statement(
            """
            SELECT \(Self.columns) FROM words CROSS JOIN stop ON stop.rank = words.rowid
            WHERE words MATCH ? ORDER BY words.rowid LIMIT ?
            """
        ).all(.text(expression), .integer(limit)) { row in Self.match(row, tier) }
    }

    private static func match(_ row: SQLiteStatement, _ tier: SearchMatch.Tier) -> SearchMatch {
        SearchMatch(
            tier: tier, importance: row.integer(1), canonical: row.text(2) ?? "", letter: row.text(3) ?? "",
            rank: row.integer(0))
    }
}

extension FeedDirectory {
    /// The maximum edit distance between a text and a candidate.
    static func tolerance(_ text: String) -> Int { max(1, min(3, text.utf8.count / 3)) }

    /// The maximum number of vocabulary words that replace one word.
    private static let maximumSubstitutes = 4
    /// The maximum number of stops that are compared by their whole name.
    private static let maximumCompared = 60

    /// The stops with the most similar codes, best first.
    func stopsWithSimilarCode(_ code: String, limit: Int) throws(StoreError) -> [(rank: Int64, distance: Int)] {
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
    func stopsWithSimilarName(_ text: String, limit: Int) throws(StoreError) -> [(rank: Int64, distance: Int)] {
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
            // The distance to the whole name, or to its beginning plus one: "oxfrod circus" for a longer name.
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

    /// What to query in FTS5 for each word: the word itself if a vocabulary word begins with it, and similar vocabulary
    /// words.
    private func substitutes(_ words: [String]) throws(StoreError) -> [[String]] {
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
    ) throws(StoreError) -> [(rank: Int64, distance: Int)] {
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

/// A parsed search text.
struct SearchQuery: Sendable {
    /// The maximum number of words that are read.
    private static let maximumWords = 12
    /// The longest stop letter: "W12".
    private static let maximumLetterLength = 3
    /// Words that may precede the letter.
    private static let letterWords: Set<String> = ["stop", "stand", "bay", "platform"]

    /// A name that the text may mean.
    struct Name: Sendable {
        let canonical: String
        /// The letter of the stop; nil: any.
        let letter: String?
        /// The range of this name alone, as ``Folding`` compares names.
        var whole: Range<String> { canonical..<canonical + " " }
        /// The ranges of names that begin with it: whole words, then a word or its beginning.
        let beginnings: [Range<String>]

        fileprivate init(_ words: [String], letter: String? = nil) {
            canonical = Folding.canonical(words).joined(separator: " ")
            self.letter = letter
            let last = words.last ?? ""
            let before = Folding.canonical(words.dropLast()).map { $0 + " " }.joined()
            // The word itself, alone or before a space; "!" is the character after the space.
            beginnings =
                [before + last..<before + last + "\u{10ffff}"]
                + Folding.canonicalWords(completing: last).map { before + $0..<before + $0 + "!" }
        }
    }

    /// Each must begin a word of the stop.
    let words: [String]
    /// The whole text; then the text without the letter at its end, if it may have one.
    let names: [Name]

    /// The whole text in the form in which names are compared.
    var canonical: String { names.first?.canonical ?? "" }

    /// - Returns: nil if the text has no words.
    init?(_ text: some StringProtocol) {
        let all = Array(Folding.words(text).prefix(Self.maximumWords))
        guard let last = all.last else { return nil }
        var base = Array(all.dropLast())
        guard !base.isEmpty, last.count <= Self.maximumLetterLength else {
            words = all
            names = [Name(all)]
            return
        }
        if base.count > 1, let word = base.last, Self.letterWords.contains(word) { base.removeLast() }
        words = base + [last]
        names = [Name(all), Name(base, letter: last)]
    }

    /// The FTS5 expression for the words in name and letter, or anywhere.
    func expression(anywhere: Bool) -> String {
        // Words have only letters and digits: nothing to escape inside the quotation marks.
        let all = words.map { "\"\($0)\" *" }.joined(separator: " AND ")
        return anywhere ? all : "{name letter} : (\(all))"
    }
}

/// A matching stop with its sort keys.
struct SearchMatch: Sendable {
    /// How well a stop matches: the best tier first.
    enum Tier: Int, Sendable {
        /// The text is its code.
        case code
        /// The text is its name, or its name and letter.
        case name
        /// Its name begins with the text.
        case beginning
        /// Every word of the text begins a word of its name, or its letter.
        case words
        /// Some words match its `towards` or its modes.
        case elsewhere
    }

    let tier: Tier
    let importance: Int64
    let canonical: String
    let letter: String
    let rank: Int64

    func precedes(_ other: SearchMatch) -> Bool {
        if tier != other.tier { return tier.rawValue < other.tier.rawValue }
        if importance != other.importance { return importance < other.importance }
        if canonical != other.canonical { return canonical.utf8.lexicographicallyPrecedes(other.canonical.utf8) }
        if letter != other.letter { return letter.utf8.lexicographicallyPrecedes(other.letter.utf8) }
        return rank < other.rank
    }
}
