public import BoardCore

extension MOTISFeed: StopFinder {
    /// The farthest that stops are looked for around a place: more would be half a country's platforms.
    static let farthest = Metres(5_000)

    /// How far it looks around a place.
    public var maximumRadius: Metres { Self.farthest }

    /// It searches its stops itself.
    public var finder: (any StopFinder)? { self }

    /// Asks the geocoder for stops.
    public func stops(matching text: String, limit: Int) async throws(FeedFailure) -> [ListedStop] {
        try await api.matches(text).deduplicated.prefix(limit).map { $0.listed(as: profile.name) }
    }

    /// Asks the map, up to five kilometres around. Platforms and poles of one name are one stop, as their departures are,
    /// but for those that are a walk apart.
    public func stops(
        near place: Coordinates, within radius: Metres, limit: Int
    ) async throws(FeedFailure) -> [(stop: ListedStop, distance: Metres)] {
        let radius = min(radius, Self.farthest)
        var mapped: [MOTISMatch] = []
        for box in place.boxes(within: radius) {
            guard let corners = box.corners else { continue }
            mapped += try await api.mapped(from: corners.low, to: corners.high)
        }
        let near = mapped.map { (match: $0, distance: place.distance(to: $0.coordinates)) }
            .filter { $0.distance <= radius }
            .sorted { ($0.distance, $0.match.code) < ($1.distance, $1.match.code) }
        var kept: [(match: MOTISMatch, distance: Metres)] = []
        for stop in near where !kept.contains(where: { $0.match.isSameStop(as: stop.match) }) {
            kept.append(stop)
            if kept.count == limit { break }
        }
        return kept.map { (stop: $0.match.listed(as: profile.name), distance: $0.distance) }
    }

    /// Asks for the stop's next departure, which says what it is called and where it is.
    public func stop(_ id: StopID) async throws(FeedFailure) -> ListedStop? {
        let (times, _) = try await api.stopTimes(of: id.code, count: 1)
        guard let place = times.stopPlace, let name = place.name else { return nil }
        return ListedStop(id: id, kind: .station, name: name, coordinates: place.coordinates)
    }

    /// The stop that is called as one whose identifier is gone, where that was.
    public func successor(of question: FeedRequest) async throws(FeedFailure) -> ListedStop? {
        guard let last = stopPlace(of: question) else { return nil }
        return try await match(for: question.stop.code, last.name, at: last.place)?.listed(as: profile.name)
    }
}
