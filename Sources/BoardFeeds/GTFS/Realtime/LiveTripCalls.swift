import BoardCore

// Updates of scheduled trips: feeds.md §4.3,
// https://gtfs.org/documentation/realtime/feed-entities/trip-updates/.

extension LiveTrip {
    /// A scheduled trip without realtime data.
    ///
    /// - Parameters:
    ///   - trip: the trip's ID, if it is a copy of a scheduled one.
    ///   - beginning: the start of its service day; nil: computed.
    init(
        _ instance: Timetable.TripInstance, as trip: String? = nil, in timetable: Timetable, beginning: Timestamp? = nil
    ) {
        let planned = timetable.trips[instance.trip]
        let route = timetable.routes[planned.route]
        let start = (beginning ?? timetable.beginning(of: instance.day)) + .seconds(instance.start)
        self.init(
            id: TripInstanceID(instance, trip: trip ?? planned.id), instance: instance,
            line: Line(id: route.id, name: route.name), route: planned.route, headsign: planned.headsign,
            direction: planned.direction,
            calls: timetable.calls(of: instance.trip).map { call in
                Call(
                    place: Int(call.place),
                    planned: Call.Times(
                        arrival: start.later(by: Int(call.arrival)), departure: start.later(by: Int(call.departure))),
                    headsign: call.headsign, boarding: call.boarding)
            })
        hasExactTimes = planned.frequencies.allSatisfy(\.isExact)
    }

    mutating func apply(_ update: TripUpdate, _ index: RealtimeIndex) {
        guard let instance else { return }
        self.update = update
        match(update, in: index.timetable.calls(of: instance.trip), index)
        var delay = update.delay
        if let late = delay, !StopTimeUpdate.Event.delays.contains(late) {
            delay = nil
            badUpdates += 1
        }
        for position in calls.indices {
            if let number = calls[position].updateIndex {
                if !calls[position].apply(update.stops, number, delay: &delay) { badUpdates += 1 }
                if update.stops[number].properties != nil || update.stops[number].place != calls[position].place {
                    calls[position].reassign(
                        update.stops[number].place, update.properties(of: update.stops[number]), index)
                }
            } else if let delay {
                calls[position].live = calls[position].planned?.delayed(by: delay)
            }
        }
        order()
    }

    private mutating func match(
        _ update: TripUpdate, in planned: ArraySlice<Timetable.Call>, _ index: RealtimeIndex
    ) {
        let stops = update.stops
        var next = beginning(of: stops)
        for number in stops.indices {
            // Nearly always, this is the call after the last match.
            if next > 0, next < calls.count, let place = stops[number].place, calls[next].place == place,
                calls[next].updateIndex == nil,
                stops[number].sequence.isNilOr({ $0 == planned[planned.startIndex + next].sequence })
            {
                calls[next].updateIndex = number
                next += 1
                continue
            }
            let position =
                stationCall(of: number, of: update, in: planned, index)
                ?? position(of: stops[number], in: planned, next, index)
            guard let position else {
                badUpdates += 1
                continue
            }
            if let first = calls[position].updateIndex {
                // A second update for a call that moves to another platform: the one with a time counts.
                if !stops[first].hasTime, stops[number].hasTime { calls[position].updateIndex = number }
            } else {
                calls[position].updateIndex = number
                next = position + 1
            }
        }
    }

    /// The position of an update's call if the stop does not identify it: a call that already has an update, found by
    /// its sequence or station, or one at a platform that no selected trip serves, known only by its name.
    private func stationCall(
        of number: Int, of update: TripUpdate, in planned: ArraySlice<Timetable.Call>, _ index: RealtimeIndex
    ) -> Int? {
        let stop = update.stops[number]
        func hasUpdate(_ position: Int) -> Bool { calls[position].updateIndex != nil }
        let name = stop.place == nil ? index.timetable.otherStops[update.unknownStop(of: stop)] : nil
        let isKnown = stop.place != nil || name != nil
        let there =
            !isKnown
            ? []
            : calls.indices.filter { position in
                guard let own = calls[position].place else { return false }
                return stop.place.map { index.areSameStation(own, $0) } ?? (index.timetable.places[own].name == name)
            }
        if let sequence = stop.sequence {
            let numbered = calls.indices.first { planned[planned.startIndex + $0].sequence == sequence }
            if let numbered, stop.place == nil || there.contains(numbered) {
                return hasUpdate(numbered) ? numbered : nil
            }
        }
        if stop.place == nil, let free = there.first(where: { !hasUpdate($0) }) { return free }
        return there.allSatisfy(hasUpdate) ? there.last : nil
    }

