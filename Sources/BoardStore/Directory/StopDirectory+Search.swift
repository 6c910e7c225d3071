public import BoardCore

extension StopDirectory {
    /// The maximum number of matches, whatever the caller's limit.
    private static let maximumMatches = 1000

    /// The stops that match a text, best first.
    ///
    /// In this order: the stop with this code or short code; names equal to the text; names that begin with it; stops where
    /// every word of the text begins a word; stops where words also match `towards` or a mode. Within each tier interchanges
    /// come first, then stations, areas and poles, then by name and letter. A letter counts as a word of the name:
    /// "oxford street n", "oxford street stop n".
    ///
    /// Ignores case, accents and apostrophes, and whether "St", "Rd" or "&" are written out.
    ///
    /// - Parameters:
    ///   - text: a name, the beginnings of its words, or a code; a blank text finds nothing.
    ///   - limit: the maximum number of stops, capped at 1000.
    public func search(_ text: String, limit: Int) throws(DirectoryFailure) -> DirectoryResult<ListedStop> {
        guard limit > 0 else { return DirectoryResult(found: []) }
        let query = SearchQuery(text)
        let limit = min(limit, Self.maximumMatches)
        let result = try queryAll { file throws(SQLiteFailure) in
            try file.matches(text, query, limit: limit).map { match throws(SQLiteFailure) in
                (match: match, stop: try file.stop(rank: match.rank))
            }
        }
        // The sort is stable: between equals the name of the feed decides.
        let ranked = result.found.sorted { $0.match.precedes($1.match) }.prefix(limit)
        return DirectoryResult(found: ranked.compactMap(\.stop), failures: result.failures)
    }

    /// The nearest poles and stations, nearest first, also across the antimeridian and at the Earth's poles. Without areas
    /// and interchanges, at which nothing calls.
    ///
    /// - Parameters:
    ///   - modes: the modes that must call, as the operator names them ("bus"), case-insensitive; empty: any.
    ///   - limit: the maximum number of stops, capped at 1000.
    public func near(
        _ point: Coordinates, within distance: Metres, modes: [String] = [], limit: Int
    ) throws(DirectoryFailure) -> DirectoryResult<NearStop> {
        let metres = min(distance.count, Metres.halfwayRoundEarth.count)
        let limit = min(limit, Self.maximumMatches)
        guard limit > 0, metres >= 0 else { return DirectoryResult(found: []) }
        let modes = Set(modes.map { $0.lowercased() })
        let result = try queryAll { file throws(SQLiteFailure) in
            try file.near(point, metres: metres, modes: modes, limit: limit).map { near throws(SQLiteFailure) in
                (stop: try file.stop(rank: near.rank), distance: Metres(near.metres))
            }
        }
        let nearest = result.found.sorted { $0.distance < $1.distance }.prefix(limit)
        return DirectoryResult(
            found: nearest.compactMap { near in near.stop.map { (stop: $0, distance: near.distance) } },
            failures: result.failures)
    }

    /// The interchanges, stations and poles in a box, most important first, and their number. Without areas, whose poles are listed.
    ///
    /// - Parameter limit: the maximum number of stops, capped at 1000.
    public func stops(
        in box: BoundingBox, limit: Int
    ) throws(DirectoryFailure) -> (stops: DirectoryResult<ListedStop>, total: Int) {
        let limit = max(0, min(limit, Self.maximumMatches))
        let result = try queryAll { file throws(SQLiteFailure) -> [(stops: [ListedStop], total: Int)] in
            let (ranks, total) = try file.ranks(in: box, limit: limit)
            return [
                (try ranks.map { rank throws(SQLiteFailure) in try file.stop(rank: rank) }.compactMap { $0 }, total)
            ]
        }
        // The sort is stable: within a kind the feeds follow each other, each in its own order.
        let stops = result.found.flatMap(\.stops).sorted { $0.kind.importance < $1.kind.importance }
        return (
            DirectoryResult(found: Array(stops.prefix(limit)), failures: result.failures),
            result.found.reduce(0) { $0 + $1.total }
        )
    }

    /// The lines of one feed or, with nil, of all, in natural order: 2 before 10 before N2.
    public func lines(of feed: FeedName? = nil) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        let result = try allLines(of: feed)
        let sorted = result.found.map { (line: $0, key: Folding.naturalKey($0.line.line.name)) }
            .sorted { ($0.key, $0.line.line.line.id) < ($1.key, $1.line.line.line.id) }
        return DirectoryResult(found: sorted.map(\.line), failures: result.failures)
    }

    /// The line with the identifier `text`, otherwise the one with this name, case-insensitive.
    public func line(called text: String, in feed: FeedName) throws(DirectoryFailure) -> DirectoryLine? {
        let lines = try query(feed) { file throws(SQLiteFailure) in try file.lines() }
        let matches = lines.filter { $0.line.line.isCalled(text) }
        return matches.first { $0.line.line.id == text }
            ?? matches.first { $0.line.line.id.lowercased() == text.lowercased() } ?? matches.first
    }

    /// The lines in the order of the files.
    func allLines(of feed: FeedName?) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        guard let feed else { return try queryAll { file throws(SQLiteFailure) in try file.lines() } }
        return DirectoryResult(found: try query(feed) { file throws(SQLiteFailure) in try file.lines() })
    }
}
