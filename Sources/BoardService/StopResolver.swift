package import BoardCore
import BoardFeeds
package import BoardStore

/// Resolves a stop as a user writes it: `feed:code`, a code or the short number on the pole alone, or a name that only
/// one stop has.
///
/// Calls block for a few queries of the stop directory.
package struct StopResolver: Sendable {
    /// How many matches are checked for one that equals the whole text.
    static let maximumMatches = 50

    package let directory: StopDirectory
    let feeds: FeedDeclarations
    /// The names of the feeds for messages.
    private let known: [String]

    /// - Parameter known: the names of the feeds for messages; nil: those of `feeds`.
    package init(
        directory: StopDirectory, feeds: FeedDeclarations = FeedRegistry.declarations, known: [String]? = nil
    ) {
        self.directory = directory
        self.feeds = feeds
        self.known = known ?? feeds.names
    }

    /// The stop that a text means, or all that it may mean; or the error with candidates.
    ///
    /// - Throws: ``StoreError`` if no file could be read.
    package func find(_ text: String) throws(StoreError) -> Result<[ListedStop], ServiceError> {
        let id = StopID(text)
        if let id, try isKnown(id.feed) {
            if let listed = try listed(id) { return .success([listed]) }
            // Users also write lower case: `tfl:490008660n`.
            let called = try directory.search(id.code, limit: Self.maximumMatches).found.filter { stop in
                stop.id.feed == id.feed && (Self.has(stop, code: id.code))
            }
            guard called.isEmpty else { return .success(called) }
            return .failure(Self.notFound(text, try candidates(text)))
        }
        let found = try directory.search(text, limit: Self.maximumMatches).found
        if let only = Self.only(in: found, called: text) { return .success([only]) }
        guard found.isEmpty else { return .success(found) }
        if let id { return .failure(unknownFeed(id.feed, try sameCode(id))) }
        return .failure(Self.notFound(text, try candidates(text)))
    }

    /// The stop that a text means. `feed:code` is accepted even if the directory does not have it.
    ///
    /// - Throws: ``ServiceError`` with the candidates.
    package func stop(_ text: String) throws(ServiceError) -> StopID {
        let known = StopID(text).flatMap { feeds[$0.feed] == nil ? nil : $0 }
        let found: Result<[ListedStop], ServiceError>
        do throws(StoreError) {
            found = try find(text)
        } catch {
            if let known { return known }
            if let id = StopID(text) { throw unknownFeed(id.feed, []) }
            // Without any list, a code belongs to the only feed there is.
            if error.kind == .missing, let only = feeds.only, Self.looksLikeCode(text) {
                return StopID(feed: only.name, code: text)
            }
            throw ServiceError(
                ServiceError(error).kind,
                "\"\(text)\" cannot be looked up: \(error). Write it as feed:code, such as tfl:490008660N: that needs no list"
            )
        }
        switch found {
        case .success(let stops) where stops.count == 1: return stops[0].id
        case .success(let stops): throw Self.ambiguous(text, stops)
        case .failure(let error):
            if let known { return known }
            throw error
        }
    }

    /// The code of the `towards` stop: a code, `feed:code` or a name. Returns the text unchanged for an operator
    /// without `towards`, since the file's checks reject it.
    ///
    /// - Throws: ``ServiceError`` with the candidates.
    package func code(ofTowards text: String, from stop: StopID) throws(ServiceError) -> String {
        guard let declaration = FeedRegistry.feedOperator(stop.feed)?.declaration, declaration.takesTowards,
            declaration.problem(aboutStop: text) != nil
        else { return text }
        // Users also write codes in lower case, and many names may begin with one.
        let capitals = text.uppercased()
        if declaration.problem(aboutStop: capitals) == nil { return capitals }
        let other = try self.stop(text)
        guard other.feed == stop.feed else {
            throw ServiceError(
                .invalid,
                "towards must be a stop of \(stop.feed) like \(stop) itself; \(other) is a stop of \(other.feed)"
            )
        }
        return other.code
    }

    /// The feed and the line that a text means: `feed:line`, or a number or name that the lines of only one feed have.
    ///
    /// - Throws: ``ServiceError`` with the candidates.
    package func line(_ text: String) throws(ServiceError) -> (feed: FeedName, line: String) {
        if let id = StopID(text) {
            guard feeds[id.feed] != nil else { throw .unknownFeed(id.feed, known: known) }
            return (id.feed, id.code)
        }
        if let only = feeds.only { return (only.name, text) }
        let lines = (try? directory.lines())?.found ?? []
        let called = lines.filter { $0.line.line.isCalled(text) }
        if let first = called.first, Set(called.map(\.feed)).count == 1 { return (first.feed, text) }
        // The first words of a name: "hammersmith" for "Hammersmith & City".
        let begun = called.isEmpty ? lines.filter { $0.line.line.begins(with: text) } : []
        if let only = begun.first, begun.count == 1 { return (only.feed, only.line.line.id) }
        let several = called + begun
        let near = several.isEmpty ? (try? directory.candidates(forLine: text))?.found ?? [] : several
        throw ServiceError(
            several.isEmpty ? .notFound : .invalid,
            several.isEmpty
                ? "no stop list has a line \"\(text)\"; write feed:line, such as tfl:73"
                : "several lines are called \"\(text)\"; write the feed:line of one",
            candidates: near.prefix(Candidate.maximumCount).map {
                Candidate(id: "\($0.feed):\($0.line.line.id)", name: $0.line.line.name)
            })
    }

    static func ambiguous(_ text: String, _ stops: [ListedStop]) -> ServiceError {
        ServiceError(
            .invalid, "\"\(text)\" matches several stops; give the feed:code of one", candidates: candidates(stops))
    }

    static func notFound(_ text: String, _ near: [ListedStop] = []) -> ServiceError {
        ServiceError(.notFound, "there is no stop \"\(text)\"", candidates: candidates(near))
    }

    private func unknownFeed(_ feed: FeedName, _ near: [ListedStop]) -> ServiceError {
        .unknownFeed(feed, known: known, candidates: Self.candidates(near))
    }

    private static func candidates(_ stops: [ListedStop]) -> [Candidate] {
        stops.prefix(Candidate.maximumCount).map { Candidate($0) }
    }

    private func isKnown(_ feed: FeedName) throws(StoreError) -> Bool {
        if feeds[feed] != nil { return true }
        return try directory.feeds().contains(feed)
    }

    /// A feed without a file has no stop, and candidates may come from other feeds.
    private func listed(_ id: StopID) throws(StoreError) -> ListedStop? {
        do throws(StoreError) {
            return try directory.stop(id)
        } catch {
            guard error.kind == .missing, try !directory.feeds().isEmpty else { throw error }
            return nil
        }
    }

    private func candidates(_ text: String) throws(StoreError) -> [ListedStop] {
        try directory.candidates(forStop: text, limit: Candidate.maximumCount).found
    }

    /// The stops of other feeds with the same code, or else candidates.
    private func sameCode(_ id: StopID) throws(StoreError) -> [ListedStop] {
        let called = try directory.search(id.code, limit: Self.maximumMatches).found.filter {
            Self.has($0, code: id.code)
        }
        return called.isEmpty ? try candidates(id.description) : called
    }

    private static func has(_ stop: ListedStop, code: String) -> Bool {
        stop.id.code.lowercased() == code.lowercased() || stop.shortCode == code
    }

    /// The only stop found; or the only one whose code or short number is the text, or whose whole name is, or whose
    /// name begins with it before its letter.
    static func only(in found: [ListedStop], called text: String) -> ListedStop? {
        if found.count == 1 { return found.first }
        let tests: [(ListedStop) -> Bool] = [{ has($0, code: text) }, { $0.isNamed(text) }, { $0.isLettered(text) }]
        for test in tests {
            let matching = found.filter(test)
            if let first = matching.first { return matching.count == 1 ? first : nil }
        }
        return nil
    }

    /// Whether a text looks like a code rather than a name.
    private static func looksLikeCode(_ text: String) -> Bool {
        text.contains(where: \.isNumber) && !text.contains(where: \.isWhitespace)
    }
}

