public import BoardCore

/// Great Britain's trains, by National Rail's Darwin.
///
/// Two services tell the same: the Rail Data Marketplace (`RDM_BOARD_KEY`), which comes first, and OpenLDBWS
/// (`DARWIN_TOKEN`). A station is one request. Its rows have no calling points, which would be nine tenths of the bytes
/// and leave room for ten trains: they are asked for when a person opens a train.
public struct NationalRailFeed: DepartureFeed {
    /// The constants of National Rail.
    public let profile: FeedProfile
    /// `RDM_DETAILS_KEY` where the marketplace is asked with it.
    public let detailsKeyName: String?
    /// Nil: there is no key.
    private let api: (any RailAPI)?
    private let stations: RailStations?
    /// How far ahead boards begin, and how much they cover, in minutes.
    private let offset: Int
    private let window: Int
    /// Where all stations are, whatever the machine's own zone is.
    private let zone: Zone
    private let hasDetailsKeyAlone: Bool

    /// A feed of what it is given; the settings are those of ``declaration``.
    ///
    /// A recording is read as it was made, with keys or without.
    ///
    /// - Throws: ``FeedSettingFailure`` where an address may not be asked, or London's zone cannot be had.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        let transport = context.transport
        profile = Self.profile(interval: settings.duration("interval") ?? Self.defaultInterval)
        offset = Self.minutes(settings.duration("offset") ?? .zero)
        window = max(1, Self.minutes(settings.duration("window") ?? Self.longestWindow))
        zone = try context.zone(Self.zoneName)
        stations = try RailStations.configured(context)
        let boardKey = settings.secret(Self.boardKey)
        let detailsKey = settings.secret(Self.detailsKey)
        let token = settings.secret(Self.darwinToken)
        let marketplace = RailMarketplace(
            boardURL: try context.address("board_url", default: Self.defaultBoardURL), boardKey: boardKey,
            detailsURL: try context.address("details_url", default: Self.defaultDetailsURL), detailsKey: detailsKey,
            transport: transport)
        let darwin = DarwinAPI(
            url: try context.address("darwin_url", default: Self.defaultDarwinURL), token: token, transport: transport)
        if transport.hasRecorded(marketplace.boardURL) {
            api = marketplace
        } else if transport.hasRecorded(darwin.url) {
            api = darwin
        } else if boardKey != nil {
            api = marketplace
        } else {
            api = token == nil ? nil : darwin
        }
        hasDetailsKeyAlone = api == nil && detailsKey != nil
        detailsKeyName = api is RailMarketplace && detailsKey != nil ? Self.detailsKey : nil
    }

    /// Asks for the trains of a station, with buses and ferries in their place.
    public func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let api = try connected()
        let (board, response) = try await api.board(
            RailBoardRequest(
                code: question.stop.code.uppercased(), towards: question.towards?.uppercased(), offset: offset,
                window: window))
        let answer = board.answer(to: question, in: zone, response)
        guard answer.departures.isEmpty, answer.badRows > 0 else { return answer }
        // Without a word it would look like a night without trains.
        throw FeedFailure(
            .unreadable,
            detail:
                "National Rail's board of \(question.stop.code): found \(answer.badRows) rows and no departure (std) in "
                + "any of them: is this a board of arrivals? Check the addresses in boardd.toml, [feed.rail]")
    }

    /// Asks for the calling points of a train, `GetServiceDetails`.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        guard let id = departure.attributes?.id, !id.isEmpty else { return nil }
        guard let (run, response) = try await connected().run(of: departure, id: id) else { return nil }
        return run.run(of: departure, in: zone, response)
    }

    /// Looks whether there is such a station: in the configured list where there is one, and by asking for its board.
    ///
    /// - Returns: nothing: who runs trains there is known only of the next two hours.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        let code = stop.code.uppercased()
        // A list that cannot be had says nothing against a station.
        if let stations, let known = try? await stations.codes(), !known.contains(code) {
            throw FeedFailure(
                .unknownStop, detail: "\(stations.source): no station has the code \(code): check it in favourites.toml"
            )
        }
        let api = try connected()
        _ = try await api.board(RailBoardRequest(code: code, rows: 1))
        return []
    }

    /// The transport for which there is a key.
    private func connected() throws(FeedFailure) -> any RailAPI {
        if let api { return api }
        let alone = hasDetailsKeyAlone ? " beside \(Self.detailsKey), which is for calling points only" : ""
        throw FeedFailure(
            .keyMissing,
            detail:
                "\(Self.title) wants a key: put \(Self.boardKey) into keys.env\(alone) and restart boardd; it is the "
                + "consumer key of a free subscription to Live Departure Board at raildata.org.uk. Who has an old token "
                + "of OpenLDBWS puts it into \(Self.darwinToken) instead",
            requests: 0)
    }

    private static func minutes(_ duration: Duration) -> Int {
        Int(duration.components.seconds / 60)
    }
}
