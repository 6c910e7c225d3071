public import BoardCore

/// Trips that are offered: flights to a region, weeks ahead, with what they cost, and those that a person saved.
///
/// A stop is a list: of a region (`trips:scd`), of all saved trips (`trips:saved`), or one trip by its identifier, which as a
/// favourite is saved by that. A trip is gone when it expires or departs.
public struct TripsFeed: DepartureFeed {
    private static let zoneTTL: Duration = .seconds(7 * 86_400)
    private static let nameTTL: Duration = .seconds(86_400)
    /// The most airports of which a zone is remembered.
    private static let mostZones = 256
    /// A list has its destinations by the dozen, of whose zones only a few are asked for with it.
    private static let mostNewDestinations = 8

    /// The constants of trips.
    public let profile: FeedProfile
    /// Nil: nothing is configured.
    private let api: TripsAPI?
    private let favourites: @Sendable () -> [String]?
    private let savedTripStore: SavedTripStore
    private let zones: ResponseCache<Zone>
    private let names: ResponseCache<[String: String]>
    /// All trips, which several saved ones are looked up in.
    private let offers: ResponseCache<TripsAPI.Reply>

    /// A feed of what it is given; the settings are those of ``declaration``.
    ///
    /// - Throws: ``FeedSettingFailure`` where `url` is no address that may be asked.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TripsAPI(context)
        let interval = context.settings.duration("interval") ?? Self.defaultInterval
        profile = Self.profile(host: api?.base.host, interval: interval)
        favourites = context.favourites
        savedTripStore = SavedTripStore(context.storage)
        zones = ResponseCache(ttl: Self.zoneTTL, capacity: Self.mostZones, clock: context.clock)
        names = ResponseCache(ttl: Self.nameTTL, clock: context.clock)
        // Polls of one round share an answer. Whether and when one that failed is asked again is the board's business.
        offers = ResponseCache(ttl: interval / 2, backOff: .zero, clock: context.clock)
    }

    /// Asks for the trips of a list, and for the zones of airports that are not known yet.
    ///
    /// - Throws: ``FeedFailure`` with what is kept of saved trips, where nobody answers.
    public func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let (api, code) = try connected(question.stop)
        let found: TripList
        switch code {
        case .region(let region):
            let told = try await api.trips(to: region)
            _ = await savedTripStore.update(told.trips, wanted: saved, at: told.date)
            let regions = await names.value("") { () throws(FeedFailure) in
                Dictionary(try await api.regions().map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
            }
            found = TripList(
                trips: told.trips, name: regions.value?[region], received: told.received, badRows: told.badRows,
                age: .zero, requests: 1 + regions.requests)
        case .trip, .saved: found = try await lookUp(code, of: question.stop, api)
        }
        let zones = await zones(of: found.trips, api)
        return FeedResponse(
            stop: Stop(id: question.stop, name: found.name),
            departures: found.trips.map {
                $0.departure(at: question.stop, in: zones.known, received: found.received)
            }, partialFailure: zones.partialFailure, badRows: found.badRows, requests: found.requests + zones.requests,
            age: found.age)
    }

    /// Nothing: a flight calls nowhere on its way.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? { nil }

    /// The flights of a list.
    ///
    /// - Throws: ``FeedFailure``; of kind `unknownStop` where there is no such region, and no such trip.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        let (api, code) = try connected(stop)
        let trips: [TripOffer]
        switch code {
        case .region(let region): trips = try await api.trips(to: region).trips
        case .trip, .saved: trips = try await lookUp(code, of: stop, api).trips
        }
        if case .trip(let id) = code, trips.isEmpty {
            throw FeedFailure(
                .unknownStop, detail: "\(api.base): nobody offers the trip \(id): remove it from favourites.toml",
                requests: 0)
        }
        var lines: [Line] = []
        for trip in trips {
            let line = Line(id: trip.flight, name: trip.flight)
            if !lines.contains(line) { lines.append(line) }
        }
        return lines
    }

    /// The identifiers of the saved trips; nil: nobody says which are.
    private var saved: Set<String>? {
        favourites().map { codes in
            Set(
                codes.compactMap { code in
                    if case .trip(let id)? = TripsCode(code) { id } else { nil }
                })
        }
    }

    /// The trips of a list.
    private struct TripList {
        let trips: [TripOffer]
        let name: String?
        /// When a trip that does not say so was made.
        let received: Timestamp
        let badRows: Int
        /// How long ago it was told.
        let age: Duration
        let requests: Int

        /// What a list is called.
        static func name(of code: TripsCode, _ trips: [TripOffer]) -> String? {
            code == .saved ? TripsFeed.title : trips.first?.destination.city
        }
    }

    /// One trip or all saved ones: as they are offered now, or else as they were told last.
    ///
    /// - Throws: ``FeedFailure`` with what is kept, where nobody answers.
    private func lookUp(
        _ code: TripsCode, of stop: StopID, _ api: TripsAPI
    ) async throws(FeedFailure) -> TripList {
        let offered = await offers.value("") { () throws(FeedFailure) in try await api.trips(to: nil) }
        let wanted = saved
        if let partialFailure = offered.failure {
            let kept = await savedTripStore.update(nil, wanted: wanted, at: nil)
            throw FeedFailure(
                partialFailure.kind, detail: partialFailure.detail, requests: offered.requests,
                retryAfter: partialFailure.retryAfter,
                cached: kept.flatMap { fallback(code, of: stop, $0) }
            )
        }
        let told = offered.value
        let kept = await savedTripStore.update(told?.trips ?? [], wanted: wanted, at: told?.date) ?? []
        let trips: [TripOffer]
        let asked: Set<String>
        switch code {
        case .trip(let id):
            // One that is looked at need not be saved.
            let one = (kept + (told?.trips ?? [])).first { $0.id == id }
            (trips, asked) = (one.map { [$0] } ?? [], [id])
        case .saved, .region: (trips, asked) = (kept, wanted ?? [])
        }
        return TripList(
            trips: trips, name: TripList.name(of: code, trips), received: told?.received ?? Timestamp(seconds: 0),
            // What nobody asked for may be as odd as it likes.
            badRows: told?.badIDs.intersection(asked).count ?? 0,
            age: offered.age, requests: offered.requests)
    }

    /// What is kept of a list; nil where that may be less than was told of it before.
    private func fallback(_ code: TripsCode, of stop: StopID, _ kept: [TripOffer]) -> FeedFailure.CachedDepartures? {
        var trips = kept
        if case .trip(let id) = code {
            trips = kept.filter { $0.id == id }
            if trips.isEmpty { return nil }
        }
        let known = cachedZones(of: Set(trips.flatMap { [$0.origin?.code, $0.destination.code] }.compactMap(\.self)))
        let received = trips.compactMap(\.createdAt).max() ?? Timestamp(seconds: 0)
        return FeedFailure.CachedDepartures(
            stop: Stop(id: stop, name: TripList.name(of: code, trips)),
            departures: trips.map { $0.departure(at: stop, in: known, received: received) })
    }

    /// The zones of the airports from which trips depart, there and back, by the airports' codes.
    private func zones(
        of trips: [TripOffer], _ api: TripsAPI
    ) async -> (known: [String: Zone], partialFailure: FeedFailure?, requests: Int) {
        let origins = Set(trips.compactMap { $0.origin?.code })
        let destinations = Set(trips.compactMap { $0.returns == nil ? nil : $0.destination.code }).subtracting(origins)
        let airports =
            wanted(of: origins, atMost: ResponseLimits.lookups)
            + wanted(of: destinations, atMost: Self.mostNewDestinations)
        return await withTaskGroup(of: (String, ResponseCache<Zone>.Lookup).self) { group in
            for airport in airports {
                group.addTask { [zones] in
                    let known = await zones.value(airport) { () throws(FeedFailure) in
                        try await api.zone(of: airport)
                    }
                    return (airport, known)
                }
            }
            // An airport whose zone is old and that is not asked for now keeps it.
            var found = cachedZones(of: origins.union(destinations))
            var partialFailure: FeedFailure?
            var requests = 0
            for await (airport, known) in group {
                found[airport] = known.value
                if known.value == nil, origins.contains(airport) { partialFailure = partialFailure ?? known.failure }
                requests += known.requests
            }
            return (found, partialFailure, requests)
        }
    }

    /// Those of `airports` whose zones are known, and of the others `most`, which have waited longest.
    private func wanted(of airports: Set<String>, atMost most: Int) -> [String] {
        let due = zones.due(airports.sorted())
        return Array(airports.subtracting(due)) + due.prefix(most)
    }

    /// The zones of airports that were read before, however old, by the airports' codes.
    private func cachedZones(of airports: Set<String>) -> [String: Zone] {
        Dictionary(uniqueKeysWithValues: airports.compactMap { code in zones.cached(code).map { (code, $0) } })
    }

    private func connected(_ id: StopID) throws(FeedFailure) -> (api: TripsAPI, code: TripsCode) {
        guard let code = TripsCode(id.code) else {
            throw FeedFailure(
                .unknownStop, detail: "\(id) is no list of trips: check it in favourites.toml", requests: 0)
        }
        guard let api else {
            throw FeedFailure(
                .unknownStop, detail: "nobody offers trips: set url in boardd.toml, [feed.trips]", requests: 0)
        }
        return (api, code)
    }
}