    /// The position of the first update's call: in a loop, the first update with a time selects the visit, and thereby
    /// those before it.
    private func beginning(of stops: [StopTimeUpdate]) -> Int {
        guard let timed = stops.firstIndex(where: { $0.place != nil && $0.time != nil }), let time = stops[timed].time
        else { return 0 }
        var found: (position: Int, distance: Duration)?
        for position in calls.indices where calls[position].place == stops[timed].place {
            let distance = calls[position].planned?.arrival.distance(to: time) ?? .seconds(Int64.max)
            if found.isNilOr({ distance < $0.distance }) { found = (position, distance) }
        }
        guard var position = found?.position else { return 0 }
        for stop in stops[..<timed].reversed() {
            position = calls[..<position].lastIndex { $0.place == stop.place && $0.place != nil } ?? position
        }
        return position
    }

    /// The position of an update's call: by its sequence, else by its stop; in a loop, the next visit.
    private func position(
        of stop: StopTimeUpdate, in planned: ArraySlice<Timetable.Call>, _ next: Int, _ index: RealtimeIndex
    ) -> Int? {
        let place = stop.place
        func isFree(_ position: Int) -> Bool { calls[position].updateIndex == nil }
        func isThere(_ position: Int) -> Bool { calls[position].place == place && isFree(position) }
        func hasSequence(_ position: Int) -> Bool {
            stop.sequence.isSomeAnd { planned[planned.startIndex + position].sequence == $0 }
        }
        let numbered = stop.sequence == nil ? nil : calls.indices.first { hasSequence($0) && isFree($0) }
        if let numbered, !stop.hasStop || calls[numbered].place == place { return numbered }
        guard let place else { return stop.hasStop ? numbered : nil }
        let ahead = next..<calls.count
        if let position = ahead.first(where: isThere) { return position }
        // Another platform of the same station, or updates out of order.
        func isAtStation(_ position: Int) -> Bool {
            isFree(position) && calls[position].place.isSomeAnd { index.areSameStation($0, place) }
        }
        if let numbered, isAtStation(numbered) { return numbered }
        return ahead.first(where: isAtStation) ?? (0..<next).first(where: isThere) ?? numbered
    }

    // MARK: - Order

    /// How much later a call's report may be than that of a later call before only one of them counts.
    private static let maximumLag = Duration.seconds(3_600)

    /// Makes the times a sequence that does not go back. A derived or timetable time is checked against the reports of
    /// later calls, and takes their delay; so does a report of a call that the vehicle has provably passed, or one that
    /// is far off. Of two other reports that conflict, the later call is moved.
    mutating func order() {
        var latest = Call.Times.none.departure
        let isOrdered = calls.allSatisfy { call in
            guard !call.isSkipped, let times = call.live ?? call.planned else { return true }
            defer { latest = times.departure }
            return times.arrival >= latest
        }
        guard !isOrdered else { return }
        orderBackwards()
        orderForwards()
    }

    private mutating func orderBackwards() {
        // The next call's arrival, and its delay if it is in the timetable; the time of the next call with a report,
        // before which the vehicle leaves this one, and its delay.
        var next: (arrival: Timestamp, delay: Int)?
        var report: (time: Timestamp, delay: Int)?
        for position in calls.indices.reversed() where !calls[position].isSkipped {
            guard var times = calls[position].live ?? calls[position].planned else { continue }
            let planned = calls[position].planned
            let stop = stopTimeUpdate(of: calls[position]).flatMap { $0.relationship == .scheduled ? $0 : nil }
            func isReported(_ event: KeyPath<StopTimeUpdate, StopTimeUpdate.Event>) -> Bool {
                guard let event = stop?[keyPath: event] else { return false }
                return (planned.map { event.moment(planned: $0.arrival) } ?? event.time) != nil
            }
            let (arrives, departs) = (isReported(\.arrival), isReported(\.departure))
            var hasReport = arrives || departs
            let delay =
                planned.map {
                    Int(
                        (departs ? times.departure : times.arrival).seconds
                            - (departs ? $0.departure : $0.arrival).seconds)
                } ?? 0
            if hasReport, let report, times.departure > report.time {
                let isFar = times.departure - report.time > Self.maximumLag
                let isPast = (update?.madeAt).isSomeAnd { report.time <= $0 }
                // Of two reports that are far apart, the one nearer to the timetable counts.
                hasReport = isFar ? delay.magnitude < report.delay.magnitude : !isPast
            }
            if let next, times.departure > next.arrival, !hasReport || !departs {
                let estimate = planned?.delayed(by: next.delay) ?? times
                times.departure = min(estimate.departure, next.arrival)
                times.arrival = hasReport ? times.arrival : min(estimate.arrival, times.departure)
                times.departure = max(times.arrival, times.departure)
                calls[position].move(to: times)
            }
            if hasReport {
                report = (arrives ? times.arrival : times.departure, delay)
                next = (times.arrival, delay)
            } else if let before = next, times.arrival < before.arrival {
                next = (times.arrival, before.delay)
            }
        }
    }

