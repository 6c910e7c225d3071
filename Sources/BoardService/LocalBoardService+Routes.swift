public import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardStore
internal import Glibc

// The routes of lines.
extension LocalBoardService {
    /// The directory resolves the line, its operator reports the route.
    public func route(of text: String, feed: FeedName) async throws(ServiceError) -> RouteEntry {
        let (line, near) = try await DedicatedThread.attempt { [directory] in
            (
                try? directory.line(called: text, in: feed),
                (try? directory.candidates(forLine: text, in: feed, limit: Candidate.maximumCount).found) ?? []
            )
        }
        let source: (any StopCatalogue)?
        do {
            source = try catalogue(feed)
        } catch {
            throw ServiceError(.failed, "\(error)")
        }
        guard let source else { throw ServiceError(.notFound, "feed \(feed) has no line routes") }
        let route: LineRoute?
        do throws(FeedFailure) {
            route = try await source.route(of: line?.line.line.id ?? text)
        } catch {
            throw ServiceError(error)
        }
        guard let route else {
            throw ServiceError(
                .notFound, "\(feed): no line \"\(text)\"",
                candidates: near.map { Candidate(id: "\($0.feed):\($0.line.line.id)", name: $0.line.line.name) })
        }
        return RouteEntry(route, of: feed, isFavourite: try active().stops.contains)
    }

    /// The feed and the line of a text: `feed:line`, or the line alone where only one feed has it.
    package func line(_ text: String) async throws(ServiceError) -> (feed: FeedName, line: String) {
        let feeds = FeedRegistry.declarations
        if let id = StopID(text) {
            guard feeds[id.feed] != nil else { throw .unknownFeed(id.feed, known: feeds.names) }
            return (id.feed, id.code)
        }
        if let only = feeds.only { return (only.name, text) }
        let called = try await DedicatedThread.attempt { [directory] in
            ((try? directory.lines())?.found ?? []).filter { $0.line.line.isCalled(text) }
        }
        guard let first = called.first, Set(called.map(\.feed)).count == 1 else {
            throw ServiceError(
                .malformed, "\"\(text)\" is no line; write feed:line, such as tfl:73",
                candidates: called.prefix(Candidate.maximumCount).map {
                    Candidate(id: "\($0.feed):\($0.line.line.id)")
                })
        }
        return (first.feed, text)
    }

    /// The stops of a line that a text matches: by code, short number, name, or by the station or area that they are part of.
    ///
    /// - Throws: ``ServiceError`` with stops of the line when none matches.
    package func stops(called text: String, on route: RouteEntry) async throws(ServiceError) -> Set<String> {
        let matcher = RouteStopMatcher(route: route, directory: directory)
        return try await DedicatedThread.attempt { () throws(ServiceError) in try matcher.find(text) }
    }
}

/// Resolves `--stop` to stops of a line: by code, short number, name, or by the station or area that they are part of.
private struct RouteStopMatcher {
    let route: RouteEntry
    let directory: StopDirectory

    /// The matching stops. Blocks for a few queries.
    ///
    /// - Throws: ``ServiceError`` with stops of the line when none matches.
    func find(_ text: String) throws(ServiceError) -> Set<String> {
        let calls = route.directions.flatMap(\.branches).flatMap(\.stops)
        let wanted = text.lowercased()
        let called = calls.filter { call in
            call.stop.lowercased() == wanted || StopID(call.stop)?.code.lowercased() == wanted
        }
        if !called.isEmpty { return Set(called.map(\.stop)) }
        // Names of the line's own stops take precedence over those of others.
        let named = calls.filter { $0.name.lowercased().hasPrefix(wanted) }
        if !named.isEmpty { return Set(named.map(\.stop)) }
        // Without a directory only the line's own stops are searched.
        let resolution = try? StopResolver(directory: directory).find(text)
        let listed: [ListedStop] =
            switch resolution {
            case .unique(let stop): [stop]
            case .ambiguous(let stops): stops
            case .notFound, .unknownFeed, nil: []
            }
        let related = Set(
            listed.flatMap { stop in
                [stop.id] + (stop.parent.map { [$0] } ?? []) + ((try? directory.parts(of: stop.id)) ?? []).map(\.id)
            }.map(\.description))
        let onLine = related.intersection(calls.map(\.stop))
        if !onLine.isEmpty { return onLine }
        throw error(of: text, listed.first, calls)
    }

    private func error(of text: String, _ stop: ListedStop?, _ calls: [RouteEntry.Call]) -> ServiceError {
        let line = "line \(route.name)"
        guard let stop else {
            return ServiceError(
                .notFound, "\(line) has no stop \"\(text)\"", candidates: candidates(like: text, calls))
        }
        return ServiceError(
            .notFound, "\(line) does not call at \(stop.id) \(stop.name)",
            candidates: stop.coordinates.map { candidates(near: $0, calls) } ?? [])
    }

    /// The line's stops nearest to a place.
    private func candidates(near place: Coordinates, _ calls: [RouteEntry.Call]) -> [Candidate] {
        // Exact enough for a comparison: a degree of longitude is shorter by the cosine of the latitude.
        let narrowing = cos(place.latitude * .pi / 180)
        let near = calls.compactMap { call -> (call: RouteEntry.Call, square: Double)? in
            guard let latitude = call.latitude, let longitude = call.longitude else { return nil }
            let (north, east) = (latitude - place.latitude, (longitude - place.longitude) * narrowing)
            return (call, north * north + east * east)
        }
        return first(near.sorted { $0.square < $1.square }.map(\.call))
    }

    /// The line's stops whose names contain a word of the text.
    private func candidates(like text: String, _ calls: [RouteEntry.Call]) -> [Candidate] {
        let words = text.lowercased().split(separator: " ").filter { $0.count > 2 }
        return first(calls.filter { call in words.contains { call.name.lowercased().contains($0) } })
    }

    private func first(_ calls: [RouteEntry.Call]) -> [Candidate] {
        var seen: Set<String> = []
        return calls.filter { seen.insert($0.stop).inserted }.prefix(Candidate.maximumCount).map { call in
            Candidate(id: call.stop, name: call.letter.map { "\(call.name) \($0)" } ?? call.name)
        }
    }
}
