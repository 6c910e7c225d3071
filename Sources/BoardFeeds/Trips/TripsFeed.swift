public import BoardCore

/// Trips that are offered: flights to a region, weeks ahead, with what they cost, and those that a person saved.
///
/// A stop is a list: of a region (`trips:scd`), of all saved trips (`trips:saved`), or one trip by its identifier, which as a
/// favourite is saved by that. A trip is gone when it expires or departs.
public struct TripsFeed: DepartureFeed {
    private static let zoneLife: Duration = .seconds(7 * 86_400)
    private static let nameLife: Duration = .seconds(86_400)
    private static let mostAirports = 128
    /// A list has its destinations by the dozen, of whose zones only a few are asked for with it.
    private static let mostNewDestinations = 8

    /// The constants of trips.
    public let profile: FeedProfile
    /// Nil: nothing is configured.
    private let api: TripsAPI?
    private let favourites: @Sendable () -> [String]
    private let shelf: TripsShelf
    private let zones: KeptAnswers<Zone>
    private let names: KeptAnswers<[String: String]>
    /// All trips, which several saved ones are looked up in.
    private let offers: KeptAnswers<TripsAPI.Told>

    /// A feed of what it is given; the settings are those of ``declaration``.
    ///
    /// - Throws: ``FeedSettingFailure`` where `url` is no address that may be asked.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TripsAPI(context)
        let interval = context.settings.duration("interval") ?? Self.defaultInterval
        profile = Self.profile(host: api?.base.host, interval: interval)
        favourites = context.favourites
        shelf = TripsShelf(context.storage)
        zones = KeptAnswers(life: Self.zoneLife, most: 2 * Self.mostAirports, clock: context.clock)
        names = KeptAnswers(life: Self.nameLife, clock: context.clock)
        // Polls of one round share an answer.
        offers = KeptAnswers(life: interval / 2, clock: context.clock)
    }

    /// Asks for the trips of a list, and for the zones of airports that are not known yet.
    public func departures(_ question: FeedQuestion) async throws(FeedFailure) -> FeedAnswer {
        let (api, code) = try connected(question.stop)
        let found: Found
        var name: String?
        var cost = 0
        switch code {
        case .region(let region):
            let told = try await api.trips(to: region)
            found = Found(told: told, trips: told.trips, trouble: nil)
            let regions = await names.known("") { () throws(FeedFailure) in
                Dictionary(try await api.regions().map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
            }
            name = regions.value?[region]
            cost = 1 + regions.cost
        case .trip, .saved:
            (found, cost) = try await lookUp(code, api)
            name = code == .saved ? Self.title : found.trips.first?.destination.city
        }
        let zones = await zones(of: found.trips, api)
        let departures = found.trips.map { trip in
            trip.departure(at: question.stop, in: zones.known, received: found.received)
        }
        return FeedAnswer(
            stop: Stop(id: question.stop, name: name), departures: departures, trouble: found.trouble ?? zones.trouble,
            badRows: found.told?.badRows ?? 0, date: found.told?.date, requests: cost + zones.cost)
    }

    /// Nothing: a flight calls nowhere on its way.
    public func service(of departure: Departure) async throws(FeedFailure) -> Service? { nil }

    /// The flights of a list.
    ///
    /// - Throws: ``FeedFailure``; of kind `unknownStop` where there is no such region, and no such trip.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        let (api, code) = try connected(stop)
        let trips: [Trip]
        switch code {
        case .region(let region): trips = try await api.trips(to: region).trips
        case .trip, .saved: trips = try await lookUp(code, api).found.trips
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

    /// The identifiers of the saved trips.
    private var saved: Set<String> {
        Set(
            favourites().compactMap { code in
                if case .trip(let id)? = TripsCode(code) { id } else { nil }
            })
    }

    /// Trips that were found.
    private struct Found {
        /// Nil: nobody answered.
        let told: TripsAPI.Told?
        let trips: [Trip]
        let trouble: FeedFailure?

        /// When a trip that does not say so was made.
        var received: Timestamp { told?.received ?? trips.compactMap(\.created).max() ?? Timestamp(seconds: 0) }
    }

    /// One trip or all saved ones: as they are offered now, or else as they were told last.
    private func lookUp(_ code: TripsCode, _ api: TripsAPI) async throws(FeedFailure) -> (found: Found, cost: Int) {
        let offered = await offers.known("") { () throws(FeedFailure) in try await api.trips(to: nil) }
        // An answer of before a failure is no answer now.
        let told = offered.trouble == nil ? offered.value : nil
        let kept = await shelf.take(told?.trips ?? [], wanted: saved)
        let trips: [Trip]
        if case .trip(let id) = code {
            // One that is looked at need not be saved.
            let one = (kept + (told?.trips ?? [])).first { $0.id == id }
            trips = one.map { [$0] } ?? []
        } else {
            trips = kept
        }
        if let trouble = offered.trouble, trips.isEmpty {
            throw FeedFailure(trouble.kind, detail: trouble.detail, date: trouble.date, requests: offered.cost)
        }
        return (Found(told: told, trips: trips, trouble: offered.trouble), offered.cost)
    }

    /// The zones of the airports from which trips depart, there and back, by the airports' codes.
    private func zones(
        of trips: [Trip], _ api: TripsAPI
    ) async -> (known: [String: Zone], trouble: FeedFailure?, cost: Int) {
        let origins = Set(trips.compactMap { $0.origin?.code }).sorted().prefix(Self.mostAirports)
        let destinations = Set(trips.compactMap { $0.returns == nil ? nil : $0.destination.code }).subtracting(origins)
        let due = zones.due(destinations.sorted())
        let airports = origins + due.prefix(Self.mostNewDestinations) + destinations.subtracting(due)
        return await withTaskGroup(of: (String, KeptAnswers<Zone>.Known).self) { group in
            for airport in airports {
                group.addTask { [zones] in
                    let known = await zones.known(airport) { () throws(FeedFailure) in
                        try await api.zone(of: airport)
                    }
                    return (airport, known)
                }
            }
            var found: [String: Zone] = [:]
            var trouble: FeedFailure?
            var cost = 0
            for await (airport, known) in group {
                found[airport] = known.value
                if known.value == nil, origins.contains(airport) { trouble = trouble ?? known.trouble }
                cost += known.cost
            }
            return (found, trouble, cost)
        }
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
