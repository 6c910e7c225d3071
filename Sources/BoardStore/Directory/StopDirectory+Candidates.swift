public import BoardCore

extension StopDirectory {
    /// The stops that a person may have meant who wrote `text`, which is no stop: nearest first, by code where the text
    /// looks like one ("tfl:490008660X"), by name otherwise; none when nothing is near.
    ///
    /// - Throws: ``DirectoryFailure`` when no file gave an answer; `missing` when there is none.
    public func candidates(
        forStop text: String, limit: Int = 3
    ) throws(DirectoryFailure) -> DirectoryResult<ListedStop> {
        guard limit > 0 else { return DirectoryResult(found: []) }
        let id = StopID(text)
        let known = try files.feeds()
        // Of a feed that is not here the code may still be right: "tlf:490008660N".
        let feed = id.flatMap { id in known.first { $0 == id.feed } }
        let wanted = id?.code ?? text
        // What follows a known feed is a code, also one of letters alone: "rail:PDA".
        let looksLikeCode =
            (feed != nil || wanted.contains(where: \.isNumber)) && !wanted.contains(where: \.isWhitespace)
        let answers = try queryAll { file throws(SQLiteFailure) -> [Candidate] in
            guard feed == nil || feed == file.feed else { return [] }
            var found: [Candidate] = []
            for byCode in [looksLikeCode, !looksLikeCode] {
                let near =
                    byCode
                    ? try file.stopsWithSimilarCode(wanted, limit: limit)
                    : try file.stopsWithSimilarName(wanted, limit: limit)
                for stop in near where found.count < limit {
                    guard let listed = try file.stop(rank: stop.rank),
                        !found.contains(where: { $0.stop.id == listed.id })
                    else { continue }
                    let isFirstChoice = byCode == looksLikeCode
                    found.append(Candidate(stop: listed, isFirstChoice: isFirstChoice, distance: stop.distance))
                }
            }
            return found
        }
        let ranked = answers.found.flatMap(\.values).sorted { left, right in
            if left.isFirstChoice != right.isFirstChoice { return left.isFirstChoice }
            return left.distance < right.distance
        }
        return DirectoryResult(found: ranked.prefix(limit).map(\.stop), failures: answers.failures)
    }

    /// The stops that may have been meant by an identifier that is no stop's.
    ///
    /// - Throws: ``DirectoryFailure`` when no file gave an answer; `missing` when there is none.
    public func candidates(forStop id: StopID, limit: Int = 3) throws(DirectoryFailure) -> DirectoryResult<ListedStop> {
        try candidates(forStop: id.description, limit: limit)
    }

    /// The lines that a person may have meant who wrote `text`, which is no line: nearest first.
    ///
    /// - Parameters:
    ///   - text: what was written, without its feed.
    ///   - feed: whose lines; nil: everybody's.
    ///   - limit: how many at most.
    /// - Throws: ``DirectoryFailure`` when no file gave an answer; `missing` when there is none.
    public func candidates(
        forLine text: String, in feed: FeedName? = nil, limit: Int = 3
    ) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        let answer = try allLines(of: feed)
        let wanted = text.lowercased()
        let tolerance = FeedDirectory.tolerance(wanted)
        var distances = EditDistance(from: wanted)
        var near: [(line: DirectoryLine, distance: Int, key: NaturalOrder)] = []
        for line in answer.found {
            let found = [line.line.line.id, line.line.line.name].compactMap {
                distances.distance(to: Array($0.lowercased().utf8), within: tolerance)
            }
            guard let distance = found.min() else { continue }
            near.append((line, distance, NaturalOrder(line.line.line.name)))
        }
        near.sort { $0.distance == $1.distance ? $0.key < $1.key : $0.distance < $1.distance }
        return DirectoryResult(found: near.prefix(max(0, limit)).map(\.line), failures: answer.failures)
    }

    private struct Candidate: Sendable {
        let stop: ListedStop
        let isFirstChoice: Bool
        let distance: Int
    }
}
