public import BoardCore

/// The entries of favourites.toml: `[[stop]]` and `[[nearby]]` tables, in the order of the file.
struct FavouritesFile {
    let entries: [FavouriteEntry]

    /// Reads the file; every fault goes to `collector`. Skips a favourite without a valid stop, a `[[nearby]]` table
    /// without a valid location, and duplicates.
    ///
    /// - Parameter known: the feed names for messages; nil: those of the declarations.
    init(
        _ document: TOMLDocument, declarations: FeedDeclarations, known: [String]? = nil,
        stopProblem: (StopID) -> String? = { _ in nil }, into collector: FaultCollector
    ) {
        var root = TableReader(document, into: collector)
        let stops = root.tables("stop", name: "stop") ?? []
        let searches = root.tables("nearby", name: "nearby") ?? []
        root.finish()
        var seen = Seen(source: document.source)
        let stop = ValueKind<StopID>.stop(of: declarations, known: known ?? declarations.names)
        let named = stops.map {
            ($0.offset ?? 0, Self.readStop($0, stop, of: declarations, stopProblem, &seen).map(FavouriteEntry.stop))
        }
        let near = searches.map { ($0.offset ?? 0, Self.readNearby($0, seen: &seen).map(FavouriteEntry.nearby)) }
        entries = (named + near).sorted { $0.0 < $1.0 }.compactMap(\.1)
    }

    /// The entries read so far, each with its line.
    private struct Seen {
        let source: SourceText
        var stops: [StopID: Int] = [:]
        var searches: [Nearby: Int] = [:]
    }

    private static func readStop(
        _ table: TableReader, _ stop: ValueKind<StopID>, of declarations: FeedDeclarations,
        _ stopProblem: (StopID) -> String?, _ seen: inout Seen
    ) -> Favourite? {
        var reader = table
        let id = reader.required("id", stop)
        var favourite = Favourite(stop: id ?? StopID(feed: FeedName(""), code: ""))
        for field in FavouriteField.all { reader.optional(field.name, field.kind)?(&favourite) }
        reader.finish()
        guard let id, let offset = reader.offset(of: "id") else { return nil }
        if let first = seen.stops[id] {
            reader.report(at: offset, "\(id) is already a favourite, on line \(first): remove one")
            return nil
        }
        seen.stops[id] = seen.source.position(at: offset).line
        if let stopProblem = stopProblem(id) { reader.report(at: offset, "id: \(id) \(stopProblem)") }
        for code in favourite.towards {
            let other = StopID(feed: id.feed, code: code)
            let fault =
                problem(withTowards: other, declarations) ?? stopProblem(other).map { "towards: \(other) \($0)" }
            if let fault {
                reader.report(at: reader.offset(of: "towards"), fault, value: InvalidValue("towards", .format))
                favourite.towards = []
                break
            }
        }
        return favourite
    }

    /// Why a favourite cannot have this `towards`; nil if it can.
    private static func problem(withTowards other: StopID, _ declarations: FeedDeclarations) -> String? {
        guard let declaration = declarations[other.feed] else { return nil }
        if declaration.takesTowards {
            return declaration.problem(aboutStop: other.code).map {
                "towards: \"\(other.code)\" is not a stop of \(declaration.title): it \($0)"
            }
        }
        let able = declarations.feeds.filter(\.takesTowards).map { "\($0.name) (\($0.title))" }
        let allowed = able.isEmpty ? "no feed takes it" : "it is for stops of \(able.joined(separator: ", "))"
        return "towards: \(declaration.title) does not report calling points; \(allowed). Remove it; use lines, "
            + "platforms or directions instead"
    }

    private static func readNearby(_ table: TableReader, seen: inout Seen) -> Nearby? {
        var reader = table
        let location = reader.required("location", ValueKind<Coordinates>.coordinates)
        let radius = reader.optional("radius", ValueKind<Metres>.radius)
        let stops = reader.optional("stops", .integer(1...9))
        let modes = reader.value("modes", .texts(example: "[\"bus\"]"), default: [])
        reader.finish()
        guard let location, let offset = reader.offset(of: "location") else { return nil }
        let standard = Nearby(location: location)
        let search = Nearby(
            location: location, radius: radius ?? standard.radius, stops: stops ?? standard.stops, modes: modes)
        // Neither the order nor the case of the modes matters.
        let normalised = Nearby(
            location: location, radius: search.radius, stops: search.stops,
            modes: modes.map { $0.lowercased() }.sorted())
        if let first = seen.searches[normalised] {
            reader.report(at: offset, "duplicate of the [[nearby]] table on line \(first): remove one")
            return nil
        }
        seen.searches[normalised] = seen.source.position(at: offset).line
        return search
    }
}

