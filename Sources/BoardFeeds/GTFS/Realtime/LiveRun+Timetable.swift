internal import BoardCore

// A message's corrections of a run of the timetable: feeds.md §4.3,
// https://gtfs.org/documentation/realtime/feed-entities/trip-updates/.

extension LiveRun {
    /// A run of the timetable, of which nothing else is known.
    ///
    /// - Parameters:
    ///   - trip: its id, where it is a copy's.
    ///   - beginning: of its service day; nil: not known yet.
    init(_ run: Timetable.Run, as trip: String? = nil, in timetable: Timetable, beginning: Timestamp? = nil) {
        let planned = timetable.trips[run.trip]
        let route = timetable.routes[planned.route]
        let start = (beginning ?? timetable.beginning(of: run.day)) + .seconds(run.start)
        self.init(
            id: RunID(run, trip: trip ?? planned.id), run: run, line: Line(id: route.id, name: route.name),
            headsign: planned.headsign, direction: planned.direction,
            calls: timetable.calls(of: run.trip).map { call in
                Call(
                    place: Int(call.place),
                    planned: Call.Times(
                        arrival: start + .seconds(Int(call.arrival)), departure: start + .seconds(Int(call.departure))),
                    headsign: call.headsign, takesRiders: call.takesRiders)
            })
        isPromised = planned.frequencies.allSatisfy(\.isExact)
    }

    /// The same run with what a message tells of it.
    mutating func apply(_ update: TripUpdate, _ index: RealtimeIndex) {
        guard let run else { return }
        self.update = update
        find(update.stops, in: index.timetable.calls(of: run.trip), index)
        // The delay of the whole trip is for those who tell nothing of its calls. Of those who do, many leave out the calls
        // that are past: these would come to life again with it.
        var delay = update.stops.contains(where: \.tellsTime) ? nil : update.delay
        for position in calls.indices {
            if let told = calls[position].told {
                delay = calls[position].take(update.stops[told], delay: delay)
                calls[position].reassign(update.stops[told], index)
            } else if let late = delay {
                calls[position].state = calls[position].moved(by: .seconds(late))
            }
        }
    }

    /// Finds the calls of which something is told.
    private mutating func find(_ stops: [StopUpdate], in planned: ArraySlice<Timetable.Call>, _ index: RealtimeIndex) {
        var next = 0
        for (number, stop) in stops.enumerated() {
            guard let position = position(of: stop, in: planned, next, index) else {
                strays.append(stop)
                continue
            }
            calls[position].told = number
            next = position + 1
        }
    }

    /// Which call is meant: by its sequence, else by its stop, of which the next one in order counts in a loop.
    private func position(
        of stop: StopUpdate, in planned: ArraySlice<Timetable.Call>, _ next: Int, _ index: RealtimeIndex
    ) -> Int? {
        let place = stop.place
        func isFree(_ position: Int) -> Bool { calls[position].told == nil }
        func isThere(_ position: Int) -> Bool { calls[position].place == place && isFree(position) }
        func hasSequence(_ position: Int) -> Bool {
            stop.sequence.map { planned[planned.startIndex + position].sequence == $0 } ?? false
        }
        // As nearly always, it is the one after the last that was told of.
        if next > 0, next < calls.count, place != nil, isThere(next), stop.sequence == nil || hasSequence(next) {
            return next
        }
        let numbered =
            stop.sequence == nil ? nil : calls.indices.first { hasSequence($0) && isFree($0) }
        if let numbered, !stop.tellsStop || calls[numbered].place == place { return numbered }
        guard let place else { return stop.tellsStop ? numbered : nil }
        let ahead = next..<calls.count
        if next == 0, let time = stop.arrival.time ?? stop.departure.time {
            // The first that is told may be the second visit of a loop.
            let visits = ahead.filter(isThere)
            if visits.count > 1 { return visits.min { distance($0, time) < distance($1, time) } }
        }
        if let position = ahead.first(where: isThere) { return position }
        // Another platform of the same station, or a message that is not in order.
        func isAtStation(_ position: Int) -> Bool {
            isFree(position) && calls[position].place.map { index.areTogether($0, place) } ?? false
        }
        if let numbered, isAtStation(numbered) { return numbered }
        return ahead.first(where: isAtStation) ?? (0..<next).first(where: isThere) ?? numbered
    }

    private func distance(_ position: Int, _ time: Timestamp) -> Duration {
        guard let arrival = calls[position].planned?.arrival else { return .seconds(Int64.max) }
        return arrival < time ? time - arrival : arrival - time
    }
}

extension LiveRun.Call {
    /// Takes what is told of the call.
    ///
    /// - Parameter delay: how many seconds late the run was at the call before; nil: nobody knows.
    /// - Returns: how late it is from here on.
    fileprivate mutating func take(_ stop: StopUpdate, delay: Int?) -> Int? {
        switch stop.relationship {
        case .skipped:
            state = .skipped
            return delay
        case .noData: return nil
        case .scheduled, .unscheduled: break
        }
        guard let planned else { return delay }
        let arrives = stop.arrival.moment(planned: planned.arrival)
        let departs = stop.departure.moment(planned: planned.departure)
        let late: Duration
        switch (arrives, departs) {
        case (_, let departs?): late = departs - planned.departure
        case (let arrives?, nil): late = arrives - planned.arrival
        case (nil, nil):
            guard let delay else { return nil }
            late = .seconds(delay)
        }
        let leaves = departs ?? planned.departure + late
        let comes = arrives ?? min(planned.arrival + late, leaves)
        state = .expected(Times(arrival: comes, departure: max(comes, leaves)))
        return Int(late.wholeSeconds)
    }

    /// As late as the call before.
    fileprivate func moved(by late: Duration) -> State {
        planned.map { .expected(Times(arrival: $0.arrival + late, departure: $0.departure + late)) } ?? state
    }

    /// Takes another platform or rule of boarding.
    fileprivate mutating func reassign(_ stop: StopUpdate, _ index: RealtimeIndex) {
        let properties = stop.properties
        let assigned = properties?.assignedStop.map(index.place) ?? stop.place
        if let assigned, let own = place, own != assigned, index.areTogether(own, assigned) { place = assigned }
        takesRiders = properties?.takesRiders ?? takesRiders
    }
}

extension StopUpdate.Event {
    /// The moment that is told, or that a delay comes to.
    func moment(planned: Timestamp) -> Timestamp? {
        time ?? delay.map { planned + .seconds($0) }
    }
}
