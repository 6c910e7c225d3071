public import BoardCore

extension MOTISFeed: StopFinder {
    /// The largest search radius: more would be half a country's platforms.
    static let largestRadius = Metres(5_000)

    public var maximumRadius: Metres { Self.largestRadius }

    public var finder: (any StopFinder)? { self }

    /// Searches stops with the geocoder.
    public func stops(matching text: String, limit: Int) async throws(FeedFailure) -> [ListedStop] {
        // Geocoders return a stop once for each way in which its name matches.
        try await api.matches(text).uniqued(by: \.code).prefix(limit).map { $0.listed(as: profile.name) }
    }

    /// Searches the map, up to five kilometres around. Platforms and stops of one name are one stop, as their departures are,
    /// unless they are farther apart than ``walkingDistance``.
    public func stops(
        near place: Coordinates, within radius: Metres, limit: Int
    ) async throws(FeedFailure) -> [(stop: ListedStop, distance: Metres)] {
        let radius = min(radius, Self.largestRadius)
        var mapped: [MOTISMatch] = []
        for box in place.boxes(within: radius) {
            guard let corners = box.corners else { continue }
            mapped += try await api.mapped(from: corners.low, to: corners.high)
        }
        let near = mapped.map { (match: $0, distance: place.distance(to: $0.coordinates)) }
            .filter { $0.distance <= radius }
            .sorted { ($0.distance, $0.match.code) < ($1.distance, $1.match.code) }
        var distinct: [(match: MOTISMatch, distance: Metres)] = []
        for stop in near where !distinct.contains(where: { $0.match.isSameStop(as: stop.match) }) {
            distinct.append(stop)
            if distinct.count == limit { break }
        }
        return distinct.map { (stop: $0.match.listed(as: profile.name), distance: $0.distance) }
    }

    /// Fetches the stop's next departure, which has the stop's name and coordinates.
    public func stop(_ id: StopID) async throws(FeedFailure) -> ListedStop? {
        let times = try await api.stopTimes(of: id.code, count: 1)
        guard let place = times.stopPlace, let name = place.name else { return nil }
        return ListedStop(id: id, kind: .station, name: name, coordinates: place.coordinates)
    }

    /// The stop with the same name and place as one whose identifier no longer exists.
    public func successor(of request: FeedRequest) async throws(FeedFailure) -> ListedStop? {
        guard let last = stopPlace(of: request) else { return nil }
        return try await match(for: request.stop.code, last.name, at: last.place)?.listed(as: profile.name)
    }
}
