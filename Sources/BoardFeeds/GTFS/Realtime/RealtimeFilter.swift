import BoardCore

/// Selects the entities of a message that may matter: those with a selected trip, a requested stop, or a route or
/// agency that serves one. It also numbers the timetable's stops, so their IDs need no String.
///
/// It has the hashes of identifiers: it never misses a relevant entity, and next to never includes an irrelevant one.
package final class RealtimeFilter: Sendable {
    private let seed = UInt64.random(in: .min ... .max)
    private let names: HashSlots
    /// Whether an alert for any agency may matter, because the timetable does not name the agencies of its routes.
    private let includesAllAgencies: Bool
    /// All trips of the timetable.
    private let trips: TripIDSet
    /// The stop IDs, by index into ``Timetable/places``.
    let places: ByteKeys

    /// - Parameters:
    ///   - names: identifiers of trips, stops, routes and agencies.
    ///   - places: the IDs of the timetable's stops, each once.
    ///   - trips: all trips of the timetable.
    ///   - includesAllAgencies: whether an alert for any agency may matter.
    init(in names: [String], places: [String], trips: TripIDSet, includesAllAgencies: Bool) {
        self.trips = trips
        self.places = ByteKeys(places)
        self.includesAllAgencies = includesAllAgencies
        var hashes = HashSlots()
        for name in names { hashes.insert(name.hash(seed)) }
        self.names = hashes
    }

    /// The index of the stop with the ID in these bytes; nil if it is not in the timetable.
    @inline(__always)
    func place(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let number = places.number(of: TableField(range), in: bytes)
        return number == ByteKeys.unknown ? nil : number
    }

    @inline(__always)
    func mayContain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        names.number(of: bytes.hash(range, seed)) != nil
    }

    func includes(_ entity: RealtimeEntity, of bytes: Span<UInt8>) throws(WireError) -> Bool {
        for (part, isUpdate) in [(entity.update, true), (entity.vehicle, false)] {
            if let part, try isNamed(in: part, isUpdate: isUpdate, bytes) { return true }
        }
        guard let alert = entity.alert else { return false }
        return try isNamed(inAlert: alert, bytes)
    }

    /// Whether the trip of an update or a vehicle, the stop of one of the update's calls, or the vehicle's stop may be
    /// selected.
    private func isNamed(in part: Range<Int>, isUpdate: Bool, _ bytes: Span<UInt8>) throws(WireError) -> Bool {
        var fields = WireFields(part)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: if try isNamed(trip: field.range, bytes) { return true }
            case 2 where isUpdate: if try isNamed(4, in: field.range, bytes) { return true }
            case 7 where !isUpdate: if mayContain(bytes, field.range) { return true }
            default: break
            }
        }
        return false
    }

    /// Whether a trip descriptor matches by its ID or, for a trip that is not in the timetable, by its route and start.
    private func isNamed(trip: Range<Int>, _ bytes: Span<UInt8>) throws(WireError) -> Bool {
        var fields = WireFields(trip)
        var (id, hasStart, isOfRoute) = (0..<0, false, false)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: id = field.range
            case 2: hasStart = true
            case 5: isOfRoute = mayContain(bytes, field.range)
            default: break
            }
        }
        return !id.isEmpty && mayContain(bytes, id) || (hasStart && isOfRoute && !trips.contains(bytes, id))
    }

    /// Whether an alert's informed entities match. A selector with a trip, stop or route concerns only these; any other
    /// with a route type or a direction always matches.
    private func isNamed(inAlert alert: Range<Int>, _ bytes: Span<UInt8>) throws(WireError) -> Bool {
        var fields = WireFields(alert)
        while let field = try fields.next(in: bytes) {
            guard field.number == 5 else { continue }
            var selector = WireFields(field.range)
            var (isOpen, isOfNames) = (false, false)
            while let part = try selector.next(in: bytes) {
                switch part.number {
                case 1: isOpen = isOpen || includesAllAgencies || mayContain(bytes, part.range)
                case 2, 5:
                    if mayContain(bytes, part.range) { return true }
                    isOfNames = true
                case 3, 6: isOpen = true
                case 4:
                    if try isNamed(1, or: 5, in: part.range, bytes) { return true }
                    isOfNames = true
                default: break
                }
            }
            if isOpen, !isOfNames { return true }
        }
        return false
    }

    /// Whether one of a message's text fields, by field number, is a name.
    @inline(__always)
    private func isNamed(
        _ number: Int, or other: Int? = nil, in message: Range<Int>, _ bytes: Span<UInt8>
    ) throws(WireError) -> Bool {
        var fields = WireFields(message)
        while let field = try fields.next(in: bytes) {
            if field.number == number || field.number == other, mayContain(bytes, field.range) { return true }
        }
        return false
    }
}

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
        routes = Dictionary(timetable.routes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
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
        self.trains = trains
        self.trips = trips
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

    /// The trips that run on the descriptor's day on its route, in its direction, and start at its time.
    func trips(startingAs descriptor: TripDescriptor) -> [Int] {
        guard let route = descriptor.route.flatMap({ routes[$0] }), let start = descriptor.start,
            let day = descriptor.day
        else { return [] }
        return trips[route].filter { number in
            let trip = timetable.trips[number]
            let isInDirection = descriptor.direction.isNilOr { $0 == trip.direction }
            let starts =
                trip.frequencies.isEmpty ? trip.start == start : trip.frequencies.contains { $0.starts(at: start) }
            return isInDirection && starts && timetable.runs(number, on: day)
        }
    }

    /// A trip with all calls of an update in the same order, preferably with the same last stop. Its line is used for
    /// an update without a route.
    func similar(to update: TripUpdate) -> Int? {
        let fitting = samples.filter { fits(update, $0) }
        let end = update.stops.last?.place
        return fitting.first { timetable.calls(of: $0).last.map { Int($0.place) } == end } ?? fitting.first
    }

    /// Whether a trip has all calls of an update in the same order.
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
