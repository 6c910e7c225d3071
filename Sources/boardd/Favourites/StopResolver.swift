internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore

/// Which stop a person meant who wrote one: `feed:code`, a code or the short number on a pole alone, or a name that only
/// one stop has.
///
/// Calls block for as long as a few queries of the stop directory take.
struct StopResolver: Sendable {
    /// What came of it.
    enum Resolution: Sendable {
        /// The one stop that is called so.
        case one(ListedStop)
        /// Several are.
        case several([ListedStop])
        /// There is none; what may have been meant.
        case nothing([ListedStop])
        /// There is no such feed; what may have been meant.
        case noFeed(FeedName, [ListedStop])
    }

    /// How many matches are looked through for the one that is the whole text.
    private static let mostMatches = 50

    let directory: StopDirectory
    /// The feeds that there are, or may be.
    let feeds: FeedDeclarations

    /// With the feeds of this program.
    init(directory: StopDirectory, feeds: FeedDeclarations = FeedRegistry.declarations) {
        self.directory = directory
        self.feeds = feeds
    }

    /// The stop of the directory that is meant.
    ///
    /// - Throws: ``DirectoryFailure`` when no file gave an answer.
    func find(_ text: String) throws(DirectoryFailure) -> Resolution {
        let id = StopID(text)
        if let id, try isKnown(id.feed) {
            if let listed = try listed(id) { return .one(listed) }
            // In the operator's own letters: people write `tfl:490008660n`.
            let called = try directory.search(id.code, limit: Self.mostMatches).found.filter { stop in
                stop.id.feed == id.feed && (Self.has(stop, code: id.code))
            }
            if let first = called.first { return called.count == 1 ? .one(first) : .several(called) }
            return .nothing(try candidates(text))
        }
        let found = try directory.search(text, limit: Self.mostMatches).found
        if let only = Self.only(in: found, called: text) { return .one(only) }
        guard found.isEmpty else { return .several(found) }
        if let id { return .noFeed(id.feed, try sameCode(id)) }
        return .nothing(try candidates(text))
    }

    /// The stop that is meant; what is written `feed:code` is taken as it is where the directory does not know better.
    ///
    /// - Throws: ``ControlError`` with the stops that may be meant.
    func stop(_ text: String) throws(ControlError) -> StopID {
        let known = StopID(text).flatMap { feeds[$0.feed] == nil ? nil : $0 }
        let answer: Resolution
        do throws(DirectoryFailure) {
            answer = try find(text)
        } catch {
            if let known { return known }
            if let id = StopID(text) { throw refusal(.noFeed(id.feed, []), of: text) }
            // Without any list a code can still be the operator's only one's.
            if error.kind == .missing, let only = feeds.only, Self.looksLikeCode(text) {
                return StopID(feed: only.name, code: text)
            }
            throw ControlError(
                error.kind == .missing ? .unavailable : .failed,
                "\"\(text)\" cannot be looked up: \(error). A stop written feed:code, such as tfl:490008660N, needs no list"
            )
        }
        if case .one(let stop) = answer { return stop.id }
        if let known { return known }
        throw refusal(answer, of: text)
    }

    /// The code of the stop at which departures from another one are to call: written as that code alone, as `feed:code`,
    /// or as a name. What the other one's operator tells nobody is handed back as it is, since the file refuses it.
    ///
    /// - Throws: ``ControlError`` with the stops that may be meant.
    func code(ofTowards text: String, from stop: StopID) throws(ControlError) -> String {
        guard let declaration = FeedRegistry.feedOperator(stop.feed)?.declaration, declaration.takesTowards,
            declaration.problem(aboutStop: text) != nil
        else { return text }
        // People write a code in small letters, too, which may otherwise be the beginning of many names.
        let capitals = text.uppercased()
        if declaration.problem(aboutStop: capitals) == nil { return capitals }
        let other = try self.stop(text)
        guard other.feed == stop.feed else {
            throw ControlError(
                .invalid,
                "towards must be a stop of \(stop.feed) like \(stop) itself, and \(other) is one of \(other.feed)"
            )
        }
        return other.code
    }

