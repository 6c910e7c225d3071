public import BoardCore

/// Transport for London's Unified API.
///
/// A bus stop or a tube, DLR or tram station takes one request, `/StopPoint/{id}/Arrivals`. A rail station (`910G…`),
/// an interchange (`HUB…`) and a pair of bus stops (`490G…`) are fetched every twelve hours, and each poll then fetches
/// their parts: see ``TfLRequestPlan``. Works without a key.
public final class TfLFeed: DepartureFeed {
    /// How long the structure of a station is cached, as in TfL's own caches (`Cache-Control: max-age=43200`).
    private static let stopTTL: Duration = .seconds(12 * 3_600)

    private static let maximumStops = 64

    /// The longest vehicle identifier in a request; number plates have seven characters.
    private static let maximumVehicleLength = 32

    public let profile: FeedProfile
    private let api: TfLAPI
    private let alerts: TfLAlerts
    /// The zone of all of TfL's stops, which may differ from the machine's own.
    private let zone: Zone
    private let stops: ResponseCache<TfLStopPoint>
    /// The last response of each request for a part of a station.
    private let parts: ResponseCache<TfLDepartures>

    public init(_ context: FeedContext) throws(FeedSettingError) {
        api = try TfLAPI(context)
        profile = Self.profile(interval: context.settings[duration: "interval"], hasKey: api.key.secret != nil)
        alerts = TfLAlerts(api, clock: context.clock)
        // Retries after a failure are up to the polling policy.
        stops = ResponseCache(ttl: Self.stopTTL, backOff: .zero, capacity: Self.maximumStops, clock: context.clock)
        parts = ResponseCache(
            ttl: .zero, backOff: .zero, capacity: Self.maximumStops * ResponseLimits.lookups, clock: context.clock)
        zone = try context.zone(Self.zoneName)
    }

    /// Fetches all departures of a stop, and at most every two minutes its alerts and those of its lines (see
    /// ``TfLAlertSchedule``). A failed alert request only leaves the alerts older.
    ///
    /// If some of several requests fail, each counts as one bad row, and the response has the departures of the others
    /// and the unexpired ones of the failed requests' last responses. It throws if all requests fail, if one fails for
    /// a reason that concerns them all (key, quota), and if one was cancelled, so that the polling policy can react.
    public func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        let code = request.stop.code
        let isWhole = !TfLRequestPlan.needsStructure(code)
        let plan = try await plan(for: request)
        let filter = alerts.alertFilter(of: request, plan)
        async let refreshedAlerts: Void = alerts.refresh(filter)
        let lookups = await plan.requests.concurrentMap { part in
            await self.lookUp(part, of: request.stop, isWhole: isWhole)
        }
        await refreshedAlerts
        let date = lookups.compactMap { $0.failure == nil ? $0.value?.date : nil }.max()
        let failures = lookups.compactMap(\.failure)
        let whole = failures.count == lookups.count ? failures.first : nil
        if let failure = failures.first(where: \.affectsAllRequests) ?? whole { throw failure }
        let departureSets = lookups.compactMap { $0.departures(at: date) }
        let departures = departureSets.flatMap(\.departures)
        if isWhole { alerts.note(departures.map(\.line), at: code) }
        return FeedResponse(
            stop: Stop(
                id: request.stop, name: plan.name ?? departureSets.lazy.compactMap(\.name).first,
                letter: isWhole ? departureSets.first?.letter : nil, zone: zone), departures: departures,
            alerts: alerts.alerts(for: alerts.alertFilter(of: request, plan), at: date),
            badRows: departureSets.reduce(failures.count) { $0 + $1.badRows })
    }

    /// Fetches `/Vehicle/{id}/Arrivals` for a bus or a train; vehicles without a number (DLR, Elizabeth line,
    /// Overground) cannot be fetched.
    public func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        // The number is a path segment: "." and ".." would change the path.
        guard departure.vehicle.utf8.count <= Self.maximumVehicleLength,
            departure.vehicle.contains(where: { $0 != "." })
        else { return nil }
        return try await FeedError.nilIfUnknown { () throws(FeedError) in try await api.tripDetails(of: departure) }
    }

    /// Fetches the stop itself, `/StopPoint/{id}`.
    public func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        let point = try await api.stopPoint(stop.code)
        return StopCheck(
            name: point.find(stop.code)?.name, lines: TfLRequestPlan.lines(of: stop.code, in: point), zone: zone)
    }

    /// The requests for a stop. After a failed fetch the cached structure of a station is used beyond its TTL.
    private func plan(for request: FeedRequest) async throws(FeedError) -> TfLRequestPlan {
        let code = request.stop.code
        guard TfLRequestPlan.needsStructure(code) else { return TfLRequestPlan(forPole: code) }
        let lookup = await stops.value(code) { try await api.stopPoint(code) }
        if let failure = lookup.failure, failure.kind == .cancelled || failure.kind == .unknownStop { throw failure }
        return TfLRequestPlan(for: code, in: try lookup.get(), lines: request.lines)
    }

    /// The response to a request; for a part of a station, after a temporary failure, the last one.
    private func lookUp(
        _ request: TfLRequestPlan.Request, of stop: StopID, isWhole: Bool
    ) async -> ResponseCache<TfLDepartures>.Lookup {
        let key = "\(stop.code)/\(request.id)"
        let lookup = await parts.value(key) { try await api.departures(request, for: stop) }
        if isWhole || lookup.failure?.kind.isPermanent == true { parts.remove(key) }
        return lookup
    }
}

