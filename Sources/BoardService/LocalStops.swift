public import BoardCore
import BoardFeeds
import BoardIO
import BoardStore

// Stops and lines.
extension LocalBoardService {
    public func stops(matching text: String, limit: Int, isOnline: Bool) async throws(ServiceError) -> [StopEntry] {
        let found = try await searched(isOnline).stops(matching: text, limit: limit).complete()
        return try entries(found)
    }

    public func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> [StopEntry] {
        let found = try await searched(isOnline).stops(near: place, within: radius, modes: modes, limit: limit)
            .complete()
        return try entries(found)
    }

    /// A search of the directory and, if it may be online, of the operators that somebody has chosen.
    private func searched(_ isOnline: Bool) throws(ServiceError) -> StopSearch {
        let active = try active()
        return StopSearch(directory, active.feeds, using: isOnline ? active.chosenFeeds : [])
    }

    /// A stop as far as favourites.toml has it; nil: it is not a favourite.
    private func favouriteDetail(_ id: StopID) throws(ServiceError) -> StopDetail? {
        guard let favourite = try active().configuration.favourites.first(where: { $0.stop == id }) else { return nil }
        let stop = ListedStop(
            id: id, kind: .pole, name: favourite.name ?? favourite.label ?? id.description,
            coordinates: favourite.location)
        return StopDetail(StopEntry(stop, isFavourite: true))
    }

    /// A search of the directory, and of the operators in use.
    ///
    /// - Parameter isOnline: whether to include operators that no favourite uses.
    package func search(isOnline: Bool = false) throws(ServiceError) -> StopSearch {
        let active = try active()
        return StopSearch(
            directory, active.feeds, using: isOnline ? Set(active.feeds.keys) : Set(active.stops.map(\.feed)))
    }

    /// A search of the directory, and of one operator.
    package func search(in feed: FeedName) throws(ServiceError) -> StopSearch {
        StopSearch(directory, try active().feeds, using: [feed])
    }

    public func stop(_ id: StopID, isOnline: Bool) async throws(ServiceError) -> StopDetail {
        if let finder = try active().feeds[id.feed]?.finder {
            guard isOnline else {
                if let favourite = try favouriteDetail(id) { return favourite }
                throw ServiceError(
                    .notPaired, "only the operator has \(id), and only paired devices may cause a request")
            }
            let stop = try await finder.existing(id)
            return StopDetail(StopEntry(stop, isFavourite: try active().stops.contains(id)))
        }
        if let reason = FeedRegistry.missingListReason(of: id.feed) { throw ServiceError(.notFound, reason) }
        let (stop, parts): (ListedStop?, [ListedStop])
        do throws(ServiceError) {
            (stop, parts) = try await directory.read { directory in
                (try directory.stop(id), try directory.parts(of: id))
            }
        } catch {
            if error.kind == .noDirectory, let favourite = try favouriteDetail(id) { return favourite }
            throw error
        }
        guard let stop else {
            throw ServiceError(.notFound, "there is no stop \"\(id)\"", candidates: try await candidates(for: id))
        }
        return StopDetail(StopEntry(stop, isFavourite: try active().stops.contains(id)), parts: try entries(parts))
    }

    public func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry] {
        if let feed { try checkList(of: feed) }
        let result = try await directory.read { try $0.lines(of: feed) }
        return result.found.map { LineEntry($0.line, of: $0.feed) }
    }

    // MARK: What a user wrote

    /// Resolves texts with the stop directory; its messages list the configured feeds first.
    package func resolver() throws(ServiceError) -> StopResolver {
        StopResolver(directory: directory, known: try active().configuration.feedNames(of: FeedRegistry.declarations))
    }

    /// The stop that a text means: a favourite's label or number in the list, `feed:code`, a code, the number on the pole,
    /// or a name that only one stop has.
    ///
    /// - Parameter isOnline: whether to include operators that no favourite uses.
    /// - Throws: ``ServiceError`` with the candidates.
    package func stop(called text: String, isOnline: Bool = false) async throws(ServiceError) -> StopID {
        let called = try active().configuration.entries.called(text)
        if let only = called.first, called.count == 1 { return only.stop }
        let resolver = try resolver()
        let failure: ServiceError
        do throws(ServiceError) {
            let stop = try await DedicatedThread.attempt { try resolver.stop(text) }
            // An identifier is not a name, and a name that only one stop in the lists has needs no request.
            if !isOnline || StopID(text) != nil { return stop }
            failure = StopResolver.notFound(text)
        } catch {
            failure = error
        }
        let search = try search(isOnline: isOnline)
        guard !search.isLocal, StopID(text) == nil, [.notFound, .noDirectory, .invalid].contains(failure.kind) else {
            throw failure
        }
        let found = try await search.stops(matching: text, limit: StopResolver.maximumMatches).complete()
        if let only = StopResolver.only(in: found, called: text) { return only.id }
        throw found.isEmpty ? failure : StopResolver.ambiguous(text, found)
    }

    /// The place that a text means: of one stop, of several stops around one place, such as both sides of a road, or of the
    /// only station.
    ///
    /// - Throws: ``ServiceError`` with the candidates.
    package func place(called text: String, isOnline: Bool = false) async throws(ServiceError) -> Coordinates {
        if try active().configuration.entries.called(text).isEmpty {
            let search = try? await search(isOnline: isOnline).stops(matching: text, limit: StopResolver.maximumMatches)
            let found = search?.found ?? []
            let named = found.filter { $0.isNamed(text) }
            for stops in named.isEmpty ? [found, found.filter { $0.kind == .station }] : [named] {
                let places = stops.compactMap(\.coordinates)
                if let first = places.first, places.allSatisfy({ $0.distance(to: first) <= Self.onePlace }) {
                    return first
                }
            }
        }
        let stop = try await stop(called: text, isOnline: isOnline)
        let entry = try await self.stop(stop).stop
        guard let place = Coordinates(latitude: entry.latitude, longitude: entry.longitude) else {
            throw ServiceError(.notFound, "the operator reports no location for \(stop); write latitude,longitude")
        }
        return place
    }

    /// The largest distance between stops of one place: across a large interchange.
    private static let onePlace = Metres(300)

    /// Stops for output, with favourites marked.
    package func entries(_ stops: [ListedStop]) throws(ServiceError) -> [StopEntry] {
        let favourites = try active().stops
        return stops.map { StopEntry($0, isFavourite: favourites.contains($0.id)) }
    }

    package func entries(_ stops: [NearStop]) throws(ServiceError) -> [StopEntry] {
        let favourites = try active().stops
        return stops.map { StopEntry($0.stop, distance: $0.distance, isFavourite: favourites.contains($0.stop.id)) }
    }

    /// The stops of the directory that are similar to an identifier.
    func candidates(for stop: StopID) async throws(ServiceError) -> [Candidate] {
        let found = try await DedicatedThread.attempt { [directory] in
            (try? directory.candidates(forStop: stop.description, limit: Candidate.maximumCount))?.found
        }
        return (found ?? []).map { Candidate($0) }
    }
}

extension StopFinder {
    /// The stop with an identifier. Its code stands in if the operator reports no name.
    fileprivate func existing(_ id: StopID) async throws(ServiceError) -> ListedStop {
        do throws(FeedError) {
            return try await stop(id) ?? ListedStop(id: id, kind: .station, name: id.code)
        } catch {
            let failure = ServiceError(error)
            throw failure.kind == .notFound ? failure.with(message: "there is no stop \(id): \(error.detail)") : failure
        }
    }
}
