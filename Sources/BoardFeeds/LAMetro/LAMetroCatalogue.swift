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
        if stops.places.isEmpty, let failure { throw failure }
        try await Self.emit(stops.places.map(\.listed), from: api.base, to: take)
        return StopPage(
            entries: stops.places.count, badRows: stops.badRows + failed, total: stops.places.count)
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
            let stopsByCode = Dictionary(
                own.joined().map { ($0.id.code, $0) }, uniquingKeysWith: { first, _ in first })
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

    struct Place {
        let stop: LAMetroStopCode
        let id: StopID
        let name: String
        let coordinates: Coordinates?
        var lines: [Line]

        var listed: ListedStop {
            ListedStop(
                id: id, kind: stop.agency == .rail ? .station : .pole, name: name, modes: [stop.agency.mode],
                lines: lines.map { ListedLine($0, mode: stop.agency.mode) }, coordinates: coordinates,
                shortCode: stop.agency == .rail ? stop.number : nil)
        }
    }

    private(set) var places: [Place] = []
    private(set) var badRows = 0
    private var indices: [LAMetroStopCode: Int] = [:]

    /// Adds the stops of a route. Layovers, which have no number, are skipped.
    mutating func add(_ sequence: (good: [LAMetroStopInfo], bad: Int), of route: Line, _ agency: LAMetroAgency) {
        badRows += sequence.bad
        for place in sequence.good {
            guard let number = place.number else { continue }
            let stop = LAMetroStopCode(agency, number)
            guard let id = stop.id else {
                badRows += 1
                continue
            }
            if let index = indices[stop] {
                let lines = places[index].lines
                if lines.count < Self.maximumLines, !lines.contains(route) {
                    places[index].lines.append(route)
                }
            } else if places.count == Self.maximumStops {
                badRows += 1
            } else {
                indices[stop] = places.count
                places.append(
                    Place(
                        stop: stop, id: id, name: place.name, coordinates: place.coordinates, lines: [route]))
            }
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
