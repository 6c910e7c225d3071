public import BoardCore
internal import BoardFormats

/// Great Britain's trains, from National Rail's Darwin.
///
/// Two services have the same data: the Rail Data Marketplace (`RDM_BOARD_KEY`), which takes precedence, and OpenLDBWS
/// (`DARWIN_TOKEN`). A station takes one request. Its rows have no calling points, which would be nine tenths of the bytes
/// and limit the board to ten trains: they are fetched when the user opens a train.
public struct NationalRailFeed: DepartureFeed {
    public let profile: FeedProfile
    /// `RDM_DETAILS_KEY` if it is used with the marketplace.
    public let detailsKeyName: String?
    /// Nil without a key.
    private let api: (any RailAPI)?
    private let stations: RailCatalogue?
    /// How far ahead boards begin, and how long they are, in minutes.
    private let offset: Int
    private let window: Int
    /// The zone of all stations, which may differ from the machine's own.
    private let zone: Zone
    private let hasDetailsKeyAlone: Bool

    /// A recording determines its service, whatever keys are configured.
    ///
    /// - Throws: ``FeedSettingFailure`` for a disallowed URL, or if London's zone cannot be loaded.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        let transport = context.transport
        profile = Self.profile(interval: settings.duration("interval") ?? Self.defaultInterval)
        offset = Self.minutes(settings.duration("offset") ?? .zero)
        window = max(1, Self.minutes(settings.duration("window") ?? Self.longestWindow))
        zone = try context.zone(Self.zoneName)
        stations = try RailCatalogue(context)
        let marketplace = try RailMarketplaceAPI(context)
        let darwin = try DarwinAPI(context)
        if transport.hasRecorded(marketplace.boardURL) {
            api = marketplace
        } else if transport.hasRecorded(darwin.url) {
            api = darwin
        } else if marketplace.boardKey.secret != nil {
            api = marketplace
        } else {
            api = darwin.token == nil ? nil : darwin
        }
        let hasDetailsKey = marketplace.detailsKey.secret != nil
        hasDetailsKeyAlone = api == nil && hasDetailsKey
        detailsKeyName = api is RailMarketplaceAPI && hasDetailsKey ? RailKey.details.rawValue : nil
    }

    /// Fetches the trains of a station, with replacement buses and ferries: a request for each station of `towards`.
    public func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        var result = try await departures(request, towards: request.towards.first)
        for station in request.towards.dropFirst() {
            result.add(try await departures(request, towards: station))
        }
        return result
    }

    private func departures(
        _ request: FeedRequest, towards station: String?
    ) async throws(FeedFailure) -> FeedResponse {
        let (board, response) = try await connected().board(
            RailBoardRequest(
                code: request.stop.code.uppercased(), towards: station?.uppercased(), offset: offset, window: window))
        let result = board.feedResponse(to: request, in: zone, response)
        guard result.departures.isEmpty, result.badRows > 0 else { return result }
        // An empty board would look like a night without trains.
        throw FeedFailure(
            .unreadable,
            detail:
                "National Rail's board of \(request.stop.code): found \(result.badRows) rows and no departure (std) in "
                + "any of them: is this a board of arrivals? Check the addresses in boardd.toml, [feed.rail]")
    }

    /// Fetches the calling points of a train, `GetServiceDetails`.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        guard let id = departure.attributes?.id, !id.isEmpty else { return nil }
        guard let (details, response) = try await connected().serviceDetails(of: departure, id: id) else { return nil }
        return details.tripDetails(of: departure, in: zone, response)
    }

    /// Checks the station in the configured list if there is one, and by fetching its board.
    public func check(_ stop: StopID) async throws(FeedFailure) -> StopCheck {
        let code = stop.code.uppercased()
        // An unavailable list does not make a station invalid.
        if let stations, let codes = await stations.codes(), !codes.contains(code) {
            throw FeedFailure(
                .unknownStop, detail: "\(stations.source): no station has the code \(code): check it in favourites.toml"
            )
        }
        let (board, _) = try await connected().board(RailBoardRequest(code: code, rows: 1))
        return StopCheck(.departures, name: board.name, lines: nil, zone: zone)
    }

    /// The service for which there is a key.
    private func connected() throws(FeedFailure) -> any RailAPI {
        if let api { return api }
        let alone = hasDetailsKeyAlone ? " beside \(RailKey.details.rawValue), which is for calling points only" : ""
        throw FeedFailure(
            .keyMissing,
            detail:
                "\(Self.title) requires an API key: put \(RailKey.board.rawValue) into keys.env\(alone) and restart boardd; "
                + "it is the consumer key of a free subscription to Live Departure Board at raildata.org.uk. With an old token "
                + "of OpenLDBWS, put that into \(RailKey.darwin.rawValue) instead")
    }

    private static func minutes(_ duration: Duration) -> Int {
        Int(duration.components.seconds / 60)
    }
}

extension FeedResponse {
    /// Adds the trains to another station. One train may call at both; at one of them it may be cancelled.
    fileprivate mutating func add(_ other: FeedResponse) {
        var departures = departures
        for departure in other.departures {
            let same = departure.attributes?.id.flatMap { id in departures.firstIndex { $0.attributes?.id == id } }
            if let same {
                if departures[same].status == .cancelled { departures[same] = departure }
            } else {
                departures.append(departure)
            }
        }
        self = FeedResponse(
            stop: stop, departures: departures, alerts: (alerts + other.alerts).uniqued(),
            isWithheld: isWithheld || other.isWithheld, badRows: badRows + other.badRows)
    }
}
