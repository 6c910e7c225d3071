internal import BoardCore

/// A timetable with what messages are matched by: made once a timetable, not once a message. It never changes.
final class RealtimeIndex: Sendable {
    /// Which way a route goes.
    struct RouteDirection: Hashable, Sendable {
        /// A place in ``Timetable/routes``.
        let route: Int
        let direction: Int?
    }

    let timetable: Timetable
    /// The routes by their ids.
    let routes: [String: Int]
    /// Whether a place is of interest, by its place in the timetable.
    let isWanted: [Bool]
    /// The ways that serve each place of interest.
    let routeDirections: [Int: Set<RouteDirection>]
    /// What of a message is read.
    let entityFilter: RealtimeFilter
    /// A trip of each pattern.
    private let samples: [Int]
    /// The trips of New York's subway, by their trains.
    private let trains: [String: [(path: String, trip: Int)]]

    /// - Parameter codes: the stops of interest; a station stands for its platforms.
    init(_ timetable: Timetable, stops codes: [String]) {
        self.timetable = timetable
        func numbers(_ ids: some Sequence<String>) -> [String: Int] {
            Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
        routes = numbers(timetable.routes.lazy.map(\.id))
        var isWanted = [Bool](repeating: false, count: timetable.places.count)
        for place in codes.flatMap(timetable.places(of:)) { isWanted[place] = true }
        self.isWanted = isWanted
        routeDirections = Self.routeDirections(of: timetable, isWanted)
        var sampled: Set<Int> = []
        samples = timetable.trips.indices.filter { sampled.insert(timetable.trips[$0].pattern).inserted }
        var trains: [String: [(path: String, trip: Int)]] = [:]
        var names: [String] = []
        for (number, trip) in timetable.trips.enumerated() {
            names.append(trip.id)
            guard let name = NYCTTripID(inTimetable: trip.id) else { continue }
            trains[name.train, default: []].append((name.path, number))
            names += [name.train, name.train + name.path]
        }
        self.trains = trains
        for (number, place) in timetable.places.enumerated() where isWanted[number] {
            // What is told of a station is told of its platforms.
            names += [place.id] + (place.parent.map { [timetable.places[$0].id] } ?? [])
        }
        names += timetable.routes.flatMap { [$0.id, $0.agency] }
        entityFilter = RealtimeFilter(in: names, places: timetable.places.map(\.id))
    }

    /// The stop with an id; nil: the timetable does not know it.
    func place(_ id: String) -> Int? {
        let number = entityFilter.places.number(of: id)
        return number == ByteKeys.unknown ? nil : number
    }

    /// The trips of the timetable that a message's id may mean, the likeliest first: the one that has it, else those of
    /// New York's subway.
    func candidates(_ id: String) -> [Int] {
        if let trip = timetable.trip(id) { return [trip] }
        guard !trains.isEmpty, let name = NYCTTripID(id[...]), let found = trains[name.train] else { return [] }
        return found.filter { $0.path == name.path }.map(\.trip) + found.filter { $0.path != name.path }.map(\.trip)
    }

    /// A trip that makes all calls that an update tells of, in that order, and ends with them if any such does: its line is
    /// that of an update which names none.
    func similar(to update: TripUpdate) -> Int? {
        let fitting = samples.filter { fits(update, $0) }
        let end = update.stops.last?.place
        return fitting.first { timetable.calls(of: $0).last.map { Int($0.place) } == end } ?? fitting.first
    }

    /// Whether a trip makes all calls that an update tells of, in that order.
    func fits(_ update: TripUpdate, _ trip: Int) -> Bool {
        var calls = timetable.calls(of: trip)
        return update.stops.allSatisfy { stop in
            guard let place = stop.place, let next = calls.firstIndex(where: { Int($0.place) == place })
            else { return false }
            calls = calls[(next + 1)...]
            return true
        }
    }

    /// Whether a trip has exactly this id, or but for what the timetable writes before it.
    func isNamed(_ trip: Int, _ id: String) -> Bool {
        let own = timetable.trips[trip].id
        return own == id || own.hasSuffix("_" + id)
    }

    /// Whether two places are one, or platforms of one station.
    func areSameStation(_ one: Int, _ other: Int) -> Bool {
        let (first, second) = (timetable.places[one].parent, timetable.places[other].parent)
        return one == other || first == other || second == one || (first != nil && first == second)
    }

    private static func routeDirections(of timetable: Timetable, _ isWanted: [Bool]) -> [Int: Set<RouteDirection>] {
        let served = timetable.patterns.map { range in
            Set(timetable.calls[range].lazy.map { Int($0.place) }.filter { isWanted[$0] })
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
