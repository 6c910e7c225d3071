/// A sequence of stops that trips of a route serve.
struct RoutePattern: Hashable, Sendable {
    /// `direction_id`: 0 or 1; nil if missing.
    let direction: Int?
    /// `stop_id` in the order of travel; a loop lists a stop twice.
    let stops: [String]
    let trips: Int
    /// The most frequent `trip_headsign`; nil if none.
    let headsign: String?
}

extension GTFSArchive {
    /// The route patterns of a route: one pass over `trips.txt` and one over `stop_times.txt`.
    ///
    /// - Parameter route: `route_id`.
    /// - Returns: the patterns by direction, most trips first; none if the route is missing or has no trips.
    func patterns(of route: String) throws(TableError) -> [RoutePattern] {
        var trips = RouteTrips()
        try trips.readTrips(of: route, in: self)
        guard trips.ids.count > 0 else { return [] }
        try trips.readCalls(in: self)
        return trips.patterns
    }
}

private struct RouteTrips {
    private struct Call {
        let trip: Int32
        let sequence: Int32
        let stop: Int32
    }

    private struct Key: Hashable {
        let direction: Int
        let stops: [Int32]
    }

    private(set) var ids = ByteKeys()
    /// 0 or 1; -1 if missing.
    private var directions: [Int] = []
    /// Indices into ``headsigns``; -1: none.
    private var headsignOfTrip: [Int] = []
    private var headsigns = ByteKeys()
    private var stops = ByteKeys()
    private var calls: [Call] = []

    mutating func readTrips(of route: String, in archive: GTFSArchive) throws(TableError) {
        let requested = ByteKeys([route])
        var table = try Table(TripColumn.self, in: archive)
        while try table.next() {
            guard table.number(of: TripColumn.route, in: requested) != ByteKeys.unknown else { continue }
            // Of two trips with the same `trip_id`, the first counts.
            guard ids.insert(table.field(TripColumn.id), of: table.bytes.span) == directions.count else { continue }
            directions.append(table.direction ?? -1)
            let headsign = table.field(TripColumn.headsign)
            headsignOfTrip.append(headsign.isEmpty ? -1 : headsigns.insert(headsign, of: table.bytes.span))
            let text = ids.textCount + headsigns.textCount
            try GTFSLimits.check(ids.count, archive.limits.selectedTrips, "trips of one line", .trips)
            try GTFSLimits.check(text, archive.limits.text, "bytes of their names", .trips)
        }
    }

    mutating func readCalls(in archive: GTFSArchive) throws(TableError) {
        let columns = [StopTimeColumn.trip, .stop, .sequence].map(\.name)
        var table = try Table(GTFSFile.stopTimes.name, archive.open(.stopTimes), columns)
        var trip = ByteKeys.unknown
        while try table.next() {
            if table.held == nil || !table.isRepeated {
                trip = table.number(of: StopTimeColumn.trip, in: ids)
                table.hold()
            }
            let stop = table.field(StopTimeColumn.stop)
            guard trip != ByteKeys.unknown, !stop.isEmpty,
                let sequence = table.bytes.span.integer(table.field(StopTimeColumn.sequence))
            else { continue }
            calls.append(
                Call(
                    trip: Int32(truncatingIfNeeded: trip), sequence: Int32(truncatingIfNeeded: sequence),
                    stop: Int32(truncatingIfNeeded: stops.insert(stop, of: table.bytes.span))))
            try GTFSLimits.check(calls.count, archive.limits.selectedCalls, "rows of one line", .stopTimes)
            try GTFSLimits.check(stops.textCount, archive.limits.text, "bytes of its stops", .stopTimes)
        }
        calls.sort { ($0.trip, $0.sequence) < ($1.trip, $1.sequence) }
    }

    var patterns: [RoutePattern] {
        var found: [Key: [Int: Int]] = [:]
        var start = 0
        while start < calls.count {
            let trip = Int(calls[start].trip)
            let end = calls[start...].firstIndex { Int($0.trip) != trip } ?? calls.count
            let key = Key(direction: directions[trip], stops: calls[start..<end].map(\.stop))
            found[key, default: [:]][headsignOfTrip[trip], default: 0] += 1
            start = end
        }
        return found.map { key, trips in
            let most = trips.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? -1
            return RoutePattern(
                direction: key.direction < 0 ? nil : key.direction, stops: key.stops.map { stops[Int($0)] },
                trips: trips.values.reduce(0, +), headsign: most < 0 ? nil : headsigns[most].plainText)
        }.sorted { left, right in
            let (one, other) = (left.direction ?? 2, right.direction ?? 2)
            if one != other { return one < other }
            return left.trips == right.trips
                ? left.stops.lexicographicallyPrecedes(right.stops) : left.trips > right.trips
        }
    }
}

