public import BoardCore

/// Great Britain's trains, from National Rail's Darwin.
///
/// Two services have the same data: the Rail Data Marketplace (`RDM_BOARD_KEY`), which takes precedence, and OpenLDBWS
/// (`DARWIN_TOKEN`). A station takes one request. Its rows have no calling points, which would be nine tenths of the
/// bytes and limit the board to ten trains: they are fetched when the user opens a train.
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
    public init(_ context: FeedContext) throws(FeedSettingError) {
        let settings = context.settings
        let transport = context.transport
        profile = Self.profile(interval: settings[duration: "interval"])
        offset = Self.minutes(settings[duration: "offset"])
        window = max(1, Self.minutes(settings[duration: "window"]))
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

    /// Fetches the trains of a station, with replacement buses and ferries: one request for each station in `towards`.
    public func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        var result = try await departures(request, towards: request.towards.first)
        for station in request.towards.dropFirst() { result.add(try await departures(request, towards: station)) }
        return result
    }

    private func departures(_ request: FeedRequest, towards station: String?) async throws(FeedError) -> FeedResponse {
        let board = try await connected().board(
            RailBoardRequest(
                code: request.stop.code.uppercased(), towards: station?.uppercased(), offset: offset, window: window))
        let result = board.feedResponse(to: request, in: zone)
        guard result.departures.isEmpty, result.badRows > 0 else { return result }
        // An empty board would look like a night without trains.
        throw FeedError(
            .unreadable,
            detail:
                "National Rail's board of \(request.stop.code): found \(result.badRows) rows and no departure (std) in "
                + "any of them: is this a board of arrivals? Check the addresses in boardd.toml, [feed.rail]")
    }

    /// Fetches the calling points of a train, `GetServiceDetails`.
    public func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        guard let id = departure.attributes?.id, !id.isEmpty else { return nil }
        guard let details = try await connected().serviceDetails(of: departure, id: id) else { return nil }
        return details.tripDetails(of: departure, in: zone)
    }

    /// Checks the station in the configured list if there is one, and by fetching its board.
    public func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        let code = stop.code.uppercased()
        // An unavailable list does not make a station invalid.
        if let stations, let codes = await stations.codes(), !codes.contains(code) {
            throw FeedError(
                .unknownStop, detail: "\(stations.source): no station has the code \(code): check it in favourites.toml"
            )
        }
        return StopCheck(.departures, name: try await name(ofStation: code), lines: nil, zone: zone)
    }

    /// The operator's name of a station, from the first row of its board.
    private func name(ofStation code: String) async throws(FeedError) -> String? {
        try await connected().board(RailBoardRequest(code: code, rows: 1)).name
    }

    /// The service for which there is a key.
    private func connected() throws(FeedError) -> any RailAPI {
        if let api { return api }
        let alone = hasDetailsKeyAlone ? " beside \(RailKey.details.rawValue), which is for calling points only" : ""
        throw FeedError(
            .keyMissing,
            detail:
                "\(Self.title) requires an API key: put \(RailKey.board.rawValue) into keys.env\(alone) and restart boardd; "
                + "it is the consumer key of a free subscription to Live Departure Board at raildata.org.uk. With an old token "
                + "of OpenLDBWS, put that into \(RailKey.darwin.rawValue) instead")
    }

    private static func minutes(_ duration: Duration) -> Int { Int(duration.components.seconds / 60) }
}

/// Without a list of names, a station is found by its code.
extension NationalRailFeed: StopFinder {
    public var finder: (any StopFinder)? { stations == nil && api != nil ? self : nil }

    public func stops(matching text: String, limit: Int) async throws(FeedError) -> [ListedStop] {
        let code = text.uppercased()
        guard Self.isCode(code) else { return [] }
        do throws(FeedError) {
            return [try await stop(StopID(feed: Self.name, code: code))].compactMap(\.self)
        } catch {
            guard error.kind == .unknownStop else { throw error }
            return []
        }
    }

    /// The operator reports no positions, so that a wider search would find no more.
    public var maximumRadius: Metres { .halfwayRoundEarth }

    public func stops(
        near place: Coordinates, within radius: Metres, limit: Int
    ) async throws(FeedError) -> [NearStop] { [] }

    public func stop(_ id: StopID) async throws(FeedError) -> ListedStop? {
        let name = try await name(ofStation: id.code.uppercased())
        return name.map { ListedStop(id: id, kind: .station, name: $0, modes: ["train"]) }
    }

    public func successor(of request: FeedRequest) async throws(FeedError) -> ListedStop? { nil }
}

extension FeedResponse {
    /// Adds the trains to another station. A train may call at both, and be cancelled at one of them.
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

extension NationalRailFeed {
    public static let name = FeedName("rail")

