internal import BoardCore
package import BoardStore
internal import Glibc

/// Resolves `--stop` to stops of a line: by code, short number, name, or by the station or area that they are part of.
package struct RouteStopMatcher: Sendable {
    private let route: RouteEntry
    private let directory: StopDirectory

    package init(route: RouteEntry, directory: StopDirectory) {
        self.route = route
        self.directory = directory
    }

    /// The matching stops. Blocks for a few queries.
    ///
    /// - Throws: ``ServiceError`` with stops of the line when none matches.
    package func find(_ text: String) throws(ServiceError) -> Set<String> {
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