extension ValueKind<StopID> {
    static func stop(of declarations: FeedDeclarations, known: [String]) -> ValueKind {
        let feeds = "known feeds: \(known.joined(separator: ", "))"
        return ValueKind(allowed: "a stop as \"feed:code\"; \(feeds)") { (node) throws(ValueError) in
            guard case .text(let text) = node.value, text.isOneLine, let stop = StopID(text) else {
                throw .notAllowed(node)
            }
            guard let declaration = declarations[stop.feed] else {
                let nearest = Spelling.nearest(to: stop.feed.description, of: declarations.names)
                let hint = nearest.map { "did you mean \"\($0):\(stop.code)\"? " } ?? ""
                throw .message("is of an unknown feed; \(hint)\(feeds)", node)
            }
            if let stopProblem = declaration.problem(aboutStop: stop.code) {
                throw .message("is not a stop of \(declaration.title): the part after the colon \(stopProblem)", node)
            }
            return stop
        }
    }
}

extension Metres {
    /// Parses "400m", "1.5km" or "400" (metres): digits, at most one decimal point, a unit. Nil for any other text.
    public init?(written text: some StringProtocol) {
        let isKilometres = text.hasSuffix("km")
        let digits = text.dropLast(isKilometres ? 2 : text.hasSuffix("m") ? 1 : 0)
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
            let number = Double(String(digits))
        else { return nil }
        self.init(isKilometres ? number * 1_000 : number)
    }
}

extension ValueKind<Metres> {
    /// The radius of a `[[nearby]]` search: from the next corner to farther than anyone walks.
    static let radius = ValueKind(
        allowed: "a distance from 20m to 5km, such as \"400m\" or \"1.5km\", or a number of metres"
    ) { (node) throws(ValueError) in
        guard let text = node.numberOrText, let radius = Metres(written: text),
            Metres(20) <= radius, radius <= Metres(5_000)
        else { throw .notAllowed(node) }
        return radius
    }
}

extension ValueKind<Coordinates> {
    /// Coordinates as copied from a map.
    static let coordinates = ValueKind(allowed: "latitude and longitude as \"51.5154,-0.1419\"") {
        (node) throws(ValueError) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        do throws(PlainError) {
            return try Coordinates(written: text)
        } catch {
            guard error != Coordinates.notCoordinates else { throw .notAllowed(node) }
            throw .message("\(error)", node)
        }
    }
}

/// The entries of favourites.toml, resolved with the stop directory: `[[nearby]]` entries become stops, and stops have
/// names before the first poll.
public struct FavouriteResolution: Hashable, Sendable {
    /// The board's favourites, in order.
    public let favourites: [Favourite]
    /// Names from the directory, or from the file.
    public let known: [StopID: Stop]
    /// Places from the directory.
    public let places: [StopID: Coordinates]

    /// Resolves all entries. Blocks for a few queries.
    ///
    /// - Parameter onFailure: called for a directory that cannot be read; nearby stops are then left out.
    public init(
        _ entries: [FavouriteEntry], in directory: StopDirectory, onFailure: (StoreError) -> Void = { _ in }
    ) {
        favourites = entries.favourites { nearby in
            let result = directory.stops(of: nearby)
            result.failures.forEach(onFailure)
            return result.found.map { ($0.stop.id, $0.distance) }
        }
        var known: [StopID: Stop] = [:]
        var places: [StopID: Coordinates] = [:]
        for favourite in favourites {
            // A name is optional: other code reports faults of the directory.
            if let stop = try? directory.stop(favourite.stop) {
                known[favourite.stop] = Stop(id: stop.id, name: stop.name, letter: stop.letter)
                places[favourite.stop] = stop.coordinates
            } else if let name = favourite.name {
                known[favourite.stop] = Stop(id: favourite.stop, name: name)
            }
        }
        self.known = known
        self.places = places
    }
}

extension StopDirectory {
    /// The stops of a `[[nearby]]` entry, nearest first. Blocks.
    package func stops(of nearby: Nearby) -> DirectoryResult<NearStop> {
        do throws(StoreError) {
            return try near(nearby.location, within: nearby.radius, modes: nearby.modes, limit: nearby.stops)
        } catch {
            return DirectoryResult(found: [], failures: [error])
        }
    }
}
