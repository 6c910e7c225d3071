internal import BoardCore

// A message's corrections of a run of the timetable: feeds.md §4.3,
// https://gtfs.org/documentation/realtime/feed-entities/trip-updates/.

extension LiveTrip {
    /// A run of the timetable, of which nothing else is known.
    ///
    /// - Parameters:
    ///   - trip: its id, where it is a copy's.
    ///   - beginning: of its service day; nil: not known yet.
    init(_ run: Timetable.TripInstance, as trip: String? = nil, in timetable: Timetable, beginning: Timestamp? = nil) {
        let planned = timetable.trips[run.trip]
        let route = timetable.routes[planned.route]
        let start = (beginning ?? timetable.beginning(of: run.day)) + .seconds(run.start)
        self.init(
            id: TripInstanceID(run, trip: trip ?? planned.id), run: run, line: Line(id: route.id, name: route.name),
            headsign: planned.headsign, direction: planned.direction,
            calls: timetable.calls(of: run.trip).map { call in
                Call(
                    place: Int(call.place),
                    planned: Call.Times(
                        arrival: start.later(by: Int(call.arrival)), departure: start.later(by: Int(call.departure))),
                    headsign: call.headsign, allowsBoarding: call.allowsBoarding)
            })
        hasExactTimes = planned.frequencies.allSatisfy(\.isExact)
    }

    /// The same run with what a message tells of it.
    mutating func apply(_ update: TripUpdate, _ index: RealtimeIndex) {
        guard let run else { return }
        self.update = update
        find(update.stops, in: index.timetable.calls(of: run.trip), index)
        // The delay of the whole trip is for those who tell nothing of its calls. Of those who do, many leave out the calls
        // that are past: these would come to life again with it.
        var delay = calls.contains { stopTimeUpdate(of: $0)?.hasTime ?? false } ? nil : update.delay
        for position in calls.indices {
            if let told = calls[position].updateIndex {
                delay = calls[position].take(update.stops, told, delay: delay)
                if update.stops[told].properties != nil || update.stops[told].place != calls[position].place {
                    calls[position].reassign(update.stops[told].place, update.properties(of: update.stops[told]), index)
                }
            } else if let late = delay {
                calls[position].state = calls[position].moved(by: late)
            }
        }
    }

    /// Finds the calls of which something is told.
    private mutating func find(
        _ stops: [StopTimeUpdate], in planned: ArraySlice<Timetable.Call>, _ index: RealtimeIndex
    ) {
        var next = beginning(of: stops)
        for number in stops.indices {
            // As nearly always, it is the one after the last that was told of.
            if next > 0, next < calls.count, let place = stops[number].place, calls[next].place == place,
                stops[number].sequence.map({ $0 == planned[planned.startIndex + next].sequence }) ?? true
            {
                calls[next].updateIndex = number
                next += 1
            } else if let position = position(of: stops[number], in: planned, next, index) {
                calls[position].updateIndex = number
                next = position + 1
            } else {
                unmatchedUpdates.append(stops[number])
            }
        }
    }

    /// Where the calls that are told begin: in a loop the first that is told with a time says which visit it is, and so of
    /// those before it.
    private func beginning(of stops: [StopTimeUpdate]) -> Int {
        guard let timed = stops.firstIndex(where: { $0.place != nil && $0.time != nil }), let time = stops[timed].time
        else { return 0 }
        var found: (position: Int, distance: Duration)?
        for position in calls.indices where calls[position].place == stops[timed].place {
            let distance = distance(position, time)
            if found.map({ distance < $0.distance }) ?? true { found = (position, distance) }
        }
        guard var position = found?.position else { return 0 }
        for stop in stops[..<timed].reversed() {
            position = calls[..<position].lastIndex { $0.place == stop.place && $0.place != nil } ?? position
        }
        return position
    }

