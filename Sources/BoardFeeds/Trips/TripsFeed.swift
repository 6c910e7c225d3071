public import BoardCore

/// Trips on offer: flights to a region, weeks ahead, with their fares, and saved ones.
///
/// A stop is a list: of a region (`trips:scd`), of all saved trips (`trips:saved`), or a single trip by its identifier,
/// which is saved by making it a favourite. A trip leaves the list when it expires or departs.
public struct TripsFeed: DepartureFeed {
    private static let zoneTTL: Duration = .seconds(7 * 86_400)
    private static let nameTTL: Duration = .seconds(86_400)
    private static let maximumZones = 256
    /// The most zones of destinations fetched with a list, which may have dozens of destinations.
    private static let maximumNewDestinations = 8

    public let profile: FeedProfile
    /// Nil if no URL is configured.
    private let api: TripsAPI?
    private let favourites: @Sendable () -> [String]?
    private let savedTripStore: SavedTripStore
    private let zones: ResponseCache<Zone>
    private let names: ResponseCache<[String: String]>
    /// All trips, in which saved ones are looked up.
    private let offers: ResponseCache<TripsAPI.Reply>

    public init(_ context: FeedContext) throws(FeedSettingError) {
        api = try TripsAPI(context)
        let interval = context.settings[duration: "interval"]
        profile = Self.profile(host: api?.base.host, interval: interval)
        favourites = context.favourites
        savedTripStore = SavedTripStore(context.storage)
        zones = ResponseCache(ttl: Self.zoneTTL, capacity: Self.maximumZones, clock: context.clock)
        names = ResponseCache(ttl: Self.nameTTL, clock: context.clock)
        // Polls of one round share a response. Retries after a failure are up to the polling policy.
        offers = ResponseCache(ttl: interval / 2, backOff: .zero, clock: context.clock)
    }

    /// Fetches the trips of a list, and the zones of airports that are not cached.
    ///
    /// - Throws: ``FeedError``, with the stored trips if the list of all trips cannot be fetched.
    public func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        let (api, code) = try connected(request.stop)
        var list: TripsAPI.Reply
        switch code {
        case .region(let region):
            list = try await api.trips(to: region)
            _ = await savedTripStore.update(list.trips, savedIDs: saved, at: list.date)
            let regions = await names.value("") {
                Dictionary(try await api.regions().map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
            }
            list.name = regions.value?[region]
        case .trip, .saved: list = try await lookUp(code, of: request.stop, api)
        }
        let zones = await zones(of: list.trips, api)
        return FeedResponse(
            stop: Stop(id: request.stop, name: list.name),
            departures: list.trips.map { $0.departure(at: request.stop, in: zones.byAirport, received: list.received) },
            partialFailure: zones.partialFailure, badRows: list.badRows, age: list.age)
    }