extension ResponseCache<TfLDepartures>.Lookup {
    /// The new departures; after a temporary failure the last ones not expired at `date`, the operator's clock.
    fileprivate func departures(at date: Timestamp?) -> TfLDepartures? {
        guard let failure, var value else { return value }
        if failure.kind.isPermanent { return nil }
        if let date { value.departures.removeAll { $0.expiresAt <= date } }
        value.badRows = 0
        return value
    }
}

extension FeedError {
    /// Whether the failure of one request concerns all of them.
    fileprivate var affectsAllRequests: Bool {
        switch kind {
        case .keyRejected, .keyMissing, .rateLimited, .cancelled: true
        default: false
        }
    }
}

extension TfLFeed {
    public static let name = FeedName("tfl")

    static let keyName = "TFL_APP_KEY"
    static let defaultURL = "https://api.tfl.gov.uk"
    static let zoneName = "Europe/London"
    static let expiry = ExpiryPolicy()

    /// The longest accepted code; TfL's own have at most 12 characters.
    private static let maximumCodeLength = 32

    public static let declaration = FeedDeclaration(
        name: name, title: "TfL",
        settings: [
            .init("url", .url(default: defaultURL), "base URL of the TfL API; http only for loopback"),
            .init(
                "interval", .duration(.seconds(30)...(.seconds(3_600)), default: .seconds(30)),
                "between two polls of a stop; TfL's data change every 30s"),
        ],
        secrets: [keyName],
        check: { code in
            let isCode = (1...maximumCodeLength).contains(code.utf8.count) && code.utf8.allSatisfy(\.isAlphanumeric)
            return isCode ? nil : "must be letters and digits, such as 490008660N or 940GZZLUOXC"
        })

    /// Suffixes of station names, by mode; names of bus stops have none.
    static let suffixes = [
        " Underground Station", " DLR Station", " Rail Station", " Tram Stop", " Overground Station",
    ]

    /// Long line names, shortened as on TfL's own signs, by the line's identifier; bus lines need none.
    static let shortLines = [
        "bakerloo": "Bak", "central": "Cen", "circle": "Cir", "district": "Dis", "elizabeth": "Eliz",
        "hammersmith-city": "H&C", "jubilee": "Jub", "liberty": "Lib", "lioness": "Lio", "london-overground": "Ovr",
        "metropolitan": "Met", "mildmay": "Mil", "northern": "Nthn", "piccadilly": "Picc", "suffragette": "Suf",
        "victoria": "Vic", "waterloo-city": "W&C", "weaver": "Wea", "windrush": "Win",
    ]

    /// An estimate is stale after 180 s: a new response is 30–90 s old on arrival (recorded `Date` minus `timestamp`,
    /// with `s-maxage=60` in TfL's caches), and polls are 30 s apart, so 120 s is normal and 180 s is not.
    static func profile(interval: Duration, hasKey: Bool) -> FeedProfile {
        FeedProfile(
            name: name, title: "TfL", attribution: "Powered by TfL Open Data", expiry: expiry, suffixes: suffixes,
            shortLines: shortLines, interval: interval, quota: .init(requests: hasKey ? 500 : 50, per: .seconds(60)))
    }
}

/// The requests for the departures of a station, an interchange or a pair of bus stops.
///
/// A rail station takes one request for each Elizabeth line or Overground line. An interchange takes those, and one for
/// each tube, DLR or tram station and each bus stop, since areas have no arrivals of their own. If the user named
/// lines, only those are fetched; if none of them calls there, all.
struct TfLRequestPlan: Hashable, Sendable {
    enum Request: Hashable, Sendable {
        /// `/StopPoint/{code}/Arrivals`.
        case arrivals(String)
        /// `/StopPoint/{code}/ArrivalDepartures?lineIds={line}`.
        case rail(String, Line)

