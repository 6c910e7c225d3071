public import BoardCore
import Synchronization

/// Departures worldwide from a MOTIS server: by default Transitous, which is run by volunteers and needs no key.
///
/// A stop takes one request, or a few if the lines of interest are rare. Departures without realtime information are
/// marked as scheduled.
public final class MOTISFeed: DepartureFeed {
    /// The greatest distance between the platforms of one stop: a short walk.
    static let walkingDistance = Metres(500)
    /// How long after midnight a service day ends: between the last night buses and the first; MOTIS does not say.
    private static let serviceDayEnd: Duration = .seconds(3 * 3_600 + 1_800)
    /// The most cached places and zones, far more than a user has favourites.
    private static let maximumPlaces = 200
    /// The longest cached name of a stop or zone; the tz database's have up to 32 letters, stops' up to 80.
    private static let maximumNameLength = 200
    /// How many departures of interest are enough: those on four lines. Without a filter the first page has more.
    private static let enough = 4
    /// The most pages, and the length of those after the first: 340 departures cover half an hour at the largest stops.
    private static let maximumPages = 4
    private static let pageLength = 100

    public let profile: FeedProfile
    let api: MOTISAPI
    let clock: any MachineClock
    let log: (@Sendable (FeedStorage.LogEntry) -> Void)?
    let learned = Mutex(LearnedState())
    private let window: Duration
    private let zoneSource: FeedContext.ZoneSource

    struct LearnedState {
        /// Zones by their names; nil: this machine has no such zone.
        var zones: [String: Zone?] = [:]
        /// The replacements for stops, by codes that no longer exist, and when those are tried again.
        var replacements: [String: (code: String, until: Instant)] = [:]
        /// The names and coordinates of requested stops, by their own codes.
        var places: [String: (name: String, location: Coordinates)] = [:]
        var hasWarnedAboutContact = false

        mutating func store(_ place: (name: String?, coordinates: Coordinates?)?, at code: String) {
            guard let name = place?.name, let location = place?.coordinates else { return }
            if places[code] == nil, places.count >= MOTISFeed.maximumPlaces { places = [:] }
            places[code] = (String(name.prefix(MOTISFeed.maximumNameLength)), location)
        }
    }

    public init(_ context: FeedContext) throws(FeedSettingError) {
        let settings = context.settings
        api = try MOTISAPI(context)
        profile = Self.profile(interval: settings[duration: "interval"])
        window = settings[duration: "window"]
        zoneSource = context.zone
        clock = context.clock
        log = context.storage?.log
    }

    public func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        warnAboutMissingContact()
        let times = try await board(request)
        guard !times.rows.isEmpty || times.others > 0 || times.badRows == 0 else {
            // An empty board would look like a night without departures.
            throw FeedError(
                .unreadable,
                detail:
                    "\(profile.title)'s departures of \(request.stop.code): found \(times.badRows) rows and no time "
                    + "in any of them: check version in boardd.toml, [feed.motis]")
        }
        let madeAt = times.madeAt
        let all = times.rows.withoutCopies(of: \.departure, from: \.source, for: request).map(\.departure)
        let end = madeAt + window
        let soon = all.filter { $0.due < end }
        let zone = zone(named: times.zone)
        return FeedResponse(
            stop: Stop(id: request.stop, name: times.stopPlace?.name, zone: zone), departures: soon,
            alerts: times.alerts.alerts.filter { $0.touches(request.lines) },
            next: soon.contains(where: request.selectsRunning)
                ? nil
                : next(
                    all.filter { $0.due >= end && request.selectsRunning($0) }.map(\.due).min(), madeAt: madeAt,
                    at: zone), partialFailure: times.partialFailure, badRows: times.badRows)
    }

    /// The next departure after the board's end. MOTIS does not report a trip's service day: here it changes at
    /// ``serviceDayEnd``.
    private func next(_ time: Timestamp?, madeAt: Timestamp, at zone: Zone?) -> NextDeparture? {
        guard let time else { return nil }
        func day(_ moment: Timestamp) -> CivilDate {
            (zone ?? .utc).localTime(at: moment - Self.serviceDayEnd).date
        }
        return day(time) > day(madeAt) ? .nextDay(time) : .laterToday(time)
    }

    /// Fetches the departures of a code: one page, and further pages, up to a limit, while it has too few of the
    /// request's lines.
    func pages(of code: String, _ request: FeedRequest) async throws(FeedError) -> MOTISStopTimes {
        var board = try await api.stopTimes(of: code, for: request.stop)
        func isShort(_ times: MOTISStopTimes) -> Bool {
            guard let last = times.last, last < times.madeAt + window else { return false }
            return times.rows.count { request.selectsRunning($0.departure) } < Self.enough
        }
        var pages = 1
        while pages < Self.maximumPages, isShort(board), board.cursor != nil {
            do throws(FeedError) {
                board.append(try await api.stopTimes(of: code, for: request.stop, count: Self.pageLength, after: board))
                pages += 1
            } catch {
                // The stop exists, since the first page succeeded.
                board.partialFailure = FeedError(
                    error.kind == .unknownStop ? .unreadable : error.kind, detail: error.detail,
                    retryAfter: error.retryAfter)
                break
            }
        }
        // Without a departure of interest on the earlier pages, the board would look like a night without departures.
        guard let partialFailure = board.partialFailure,
            !board.rows.contains(where: { request.selectsRunning($0.departure) })
        else { return board }
        throw partialFailure
    }

    public func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        guard let id = departure.attributes?.id else { return nil }
        return try await api.trip(id)
    }

    /// Fetches the next departure of a stop, which fails if there is no such stop.
    public func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        let times = try await api.stopTimes(of: stop.code, for: stop, count: 1)
        return StopCheck(.departures, name: times.stopPlace?.name, lines: nil, zone: zone(named: times.zone))
    }

    /// The zone of a place; nil if it has none, or this machine does not have it.
    private func zone(named name: String?) -> Zone? {
        guard let name, name.utf8.count <= Self.maximumNameLength else { return nil }
        if let cached = learned.withLock({ $0.zones[name] }) { return cached }
        let found = try? zoneSource(name)
        learned.withLock { learned in
            if learned.zones.count >= Self.maximumPlaces { learned.zones = [:] }
            learned.zones.updateValue(found, forKey: name)
        }
        return found
    }

    /// Logs once that Transitous requires a contact address; until then the User-Agent has only the program's own page.
    private func warnAboutMissingContact() {
        guard api.contact == nil, api.base.description == Self.defaultURL else { return }
        let isNew = learned.withLock { learned in
            defer { learned.hasWarnedAboutContact = true }
            return !learned.hasWarnedAboutContact
        }
        guard isNew else { return }
        log?(
            .info(
                "\(Self.title) requires a contact address: set contact = \"me@example.org\" in "
                    + "boardd.toml, [feed.motis]; until then only boardd's project page is sent"))
    }
}