    /// Which call is meant: by its sequence, else by its stop, of which the next one in order counts in a loop.
    private func position(
        of stop: StopTimeUpdate, in planned: ArraySlice<Timetable.Call>, _ next: Int, _ index: RealtimeIndex
    ) -> Int? {
        let place = stop.place
        func isFree(_ position: Int) -> Bool { calls[position].updateIndex == nil }
        func isThere(_ position: Int) -> Bool { calls[position].place == place && isFree(position) }
        func hasSequence(_ position: Int) -> Bool {
            stop.sequence.map { planned[planned.startIndex + position].sequence == $0 } ?? false
        }
        let numbered =
            stop.sequence == nil ? nil : calls.indices.first { hasSequence($0) && isFree($0) }
        if let numbered, !stop.hasStop || calls[numbered].place == place { return numbered }
        guard let place else { return stop.hasStop ? numbered : nil }
        let ahead = next..<calls.count
        if let position = ahead.first(where: isThere) { return position }
        // Another platform of the same station, or a message that is not in order.
        func isAtStation(_ position: Int) -> Bool {
            isFree(position) && calls[position].place.map { index.areSameStation($0, place) } ?? false
        }
        if let numbered, isAtStation(numbered) { return numbered }
        return ahead.first(where: isAtStation) ?? (0..<next).first(where: isThere) ?? numbered
    }

    private func distance(_ position: Int, _ time: Timestamp) -> Duration {
        guard let arrival = calls[position].planned?.arrival else { return .seconds(Int64.max) }
        return arrival < time ? time - arrival : arrival - time
    }
}

extension LiveTrip.Call {
    /// Takes what is told of the call.
    ///
    /// - Parameters:
    ///   - stops: all that is told.
    ///   - told: which of it is about the call.
    ///   - delay: how many seconds late the run was at the call before; nil: nobody knows.
    /// - Returns: how late it is from here on.
    fileprivate mutating func take(_ stops: [StopTimeUpdate], _ told: Int, delay: Int?) -> Int? {
        switch stops[told].relationship {
        case .skipped:
            state = .skipped
            return delay
        case .noData: return nil
        case .scheduled, .unscheduled: break
        }
        guard let planned else { return delay }
        let arrives = stops[told].arrival.moment(planned: planned.arrival)
        // Nothing departs before it has arrived.
        let departs = stops[told].departure.moment(planned: planned.departure).map { max($0, arrives ?? $0) }
        let late: Int
        switch (arrives, departs) {
        case (_, let departs?): late = Int(departs.seconds - planned.departure.seconds)
        case (let arrives?, nil): late = Int(arrives.seconds - planned.arrival.seconds)
        case (nil, nil):
            guard let delay else { return nil }
            late = delay
        }
        let leaves = departs ?? planned.departure.later(by: late)
        let comes = arrives ?? min(planned.arrival.later(by: late), leaves)
        state = .expected(Times(arrival: comes, departure: max(comes, leaves)))
        return late
    }

    /// As late as the call before.
    fileprivate func moved(by late: Int) -> State {
        guard let planned else { return state }
        return .expected(
            Times(arrival: planned.arrival.later(by: late), departure: planned.departure.later(by: late)))
    }

    /// Takes another platform or rule of boarding.
    fileprivate mutating func reassign(
        _ told: Int?, _ properties: StopTimeUpdate.Properties?, _ index: RealtimeIndex
    ) {
        let assigned = properties?.assignedStop.map(index.place) ?? told
        if let assigned, let own = place, own != assigned, index.areSameStation(own, assigned) { place = assigned }
        allowsBoarding = properties?.allowsBoarding ?? allowsBoarding
    }
}

extension StopTimeUpdate.Event {
    /// How far from the timetable a time may be; what is farther is a mistake, such as the year 1970.
    private static let farthest = Duration.seconds(86_400)

    /// The moment that is told, or that a delay comes to.
    func moment(planned: Timestamp) -> Timestamp? {
        if let time, time - planned <= Self.farthest, planned - time <= Self.farthest { return time }
        return delay.map { planned.later(by: $0) }
    }
}

extension Timestamp {
    /// The moment so many seconds later; as `+`, in a tenth of the time.
    fileprivate func later(by seconds: Int) -> Timestamp {
        let (product, isLarge) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, isLate) = microseconds.addingReportingOverflow(product)
        return isLarge || isLate ? self + .seconds(seconds) : Timestamp(microseconds: sum)
    }
}
