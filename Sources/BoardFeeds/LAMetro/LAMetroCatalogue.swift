public import BoardCore

/// LA Metro's stops and lines: its agencies, their routes, and the stops of each.
public struct LAMetroCatalogue: StopCatalogue {
    private let api: LAMetroAPI

    public init?(_ context: FeedContext) throws(FeedSettingError) {
        guard let api = try LAMetroAPI(context) else { return nil }
        self.api = api
    }

    /// Fetches the stops of all routes, one route at a time, and emits each stop once, with all its lines, as page 1;
    /// further pages are empty. A route whose stops cannot be fetched counts as one bad row.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedError) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        var stops = CollectedStops()
        var failure: FeedError?
        var failed = 0
        for agency in try await agencies() {
            for route in try await api.routes(of: agency).prefix(ResponseLimits.lines) {
                do throws(FeedError) {
                    let sequence = try await api.sequence(of: route.id, agency)
                    stops.add(sequence, of: route, agency)
                } catch {
                    switch error.kind {
                    case .status, .unreadable:
                        failure = error
                        failed += 1
                    default: throw error
                    }
                }
            }
        }
        let listed = stops.listed
        if listed.isEmpty, let failure { throw failure }
        try await Self.emit(listed, from: api.base, to: take)
        return StopPage(entries: listed.count, badRows: stops.badRows + failed, total: listed.count)
    }

    /// Fetches the runs of a line and the stops of each.
    ///
    /// - Parameter line: the number or the name of a route.
    public func route(of line: String) async throws(FeedError) -> LineRoute? {
        for agency in try await agencies() {
            let routes = try await api.routes(of: agency)
            guard let route = routes.first(where: { $0.id == line }) ?? routes.first(where: { $0.isCalled(line) })
            else { continue }
            var runs: [(direction: String, stops: [LineRoute.RouteStop])] = []
            for run in try await api.runs(of: route.id, agency).filter(\.isShown).prefix(ResponseLimits.lookups) {
                let stops = try await api.stops(of: run.id, route.id, agency).compactMap {
                    LineRoute.RouteStop($0, agency)
                }
                runs.append((run.direction ?? run.destination, stops))
            }
            return LineRoute(line: route, mode: agency.mode, directions: Self.directions(runs))
        }
        return nil
    }

    private func agencies() async throws(FeedError) -> [LAMetroAgency] {
        let agencies = try await api.agencies()
        guard agencies.isEmpty else { return agencies }
        throw FeedError(
            .unreadable,
            detail: "\(api.base): lists neither agency, lametro nor lametro-rail: check url in "
                + "boardd.toml, [feed.lametro]")
    }

    /// The directions in the order received, with the runs of each merged.
    private static func directions(
        _ runs: [(direction: String, stops: [LineRoute.RouteStop])]
    ) -> [LineRoute.Direction] {
        runs.map(\.direction).uniqued().compactMap { name in
            let own = runs.filter { $0.direction == name && !$0.stops.isEmpty }.map(\.stops)
            guard !own.isEmpty else { return nil }
            let stopsByCode = Dictionary(own.joined().map { ($0.id.code, $0) }, uniquingKeysWith: { first, _ in first })
            let branches = RouteBranches(own.map { $0.map(\.id.code) })
            return LineRoute.Direction(
                name: name,
                branches: BranchOrder.branches(
                    branches.stops.map { $0.compactMap { stopsByCode[$0] } }, next: branches.next))
        }
    }
}

/// The distinct stops of all routes, each with all its lines, in received order.
private struct CollectedStops {
    /// The most stops of a list; LA Metro has 14,000.
    private static let maximumStops = 50_000
    /// The most lines of a stop; the busiest has 20.
    private static let maximumLines = 64

    private var stops: [(stop: LAMetroStopCode, id: StopID, info: LAMetroStopInfo)] = []
    private var lines: [LAMetroStopCode: [Line]] = [:]
    private(set) var badRows = 0

    var listed: [ListedStop] {
        stops.map { stop, id, info in
            ListedStop(
                id: id, kind: stop.agency == .rail ? .station : .pole, name: info.name, modes: [stop.agency.mode],
                lines: lines[stop, default: []].map { ListedLine($0, mode: stop.agency.mode) },
                coordinates: info.coordinates, shortCode: stop.agency == .rail ? stop.number : nil)
        }
    }

    /// Adds the stops of a route. Layovers, which have no number, are skipped.
    mutating func add(_ sequence: (good: [LAMetroStopInfo], bad: Int), of route: Line, _ agency: LAMetroAgency) {
        badRows += sequence.bad
        for info in sequence.good {
            guard let number = info.number else { continue }
            let stop = LAMetroStopCode(agency, number)
            guard let id = stop.id, lines[stop] != nil || stops.count < Self.maximumStops else {
                badRows += 1
                continue
            }
            if lines[stop] == nil { stops.append((stop, id, info)) }
            let known = lines[stop, default: []]
            if known.count < Self.maximumLines, !known.contains(route) { lines[stop] = known + [route] }
        }
    }
}

extension LineRoute.RouteStop {
    /// A stop of a run; nil for a layover.
    fileprivate init?(_ place: LAMetroStopInfo, _ agency: LAMetroAgency) {
        guard let id = place.number.flatMap({ LAMetroStopCode(agency, $0).id }) else { return nil }
        self.init(id: id, name: place.name, coordinates: place.coordinates)
    }
}
