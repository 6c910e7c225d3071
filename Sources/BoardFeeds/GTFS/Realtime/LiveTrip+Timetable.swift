internal import BoardCore

// Updates of scheduled trips: feeds.md §4.3,
// https://gtfs.org/documentation/realtime/feed-entities/trip-updates/.

extension LiveTrip {
    /// A scheduled trip without realtime data.
    ///
    /// - Parameters:
    ///   - trip: the trip's ID, if it is a copy of a scheduled one.
    ///   - beginning: the start of its service day; nil: computed.
    init(
        _ instance: Timetable.TripInstance, as trip: String? = nil, in timetable: Timetable,
        beginning: Timestamp? = nil
    ) {
        let planned = timetable.trips[instance.trip]
        let route = timetable.routes[planned.route]
        let start = (beginning ?? timetable.beginning(of: instance.day)) + .seconds(instance.start)
        self.init(
            id: TripInstanceID(instance, trip: trip ?? planned.id), instance: instance,
            line: Line(id: route.id, name: route.name), headsign: planned.headsign, direction: planned.direction,
            calls: timetable.calls(of: instance.trip).map { call in
                Call(
                    place: Int(call.place),
                    planned: Call.Times(
                        arrival: start.later(by: Int(call.arrival)), departure: start.later(by: Int(call.departure))),
                    headsign: call.headsign, allowsBoarding: call.allowsBoarding)
            })
        hasExactTimes = planned.frequencies.allSatisfy(\.isExact)
    }

    mutating func apply(_ update: TripUpdate, _ index: RealtimeIndex) {
        guard let instance else { return }
        self.update = update
        match(update.stops, in: index.timetable.calls(of: instance.trip), index)
        // The trip's delay applies only without stop times. Many operators leave out past calls, which the delay would
        // bring back.
        var delay = calls.contains { stopTimeUpdate(of: $0)?.hasTime ?? false } ? nil : update.delay
        for position in calls.indices {
            if let number = calls[position].updateIndex {
                delay = calls[position].apply(update.stops, number, delay: delay)
                if update.stops[number].properties != nil || update.stops[number].place != calls[position].place {
                    calls[position].reassign(
                        update.stops[number].place, update.properties(of: update.stops[number]), index)
                }
            } else if let delay {
                calls[position].live = calls[position].delayed(by: delay)
            }
        }
    }

    private mutating func match(
        _ stops: [StopTimeUpdate], in planned: ArraySlice<Timetable.Call>, _ index: RealtimeIndex
    ) {
        var next = beginning(of: stops)
        for number in stops.indices {
            // Nearly always, it is the call after the last match.
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

    /// The position of the first update's call: in a loop, the first update with a time selects the visit, and so those
    /// before it.
    private func beginning(of stops: [StopTimeUpdate]) -> Int {
        guard let timed = stops.firstIndex(where: { $0.place != nil && $0.time != nil }), let time = stops[timed].time
        else { return 0 }
        var found: (position: Int, distance: Duration)?
        for position in calls.indices where calls[position].place == stops[timed].place {
            let distance = calls[position].planned?.arrival.distance(to: time) ?? .seconds(Int64.max)
            if found.map({ distance < $0.distance }) ?? true { found = (position, distance) }
        }
        guard var position = found?.position else { return 0 }
        for stop in stops[..<timed].reversed() {
            position = calls[..<position].lastIndex { $0.place == stop.place && $0.place != nil } ?? position
        }
        return position
    }

    /// The position of an update's call: by its sequence, else by its stop; in a loop the next visit.
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
        // Another platform of the same station, or updates that are not in order.
        func isAtStation(_ position: Int) -> Bool {
            isFree(position) && calls[position].place.map { index.areSameStation($0, place) } ?? false
        }
        if let numbered, isAtStation(numbered) { return numbered }
        return ahead.first(where: isAtStation) ?? (0..<next).first(where: isThere) ?? numbered
    }
}

extension LiveTrip.Call {
    /// Applies an update of the call.
    ///
    /// - Parameters:
    ///   - stops: all updates; passed whole to avoid a copy.
    ///   - number: the index of the call's update.
    ///   - delay: the delay in seconds at the call before; nil if unknown.
    /// - Returns: the delay in seconds from this call on.
    fileprivate mutating func apply(_ stops: [StopTimeUpdate], _ number: Int, delay: Int?) -> Int? {
        switch stops[number].relationship {
        case .skipped:
            isSkipped = true
            return delay
        case .noData: return nil
        case .scheduled: break
        }
        guard let planned else { return delay }
        let arrives = stops[number].arrival.moment(planned: planned.arrival)
        // A departure is not before its arrival.
        let departs = stops[number].departure.moment(planned: planned.departure).map { max($0, arrives ?? $0) }
        let late: Int
        switch (arrives, departs) {
        case (_, let departs?): late = Int(departs.seconds - planned.departure.seconds)
        case (let arrives?, nil): late = Int(arrives.seconds - planned.arrival.seconds)
        case (nil, nil):
            guard let delay else { return nil }
            late = delay
        }
        let departure = departs ?? planned.departure.later(by: late)
        let arrival = arrives ?? min(planned.arrival.later(by: late), departure)
        live = Times(arrival: arrival, departure: max(arrival, departure))
        return late
    }

    /// The times with the delay of the call before.
    fileprivate func delayed(by late: Int) -> Times? {
        planned.map { Times(arrival: $0.arrival.later(by: late), departure: $0.departure.later(by: late)) }
    }

    /// Applies a change of platform or boarding rule.
    fileprivate mutating func reassign(
        _ newPlace: Int?, _ properties: StopTimeUpdate.Properties?, _ index: RealtimeIndex
    ) {
        let assigned = properties?.assignedStop.map(index.place) ?? newPlace
        if let assigned, let own = place, own != assigned, index.areSameStation(own, assigned) { place = assigned }
        allowsBoarding = properties?.allowsBoarding ?? allowsBoarding
    }
}

extension StopTimeUpdate.Event {
    /// The farthest plausible deviation from the timetable; a larger one is a mistake, such as the year 1970.
    private static let farthest = Duration.seconds(86_400)

    /// The time, or the planned time plus the delay.
    func moment(planned: Timestamp) -> Timestamp? {
        if let time, time - planned <= Self.farthest, planned - time <= Self.farthest { return time }
        return delay.map { planned.later(by: $0) }
    }
}

extension Timestamp {
    /// The timestamp plus seconds; same as `+`, in a tenth of the time.
    fileprivate func later(by seconds: Int) -> Timestamp {
        let (product, isLarge) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, isLate) = microseconds.addingReportingOverflow(product)
        return isLarge || isLate ? self + .seconds(seconds) : Timestamp(microseconds: sum)
    }
}
