internal import BoardCore

extension Timetable {
    /// Places of a stop's code: itself and, of a station, its platforms.
    func places(of code: String) -> [Int] {
        guard let own = places.firstIndex(where: { $0.id == code }) else { return [] }
        return [own] + places.indices.filter { places[$0].parent == own }
    }

    /// The moment from which a service day's seconds count: noon − 12 h in the zone. Midnight, but for the days on which the
    /// clocks are changed.
    func beginning(of day: CivilDate) -> Timestamp {
        let halfDay = 43_200
        let noon = LocalTime(secondsSince1970: day.daysSince1970 * 86_400 + Int64(halfDay))
        return zone.timestamp(of: noon, nearest: Timestamp(seconds: .min)) - .seconds(halfDay)
    }

    /// A trip's calls, in order.
    func calls(of trip: Int) -> ArraySlice<Call> {
        calls[patterns[trips[trip].pattern]]
    }

    /// The trip with an identifier.
    func trip(_ id: String) -> Int? {
        var (low, high) = (0, tripsByID.count)
        while low < high {
            let middle = (low + high) / 2
            if trips[Int(tripsByID[middle])].id < id { low = middle + 1 } else { high = middle }
        }
        guard low < tripsByID.count, trips[Int(tripsByID[low])].id == id else { return nil }
        return Int(tripsByID[low])
    }

    /// Whether the trip runs on a service day.
    func runs(_ trip: Int, on day: CivilDate) -> Bool {
        services[trips[trip].service].runs(on: day)
    }

    /// When a run arrives at one of its calls.
    func arrival(_ run: TripInstance, at position: Int) -> Timestamp {
        beginning(of: run.day) + .seconds(run.start + Int(call(run, position).arrival))
    }

    /// When a run departs from one of its calls.
    func departure(_ run: TripInstance, at position: Int) -> Timestamp {
        beginning(of: run.day) + .seconds(run.start + Int(call(run, position).departure))
    }

    /// The most departures that a question is answered with. The busiest stations have 1,000 in the two hours of a board, of
    /// which a person sees twenty.
    static let mostDepartures = 2_000

    /// Calls where people may get on (not a trip's last stop, not `pickup_type` 1), with a departure in the window, by
    /// departure. All service days that reach into it.
    ///
    /// - Parameters:
    ///   - places: those of interest, or platforms of those; nothing is known of others.
    ///   - beginnings: of the days around the window, where somebody has worked them out.
    ///   - most: how many at most: the earliest.
    ///   - isWanted: which calls; asked once for all runs of a trip that runs again and again.
    func departures(
        at places: [Int], in window: Range<Timestamp>, _ beginnings: ServiceDayBeginnings? = nil,
        most: Int = mostDepartures, where isWanted: (ScheduledCall) -> Bool = { _ in true }
    ) -> [ScheduledCall] {
        var found = EarliestCalls(most: most)
        for var day in days(reachingInto: window, beginnings) {
            for place in places { collect(&found, at: place, on: &day, in: day.seconds(of: window), where: isWanted) }
        }
        return found.sorted()
    }

    /// The first such call at or after `moment`, at most `days` service days ahead; nil: none.
    func firstDeparture(at places: [Int], from moment: Timestamp, days: Int) -> ScheduledCall? {
        let end = beginning(of: zone.localTime(at: moment).date.adding(days: days + 1))
        var best: ScheduledCall?
        // A day's first call is nearly always among its next hours: no day is read whole for it.
        for var day in self.days(reachingInto: moment..<max(moment, end)) {
            // Nothing departs before its service day begins.
            var from = max(moment, day.beginning)
            while from < min(end, best?.departure ?? end) {
                let to = min(from + .seconds(7_200), best?.departure ?? end, end)
                var found = EarliestCalls(most: 1)
                for place in places {
                    collect(&found, at: place, on: &day, in: day.seconds(of: from..<to)) { _ in true }
                }
                if let first = found.sorted().first {
                    best = first
                    break
                }
                guard day.beginning + .seconds(index.latest) >= to else { break }
                from = to
            }
        }
        return best
    }

    private func call(_ run: TripInstance, _ position: Int) -> Call {
        calls[patterns[trips[run.trip].pattern].lowerBound + position]
    }

    /// The service days on which a trip may still be under way, or start, in a window.
    private func days(reachingInto window: Range<Timestamp>, _ beginnings: ServiceDayBeginnings? = nil) -> [Day] {
        guard !window.isEmpty else { return [] }
        // A day more than the last call is late, since a day may be an hour short.
        let first = zone.localTime(at: window.lowerBound).date.adding(days: -(index.latest / 86_400) - 1)
        // And one, since a day may begin an hour before midnight.
        let last = zone.localTime(at: window.upperBound).date.adding(days: 1)
        return (first.daysSince1970...last.daysSince1970).map { number in
            let date = CivilDate(daysSince1970: number)
            let beginning = beginnings?.beginning(of: date) ?? beginning(of: date)
            return Day(date: date, beginning: beginning, services: services.count)
        }.filter { day in
            day.beginning < window.upperBound && day.beginning + .seconds(index.latest) >= window.lowerBound
        }
    }

    /// Adds the calls at a place on a service day that depart in these seconds.
    private func collect(
        _ found: inout EarliestCalls, at place: Int, on day: inout Day, in seconds: Range<Int>,
        where isWanted: (ScheduledCall) -> Bool
    ) {
        for entry in index.daily(at: place, in: seconds) {
            let trip = trips[Int(entry.trip)]
            guard day.runs(trip.service, services) else { continue }
            let call = planned(entry, trip.start, on: day)
            // They come by departure.
            if isWanted(call), !found.append(call) { break }
        }
        for entry in index.repeating(at: place) {
            let trip = trips[Int(entry.trip)]
            guard day.runs(trip.service, services), isWanted(planned(entry, trip.start, on: day)) else { continue }
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
            run: TripInstance(trip: Int(entry.trip), day: day.date, start: start), position: position,
            arrival: day.beginning + .seconds(start + Int(call.arrival)),
            departure: day.beginning + .seconds(start + Int(call.departure)))
    }

    /// A service day in a question.
    private struct Day {
        let date: CivilDate
        let beginning: Timestamp
        /// Whether each service runs, as far as somebody asked.
        private var known: [Bool?]

        init(date: CivilDate, beginning: Timestamp, services: Int) {
            self.date = date
            self.beginning = beginning
            known = Array(repeating: nil, count: services)
        }

        mutating func runs(_ service: Int, _ services: [ServiceDays]) -> Bool {
            if let runs = known[service] { return runs }
            let runs = services[service].runs(on: date)
            known[service] = runs
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

extension Timetable.Frequency {
    /// The first departures of its runs between two seconds of the service day, `to` not included.
    func starts(from: Int, to: Int) -> StrideTo<Int> {
        let ahead = max(0, from - start)
        let first = start + (ahead + headway - 1) / headway * headway
        return stride(from: first, to: min(to, end), by: headway)
    }
}

extension CivilDate {
    /// The day so many days later.
    func adding(days: Int) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970 + Int64(days))
    }
}
