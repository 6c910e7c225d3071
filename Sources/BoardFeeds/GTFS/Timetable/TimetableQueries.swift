package import BoardCore

extension Timetable {
    /// The places of a stop code: the stop and, for a station, its platforms.
    package func places(of code: String) -> [Int] {
        guard let own = places.firstIndex(where: { $0.id == code }) else { return [] }
        return [own] + places.indices.filter { places[$0].parent == own }
    }

    /// The places of several stops; nil if there are none.
    func places(towards codes: [String]) -> Set<Int>? {
        codes.isEmpty ? nil : Set(codes.flatMap { places(of: $0) })
    }

    func calls(of trip: Int) -> ArraySlice<Call> { calls[patterns[trips[trip].pattern]] }

    /// The destination of a trip as a call of it shows it.
    func headsign(of call: Call, _ trip: Trip) -> String {
        call.headsign >= 0 ? headsigns[Int(call.headsign)] : trip.headsign
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

    func runs(_ trip: Int, on day: CivilDate) -> Bool { services[trips[trip].service].runs(on: day) }

    /// The most departures of a response. The busiest stations have 1,000 in a board's two hours; it shows twenty.
    package static let maximumDepartures = 2_000

    /// Calls with boarding (not a trip's last stop, not `pickup_type` 1) that depart in the window, by departure.
    /// Includes all service days that reach into it.
    ///
    /// - Parameters:
    ///   - places: requested stops or their platforms; others have no calls.
    ///   - beginnings: the precomputed beginnings of days around the window, if any.
    ///   - most: the limit; the earliest calls count.
    ///   - isIncluded: the filter; called once for all instances of a trip with frequencies.
    package func departures(
        at places: [Int], in window: Range<Timestamp>, _ beginnings: ServiceDayBeginnings? = nil,
        most: Int = maximumDepartures, where isIncluded: (ScheduledCall) -> Bool = { _ in true }
    ) -> [ScheduledCall] {
        var found = EarliestCalls(most: most)
        for var day in days(reachingInto: window, beginnings) {
            for place in places { collect(&found, at: place, on: &day, in: day.seconds(of: window), where: isIncluded) }
        }
        return found.sorted()
    }

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

    init(most: Int) { self.most = max(most, 1) }

    /// - Returns: whether a later call could still be among the earliest.
    @discardableResult
    mutating func append(_ call: Timetable.ScheduledCall) -> Bool {
        if let end, call.departure >= end { return false }
        calls.append(call)
        // Sorting this rarely takes few comparisons per call, and there are never more than twice the limit of calls.
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

extension Timetable {
    /// A day minus two hours, so that "at 08:10" is unambiguous.
    private static let reach = Duration.seconds(86_400 - 7_200)
    /// The most days to search for the next departure: a line that runs only in summer has one all year.
    private static let maximumDays = 366
    /// How long ago the last departure may have left to count: in the morning, a night bus is not over, but to come.
    private static let recent = Duration.seconds(4 * 3_600)

    /// The first matching departure from `end` on, within a year.
    ///
    /// - Parameters:
    ///   - end: the end of the window without departures.
    ///   - now: selects the last departure that has left.
    func next(for request: FeedRequest, from end: Timestamp, now: Timestamp) -> NextDeparture? {
        guard let call = first(for: request, in: end..<(end + Self.reach)) ?? later(for: request, than: end) else {
            return nil
        }
        // A service day lasts past midnight: the current one is that of the last departure that has left.
        let isOver = lastDay(of: request, in: (now - Self.recent)..<now).isSomeAnd { call.instance.day > $0 }
        return isOver ? .nextDay(call.departure) : .laterToday(call.departure)
    }

    /// The first matching departure after `end`, from the days on which a trip from the stop runs.
    private func later(for request: FeedRequest, than end: Timestamp) -> ScheduledCall? {
        let ends = self.places(towards: request.towards)
        // There are few routes and many calls.
        let isOfLines = routes.map { request.matches(Line(id: $0.id, name: $0.name)) }
        let entries = places(of: request.stop.code).flatMap {
            index.daily(at: $0, in: 0..<(index.latest + 1)) + index.repeating(at: $0)
        }
        let matching = entries.filter { entry in
            isOfLines[trips[Int(entry.trip)].route]
                && matches(Int(entry.trip), at: Int(entry.position), by: request, towards: ends)
        }
        guard !matching.isEmpty else { return nil }
        let services = Set(matching.map { trips[Int($0.trip)].service }).map { self.services[$0] }
        let today = zone.localTime(at: end).date
        for ahead in 0...Self.maximumDays {
            let date = today.adding(days: ahead)
            guard services.contains(where: { $0.runs(on: date) }) else { continue }
            let (start, next) = (beginning(of: date), beginning(of: date.adding(days: 1)))
            // A service day also has calls after its end.
            if let call = first(for: request, in: max(end, start)..<(next + .seconds(index.latest))) { return call }
        }
        return nil
    }

    private func first(for request: FeedRequest, in window: Range<Timestamp>) -> ScheduledCall? {
        let ends = self.places(towards: request.towards)
        return departures(at: places(of: request.stop.code), in: window, most: 1) {
            matches($0.instance.trip, at: $0.position, by: request, towards: ends)
        }.first
    }

    private func lastDay(of request: FeedRequest, in window: Range<Timestamp>) -> CivilDate? {
        let places = places(of: request.stop.code)
        let ends = self.places(towards: request.towards)
        return departures(at: places, in: window, most: .max / 2) {
            matches($0.instance.trip, at: $0.position, by: request, towards: ends)
        }.last?.instance.day
    }

    private func matches(_ number: Int, at position: Int, by request: FeedRequest, towards ends: Set<Int>?) -> Bool {
        let (trip, calls) = (trips[number], calls(of: number).dropFirst(position))
        let route = routes[trip.route]
        return request.selects(
            Line(id: route.id, name: route.name), platform: calls.first.flatMap { places[Int($0.place)].platform }
        ) { [trip.direction.map(String.init), calls.first.map { headsign(of: $0, trip) }] }
            && ends.isNilOr { ends in calls.dropFirst().contains { ends.contains(Int($0.place)) } }
    }
}

extension RandomAccessCollection {
    /// The index of the first element of a sorted collection that is not before some place; the end if all are.
    @inline(__always)
    func lowerBound(isBefore: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isBefore(self[middle]) {
                low = index(after: middle)
                count = count - half - 1
            } else {
                count = half
            }
        }
        return low
    }
}
