public import BoardCore
internal import BoardIO
internal import BoardStore

// The map of stops.
extension LocalBoardService {
    public func stops(
        in box: BoundingBox, near place: Coordinates?, limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> StopsInBox {
        do throws(ServiceError) {
            let found = try await DedicatedThread.attempt { () throws(ServiceError) -> StopsInBox in
                try self.found(in: box, limit: limit)
            }
            guard let place else { return found }
            if !isOnline || !found.stops.isEmpty { return found.drawn(near: place) }
        } catch {
            guard isOnline, place != nil, error.kind == .noDirectory else { throw error }
        }
        guard let place else { return StopsInBox([], total: 0, attributions: []) }
        let stops = try await stops(
            near: place, within: box.radius(around: place), modes: [], limit: limit, isOnline: true)
        return StopsInBox(stops, total: stops.count, attributions: [])
    }

    public func map(_ request: MapRequest) async throws(ServiceError) -> String {
        var route: RouteEntry?
        if let line = request.line { route = try await self.route(of: line.line, feed: line.feed) }
        let words = MapWords.of(try active().configuration.board.language)
        return try await DedicatedThread.attempt { [route] () throws(ServiceError) in
            try drawn(request, route, words)
        }
    }

    /// Blocks for some queries.
    private func drawn(_ request: MapRequest, _ route: RouteEntry?, _ words: MapWords) throws(ServiceError) -> String {
        guard let box = MapPicture.box(of: request) else {
            throw ServiceError(.malformed, "there is no map around \(request.centre)")
        }
        var stops = try found(in: box, limit: MapRequest.maximumStops)
        // Without a list of its feed the stop is not marked.
        let marked = request.stop.flatMap { try? directory.stop($0) }
        let others = Set([request.line?.feed, marked?.id.feed].compactMap { $0 })
        for attribution in try attributions(of: others) where !stops.attributions.contains(attribution) {
            stops.attributions.append(attribution)
        }
        let entry = try marked.map { stop throws(ServiceError) in try entries([stop]) }?.first
        return MapPicture(request, of: stops, marked: entry, route: route, words: words).svg
    }

    /// The stops of a box. Blocks for some queries.
    private func found(in box: BoundingBox, limit: Int) throws(ServiceError) -> StopsInBox {
        let stops: [ListedStop]
        let total: Int
        do throws(DirectoryFailure) {
            let (result, count) = try directory.stops(in: box, limit: limit)
            (stops, total) = (result.found, count)
        } catch {
            throw ServiceError(error)
        }
        return StopsInBox(
            try entries(stops), total: total, attributions: try attributions(of: Set(stops.map(\.id.feed))))
    }

    /// The attributions of feeds in use, in the order of their names, each once.
    private func attributions(of feeds: Set<FeedName>) throws(ServiceError) -> [String] {
        let active = try active().feeds
        let all = feeds.sorted { $0.description < $1.description }.compactMap { active[$0]?.profile.attribution }
        return all.indices.filter { all.firstIndex(of: all[$0]) == $0 }.map { all[$0] }
    }
}
