public import BoardCore

extension StopDirectory {
    /// Nobody reads more matches, whatever is asked for.
    private static let mostMatches = 1000

    /// The stops that match what a person wrote, best first.
    ///
    /// First a stop that was called by its code, or the pole with that short code; then names that are the text; then
    /// those that begin with it; then those of which every word of the text begins a word; then the words may also be of
    /// where a stop's vehicles go, or its mode. Among equals interchanges come first, then stations, areas and poles,
    /// then the name and the letter decide. A letter counts as a word of the name: "oxford street n", "oxford street stop n".
    ///
    /// Case, accents and apostrophes do not matter, nor whether "St", "Rd" or "&" are written out.
    ///
    /// - Parameters:
    ///   - text: a name, the beginnings of its words, a code; only blanks find nothing.
    ///   - limit: how many stops at most; a thousand is the most there are.
    /// - Throws: ``DirectoryFailure`` when no file gave an answer; `missing` when there is none.
    public func search(_ text: String, limit: Int) throws(DirectoryFailure) -> DirectoryResult<ListedStop> {
        guard limit > 0 else { return DirectoryResult(found: []) }
        let query = SearchQuery(text)
        let limit = min(limit, Self.mostMatches)
        let answers = try queryAll { file throws(SQLiteFailure) in
            var stops: [(match: SearchMatch, stop: ListedStop)] = []
            for match in try file.matches(text, query, limit: limit) {
                if let stop = try file.stop(rank: match.rank) { stops.append((match, stop)) }
            }
            return stops
        }
        var ranked = answers.found.flatMap(\.values)
        // Each feed's matches are in order; the name of the feed decides between equals, since the sort is stable.
        if answers.found.count > 1 { ranked.sort { $0.match.precedes($1.match) } }
        return DirectoryResult(found: ranked.prefix(limit).map(\.stop), failures: answers.failures)
    }

    /// The nearest poles and stations, nearest first, right across the antimeridian and at the poles of Earth. Areas and
    /// interchanges are left out: nobody can stand there.
    ///
    /// - Parameters:
    ///   - point: from where.
    ///   - distance: how far away a stop may be.
    ///   - modes: what must call there, in the operator's words ("bus") in any case; empty: anything.
    ///   - limit: how many stops at most; a thousand is the most there are.
    /// - Throws: ``DirectoryFailure`` when no file gave an answer; `missing` when there is none.
    public func near(
        _ point: Coordinates, within distance: Metres, modes: [String] = [], limit: Int
    ) throws(DirectoryFailure) -> DirectoryResult<NearStop> {
        let metres = min(distance.count, Metres.farthest.count)
        let limit = min(limit, Self.mostMatches)
        guard limit > 0, metres >= 0 else { return DirectoryResult(found: []) }
        let wanted = Set(modes.map { $0.lowercased() })
        let answers = try queryAll { file throws(SQLiteFailure) in
            var stops: [NearStop] = []
            for near in try file.near(point, metres: metres, modes: wanted, limit: limit) {
                guard let stop = try file.stop(rank: near.rank) else { continue }
                stops.append(NearStop(stop: stop, distance: Metres(near.metres)))
            }
            return stops
        }
        let nearest = answers.found.flatMap(\.values).sorted { $0.distance < $1.distance }.prefix(limit)
        return DirectoryResult(found: Array(nearest), failures: answers.failures)
    }
}
