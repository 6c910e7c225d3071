internal import BoardCore

extension StopsInBox {
    /// Whether the box has more stops than a map shows.
    var isCrowded: Bool { total > MapRequest.maximumStops }

    /// The stops that a map of the box draws. Where there are too many, only interchanges and stations. Of an interchange and its
    /// stations, which would cover each other, the interchange alone then, and otherwise its parts.
    var drawn: [StopEntry] {
        let stops = stops.prefix(MapRequest.maximumStops)
        guard isCrowded else {
            let parents = Set(stops.compactMap(\.parent))
            return stops.filter { !parents.contains($0.stop) }
        }
        let interchanges = Set(stops.filter { $0.kind == .interchange }.map(\.stop))
        return stops.filter { stop in
            switch stop.kind {
            case .interchange: true
            case .station: !(stop.parent.map(interchanges.contains) ?? false)
            case .area, .pole: stop.isFavourite
            }
        }
    }

    /// The stops that a map of the box draws, the nearest to a place first, with their distances.
    func drawn(near place: Coordinates) -> StopsInBox {
        let listed = drawn.compactMap { stop -> StopEntry? in
            guard let latitude = stop.latitude, let longitude = stop.longitude,
                let position = Coordinates(latitude: latitude, longitude: longitude)
            else { return nil }
            var stop = stop
            stop.distanceMetres = place.distance(to: position).count
            return stop
        }
        return StopsInBox(
            listed.sorted { ($0.distanceMetres ?? 0) < ($1.distanceMetres ?? 0) }, total: total,
            attributions: attributions)
    }
}

extension BoundingBox {
    /// The distance from a place in the middle to the farther of the southern and the western edge, at most ``maximumRadius``.
    func radius(around place: Coordinates) -> Metres {
        let edges = [(south, place.longitude), (place.latitude, west)].compactMap {
            Coordinates(latitude: $0.0, longitude: $0.1)
        }
        let farthest = edges.map { place.distance(to: $0).count }.max() ?? Self.maximumRadius
        return Metres(min(max(farthest, 1), Self.maximumRadius))
    }

    /// In metres; the maximum of a search near a place.
    private static var maximumRadius: Double { 5_000 }
}