    static let title = "National Rail"
    static let zoneName = "Europe/London"
    static let defaultBoardURL =
        "https://api1.raildata.org.uk/1010-live-departure-board-dep1_2/LDBWS/api/20220120"
    static let defaultDetailsURL = "https://api1.raildata.org.uk/1010-service-details1_2/LDBWS/api/20220120"
    static let defaultDarwinURL = "https://lite.realtime.nationalrail.co.uk/OpenLDBWS/ldb12.asmx"
    /// Both services list trains until about two minutes after they have left.
    static let expiry = ExpiryPolicy(liveGrace: .seconds(120), scheduledGrace: .seconds(120))
    static let maximumWindow: Duration = .seconds(120 * 60)

    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            .init(
                "board_url", .url(default: defaultBoardURL),
                "Live Departure Board of your subscription (RDM), up to its date"),
            .init(
                "details_url", .url(default: defaultDetailsURL),
                "Service Details of your subscription (RDM), up to its date"),
            .init("darwin_url", .url(default: defaultDarwinURL), "OpenLDBWS URL, used with DARWIN_TOKEN"),
            .init("stations", .source, "names and codes: CSV at https://… or in /a/file; \"\": no list"),
            .init(
                "interval", .duration(.seconds(30)...(.seconds(3_600)), default: .seconds(60)),
                "between two polls of a station"),
            .init("offset", .duration(.zero...(.seconds(119 * 60)), default: .zero), "how far ahead the board begins"),
            .init(
                "window", .duration(.seconds(60)...maximumWindow, default: maximumWindow),
                "how much time the board covers"),
        ],
        secrets: RailKey.allCases.map(\.rawValue),
        takesTowards: true,
        sampleStop: "EUS",
        check: { code in
            if isCode(code) { return nil }
            let capitals = code.uppercased()
            return isCode(capitals)
                ? "must be in capitals: \(capitals)" : "must be the three letters of a station, such as PAD"
        },
        secretWarning: { name, secret in
            RailKey(rawValue: name)?.misplaced(secret)
        })

    /// Whether a code has the form of a station's: three ASCII capitals.
    static func isCode(_ code: String) -> Bool {
        code.utf8.count == 3 && code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Abbreviations of operators as in timetables, by their codes.
    static let shortLines = [
        "AW": "TfW", "CC": "c2c", "CH": "Chil", "CS": "Slpr", "EM": "EMR", "ES": "Eur", "GC": "GC", "GN": "GN",
        "GR": "LNER", "GW": "GWR", "GX": "GX", "HT": "HT", "HX": "HX", "IL": "IoW", "LD": "Lumo", "LE": "GA",
        "LM": "WMT", "LO": "Ovr", "ME": "Mers", "NT": "Nthn", "SE": "SE", "SN": "SN", "SR": "ScR", "SW": "SWR",
        "TL": "TL", "TP": "TPE", "VT": "Avnt", "XC": "XC", "XR": "Eliz",
    ]

    /// A board is made on request, with a timestamp (`generatedAt`), so an estimate is as old as the last poll. It is
    /// stale after 180 s: two failed polls of 60 s. Two boards never have the same timestamp: one that does not change
    /// for five minutes comes from a stuck cache on the way. Both services allow about five million requests in four
    /// weeks, two a second; half of that is enough.
    static func profile(interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, shortTitle: "Rail", attribution: "Powered by National Rail Enquiries",
            expiry: expiry, suffixes: [], shortLines: shortLines, leadingColumn: .booked, interval: interval,
            quota: .init(requests: 60, per: .seconds(60)))
    }
}

/// The keys of the two services, by their names in keys.env. Users confuse them since both come from National Rail.
enum RailKey: String, CaseIterable, Sendable {
    case board = "RDM_BOARD_KEY"
    case details = "RDM_DETAILS_KEY"
    case darwin = "DARWIN_TOKEN"

    /// The shortest text recognised as a Rail Data Marketplace consumer key; real ones have 48 characters or more.
    private static let shortestConsumerKey = 40

    /// Advice to the user after a rejection, as the end of a sentence.
    func advice(onRejectionOf secret: Secret?) -> String {
        if let misplaced = secret.flatMap(misplaced) { return misplaced }
        switch self {
        case .board, .details:
            let product = self == .board ? "Live Departure Board" : "Service Details"
            return "key rejected: check \(rawValue) in keys.env; it must be the consumer key (not the secret) of your "
                + "subscription to \(product) at raildata.org.uk; then restart boardd"
        case .darwin:
            return
                "token rejected: check \(rawValue) in keys.env and restart boardd; new tokens are no longer issued, but "
                + "a key for \(Self.board.rawValue) is free at raildata.org.uk"
        }
    }

    /// A warning, which does not quote the key, if it has the format of another one; else nil.
    func misplaced(_ secret: Secret) -> String? {
        switch self {
        case .board, .details:
            // A Darwin token has the form of a UUID.
            guard secret.revealed.isUUID else { return nil }
            return "\(rawValue) looks like a Darwin token: put it into \(Self.darwin.rawValue)"
        case .darwin:
            guard Self.isConsumerKey(secret.revealed) else { return nil }
            return "\(rawValue) looks like a consumer key of the Rail Data Marketplace: put it into "
                + Self.board.rawValue
        }
    }

    static func isConsumerKey(_ text: String) -> Bool {
        text.utf8.count >= shortestConsumerKey && text.utf8.allSatisfy(\.isAlphanumeric)
    }
}