/// The routes that call at each stop, and at any platform of each station: one pass over `stop_times.txt`.
struct RoutesByStop {
    /// A stop's number from 1 in the upper 32 bits, a route's in the lower ones; ascending.
    private var pairs: [UInt64] = []
    private var stops = ByteKeys()
    private var routes = ByteKeys()
    private let seed = UInt64.random(in: .min ... .max)

    /// Needs about 30 MB while it reads a country's archive with 600,000 trips.
    init(_ archive: GTFSArchive) throws(TableError) {
        let parents = try readStops(archive)
        let routeOfTrip = try readTrips(archive)
        var table = try Table(GTFSFile.stopTimes.name, archive.open(.stopTimes), StopTimesReader.columns)
        var found = HashSlots()
        // Consecutive trips of a route call at the same stops.
        var last = [Int32](repeating: -1, count: stops.count)
        var route: Int32 = -1
        while try table.next() {
            if table.held == nil || !table.isRepeated {
                let trip = table.bytes.span.hash(table.field(StopTimeColumn.trip), seed)
                route = routeOfTrip.number(of: trip).map { Int32(truncatingIfNeeded: $0) } ?? -1
                table.hold()
            }
            let stop = table.number(of: StopTimeColumn.stop, in: stops)
            guard route >= 0, stop != ByteKeys.unknown, last[stop] != route else { continue }
            last[stop] = route
            found.insert(Self.pair(stop, route))
            if parents[stop] >= 0 { found.insert(Self.pair(Int(parents[stop]), route)) }
            try GTFSLimits.check(found.count, archive.limits.stopRoutePairs, "pairs of a stop and a line", .stopTimes)
        }
        pairs = found.all.sorted()
    }

    /// `route_id` of the routes that call at a stop, in the order of `trips.txt`.
    func routes(at stop: String) -> [String] {
        let number = stops.number(of: stop)
        guard number != ByteKeys.unknown else { return [] }
        let first = pairs.lowerBound(isBefore: { $0 < Self.pair(number, 0) })
        return pairs[first...].prefix { $0 < Self.pair(number + 1, 0) }.map { routes[Int($0 & 0xFFFF_FFFF)] }
    }

    private static func pair(_ stop: Int, _ route: Int32) -> UInt64 {
        UInt64(stop + 1) << 32 | UInt64(UInt32(bitPattern: route))
    }

    /// Numbers the stops, and returns the station of each; -1: none.
    private mutating func readStops(_ archive: GTFSArchive) throws(TableError) -> [Int32] {
        var parents: [(stop: Int, parent: Int)] = []
        var table = try Table(StopColumn.self, in: archive)
        while try table.next() {
            let stop = stops.insert(table.field(StopColumn.id), of: table.bytes.span)
            let parent = table.field(StopColumn.parent)
            if !parent.isEmpty { parents.append((stop, stops.insert(parent, of: table.bytes.span))) }
            try GTFSLimits.check(max(stops.count, parents.count), archive.limits.stops, "stops", .stops)
            try GTFSLimits.check(stops.textCount, archive.limits.text, "bytes of their identifiers", .stops)
        }
        var found = [Int32](repeating: -1, count: stops.count)
        for (stop, parent) in parents where stop != parent { found[stop] = Int32(truncatingIfNeeded: parent) }
        return found
    }

    /// Numbers the routes, and returns that of each trip.
    private mutating func readTrips(_ archive: GTFSArchive) throws(TableError) -> HashSlots {
        var numbers = HashSlots(numberBits: 20)
        var table = try Table(TripColumn.self, in: archive)
        while try table.next() {
            let route = routes.insert(table.field(TripColumn.route), of: table.bytes.span)
            numbers.insert(table.bytes.span.hash(table.field(TripColumn.id), seed), route)
            try GTFSLimits.check(numbers.count, archive.limits.trips, "trips", .trips)
            try GTFSLimits.check(routes.count, archive.limits.routes, "lines", .trips)
            try GTFSLimits.check(routes.textCount, archive.limits.text, "bytes of their identifiers", .trips)
        }
        return numbers
    }
}
