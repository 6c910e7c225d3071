public import BoardCore

extension MOTISFeed: StopFinder {
    /// The farthest that stops are looked for around a place: more would be half a country's platforms.
    private static let farthest = Metres(5_000)

    /// It searches its stops itself.
    public var finder: (any StopFinder)? { self }

    /// Asks the geocoder for stops.
    public func stops(matching text: String, limit: Int) async throws(FeedFailure) -> [ListedStop] {
        try await api.matches(text).once.prefix(limit).map { $0.listed(as: profile.name) }
    }

    /// Asks the map, up to five kilometres around. Platforms and poles of one name are one stop, as their departures are.
    public func stops(
        near place: Coordinates, within radius: Metres, limit: Int
    ) async throws(FeedFailure) -> [(stop: ListedStop, distance: Metres)] {
        let radius = min(radius, Self.farthest)
        guard let box = place.box(radius) else { return [] }
        var names = Set<String>()
        return try await api.mapped(from: box.low, to: box.high)
            .map { (match: $0, distance: place.flatDistance(to: $0.coordinates)) }
            .filter { $0.distance <= radius }
            .sorted { ($0.distance, $0.match.code) < ($1.distance, $1.match.code) }
            .filter { names.insert($0.match.name.lowercased()).inserted }
            .prefix(limit)
            .map { (stop: $0.match.listed(as: profile.name), distance: $0.distance) }
    }

    /// Asks for the stop's next departure, which says what it is called and where it is.
    public func stop(_ id: StopID) async throws(FeedFailure) -> ListedStop? {
        let (times, _) = try await api.stopTimes(of: id.code, count: 1)
        guard let place = times.place ?? times.rows.first?.place, let name = place.name else { return nil }
        return ListedStop(id: id, kind: .station, name: name, coordinates: place.coordinates)
    }
}