    private mutating func orderForwards() {
        var latest: Timestamp?
        for position in calls.indices where !calls[position].isSkipped {
            let isLive = calls[position].live != nil
            guard var times = calls[position].live ?? calls[position].planned else { continue }
            if let latest, isLive ? times.arrival < latest : times.departure < latest {
                times.arrival = max(times.arrival, latest)
                times.departure = max(times.departure, latest)
                calls[position].move(to: times)
            }
            if calls[position].live != nil { latest = times.departure }
        }
    }
}

extension LiveTrip.Call.Times {
    fileprivate func delayed(by late: Int) -> Self {
        Self(arrival: arrival.later(by: late), departure: departure.later(by: late))
    }
}

extension LiveTrip.Call {
    fileprivate mutating func move(to times: Times) {
        isUncertain = isUncertain || live == nil
        live = times
    }

    /// Applies an update of the call.
    ///
    /// - Parameters:
    ///   - stops: all updates; passed whole to avoid a copy.
    ///   - number: the index of the call's update.
    ///   - delay: the delay in seconds at the call before; receives the delay from this call on. Nil if unknown.
    /// - Returns: whether its times are plausible.
    fileprivate mutating func apply(_ stops: [StopTimeUpdate], _ number: Int, delay: inout Int?) -> Bool {
        switch stops[number].relationship {
        case .skipped:
            isSkipped = true
            return true
        case .noData:
            delay = nil
            return true
        case .scheduled: break
        }
        guard let planned else { return true }
        let arrives = stops[number].arrival.moment(planned: planned.arrival)
        // A departure is not before its arrival.
        let departs = stops[number].departure.moment(planned: planned.departure).map { max($0, arrives ?? $0) }
        switch (arrives, departs) {
        case (_, let departs?): delay = Int(departs.seconds - planned.departure.seconds)
        case (let arrives?, nil): delay = Int(arrives.seconds - planned.arrival.seconds)
        case (nil, nil): break
        }
        let isPlausible =
            (arrives != nil || !stops[number].arrival.hasValue) && (departs != nil || !stops[number].departure.hasValue)
        guard let delay else { return isPlausible }
        let departure = departs ?? planned.departure.later(by: delay)
        // An early departure after a long stop does not mean an early arrival.
        let arrival = arrives ?? min(planned.arrival.later(by: departs == nil ? delay : max(delay, 0)), departure)
        live = Times(arrival: arrival, departure: max(arrival, departure))
        return isPlausible
    }

    /// Applies a change of platform or boarding rule.
    fileprivate mutating func reassign(
        _ newPlace: Int?, _ properties: StopTimeUpdate.Properties?, _ index: RealtimeIndex
    ) {
        let assigned = properties?.assignedStop.flatMap(index.place) ?? newPlace
        if let assigned, let own = place, own != assigned, index.areSameStation(own, assigned) { place = assigned }
        boarding = properties?.boarding ?? boarding
    }
}

extension StopTimeUpdate.Event {
    /// The largest plausible deviation from the timetable; a larger one is a mistake, such as the year 1970.
    private static let farthest = Duration.seconds(86_400)
    /// The plausible delays in seconds. A time may be much earlier: some operators give a train the ID of a later trip.
    static let delays = -3_600...86_400

    /// The time, or the planned time plus the delay, if plausible.
    func moment(planned: Timestamp) -> Timestamp? {
        if let time, time - planned <= Self.farthest, planned - time <= Self.farthest { return time }
        guard let delay, Self.delays.contains(delay) else { return nil }
        return planned.later(by: delay)
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
