/// The calls at each requested stop by time, so that a request need not scan all trips.
struct StopIndex: Sendable {
    struct Entry: Sendable {
        /// Seconds from the beginning of the service day.
        let departure: Int32
        let trip: Int32
        let position: Int32
    }

    /// Calls of trips that run once a day, by place and then by departure.
    private let daily: [Entry]
    private let ranges: [Range<Int>]
    /// Calls of trips of `frequencies.txt`, by place; with the first departure of the day.
    private let repeating: [Int: [Entry]]
    /// The latest departure of any call, in seconds from the beginning of its service day; 0 if there are no calls.
    let latest: Int

    init(
        _ trips: [Timetable.Trip], patterns: [Range<Int>], calls: [Timetable.Call], places: Int, watched: Range<Int>
    ) {
        // The departures of each pattern: calls with boarding, without the last call.
        let stops: [[Int32]] = patterns.map { pattern in
            pattern.dropLast().compactMap { place in
                let call = calls[place]
                return call.boarding != .none && watched.contains(Int(call.place))
                    ? Int32(truncatingIfNeeded: place - pattern.lowerBound) : nil
            }
        }
        var entries: [(place: Int32, entry: Entry)] = []
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
                    entries.append((call.place, entry))
                    latest = max(latest, Int(entry.departure))
                } else {
                    repeating[Int(call.place), default: []].append(entry)
                    latest = max(latest, (trip.frequencies.map(\.end).max() ?? 0) + Int(call.departure))
                }
            }
        }
        entries.sort { left, right in
            (left.place, left.entry.departure, left.entry.trip) < (right.place, right.entry.departure, right.entry.trip)
        }
        daily = entries.map(\.entry)
        var ranges = [Range<Int>](repeating: 0..<0, count: places)
        var start = 0
        while start < entries.count {
            let end = entries[start...].firstIndex { $0.place != entries[start].place } ?? entries.count
            ranges[Int(entries[start].place)] = start..<end
            start = end
        }
        self.ranges = ranges
        self.repeating = repeating
        self.latest = latest
    }

    /// The calls, of trips that run once a day, that depart in these seconds of a service day; by departure.
    func daily(at place: Int, in seconds: Range<Int>) -> ArraySlice<Entry> {
        guard ranges.indices.contains(place) else { return [] }
        let calls = daily[ranges[place]]
        let start = calls.lowerBound(isBefore: { Int($0.departure) < seconds.lowerBound })
        let rest = calls[start...]
        return rest[..<rest.lowerBound(isBefore: { Int($0.departure) < seconds.upperBound })]
    }

    /// The calls of trips with frequencies, each once.
    func repeating(at place: Int) -> [Entry] {
        repeating[place] ?? []
    }
}
