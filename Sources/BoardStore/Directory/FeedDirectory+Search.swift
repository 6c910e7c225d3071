internal import BoardCore

extension FeedDirectory {
    private static let columns = "stop.rank, stop.kind, stop.canonical, stop.letter"

    /// The best matches of the user's text (for codes) and of the query in it, best first; at most `limit`, which is at
    /// least 1.
    func matches(_ text: String, _ query: SearchQuery?, limit: Int) throws(SQLiteFailure) -> [SearchMatch] {
        var found: [SearchMatch] = []
        var seen: Set<Int64> = []
        // A tier may begin with stops of a better tier: the limit is raised by their number.
        func add(_ query: (Int) throws(SQLiteFailure) -> [SearchMatch]) throws(SQLiteFailure) {
            guard found.count < limit else { return }
            let matches = try query(limit + found.count)
            for match in matches.sorted(by: { $0.precedes($1) }) where found.count < limit {
                if seen.insert(match.rank).inserted { found.append(match) }
            }
        }
        try add { limit throws(SQLiteFailure) in try called(text, limit: limit) }
        guard let query else { return found }
        try add { limit throws(SQLiteFailure) in try named(query, .name, limit: limit) { [$0.whole] } }
        try add { limit throws(SQLiteFailure) in try named(query, .beginning, limit: limit, \.beginnings) }
        for tier in [SearchMatch.Tier.words, .elsewhere] {
            try add { limit throws(SQLiteFailure) in
                try matching(query.expression(anywhere: tier == .elsewhere), tier, limit: limit)
            }
        }
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
        var found: [SearchMatch] = []
        for column in ["code = ? COLLATE NOCASE", "short_code = ?"] {
            found += try connection.statement("SELECT \(Self.columns) FROM stop WHERE \(column) LIMIT ?")
                .all(.text(String(code)), .integer(limit)) { row in Self.match(row, .code) }
        }
        return found
    }

    /// The stops with the names of a query, in these ranges.
    private func named(
        _ query: SearchQuery, _ tier: SearchMatch.Tier, limit: Int,
        _ ranges: (SearchQuery.Name) -> [SearchQuery.NameRange]
    ) throws(SQLiteFailure) -> [SearchMatch] {
        // By kind, the index is in the order of the list, so that each query ends at the limit.
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
                        .integer(kind.importance), .text(range.from), .text(range.to), .optional(name.letter),
                        .integer(limit)
                    ) { row in Self.match(row, tier) }
                }
            }
        }
        return found
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
