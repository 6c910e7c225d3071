internal import BoardCore

/// A matching stop with its sort keys.
struct SearchMatch: Hashable, Sendable {
    /// How well a stop matches.
    enum Tier: Int, Comparable, Sendable {
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

        static func < (left: Tier, right: Tier) -> Bool { left.rawValue < right.rawValue }
    }

    let tier: Tier
    let importance: Int64
    let canonical: String
    let letter: String
    let rank: Int64

    func precedes(_ other: SearchMatch) -> Bool {
        if tier != other.tier { return tier < other.tier }
        if importance != other.importance { return importance < other.importance }
        if canonical != other.canonical { return canonical.utf8.lexicographicallyPrecedes(other.canonical.utf8) }
        if letter != other.letter { return letter.utf8.lexicographicallyPrecedes(other.letter.utf8) }
        return rank < other.rank
    }
}

extension FeedDirectory {
    private static let columns = "stop.rank, stop.kind, stop.canonical, stop.letter"

    /// The best matches, best first.
    ///
    /// - Parameters:
    ///   - text: the text of the user, for codes.
    ///   - query: the same text, parsed.
    ///   - limit: the maximum number of matches, at least 1.
    func matches(_ text: String, _ query: SearchQuery?, limit: Int) throws(SQLiteFailure) -> [SearchMatch] {
        var found: [SearchMatch] = []
        var seen: Set<Int64> = []
        // A tier may begin with stops of a better tier: the limit is raised by their number.
        func add(_ matches: [SearchMatch]) {
            for match in matches.sorted(by: { $0.precedes($1) }) where found.count < limit {
                if seen.insert(match.rank).inserted { found.append(match) }
            }
        }
        add(try called(text, limit: limit))
        guard let query else { return found }
        if found.count < limit { add(try named(query, limit: limit + found.count)) }
        if found.count < limit { add(try beginning(query, limit: limit + found.count)) }
        if found.count < limit { add(try worded(query, .words, limit: limit + found.count)) }
        if found.count < limit { add(try worded(query, .elsewhere, limit: limit + found.count)) }
        return found
    }

    private func called(_ text: String, limit: Int) throws(SQLiteFailure) -> [SearchMatch] {
        var code = text[...]
        while code.first?.isWhitespace == true { code.removeFirst() }
        while code.last?.isWhitespace == true { code.removeLast() }
        if let id = StopID(code) {
            guard id.feed == feed else { return [] }
            code = id.code[...]
        }
        guard !code.isEmpty else { return [] }
        let byCode = try connection.statement(
            "SELECT \(Self.columns) FROM stop WHERE code = ? COLLATE NOCASE LIMIT ?"
        ).all(.text(String(code)), .integer(limit)) { row in Self.match(row, .code) }
        return try byCode
            + connection.statement("SELECT \(Self.columns) FROM stop WHERE short_code = ? LIMIT ?")
            .all(.text(String(code)), .integer(limit)) { row in Self.match(row, .code) }
    }

    private func named(_ query: SearchQuery, limit: Int) throws(SQLiteFailure) -> [SearchMatch] {
        var found: [SearchMatch] = []
        for kind in ListedStop.Kind.allCases {
            found += try connection.statement(
                """
                SELECT \(Self.columns) FROM stop INDEXED BY stop_name WHERE kind = ? AND canonical = ?
                ORDER BY letter, rank LIMIT ?
                """
            ).all(.integer(kind.importance), .text(query.canonical), .integer(limit)) { row in
                Self.match(row, .name)
            }
            guard let lettered = query.lettered else { continue }
            found += try connection.statement(
                """
                SELECT \(Self.columns) FROM stop INDEXED BY stop_name
                WHERE kind = ? AND canonical = ? AND letter = ? COLLATE NOCASE ORDER BY rank LIMIT ?
                """
            ).all(
                .integer(kind.importance), .text(lettered.canonical), .text(lettered.letter), .integer(limit)
            ) { row in Self.match(row, .name) }
        }
        return found
    }

    private func beginning(_ query: SearchQuery, limit: Int) throws(SQLiteFailure) -> [SearchMatch] {
        var found: [SearchMatch] = []
        // By kind, the index is in the order of the list, so that each query ends at the limit.
        for kind in ListedStop.Kind.allCases {
            for range in query.beginnings {
                found += try connection.statement(
                    """
                    SELECT \(Self.columns) FROM stop INDEXED BY stop_name
                    WHERE kind = ? AND canonical >= ? AND canonical < ? ORDER BY canonical, letter, rank LIMIT ?
                    """
                ).all(.integer(kind.importance), .text(range.from), .text(range.to), .integer(limit)) { row in
                    Self.match(row, .beginning)
                }
            }
            guard let lettered = query.lettered else { continue }
            for range in lettered.beginnings {
                found += try connection.statement(
                    """
                    SELECT \(Self.columns) FROM stop INDEXED BY stop_name
                    WHERE kind = ? AND canonical >= ? AND canonical < ? AND letter = ? COLLATE NOCASE
                    ORDER BY canonical, letter, rank LIMIT ?
                    """
                ).all(
                    .integer(kind.importance), .text(range.from), .text(range.to), .text(lettered.letter),
                    .integer(limit)
                ) { row in Self.match(row, .beginning) }
            }
        }
        return found
    }

    private func worded(
        _ query: SearchQuery, _ tier: SearchMatch.Tier, limit: Int
    ) throws(SQLiteFailure) -> [SearchMatch] {
        try matching(query.expression(anywhere: tier == .elsewhere), tier, limit: limit)
    }

    /// The most important stops that match an FTS5 expression.
    func matching(
        _ expression: String, _ tier: SearchMatch.Tier, limit: Int
    ) throws(SQLiteFailure) -> [SearchMatch] {
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
