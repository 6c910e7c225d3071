/// The calls at each requested stop by time, so a request need not scan all trips.
struct StopIndex: Sendable {
    struct Entry: Sendable {
        /// Seconds from the beginning of the service day.
        let departure: Int32
        let trip: Int32
        let position: Int32
    }

    /// Calls of trips that run once a day, by place; sorted by departure.
    private let daily: [Int: [Entry]]
    /// Calls of trips in `frequencies.txt`, by place; with the first departure of the day.
    private let repeating: [Int: [Entry]]
    /// The latest departure of any call, in seconds from the beginning of its service day; 0 if there are no calls.
    let latest: Int

    init(_ trips: [Timetable.Trip], patterns: [Range<Int>], calls: [Timetable.Call], watched: Range<Int>) {
        // The departures of each pattern: calls with boarding, without the last call.
        let stops: [[Int32]] = patterns.map { pattern in
            pattern.dropLast().compactMap { place in
                let call = calls[place]
                return call.boarding != .none && watched.contains(Int(call.place))
                    ? Int32(truncatingIfNeeded: place - pattern.lowerBound) : nil
            }
        }
        var daily: [Int: [Entry]] = [:]
        var repeating: [Int: [Entry]] = [:]
        var latest = 0
        for (number, trip) in trips.enumerated() {
            for position in stops[trip.pattern] {
                let call = calls[patterns[trip.pattern].lowerBound + Int(position)]
                let start = trip.frequencies.map(\.start).min() ?? trip.start
                let entry = Entry(
                    departure: Int32(truncatingIfNeeded: start) + call.departure,
                    trip: Int32(truncatingIfNeeded: number), position: position)
                if trip.frequencies.isEmpty {
                    daily[Int(call.place), default: []].append(entry)
                    latest = max(latest, Int(entry.departure))
                } else {
                    repeating[Int(call.place), default: []].append(entry)
                    latest = max(latest, (trip.frequencies.map(\.end).max() ?? 0) + Int(call.departure))
                }
            }
        }
        self.daily = daily.mapValues { $0.sorted { ($0.departure, $0.trip) < ($1.departure, $1.trip) } }
        self.repeating = repeating
        self.latest = latest
    }

    /// The calls, of trips that run once a day, departing in these seconds of a service day; by departure.
    func daily(at place: Int, in seconds: Range<Int>) -> ArraySlice<Entry> {
        let calls = daily[place] ?? []
        let start = calls.lowerBound(isBefore: { Int($0.departure) < seconds.lowerBound })
        let rest = calls[start...]
        return rest[..<rest.lowerBound(isBefore: { Int($0.departure) < seconds.upperBound })]
    }

    /// The calls of trips with frequencies, each once.
    func repeating(at place: Int) -> [Entry] { repeating[place] ?? [] }
}

/// The stops whose trips are selected: those requested, and all platforms of their stations (trips change platform).
package struct StopSelection {
    /// The requested stops and their platforms, then their stations and the other platforms there, to which a vehicle
    /// may be reassigned.
    private(set) var places: ByteKeys
    /// The number of ``places`` that are requested stops or their platforms.
    private(set) var watched: Int
    private(set) var unknown: [String] = []

    /// Selects stops without reading `stops.txt`.
    package init(_ codes: [String]) {
        places = ByteKeys(codes)
        watched = places.count
    }

    init(_ codes: [String], in archive: GTFSArchive) throws(TableError) {
        places = ByteKeys(codes)
        let requested = places.count
        watched = requested
        // Finds which of them exist, and their stations.
        var exists = [Bool](repeating: false, count: requested)
        var stations = ByteKeys()
        var table = try Table(StopColumn.self, in: archive)
        while try table.next() {
            let number = table.number(of: StopColumn.id, in: places)
            guard number != ByteKeys.unknown else { continue }
            exists[number] = true
            let parent = table.field(StopColumn.parent)
            if !parent.isEmpty { _ = stations.insert(parent, of: table.bytes.span) }
        }
        unknown = exists.indices.filter { !exists[$0] }.map { places[$0] }
        // Finds their children, and those of their stations.
        var siblings = ByteKeys()
        table = try Table(StopColumn.self, in: archive)
        while try table.next() {
            let parent = table.field(StopColumn.parent)
            // Nothing calls at entrances and nodes.
            guard !parent.isEmpty, ![.entrance, .node].contains(table.stopKind) else { continue }
            let number = places.number(of: parent, in: table.bytes.span)
            if number != ByteKeys.unknown, number < requested {
                _ = places.insert(table.field(StopColumn.id), of: table.bytes.span)
            } else if stations.number(of: parent, in: table.bytes.span) != ByteKeys.unknown {
                _ = siblings.insert(table.field(StopColumn.id), of: table.bytes.span)
            }
            let (count, text) = (places.count + siblings.count, places.textCount + siblings.textCount)
            try GTFSLimits.check(count, archive.limits.selectedStops, "platforms of the requested stops", .stops)
            try GTFSLimits.check(text, archive.limits.selectedText, "bytes of their identifiers", .stops)
        }
        watched = places.count
        for number in 0..<stations.count { _ = places.insert(stations[number]) }
        for number in 0..<siblings.count { _ = places.insert(siblings[number]) }
    }
}

/// The trips that call at a requested stop, from `stop_times.txt`; trips with equal calls share one pattern.
package struct SelectedTrips {
    /// `trip_id`, numbered in the order of the file.
    package var ids = ByteKeys()
    /// The pattern of each trip; -1: unreadable.
    private(set) var patternOfTrip: [Int32] = []
    private(set) var starts: [Int32] = []
    private(set) var calls: [Timetable.Call] = []
    private(set) var patterns: [Range<Int>] = []
    /// The patterns by the hashes of their calls. A collision costs the memory of a second pattern.
    private var byHash = HashSlots(numberBits: 20)
    private let seed = UInt64.random(in: .min ... .max)

    /// Sets the calls of a trip, which are in order and have times.
    mutating func setCalls(_ calls: [TripCall], of number: Int) {
        while patternOfTrip.count <= number {
            patternOfTrip.append(-1)
            starts.append(0)
        }
        guard !calls.isEmpty else { return }
        starts[number] = calls[0].departure
        patternOfTrip[number] = Int32(truncatingIfNeeded: pattern(of: calls))
    }

    /// Drops the calls, but not the IDs, to which more may be added.
    mutating func dropCalls() {
        let ids = ids
        self = SelectedTrips()
        self.ids = ids
    }

    private mutating func pattern(of trip: [TripCall]) -> Int {
        let start = trip[0].departure
        let begin = calls.count
        var hash = seed
        for call in trip {
            let call = Timetable.Call(
                place: call.place, sequence: call.sequence, arrival: call.arrival - start,
                departure: call.departure - start, headsign: call.headsign, boarding: call.boarding,
                bookingRule: call.bookingRule)
            calls.append(call)
            for (one, other) in [(call.place, call.departure), (call.sequence, call.arrival ^ call.headsign)] {
                let word = UInt64(UInt32(bitPattern: one)) << 32 | UInt64(UInt32(bitPattern: other))
                hash = HashSlots.mixed(hash, word)
            }
        }
        if let known = byHash.number(of: hash), calls[patterns[known]].elementsEqual(calls[begin...]) {
            calls.removeSubrange(begin...)
            return known
        }
        byHash.insert(hash, patterns.count)
        patterns.append(begin..<calls.count)
        return patterns.count - 1
    }
}
