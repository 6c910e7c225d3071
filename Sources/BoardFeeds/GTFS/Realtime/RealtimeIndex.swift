internal import BoardCore

/// An immutable index of a timetable for matching realtime messages; made once per timetable, not per message.
package final class RealtimeIndex: Sendable {
    struct RouteDirection: Hashable, Sendable {
        /// An index into ``Timetable/routes``.
        let route: Int
        let direction: Int?
    }

    let timetable: Timetable
    let routes: [String: Int]
    let isRequested: [Bool]
    /// The routes and directions that serve each requested stop.
    let routeDirections: [Int: Set<RouteDirection>]
    /// Selects the entities of a message that are decoded.
    package let entityFilter: RealtimeFilter
    private let samples: [Int]
    /// The trips of each route.
    private let trips: [[Int]]
    /// The trips of New York's subway, by ``NYCTTripID/train``.
    private let trains: [String: [(path: String, trip: Int)]]

    /// - Parameter codes: the requested stops; a station includes its platforms.
    package init(_ timetable: Timetable, stops codes: [String]) {
        self.timetable = timetable
        routes = Dictionary(
            timetable.routes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var isRequested = [Bool](repeating: false, count: timetable.places.count)
        for place in codes.flatMap(timetable.places(of:)) { isRequested[place] = true }
        self.isRequested = isRequested
        routeDirections = Self.routeDirections(of: timetable, isRequested)
        var sampled: Set<Int> = []
        samples = timetable.trips.indices.filter { sampled.insert(timetable.trips[$0].pattern).inserted }
        var trains: [String: [(path: String, trip: Int)]] = [:]
        var names: [String] = []
        var trips = [[Int]](repeating: [], count: timetable.routes.count)
        for (number, trip) in timetable.trips.enumerated() {
            trips[trip.route].append(number)
            names.append(trip.id)
            guard let name = NYCTTripID(inTimetable: trip.id) else { continue }
            trains[name.train, default: []].append((name.path, number))
            names += [name.train, name.train + name.path]
        }
        (self.trains, self.trips) = (trains, trips)
        for (number, place) in timetable.places.enumerated() where isRequested[number] {
            // Data of a station applies to its platforms.
            names += [place.id] + (place.parent.map { [timetable.places[$0].id] } ?? [])
        }
        names += timetable.routes.flatMap { [$0.id, $0.agency] }
        entityFilter = RealtimeFilter(
            in: names, places: timetable.places.map(\.id), trips: timetable.allTripIDs,
            includesAllAgencies: timetable.routes.contains { $0.agency.isEmpty })
    }

    func place(_ id: String) -> Int? {
        let number = entityFilter.places.number(of: id)
        return number == ByteKeys.unknown ? nil : number
    }

    /// The trips that a message's `trip_id` may mean, the likeliest first: the exact match, else those of New York's
    /// subway.
    func candidates(_ id: String) -> [Int] {
        if let trip = timetable.trip(id) { return [trip] }
        guard !trains.isEmpty, let name = NYCTTripID(id[...]), let found = trains[name.train] else { return [] }
        return found.filter { $0.path == name.path }.map(\.trip) + found.filter { $0.path != name.path }.map(\.trip)
    }

    /// The trips that run on the descriptor's day on its route, in its direction, and with its start.
    func trips(startingAs descriptor: TripDescriptor) -> [Int] {
        guard let route = descriptor.route.flatMap({ routes[$0] }), let start = descriptor.start,
            let day = descriptor.day
        else { return [] }
        return trips[route].filter { number in
            let trip = timetable.trips[number]
            let isInDirection = descriptor.direction.map { $0 == trip.direction } ?? true
            let starts =
                trip.frequencies.isEmpty ? trip.start == start : trip.frequencies.contains { $0.starts(at: start) }
            return isInDirection && starts && timetable.runs(number, on: day)
        }
    }

    /// A trip with all calls of an update in that order, preferably with the same last stop. Its line is used for an update
    /// without a route.
    func similar(to update: TripUpdate) -> Int? {
        let fitting = samples.filter { fits(update, $0) }
        let end = update.stops.last?.place
        return fitting.first { timetable.calls(of: $0).last.map { Int($0.place) } == end } ?? fitting.first
    }

    /// Whether a trip has all calls of an update in that order.
    func fits(_ update: TripUpdate, _ trip: Int) -> Bool {
        var calls = timetable.calls(of: trip)
        return update.stops.allSatisfy { stop in
            guard let place = stop.place, let next = calls.firstIndex(where: { Int($0.place) == place })
            else { return false }
            calls = calls[(next + 1)...]
            return true
        }
    }

    /// Whether a trip has this ID, apart from the timetable's prefix.
    func isNamed(_ trip: Int, _ id: String) -> Bool {
        let own = timetable.trips[trip].id
        return own == id || own.hasSuffix("_" + id)
    }

    func areSameStation(_ one: Int, _ other: Int) -> Bool {
        let (first, second) = (timetable.places[one].parent, timetable.places[other].parent)
        return one == other || first == other || second == one || (first != nil && first == second)
    }

    private static func routeDirections(of timetable: Timetable, _ isRequested: [Bool]) -> [Int: Set<RouteDirection>] {
        let served = timetable.patterns.map { range in
            Set(timetable.calls[range].lazy.map { Int($0.place) }.filter { isRequested[$0] })
        }
        var routeDirections: [Int: Set<RouteDirection>] = [:]
        for trip in timetable.trips {
            for place in served[trip.pattern] {
                routeDirections[place, default: []].insert(RouteDirection(route: trip.route, direction: trip.direction))
            }
        }
        return routeDirections
    }
}
