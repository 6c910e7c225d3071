internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import Glibc

/// Which stops of a line a person meant with `--stop`: by code, by short number, by name, or by the station or area whose
/// part they are.
struct RouteStopMatcher {
    let route: RouteEntry
    let directory: StopDirectory

    /// The stops that are meant. Blocks for as long as a few queries take.
    ///
    /// - Throws: ``ControlError`` with stops of the line when none is meant.
    func find(_ text: String) throws(ControlError) -> Set<String> {
        let calls = route.directions.flatMap(\.branches).flatMap(\.stops)
        let wanted = text.lowercased()
        let called = calls.filter { call in
            call.stop.lowercased() == wanted || StopID(call.stop)?.code.lowercased() == wanted
        }
        if !called.isEmpty { return Set(called.map(\.stop)) }
        // What the line's own stops are called comes before what any others are.
        let named = calls.filter { $0.name.lowercased().hasPrefix(wanted) }
        if !named.isEmpty { return Set(named.map(\.stop)) }
        // Without a directory the line's own stops are all that is known.
        let meant = try? StopResolver(directory: directory).find(text)
        let listed: [ListedStop] =
            switch meant {
            case .one(let stop): [stop]
            case .several(let stops): stops
            case .nothing, .noFeed, nil: []
            }
        let related = Set(
            listed.flatMap { stop in
                [stop.id] + (stop.parent.map { [$0] } ?? []) + ((try? directory.parts(of: stop.id)) ?? []).map(\.id)
            }.map(\.description))
        let onLine = related.intersection(calls.map(\.stop))
        if !onLine.isEmpty { return onLine }
        throw refusal(of: text, listed.first, calls)
    }

    private func refusal(of text: String, _ stop: ListedStop?, _ calls: [RouteEntry.Call]) -> ControlError {
        let line = "line \(route.name)"
        guard let stop else {
            return ControlError(
                .notFound, "\(line) calls at no stop \"\(text)\"", candidates: candidates(like: text, calls))
        }
        return ControlError(
            .notFound, "\(line) does not call at \(stop.id) \(stop.name)",
            candidates: stop.coordinates.map { candidates(near: $0, calls) } ?? [])
    }

    /// The line's stops that are nearest to a place.
    private func candidates(near place: Coordinates, _ calls: [RouteEntry.Call]) -> [Candidate] {
        // Near enough to compare by: a degree of longitude is shorter by the cosine of the latitude.
        let narrowing = cos(place.latitude * .pi / 180)
        let near = calls.compactMap { call -> (call: RouteEntry.Call, square: Double)? in
            guard let latitude = call.latitude, let longitude = call.longitude else { return nil }
            let (north, east) = (latitude - place.latitude, (longitude - place.longitude) * narrowing)
            return (call, north * north + east * east)
        }
        return first(near.sorted { $0.square < $1.square }.map(\.call))
    }

    /// The line's stops that have a word of the text in their name.
    private func candidates(like text: String, _ calls: [RouteEntry.Call]) -> [Candidate] {
        let words = text.lowercased().split(separator: " ").filter { $0.count > 2 }
        return first(calls.filter { call in words.contains { call.name.lowercased().contains($0) } })
    }

    private func first(_ calls: [RouteEntry.Call]) -> [Candidate] {
        var seen: Set<String> = []
        return calls.filter { seen.insert($0.stop).inserted }.prefix(Candidate.usualCount).map { call in
            Candidate(id: call.stop, name: call.letter.map { "\(call.name) \($0)" } ?? call.name)
        }
    }
}