extension FeedRequest {
    /// Whether a departure runs and is of interest.
    fileprivate func selectsRunning(_ departure: Departure) -> Bool {
        departure.status != .cancelled && selects(departure)
    }
}

extension MOTISFeed {
    public static let name = FeedName("motis")

    static let title = "Transitous"
    static let defaultURL = "https://api.transitous.org"
    static let defaultVersion = "v5"
    static let expiry = ExpiryPolicy()
    /// Transitous' terms require a link to its sources. Short enough for the first screen of 20x4.
    static let attribution = "Transitous, sources: transitous.org/sources"

    /// The longest accepted code; Transitous' longest have about 100 characters.
    private static let maximumCodeLength = 256

    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            .init("url", .url(default: defaultURL), "base URL of a MOTIS server; http only for loopback"),
            .init("version", .text(default: defaultVersion), "API version, as in its URLs"),
            .init("contact", .text(), "your mail or web address for Transitous, sent in the User-Agent"),
            .init("language", .text(), "of names and alerts, such as \"de\", if there are several"),
            .init(
                "interval", .duration(.seconds(30)...(.seconds(3_600)), default: .seconds(60)),
                "between two polls of a stop"),
            .init(
                "window", .duration(.seconds(1_800)...(.seconds(86_400)), default: .seconds(2 * 3_600)),
                "how much time the board covers"),
        ],
        searchesStops: true,
        check: { code in
            let isCode =
                code.utf8.count <= maximumCodeLength && code.dropFirst().contains("_") && code.first != "_"
                && !code.unicodeScalars.contains { $0.properties.generalCategory == .control }
            return isCode
                ? nil
                : "must be a stop with its source before it, such as de-DELFI_de:02000:10950: see boardd stops search"
        })

    /// Estimates have no timestamp, so they count as made with the response. They are stale after 180 s: two failed
    /// polls of 60 s. Transitous is run by volunteers and asks for light use: half a request a second at most.
    static func profile(interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, shortTitle: "MOTIS", attribution: attribution, expiry: expiry,
            suffixes: [], interval: interval, quota: .init(requests: 30, per: .seconds(60)))
    }
}

extension MOTISFeed: StopFinder {
    /// The largest search radius: more would be half a country's platforms.
    static let maximumSearchRadius = Metres(5_000)

    public var maximumRadius: Metres { Self.maximumSearchRadius }

    public var finder: (any StopFinder)? { self }

    public func stops(matching text: String, limit: Int) async throws(FeedError) -> [ListedStop] {
        // Geocoders return a stop once for each way in which its name matches.
        try await api.matches(text).uniqued(by: \.code).prefix(limit).map { $0.listed(as: profile.name) }
    }

    /// Searches the map, up to five kilometres away. Platforms and stops with the same name are one stop, as their
    /// departures are, unless they are farther apart than ``walkingDistance``.
    public func stops(
        near place: Coordinates, within radius: Metres, limit: Int
    ) async throws(FeedError) -> [(stop: ListedStop, distance: Metres)] {
        let radius = min(radius, Self.maximumSearchRadius)
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
    public func stop(_ id: StopID) async throws(FeedError) -> ListedStop? {
        let times = try await api.stopTimes(of: id.code, for: id, count: 1)
        guard let place = times.stopPlace, let name = place.name else { return nil }
        return ListedStop(id: id, kind: .station, name: name, coordinates: place.coordinates)
    }

    /// The stop with the same name and place as one whose identifier no longer exists.
    public func successor(of request: FeedRequest) async throws(FeedError) -> ListedStop? {
        guard let last = stopPlace(of: request) else { return nil }
        return try await match(for: request.stop.code, last.name, at: last.place)?.listed(as: profile.name)
    }
}