    /// Why an answer is no stop.
    func refusal(_ answer: Resolution, of text: String) -> ControlError {
        let (sentence, stops): (String, [ListedStop]) =
            switch answer {
            case .one(let stop): ("\"\(text)\" is not certain", [stop])
            case .several(let stops):
                ("\"\(text)\" can mean several stops; write the one that is meant as feed:code", stops)
            case .nothing(let near): ("there is no stop \"\(text)\"", near)
            case .noFeed(let feed, let near):
                (
                    "there is no feed \"\(feed)\"; known feeds: \(feeds.names.joined(separator: ", "))",
                    near
                )
            }
        return ControlError(
            .notFound, sentence, candidates: stops.prefix(Candidate.usualCount).map { Candidate($0) })
    }

    private func isKnown(_ feed: FeedName) throws(DirectoryFailure) -> Bool {
        if feeds[feed] != nil { return true }
        return try directory.feeds().contains(feed)
    }

    /// A feed without a file knows no stop, and another may be meant.
    private func listed(_ id: StopID) throws(DirectoryFailure) -> ListedStop? {
        do throws(DirectoryFailure) {
            return try directory.stop(id)
        } catch {
            guard error.kind == .missing, try !directory.feeds().isEmpty else { throw error }
            return nil
        }
    }

    private func candidates(_ text: String) throws(DirectoryFailure) -> [ListedStop] {
        try directory.candidates(forStop: text, limit: Candidate.usualCount).found
    }

    /// The stops that have an identifier's code in another feed, or otherwise nearly.
    private func sameCode(_ id: StopID) throws(DirectoryFailure) -> [ListedStop] {
        let called = try directory.search(id.code, limit: Self.mostMatches).found.filter { Self.has($0, code: id.code) }
        return called.isEmpty ? try candidates(id.description) : called
    }

    private static func has(_ stop: ListedStop, code: String) -> Bool {
        stop.id.code.lowercased() == code.lowercased() || stop.shortCode == code
    }

    /// The one stop of these that has the text as its code, its short number or its whole name, or that is alone.
    private static func only(in found: [ListedStop], called text: String) -> ListedStop? {
        if found.count == 1 { return found.first }
        let tests: [(ListedStop) -> Bool] = [{ has($0, code: text) }, { $0.isNamed(text) }]
        for test in tests {
            let matching = found.filter(test)
            if let first = matching.first { return matching.count == 1 ? first : nil }
        }
        return nil
    }

    /// Whether a text is rather a code than a name.
    private static func looksLikeCode(_ text: String) -> Bool {
        text.contains(where: \.isNumber) && !text.contains(where: \.isWhitespace)
    }
}

extension ListedStop {
    /// Whether this is its whole name, with or without its letter, in any case: "Oxford Street", "oxford street n".
    func isNamed(_ text: String) -> Bool {
        let wanted = text.lowercased()
        let name = name.lowercased()
        guard wanted != name else { return true }
        guard let letter = letter?.lowercased() else { return false }
        return wanted == "\(name) \(letter)" || wanted == "\(name) stop \(letter)"
    }
}

extension [Favourite] {
    /// The favourite that a person meant: by its identifier, its code, or the label that they gave it; nil when none or
    /// several may be.
    func called(_ text: String) -> Favourite? {
        let wanted = text.lowercased()
        let tests: [(Favourite) -> Bool] = [
            { $0.stop.description.lowercased() == wanted }, { $0.stop.code.lowercased() == wanted },
            { $0.label?.lowercased() == wanted },
        ]
        for test in tests {
            let matching = filter(test)
            if let first = matching.first { return matching.count == 1 ? first : nil }
        }
        return nil
    }
}
