internal import BoardFormats

/// A sequence of stops that trips of a route serve.
struct RoutePattern: Hashable, Sendable {
    /// `direction_id`: 0 or 1; nil if missing.
    let direction: Int?
    /// `stop_id` in the order of travel; a loop names a stop twice.
    let stops: [String]
    let trips: Int
    /// The most frequent `trip_headsign`; nil if none.
    let headsign: String?
}

extension GTFSArchive {
    /// The route patterns of a route: one pass over `trips.txt` and one over `stop_times.txt`.
    ///
    /// - Parameter route: `route_id`.
    /// - Returns: the patterns by direction, those with most trips first; none if the route is missing or has no trips.
    func patterns(of route: String) throws(TableFailure) -> [RoutePattern] {
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
    /// Numbers of headsigns; -1: none.
    private var headsignOfTrip: [Int] = []
    private var headsigns = ByteKeys()
    private var stops = ByteKeys()
    private var calls: [Call] = []

    mutating func readTrips(of route: String, in archive: GTFSArchive) throws(TableFailure) {
        let requested = ByteKeys([route])
        var table = try Table(TripColumn.self, in: archive)
        while try table.next() {
            guard table.number(of: TripColumn.route, in: requested) != ByteKeys.unknown else { continue }
            // The first of two trips with one `trip_id` counts.
            guard ids.insert(table.field(TripColumn.id), of: table.bytes.span) == directions.count else { continue }
            directions.append(table.direction ?? -1)
            let headsign = table.field(TripColumn.headsign)
            headsignOfTrip.append(headsign.isEmpty ? -1 : headsigns.insert(headsign, of: table.bytes.span))
            let text = ids.textCount + headsigns.textCount
            try GTFSLimits.check(ids.count, archive.limits.selectedTrips, "trips of one line", .trips)
            try GTFSLimits.check(text, archive.limits.text, "bytes of their names", .trips)
        }
    }

    mutating func readCalls(in archive: GTFSArchive) throws(TableFailure) {
        let columns = [StopTimeColumn.trip, .stop, .sequence].map(\.column)
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