    /// Fetches a list, whose lines are its flights.
    public func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        let (api, code) = try connected(stop)
        let trips: [TripOffer]
        switch code {
        case .region(let region): trips = try await api.trips(to: region).trips
        case .trip, .saved: trips = try await lookUp(code, of: stop, api).trips
        }
        if case .trip(let id) = code, trips.isEmpty {
            throw FeedError(
                .unknownStop, detail: "\(api.base): the trip \(id) is not on offer: remove it from favourites.toml")
        }
        return StopCheck(lines: trips.map { Line(id: $0.flight, name: $0.flight) }.uniqued())
    }

    /// The identifiers of the saved trips; nil if the favourites are unavailable.
    private var saved: Set<String>? {
        favourites().map { codes in
            Set(
                codes.compactMap { code in
                    if case .trip(let id)? = TripsCode(code) { id } else { nil }
                })
        }
    }

    private static func name(of code: TripsCode, _ trips: [TripOffer]) -> String? {
        code == .saved ? title : trips.first?.destination.city
    }

    /// One trip or all saved ones, as currently on offer, else as stored.
    ///
    /// - Throws: ``FeedError``, with the stored trips if the fetch fails.
    private func lookUp(_ code: TripsCode, of stop: StopID, _ api: TripsAPI) async throws(FeedError) -> TripsAPI.Reply {
        let offered = await offers.value("") { try await api.trips(to: nil) }
        let savedIDs = saved
        if let partialFailure = offered.failure {
            let stored = await savedTripStore.update(nil, savedIDs: savedIDs, at: nil)
            throw FeedError(
                partialFailure.kind, detail: partialFailure.detail, retryAfter: partialFailure.retryAfter,
                cached: stored.flatMap { fallback(code, of: stop, $0) })
        }
        var list = try offered.get()
        let stored = await savedTripStore.update(list.trips, savedIDs: savedIDs, at: list.date) ?? []
        let requested: Set<String>
        switch code {
        case .trip(let id):
            // A displayed trip need not be saved.
            list.trips = (stored + list.trips).first { $0.id == id }.map { [$0] } ?? []
            requested = [id]
        case .saved, .region: (list.trips, requested) = (stored, savedIDs ?? [])
        }
        list.name = Self.name(of: code, list.trips)
        // Malformed rows of other trips do not matter.
        list.badRows = list.badIDs.intersection(requested).count
        list.age = offered.age
        return list
    }

    /// The stored trips of a list; nil if they may be incomplete.
    private func fallback(_ code: TripsCode, of stop: StopID, _ stored: [TripOffer]) -> FeedError.CachedDepartures? {
        var trips = stored
        if case .trip(let id) = code {
            trips = stored.filter { $0.id == id }
            if trips.isEmpty { return nil }
        }
        let zones = cachedZones(of: Set(trips.flatMap { [$0.origin?.code, $0.destination.code] }.compactMap(\.self)))
        let received = trips.compactMap(\.createdAt).max() ?? Timestamp(seconds: 0)
        return FeedError.CachedDepartures(
            stop: Stop(id: stop, name: Self.name(of: code, trips)),
            departures: trips.map { $0.departure(at: stop, in: zones, received: received) })
    }

    /// The zones of the airports of departure, outbound and return, by the airports' codes.
    private func zones(
        of trips: [TripOffer], _ api: TripsAPI
    ) async -> (byAirport: [String: Zone], partialFailure: FeedError?) {
        let origins = Set(trips.compactMap { $0.origin?.code })
        let destinations = Set(trips.compactMap { $0.returns == nil ? nil : $0.destination.code }).subtracting(origins)
        let airports =
            airportsToLookUp(of: origins, atMost: ResponseLimits.lookups)
            + airportsToLookUp(of: destinations, atMost: Self.maximumNewDestinations)
        let lookups = await airports.concurrentMap { [zones] airport in
            await zones.value(airport) { try await api.zone(of: airport) }
        }
        // An airport with an old zone that is not fetched now retains it.
        let failure = zip(airports, lookups).lazy.compactMap { airport, lookup in
            lookup.value == nil && origins.contains(airport) ? lookup.failure : nil
        }.first
        return (cachedZones(of: origins.union(destinations)), failure)
    }

    /// The airports with fresh zones, and `limit` of the others, longest since their last fetch first.
    private func airportsToLookUp(of airports: Set<String>, atMost limit: Int) -> [String] {
        let due = zones.due(airports.sorted())
        return Array(airports.subtracting(due)) + due.prefix(limit)
    }

    /// The cached zones of airports, however old, by the airports' codes.
    private func cachedZones(of airports: Set<String>) -> [String: Zone] {
        Dictionary(uniqueKeysWithValues: airports.compactMap { code in zones.cached(code).map { (code, $0) } })
    }

    private func connected(_ id: StopID) throws(FeedError) -> (api: TripsAPI, code: TripsCode) {
        guard let code = TripsCode(id.code) else {
            throw FeedError(.unknownStop, detail: "\(id) is not a list of trips: check it in favourites.toml")
        }
        guard let api else {
            throw FeedError(.unknownStop, detail: "no URL for trips: set url in boardd.toml, [feed.trips]")
        }
        return (api, code)
    }
}

extension TripsFeed {
    public static let name = FeedName("trips")

    static let title = "Trips"

    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            .init("url", .source, "base URL of the trips API; \"\": none"),
            .init(
                "interval", .duration(.seconds(60)...(.seconds(86_400)), default: .seconds(900)),
                "between two polls of a region"),
        ],
        check: { code in
            TripsCode(code) == nil
                ? "must be a region, such as trips:scd, a trip by its identifier, or trips:saved" : nil
        })

    /// A fare does not become stale: it is valid until it expires.
    static func profile(host: String?, interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, attribution: host.map { "Trips of \($0)" } ?? title,
            expiry: ExpiryPolicy(staleAfter: .seconds(7 * 86_400)), suffixes: [], leadingColumn: .day,
            interval: interval, quota: .init(requests: 60, per: .seconds(60)))
    }
}

/// The regions with trips, as searchable stops.
public struct TripsCatalogue: StopCatalogue {
    private let api: TripsAPI

    public init?(_ context: FeedContext) throws(FeedSettingError) {
        guard let api = try TripsAPI(context) else { return nil }
        self.api = api
    }

    /// Fetches the regions as page 1; further pages are empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedError) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let regions = try await api.regions()
        let stops = regions.map { region in
            ListedStop(
                id: StopID(feed: TripsFeed.name, code: region.code), kind: .area, name: region.name, modes: ["flight"])
        }
        try await Self.emit(stops, from: api.base, to: take)
        return StopPage(entries: regions.count, total: regions.count)
    }
}

/// The code of a list of trips, which serves as a stop.
enum TripsCode: Hashable, Sendable {
    /// The trips to a region: `trips:scd`.
    case region(String)
    /// One trip: `trips:c4449ff0-1cb9-11e9-b9f8-b3ba95b35000`. As a favourite it is saved.
    case trip(String)
    /// All saved trips: `trips:saved`.
    case saved

    private static let maximumRegionLength = 32

    init?(_ code: String) {
        guard !code.isEmpty, code.utf8.allSatisfy({ $0.isAlphanumeric || "-_".utf8.contains($0) }) else { return nil }
        if code == "saved" {
            self = .saved
        } else if code.isUUID {
            self = .trip(code.lowercased())
        } else if code.utf8.count <= Self.maximumRegionLength {
            self = .region(code)
        } else {
            return nil
        }
    }
}
