internal import BoardControl
internal import BoardCore
internal import BoardStore

/// Which stop a person meant who wrote one: `feed:code`, a code or the short number on a pole alone, or a name that only
/// one stop has.
///
/// Calls block for as long as a few queries of the stop directory take.
struct StopMeaning: Sendable {
    /// How many matches are looked through for the one that is the whole text.
    private static let mostMatches = 50

    let directory: StopDirectory
    /// The feeds that there are.
    let feeds: [FeedName]

    /// The stop that is meant; what is written `feed:code` is taken as it is where the directory does not know better.
    ///
    /// - Throws: ``ControlRefusal`` with the stops that may be meant.
    func stop(_ text: String) throws(ControlRefusal) -> StopID {
        if let id = StopID(text), feeds.contains(id.feed) { return asListed(id) }
        let found: [ListedStop]
        do throws(DirectoryFailure) {
            found = try directory.search(text, limit: Self.mostMatches).found
        } catch {
            // Without any list a code can still be the operator's only one's.
            if error.kind == .missing, let only = feeds.first, feeds.count == 1, Self.looksLikeCode(text) {
                return StopID(feed: only, code: text)
            }
            throw ControlRefusal(
                error.kind == .missing ? .unavailable : .failed,
                "\"\(text)\" cannot be looked up: \(error). A stop written feed:code, such as tfl:490008660N, needs no list"
            )
        }
        if let only = Self.only(in: found, called: text) { return only.id }
        guard found.isEmpty else {
            throw ControlRefusal(
                .notFound, "\"\(text)\" can mean several stops; write the one that is meant as feed:code",
                candidates: found.prefix(FavouriteKeeping.candidates).map { Candidate($0) })
        }
        let near = (try? directory.candidates(forStop: text, limit: FavouriteKeeping.candidates))?.found ?? []
        throw ControlRefusal(.notFound, "there is no stop \"\(text)\"", candidates: near.map { Candidate($0) })
    }

    /// An identifier in the operator's own letters: people write `tfl:490008660n`.
    private func asListed(_ id: StopID) -> StopID {
        if let listed = try? directory.stop(id) { return listed.id }
        let found = (try? directory.search(id.code, limit: Self.mostMatches))?.found ?? []
        return found.first { $0.id.feed == id.feed && $0.id.code.lowercased() == id.code.lowercased() }?.id ?? id
    }

    /// The one stop of these that has the text as its code, its short number or its whole name, or that is alone.
    private static func only(in found: [ListedStop], called text: String) -> ListedStop? {
        if found.count == 1 { return found.first }
        let wanted = text.lowercased()
        let tests: [(ListedStop) -> Bool] = [
            { $0.id.code.lowercased() == wanted || $0.shortCode == text },
            { stop in
                let name = stop.name.lowercased()
                let letter = stop.letter?.lowercased()
                return name == wanted
                    || letter.map { wanted == "\(name) \($0)" || wanted == "\(name) stop \($0)" } ?? false
            },
        ]
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