extension ListedStop {
    /// "Oxford Street N": the name, and the letter on the pole.
    package var nameWithLetter: String { letter.map { "\(name) \($0)" } ?? name }

    /// Whether the text is the whole name, with or without its letter, however written: "Oxford Street", "oxford st n".
    package func isNamed(_ text: String) -> Bool {
        let wanted = Folding.canonical(name: text)
        return ([name] + (letter.map { ["\(name) \($0)", "\(name) stop \($0)"] } ?? []))
            .contains { Folding.canonical(name: $0) == wanted }
    }

    /// Whether the text is the beginning of the name and its letter: "Manor House A" for A at Manor House Station.
    fileprivate func isLettered(_ text: String) -> Bool {
        let words = Folding.words(text)
        guard let letter, words.count > 1, words.last == letter.lowercased() else { return false }
        return Folding.words(name).starts(with: words.dropLast())
    }
}

extension Line {
    /// Whether the text is the first words of the name.
    fileprivate func begins(with text: String) -> Bool {
        let wanted = text.lowercased().split(separator: " ")
        return !wanted.isEmpty && name.lowercased().split(separator: " ").starts(with: wanted)
    }
}

extension [FavouriteEntry] {
    /// The favourites with this identifier, otherwise with this code, otherwise with this label; and the one with this
    /// number in the list, from 1, since a code may look like a number.
    package func called(_ text: String) -> [Favourite] {
        let named = Self.called(text, among: named)
        guard let number = Int(text), indices.contains(number - 1), case .stop(let favourite) = self[number - 1],
            !named.contains(favourite)
        else { return named }
        return named + [favourite]
    }

    private static func called(_ text: String, among favourites: [Favourite]) -> [Favourite] {
        let wanted = text.lowercased()
        let tests: [(Favourite) -> Bool] = [
            { $0.stop.description.lowercased() == wanted }, { $0.stop.code.lowercased() == wanted },
            { $0.label?.lowercased() == wanted },
        ]
        for test in tests {
            let matching = favourites.filter(test)
            if !matching.isEmpty { return matching }
        }
        return []
    }
}
