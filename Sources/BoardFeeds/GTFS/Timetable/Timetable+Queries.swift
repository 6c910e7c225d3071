package import BoardCore

extension Timetable {
    /// The places of a stop code: the stop and, for a station, its platforms.
    package func places(of code: String) -> [Int] {
        guard let own = places.firstIndex(where: { $0.id == code }) else { return [] }
        return [own] + places.indices.filter { places[$0].parent == own }
    }

    /// The places of several stops; nil for no stop.
    func places(towards codes: [String]) -> Set<Int>? {
        codes.isEmpty ? nil : Set(codes.flatMap { places(of: $0) })
    }

    func calls(of trip: Int) -> ArraySlice<Call> {
        calls[patterns[trips[trip].pattern]]
    }

    /// The trips that call at a stop or, for a station, at its platforms.
    func trips(at code: String) -> [Trip] {
        let places = Set(places(of: code).map(Int32.init))
        return trips.filter { trip in calls[patterns[trip.pattern]].contains { places.contains($0.place) } }
    }

    func trip(_ id: String) -> Int? {
        let place = tripsByID.lowerBound(isBefore: { trips[Int($0)].id < id })
        guard place < tripsByID.count, trips[Int(tripsByID[place])].id == id else { return nil }
        return Int(tripsByID[place])
    }

    func runs(_ trip: Int, on day: CivilDate) -> Bool {
        services[trips[trip].service].runs(on: day)
    }

    /// The most departures of a response. The busiest stations have 1,000 in the two hours of a board, which shows twenty.
    package static let mostDepartures = 2_000

    /// Calls with boarding (not a trip's last stop, not `pickup_type` 1) that depart in the window, by departure. Includes
    /// all service days that reach into it.
    ///
    /// - Parameters:
    ///   - places: requested stops or their platforms; others have no calls.
    ///   - beginnings: the precomputed beginnings of days around the window, if any.
    ///   - most: the limit; the earliest calls count.
    ///   - isIncluded: the filter; called once for all instances of a trip with frequencies.
    package func departures(
        at places: [Int], in window: Range<Timestamp>, _ beginnings: ServiceDayBeginnings? = nil,
        most: Int = mostDepartures, where isIncluded: (ScheduledCall) -> Bool = { _ in true }
    ) -> [ScheduledCall] {
        var found = EarliestCalls(most: most)
        for var day in days(reachingInto: window, beginnings) {
            for place in places { collect(&found, at: place, on: &day, in: day.seconds(of: window), where: isIncluded) }
        }
        return found.sorted()
    }

    /// The service days whose trips may run in a window.
    private func days(reachingInto window: Range<Timestamp>, _ beginnings: ServiceDayBeginnings? = nil) -> [Day] {
        guard !window.isEmpty else { return [] }
        // One more day than the latest call needs, since a day may be an hour shorter.
        let first = zone.localTime(at: window.lowerBound).date.adding(days: -(index.latest / 86_400) - 1)
        // One more day, since a day may begin an hour before midnight.
        let last = zone.localTime(at: window.upperBound).date.adding(days: 1)
        return (first.daysSince1970...last.daysSince1970).map { number in
            let date = CivilDate(daysSince1970: number)
            let beginning = beginnings?.beginning(of: date) ?? beginning(of: date)
            return Day(date: date, beginning: beginning, services: services.count)
        }.filter { day in
            day.beginning < window.upperBound && day.beginning + .seconds(index.latest) >= window.lowerBound
        }
    }

    /// Adds the calls at a place that depart in these seconds of a service day.
    private func collect(
        _ found: inout EarliestCalls, at place: Int, on day: inout Day, in seconds: Range<Int>,
        where isIncluded: (ScheduledCall) -> Bool
    ) {
        for entry in index.daily(at: place, in: seconds) {
            let trip = trips[Int(entry.trip)]
            guard day.runs(trip.service, services) else { continue }
            let call = planned(entry, trip.start, on: day)
            // The calls are sorted by departure.
            if isIncluded(call), !found.append(call) { break }
        }
        for entry in index.repeating(at: place) {
            let trip = trips[Int(entry.trip)]
            guard day.runs(trip.service, services), isIncluded(planned(entry, trip.start, on: day)) else { continue }
            let offset = Int(calls[patterns[trip.pattern].lowerBound + Int(entry.position)].departure)
            for frequency in trip.frequencies {
                let starts = frequency.starts(from: seconds.lowerBound - offset, to: seconds.upperBound - offset)
                for start in starts {
                    guard found.append(planned(entry, start, on: day)) else { break }
                }
            }
        }
    }

    private func planned(_ entry: StopIndex.Entry, _ start: Int, on day: Day) -> ScheduledCall {
        let position = Int(entry.position)
        let call = calls[patterns[trips[Int(entry.trip)].pattern].lowerBound + position]
        return ScheduledCall(
            instance: TripInstance(trip: Int(entry.trip), day: day.date, start: start), position: position,
            arrival: day.beginning + .seconds(start + Int(call.arrival)),
            departure: day.beginning + .seconds(start + Int(call.departure)))
    }

    private struct Day {
        let date: CivilDate
        let beginning: Timestamp
        /// Whether each service runs; nil: not computed yet.
        private var cached: [Bool?]

        init(date: CivilDate, beginning: Timestamp, services: Int) {
            self.date = date
            self.beginning = beginning
            cached = Array(repeating: nil, count: services)
        }

        mutating func runs(_ service: Int, _ services: [ServiceDays]) -> Bool {
            if let runs = cached[service] { return runs }
            let runs = services[service].runs(on: date)
            cached[service] = runs
            return runs
        }

        /// The whole seconds of the day that are in a window.
        func seconds(of window: Range<Timestamp>) -> Range<Int> {
            let start = (window.lowerBound - beginning).wholeMicroseconds
            let end = (window.upperBound - beginning).wholeMicroseconds
            return Int(Self.up(start))..<Int(max(Self.up(start), Self.up(end)))
        }

        private static func up(_ microseconds: Int64) -> Int64 {
            let whole = microseconds / 1_000_000
            return microseconds > whole * 1_000_000 ? whole + 1 : whole
        }
    }
}

/// Collects the earliest of many scheduled calls, up to a limit, in bounded memory.
private struct EarliestCalls {
    private let most: Int
    private var calls: [Timetable.ScheduledCall] = []
    /// Calls from here on are beyond the limit; nil: the limit is not reached yet.
    private var end: Timestamp?

    init(most: Int) {
        self.most = max(most, 1)
    }

    /// - Returns: whether a later call could still be among the earliest.
    @discardableResult
    mutating func append(_ call: Timetable.ScheduledCall) -> Bool {
        if let end, call.departure >= end { return false }
        calls.append(call)
        // Sorting rarely costs few comparisons per call, and there are never more than twice as many calls as the limit.
        if calls.count >= 2 * most { cut() }
        return true
    }

    mutating func sorted() -> [Timetable.ScheduledCall] {
        cut()
        return calls
    }

    private mutating func cut() {
        calls.sort { ($0.departure, $0.instance.trip) < ($1.departure, $1.instance.trip) }
        guard calls.count >= most else { return }
        calls.removeSubrange(most...)
        end = calls.last?.departure
    }
}
