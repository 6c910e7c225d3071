public import BoardCore

extension StopDirectory {
    /// The stops that a mistyped `text` may mean, best first: by code where the text looks like one ("tfl:490008660X"), by
    /// name otherwise; empty where nothing is similar. The stop whose identifier is `text` is none of them.
    public func candidates(
        forStop text: String, limit: Int = 3
    ) throws(DirectoryFailure) -> DirectoryResult<ListedStop> {
        guard limit > 0 else { return DirectoryResult(found: []) }
        let id = StopID(text)
        let feeds = try files.feeds()
        // The code may be right although the feed is mistyped: "tlf:490008660N".
        let feed = id.flatMap { id in feeds.first { $0 == id.feed } }
        let code = id?.code ?? text
        // After a configured feed even letters alone are a code: "rail:PDA".
        let looksLikeCode =
            (feed != nil || code.contains(where: \.isNumber)) && !code.contains(where: \.isWhitespace)
        let result = try queryAll { file throws(SQLiteFailure) -> [(stop: ListedStop, choice: Int, distance: Int)] in
            guard feed == nil || feed == file.feed else { return [] }
            var found: [(stop: ListedStop, choice: Int, distance: Int)] = []
            for (choice, byCode) in [looksLikeCode, !looksLikeCode].enumerated() {
                let near =
                    try byCode
                    ? file.stopsWithSimilarCode(code, limit: limit) : file.stopsWithSimilarName(code, limit: limit)
                for stop in near where found.count < limit {
                    guard let listed = try file.stop(rank: stop.rank), listed.id.description != text,
                        !found.contains(where: { $0.stop.id == listed.id })
                    else { continue }
                    found.append((listed, choice, stop.distance))
                }
            }
            return found
        }
        let ranked = result.found.sorted { ($0.choice, $0.distance) < ($1.choice, $1.distance) }
        return DirectoryResult(found: ranked.prefix(limit).map(\.stop), failures: result.failures)
    }

    /// The lines that a mistyped `text` without a feed may mean, best first; nil: of all feeds. The line with this identifier
    /// or name is none of them.
    public func candidates(
        forLine text: String, in feed: FeedName? = nil, limit: Int = 3
    ) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        let result = try allLines(of: feed)
        let lowercased = text.lowercased()
        let tolerance = FeedDirectory.tolerance(lowercased)
        var distances = EditDistance(from: lowercased)
        var near: [(line: DirectoryLine, distance: Int, key: String)] = []
        for line in result.found {
            let found = [line.line.line.id, line.line.line.name].compactMap {
                distances.distance(to: Array($0.lowercased().utf8), within: tolerance)
            }
            guard let distance = found.min(), distance > 0 else { continue }
            near.append((line, distance, Folding.naturalKey(line.line.line.name)))
        }
        near.sort { ($0.distance, $0.key) < ($1.distance, $1.key) }
        return DirectoryResult(found: near.prefix(max(0, limit)).map(\.line), failures: result.failures)
    }
}
