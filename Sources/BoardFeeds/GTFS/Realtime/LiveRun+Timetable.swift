internal import BoardCore

// A message's corrections of a run of the timetable: feeds.md §4.3, https://gtfs.org/documentation/realtime/feed-entities/trip-updates/.

extension LiveRun {
    /// A run of the timetable, of which nothing else is known.
    ///
    /// - Parameter trip: its id, where it is a copy's.
    init(_ run: Timetable.Run, as trip: String? = nil, in timetable: Timetable) {
        let planned = timetable.trips[run.trip]
        let route = timetable.routes[planned.route]
        let start = timetable.beginning(of: run.day) + .seconds(run.start)
        let isPromised = planned.frequencies.allSatisfy(\.isExact)
        self.init(
            id: RunID(run, trip: trip ?? planned.id), run: run, line: Line(id: route.id, name: route.name),
            headsign: planned.headsign, direction: planned.direction,
            calls: timetable.calls(of: run.trip).map { call in
                Call(
                    place: Int(call.place), arrival: start + .seconds(Int(call.arrival)),
                    departure: start + .seconds(Int(call.departure)),
                    headsign: call.headsign >= 0 ? timetable.headsigns[Int(call.headsign)] : nil,
                    takesRiders: call.takesRiders)
            })
        self.isPromised = isPromised
    }

    /// The same run with what a message tells of it.
    mutating func apply(_ update: TripUpdate, _ index: RealtimeIndex) {
        guard let run else { return }
        vehicle = update.vehicle
        let told = places(of: update.stops, in: index.timetable.calls(of: run.trip), index)
        // The delay of the whole trip is for those who tell nothing of its calls. Of those who do, many leave out the calls
        // that are past: these would come to life again with it.
        var delay = update.stops.contains(where: \.tellsTime) ? nil : update.delay
        for position in calls.indices {
            let stop = told[position].map { update.stops[$0] }
            delay = calls[position].take(stop, delay: delay)
            if let stop { calls[position].reassign(stop, index) }
        }
    }

    /// What is told of each call, by its place in `stops`.
    private mutating func places(
        of stops: [StopUpdate], in planned: ArraySlice<Timetable.Call>, _ index: RealtimeIndex
    ) -> [Int?] {
        var told = [Int?](repeating: nil, count: calls.count)
        var next = 0
        for (number, stop) in stops.enumerated() {
            guard let position = position(of: stop, in: planned, next, told, index) else {
                strays.append(stop)
                continue
            }
            told[position] = number
            next = position + 1
        }
        return told
    }

    /// Which call is meant: by its sequence, else by its stop, of which the next one in order counts in a loop.
    private func position(
        of stop: StopUpdate, in planned: ArraySlice<Timetable.Call>, _ next: Int, _ told: [Int?], _ index: RealtimeIndex
    ) -> Int? {
        let places = index.timetable.places
        func isThere(_ position: Int) -> Bool {
            told[position] == nil && places[Int(planned[planned.startIndex + position].place)].id == stop.stop
        }
        let numbered = stop.sequence.flatMap { sequence in
            calls.indices.first { planned[planned.startIndex + $0].sequence == sequence && told[$0] == nil }
        }
        if let numbered, stop.stop.isEmpty || isThere(numbered) { return numbered }
        guard !stop.stop.isEmpty else { return nil }
        let ahead = next..<calls.count
        if next == 0, let time = stop.arrival.time ?? stop.departure.time {
            // The first that is told may be the second visit of a loop.
            let visits = ahead.filter(isThere)
            if visits.count > 1 { return visits.min { distance($0, time) < distance($1, time) } }
        }
        if let position = ahead.first(where: isThere) { return position }
        // Another platform of the same station, or a message that is not in order.
        if let place = index.places[stop.stop] {
            func isAtStation(_ position: Int) -> Bool {
                told[position] == nil && calls[position].place.map { index.areTogether($0, place) } ?? false
            }
            if let numbered, isAtStation(numbered) { return numbered }
            if let position = ahead.first(where: isAtStation) { return position }
        }
        return (0..<next).first(where: isThere) ?? numbered
    }

    private func distance(_ position: Int, _ time: Timestamp) -> Duration {
        guard let arrival = calls[position].arrival else { return .seconds(Int64.max) }
        return arrival < time ? time - arrival : arrival - time
    }
}

extension LiveRun.Call {
    /// Takes what is told of the call, or what was told of one before it.
    ///
    /// - Parameter delay: how many seconds late the run was at the call before; nil: nobody knows.
    /// - Returns: how late it is from here on.
    fileprivate mutating func take(_ stop: StopUpdate?, delay: Int?) -> Int? {
        isTold = stop != nil
        switch stop?.relationship {
        case .skipped:
            state = .skipped
            return delay
        case .noData: return nil
        case .scheduled, .unscheduled, nil: break
        }
        guard let arrival, let departure else { return delay }
        let arrives = stop?.arrival.moment(planned: arrival)
        let departs = stop?.departure.moment(planned: departure)
        let late: Duration
        switch (arrives, departs) {
        case (_, let departs?): late = departs - departure
        case (let arrives?, nil): late = arrives - arrival
        case (nil, nil):
            guard let delay else { return nil }
            late = .seconds(delay)
        }
        let leaves = departs ?? departure + late
        let comes = arrives ?? min(arrival + late, leaves)
        state = .expected(arrival: comes, departure: max(comes, leaves))
        return Int(late.wholeSeconds)
    }

    /// Takes another platform, headsign or rule of boarding.
    fileprivate mutating func reassign(_ stop: StopUpdate, _ index: RealtimeIndex) {
        let assigned = stop.properties?.assignedStop ?? stop.stop
        if let other = index.places[assigned], let own = place, index.areTogether(own, other) { place = other }
        headsign = stop.properties?.headsign ?? headsign
        takesRiders = stop.properties?.takesRiders ?? takesRiders
    }
}

extension StopUpdate {
    /// Whether it says when the call is, or that nobody knows.
    fileprivate var tellsTime: Bool { arrival.isTold || departure.isTold || relationship == .noData }
}

extension StopUpdate.Event {
    /// The moment that is told, or that a delay comes to.
    func moment(planned: Timestamp) -> Timestamp? {
        time ?? delay.map { planned + .seconds($0) }
    }
}