        var code: String {
            switch self {
            case .arrivals(let code), .rail(let code, _): code
            }
        }

        /// Identifies the request within a plan.
        var id: String {
            switch self {
            case .arrivals(let code): code
            case .rail(let code, let line): "\(code)/\(line.id)"
            }
        }
    }

    /// The most bus stops: within the quota without a key, 12 can be polled every 30 s.
    static let maximumPoles = 12

    /// The lines that only ArrivalDepartures covers. `london-overground` was all of the Overground until November 2024.
    static let railLines: Set<String> = [
        "elizabeth", "london-overground", "liberty", "lioness", "mildmay", "suffragette", "weaver", "windrush",
    ]

    let name: String?
    /// The requests, in the order of the response.
    let requests: [Request]
    /// The lines of interest that the requests cover; empty if unknown.
    let lines: [Line]
    /// The codes of the contained stops that are not fetched.
    let excludedStops: Set<String>

    /// Whether a stop with this code has parts, which must be fetched first.
    static func needsStructure(_ code: String) -> Bool {
        let folded = code.uppercased()
        return folded.hasPrefix("910G") || folded.hasPrefix("HUB") || isArea(folded)
    }

    /// Whether a code is that of a group of bus stops: NaPTAN's county number (490 is London, 210 Hertfordshire, which
    /// London's buses also serve; from 900 on there are none) and a G.
    private static func isArea(_ code: String) -> Bool {
        guard code.utf8.dropFirst(3).first == UInt8(ascii: "G"), let county = UInt(code.prefix(3)) else { return false }
        return county < 900
    }

    /// The plan for `code`, which may be inside `stop`: for some stations TfL returns their interchange.
    init(for code: String, in stop: TfLStopPoint, lines: [String]) {
        let selected = stop.find(code) ?? stop
        name = selected.name
        var result = Walk()
        result.walk(selected, isRoot: true)
        let interesting = result.all.filter { _, calling in
            lines.isEmpty || calling.contains { line in lines.contains(where: line.isCalled) }
        }
        let chosen = (interesting.isEmpty ? result.all : interesting).map(\.request)
        var poles = 0
        let requests = chosen.limitedCompactMap(upTo: ResponseLimits.lookups) { request in
            guard case .arrivals(let code) = request, !code.hasPrefix("940G") else { return request }
            poles += 1
            return poles <= Self.maximumPoles ? request : nil
        }
        // Some stations have no lines in TfL's data; a plain request costs little and may return departures.
        self.requests = requests.isEmpty ? [.arrivals(code)] : requests
        self.lines = result.all.filter { requests.contains($0.request) }.flatMap(\.lines).uniqued().filter { line in
            lines.isEmpty || lines.contains(where: line.isCalled)
        }
        excludedStops = Set(result.all.map(\.request.code)).subtracting(self.requests.map(\.code))
    }

    /// The plan for a bus stop or a station that takes one request, whose lines are unknown.
    init(forPole code: String) {
        name = nil
        requests = [.arrivals(code)]
        lines = []
        excludedStops = []
    }

    /// The distinct lines of `code`, inside `stop`, that its requests can return.
    static func lines(of code: String, in stop: TfLStopPoint) -> [Line] {
        let selected = stop.find(code) ?? stop
        guard needsStructure(code) else { return selected.lines }
        var result = Walk()
        result.walk(selected, isRoot: true)
        return result.all.flatMap(\.lines).uniqued()
    }

    /// The result of a walk: each request with its lines.
    private struct Walk {
        /// The most requests; the largest interchange has 60.
        private static let maximumCount = 256

        var all: [(request: Request, lines: [Line])] = []

        mutating func walk(_ stop: TfLStopPoint, isRoot: Bool) {
            if stop.kind == "NaptanRailStation" || stop.code.hasPrefix("910G") {
                let rail = stop.lines.filter {
                    TfLRequestPlan.railLines.contains($0.id) || stop.railLines.contains($0.id)
                }
                for line in rail { add(.rail(stop.code, line), [line]) }
                // The user of a rail station waits for its trains, not for the buses in front of it.
                if isRoot { return }
            } else if stop.code.hasPrefix("940G") || stop.kind == "NaptanPublicBusCoachTram" {
                add(.arrivals(stop.code), stop.lines)
            }
            for child in stop.children { walk(child, isRoot: false) }
        }

        private mutating func add(_ request: Request, _ lines: [Line]) {
            if all.count < Self.maximumCount, !all.contains(where: { $0.request == request }) {
                all.append((request, lines))
            }
        }
    }
}
