/// Which routes call at each stop of an archive, and at any platform of each station: one pass over `stop_times.txt`.
struct RoutesByStop {
    /// A stop's number above, a route's below.
    private var pairs: [UInt64] = []
    private var stops = ByteKeys()
    private var routes = ByteKeys()

    /// Reads an archive. In a country's with 600,000 trips it needs about 40 MB while it reads.
    init(_ archive: GTFSArchive) throws(GTFSFailure) {
        let parents = try readStops(archive)
        let routeOfTrip = try readTrips(archive)
        var table = try Table(GTFSFile.stopTimes.name, archive.open(.stopTimes), StopTimesReader.columns)
        var found: Set<UInt64> = []
        // One trip after the other of a route calls at the same stops.
        var last = [Int32](repeating: -1, count: stops.count)
        var route: Int32 = -1
        while try table.next() {
            if table.held == nil || !table.isRepeated {
                route = routeOfTrip.value(for: table.bytes.span, table.field(StopTimesReader.Detail.trip))
                table.hold()
            }
            let stop = table.number(of: StopTimesReader.Detail.stop, in: stops)
            guard route >= 0, stop != ByteKeys.unknown, last[stop] != route else { continue }
            last[stop] = route
            found.insert(Self.pair(stop, route))
            try GTFSLimits.check(found.count, archive.limits.callings, "pairs of a stop and a line", .stopTimes)
            if parents[stop] >= 0 { found.insert(Self.pair(Int(parents[stop]), route)) }
        }
        pairs = found.sorted()
    }

    /// `route_id` of the routes that call at a stop, in the order of `trips.txt`; none where nothing calls.
    func routes(at stop: String) -> [String] {
        let number = stops.number(of: stop)
        guard number != ByteKeys.unknown else { return [] }
        var (low, high) = (0, pairs.count)
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle] < Self.pair(number, 0) { low = middle + 1 } else { high = middle }
        }
        return pairs[low...].prefix { $0 >> 32 == UInt64(number) }.map { routes[Int($0 & 0xFFFF_FFFF)] }
    }

    private static func pair(_ stop: Int, _ route: Int32) -> UInt64 {
        UInt64(stop) << 32 | UInt64(UInt32(bitPattern: route))
    }

    /// Numbers the stops; gives the station of each, -1 where it is in none.
    private mutating func readStops(_ archive: GTFSArchive) throws(GTFSFailure) -> [Int32] {
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

    private mutating func readTrips(_ archive: GTFSArchive) throws(GTFSFailure) -> NumbersByHash {
        var numbers = NumbersByHash()
        var table = try Table(TripColumn.self, in: archive)
        while try table.next() {
            let route = routes.insert(table.field(TripColumn.route), of: table.bytes.span)
            numbers.insert(table.bytes.span, table.field(TripColumn.id), Int32(truncatingIfNeeded: route))
            try GTFSLimits.check(numbers.count, archive.limits.trips, "trips", .trips)
            try GTFSLimits.check(routes.count, archive.limits.routes, "lines", .trips)
            try GTFSLimits.check(routes.textCount, archive.limits.text, "bytes of their identifiers", .trips)
        }
        return numbers
    }
}

/// Numbers of texts of which nothing is kept but 64 bits of a hash: 12 to 24 bytes a text, whatever its length. Two texts
/// with one hash (one case in 10^7 among a million) have one number.
private struct NumbersByHash {
    private var hashes = [UInt64](repeating: 0, count: 1_024)
    private var numbers = [Int32](repeating: -1, count: 1_024)
    private(set) var count = 0
    private let seed = UInt64.random(in: .min ... .max)

    mutating func insert(_ table: Span<UInt8>, _ field: TableField, _ number: Int32) {
        count += 1
        if count * 4 > hashes.count * 3 {
            let old = zip(hashes, numbers)
            hashes = [UInt64](repeating: 0, count: hashes.count * 2)
            numbers = [Int32](repeating: -1, count: hashes.count)
            for (hash, number) in old where hash != 0 { put(hash, number) }
        }
        put(hash(table, field), number)
    }

    /// The number of a text; -1: there is none.
    func value(for table: Span<UInt8>, _ field: TableField) -> Int32 {
        let slot = slot(of: hash(table, field))
        return hashes[slot] == 0 ? -1 : numbers[slot]
    }

    private mutating func put(_ hash: UInt64, _ number: Int32) {
        let slot = slot(of: hash)
        hashes[slot] = hash
        numbers[slot] = number
    }

    /// Where a hash is, or would be.
    private func slot(of hash: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: hash) & (hashes.count - 1)
        while hashes[slot] != 0, hashes[slot] != hash { slot = (slot + 1) & (hashes.count - 1) }
        return slot
    }

    private func hash(_ table: Span<UInt8>, _ field: TableField) -> UInt64 {
        guard field.hasDoubledQuotes else { return max(1, ByteKeys.hash(table, field.range, seed)) }
        let text = table.unescaped(field)
        return max(1, ByteKeys.hash(text.span, 0..<text.count, seed))
    }
}
