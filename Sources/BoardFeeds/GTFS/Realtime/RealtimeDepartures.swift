package import BoardCore

extension RealtimeOverlay {
    private static let maximumDwell = Duration.seconds(1_800)

    /// A departure, with the data that identifies duplicates of one vehicle.
    struct Candidate {
        let departure: Departure
        let direction: Int?
        /// The index of the trip in the timetable, if any.
        let trip: Int?
        /// The headway in seconds, if the timetable has no exact times.
        var headway: Int?
        /// Whether it is a live trip whose `trip_id` is not in the timetable.
        let isUnknownTrip: Bool

        var due: Timestamp { departure.due }

        func hasSameLineAndDirection(as other: Candidate) -> Bool {
            departure.line.id == other.departure.line.id
                && (departure.destination == other.departure.destination
                    || (direction != nil && direction == other.direction))
        }
    }

    /// The departures from a stop, live and scheduled.
    ///
    /// - Parameters:
    ///   - stop: a requested stop: its code is a `stop_id`.
    ///   - towards: only departures that later call at one of these stops, or at one of its platforms; empty: all.
    ///   - now: earlier departures are left out.
    ///   - request: selects one of several copies of a row.
    ///   - defaultMadeAt: `madeAt` of scheduled departures if no message has a timestamp; nil: now.
    /// - Returns: the departures by time.
    package func departures(
        at stop: StopID, towards: [String] = [], now: Timestamp, ahead: Duration,
        madeAt defaultMadeAt: Timestamp? = nil, for request: FeedRequest? = nil
    ) -> [Departure] {
        let defaultMadeAt = defaultMadeAt ?? now
        let ends = index.timetable.places(towards: towards)
        let places = index.timetable.places(of: stop.code)
        let end = now + ahead
        // Includes trips that have left, so that their scheduled departures do not come back.
        var live: [Candidate] = []
        let span = (now - GTFSFeed.expiry.scheduledGrace)..<(end + Self.sameTrain)
        let calls = places.flatMap { callsAt[$0] ?? [] }.filter { number, position in
            isRelevant(number, position, in: span) && ends.isNilOr { trips[number].calls($0, after: position) }
        }
        for (number, position) in earliest(of: calls) {
            if let row = row(of: trips[number], at: position, stop, madeAt: defaultMadeAt) { live.append(row) }
        }
        let since = now - lookBack(live)
        func planned(ofLines: [Bool]? = nil) -> [Timetable.ScheduledCall] {
            index.timetable.departures(at: places, in: since..<end, days) { call in
                ofLines?[index.timetable.trips[call.instance.trip].route] ?? true
                    && ends.isNilOr { index.timetable.calls($0, after: call) }
            }
        }
        var scheduled = planned()
        if let request, scheduled.count == Timetable.maximumDepartures {
            // The only line of a favourite may be rare.
            scheduled = planned(ofLines: index.timetable.routes.map { request.matches(Line(id: $0.id, name: $0.name)) })
        }
        let rest = scheduled.compactMap {
            overlaid[$0.instance] == nil ? row(of: $0, stop, madeAt: defaultMadeAt) : nil
        }
        let rows = live + Self.withoutReplaced(rest, by: live, now: now)
        // Sorts indices, because the rows are large.
        let order = rows.indices.filter { rows[$0].departure.expiresAt > now && rows[$0].due < end }.sorted {
            left, right in
            let (first, second) = (rows[left].due, rows[right].due)
            return first == second ? rows[left].departure.line.name < rows[right].departure.line.name : first < second
        }
        return order.prefix(Timetable.maximumDepartures).map { rows[$0].departure }
            .withoutCopies(of: { $0 }, from: \.line.id, for: request)
    }

    /// The earliest of some calls of ``trips``, up to ``Timetable/maximumDepartures``.
    private func earliest(of calls: [(trip: Int, position: Int)]) -> ArraySlice<(trip: Int, position: Int)> {
        guard calls.count > Timetable.maximumDepartures else { return calls[...] }
        func due(_ call: (trip: Int, position: Int)) -> Timestamp {
            let call = trips[call.trip].calls[call.position]
            return call.live?.departure ?? call.planned?.departure ?? Timestamp(seconds: .max)
        }
        return calls.sorted { due($0) < due($1) }.prefix(Timetable.maximumDepartures)
    }

    /// Whether the departure of a call may be shown, or may replace a scheduled one.
    private func isRelevant(_ trip: Int, _ position: Int, in span: Range<Timestamp>) -> Bool {
        let call = trips[trip].calls[position]
        guard let due = call.live?.departure ?? call.planned?.departure else { return false }
        let booked = call.planned?.departure ?? due
        guard min(due, booked) < span.upperBound else { return false }
        // An overlaid trip has no scheduled departure; a vehicle at the platform may be late.
        let isOverlaid = trips[trip].instance != nil && trips[trip].hasExactTimes
        return !isOverlaid || !vehiclePositions.isEmpty || max(due, booked) > span.lowerBound
    }

    /// How far back scheduled departures are relevant.
    private func lookBack(_ live: [Candidate]) -> Duration {
        var back = vehiclePositions.isEmpty ? GTFSFeed.expiry.scheduledGrace : Self.maximumDwell
        if live.contains(where: \.isUnknownTrip) { back = max(back, Self.duplicateReach) }
        return back
    }

    /// The row of a scheduled call; nil if it is not a departure.
    private func row(of planned: Timetable.ScheduledCall, _ stop: StopID, madeAt defaultMadeAt: Timestamp) -> Candidate?
    {
        let timetable = index.timetable
        let trip = timetable.trips[planned.instance.trip]
        let id = TripInstanceID(planned.instance, trip: trip.id)
        if !vehiclePositions.isEmpty, vehiclePositions[id] != nil {
            return row(of: LiveTrip(planned.instance, in: timetable), at: planned.position, stop, madeAt: defaultMadeAt)
        }
        let calls = timetable.calls(of: planned.instance.trip)
        let call = calls[calls.startIndex + planned.position]
        let route = timetable.routes[trip.route]
        let hasExactTimes = trip.frequencies.allSatisfy(\.isExact)
        let departure = Departure(
            stop: stop, line: Line(id: route.id, name: route.name), lineColour: route.colour, mode: route.transitMode,
            destination: timetable.headsign(of: call, trip),
            platform: timetable.places[Int(call.place)].platform, direction: trip.direction.map(String.init),
            booked: hasExactTimes ? planned.departure : nil, status: .scheduled(planned.departure),
            attributes: TripAttributes(
                id: id.text,
                arrangement: timetable.arrangement(call.boarding, at: planned.position, of: planned.instance.trip)),
            madeAt: madeAt ?? defaultMadeAt, expiresAt: planned.departure + GTFSFeed.expiry.scheduledGrace)
        return Candidate(
            departure: departure, direction: trip.direction, trip: planned.instance.trip,
            headway: hasExactTimes ? nil : trip.frequencies.map(\.headway).max(), isUnknownTrip: false)
    }

    /// The row of a live trip's call; nil if it is not a departure, or has no time.
    private func row(of trip: LiveTrip, at position: Int, _ stop: StopID, madeAt defaultMadeAt: Timestamp) -> Candidate?
    {
        let call = trip.calls[position]
        guard call.boarding != .none, !trip.isHidden, position < trip.calls.count - 1 else { return nil }
        let vehiclePosition = vehiclePositions.isEmpty ? nil : vehiclePositions[trip.id]
        let status: Departure.Status
        var expiresAt: Timestamp
        // If all later calls are skipped, the departure is useless to riders.
        if trip.isCancelled || call.isSkipped || position >= trip.end ?? 0 {
            guard let time = call.planned?.departure ?? call.live?.departure else { return nil }
            status = .cancelled
            expiresAt = time + GTFSFeed.expiry.scheduledGrace
        } else if let live = call.live, !call.isUncertain {
            status = .expected(live.departure)
            expiresAt = live.departure + GTFSFeed.expiry.liveGrace
        } else {
            guard let time = (call.live ?? call.planned)?.departure else { return nil }
            status = .scheduled(time)
            expiresAt = time + GTFSFeed.expiry.scheduledGrace
        }
        // Whatever its estimate, a vehicle beyond the stop has left, and one that stands at the platform has not.
        if let vehiclePosition, status != .cancelled, let seen = self.position(of: vehiclePosition, in: trip),
            let madeAt = vehiclePosition.madeAt
        {
            if seen > position {
                expiresAt = min(expiresAt, madeAt)
            } else if seen == position, vehiclePosition.isStopped {
                expiresAt = max(expiresAt, madeAt + GTFSFeed.expiry.atStopGrace)
            }
        }
        let route = trip.route.map { index.timetable.routes[$0] }
        let departure = Departure(
            stop: stop, line: trip.line, lineColour: route?.colour, mode: route?.transitMode,
            destination: trip.headsign(at: position, in: index.timetable),
            vehicle: trip.update.map(\.vehicle).flatMap { $0.isEmpty ? nil : $0 } ?? vehiclePosition?.vehicle ?? "",
            platform: call.place.flatMap { index.timetable.places[$0].platform },
            direction: trip.direction.map(String.init), booked: trip.hasExactTimes ? call.planned?.departure : nil,
            status: status,
            attributes: trip.attributes(
                index.timetable.arrangement(
                    call.boarding, at: position, of: trip.instance?.trip, count: trip.calls.count), in: index.timetable),
            madeAt: trip.madeAt ?? madeAt ?? defaultMadeAt, expiresAt: expiresAt)
        return Candidate(
            departure: departure, direction: trip.direction, trip: trip.instance?.trip, headway: nil,
            isUnknownTrip: trip.isUnknownTrip)
    }

    /// The position of the call that a vehicle is at or comes to next: by its sequence, if the stop matches, else by
    /// its stop; nil if unknown.
    func position(of vehiclePosition: VehiclePosition, in trip: LiveTrip) -> Int? {
        let place = vehiclePosition.stop.flatMap(index.place)
        let planned = trip.instance.map { index.timetable.calls(of: $0.trip) }
        if let sequence = vehiclePosition.sequence, let planned, planned.count == trip.calls.count,
            let found = planned.firstIndex(where: { $0.sequence == sequence }),
            vehiclePosition.stop == nil || trip.calls[found - planned.startIndex].place == place
        {
            return found - planned.startIndex
        }
        guard let place else { return nil }
        let visits = trip.calls.indices.filter { trip.calls[$0].place == place }
        // Ambiguous if the trip calls at the stop twice.
        return visits.count == 1 ? visits.first : nil
    }
}

extension Timetable {
    func calls(_ ends: Set<Int>, after call: ScheduledCall) -> Bool {
        calls(of: call.instance.trip).dropFirst(call.position + 1).contains { ends.contains(Int($0.place)) }
    }
}

extension LiveTrip {
    fileprivate func calls(_ places: Set<Int>, after position: Int) -> Bool {
        calls.dropFirst(position + 1).contains { call in !call.isSkipped && call.place.isSomeAnd(places.contains) }
    }

    /// The attributes of the trip: its ID, and its first and last stops if some are skipped.
    func attributes(_ arrangement: TripAttributes.Arrangement?, in timetable: Timetable) -> TripAttributes {
        guard calls.first?.isSkipped == true || calls.last?.isSkipped == true else {
            return TripAttributes(id: id.text, arrangement: arrangement)
        }
        func name(_ call: Call?) -> String? { call?.place.map { timetable.places[$0].name } }
        let served = isCancelled ? calls[...] : calls.filter { !$0.isSkipped }[...]
        let isShort = !served.isEmpty && served.count < calls.count
        return TripAttributes(
            id: id.text, startsAt: isShort && calls.first?.isSkipped == true ? name(served.first) : nil,
            endsAt: isShort && calls.last?.isSkipped == true ? name(served.last) : nil, arrangement: arrangement)
    }
}

extension RealtimeOverlay {
    /// The trip of a departure with its calling points; nil if it is no longer known.
    ///
    /// - Parameter now: calls before it have happened.
    func tripDetails(of departure: Departure, now: Timestamp) -> TripDetails? {
        guard let id = departure.attributes?.id.flatMap(TripInstanceID.init), let trip = liveTrip(id, of: departure)
        else { return nil }
        let places = Set(index.timetable.places(of: departure.stop.code))
        let vehiclePosition = vehiclePositions[trip.id]
        let seen = vehiclePosition.flatMap { position(of: $0, in: trip) }
        let calls = trip.calls.indices.compactMap { position -> CallingPoint? in
            let isHere = vehiclePosition?.isStopped == true && position == seen
            return point(trip, position, departure, places, seen: seen, isHere: isHere, now: now)
        }
        guard calls.count > 1 else { return nil }
        let last = trip.calls.compactMap { $0.live?.departure ?? $0.planned?.departure }.max() ?? departure.expiresAt
        return TripDetails(
            calls: calls, location: location(trip, vehiclePosition, seen, calls),
            madeAt: trip.madeAt ?? madeAt ?? departure.madeAt, expiresAt: max(last, now) + GTFSFeed.expiry.detailsGrace)
    }

    /// The trip with this ID: one with realtime data, or a scheduled one.
    private func liveTrip(_ id: TripInstanceID, of departure: Departure) -> LiveTrip? {
        let named = trips.filter { $0.id.trip == id.trip && $0.id.day == id.day && !$0.isHidden }
        if let trip = named.first(where: { $0.id == id }) { return trip }
        if let day = id.day, let start = id.start, let trip = index.timetable.trip(id.trip),
            index.timetable.runs(trip, on: day)
        {
            let instance = Timetable.TripInstance(trip: trip, day: day, start: start)
            return overlaid[instance].map { trips[$0] } ?? LiveTrip(instance, in: index.timetable)
        }
        // Some operators renumber entities in each message.
        return id.entity.isEmpty ? nil : named.first { $0.instance == nil && $0.line == departure.line }
    }

    private func point(
        _ trip: LiveTrip, _ position: Int, _ departure: Departure, _ places: Set<Int>, seen: Int?, isHere: Bool,
        now: Timestamp
    ) -> CallingPoint? {
        let call = trip.calls[position]
        let isLast = position == trip.calls.count - 1
        let booked = isLast ? call.planned?.arrival : call.planned?.departure
        let state: CallingPoint.State
        if trip.isCancelled || call.isSkipped {
            state = .cancelled
        } else if isHere {
            state = .called(nil)
        } else if let live = call.live {
            let time = isLast ? live.arrival : live.departure
            let hasCalled = seen.map { position < $0 } ?? (time <= now)
            let isKnown = time <= now && !call.isUncertain
            state = hasCalled ? .called(isKnown ? time : nil) : call.isUncertain ? .scheduled(time) : .expected(time)
        } else if let seen, position < seen {
            state = .called(nil)
        } else if let booked {
            state = .scheduled(booked)
        } else {
            return nil
        }
        let place = call.place.map { index.timetable.places[$0] }
        let unknown = trip.stopTimeUpdate(of: call).flatMap { trip.update?.unknownStop(of: $0) } ?? ""
        let isOwn = call.place.isSomeAnd(places.contains)
        return CallingPoint(
            name: place?.name ?? index.timetable.otherStops[unknown] ?? unknown,
            code: isOwn ? departure.stop.code : place?.id ?? unknown,
            booked: booked, state: state, platform: place?.platform)
    }

    /// The next stop of a vehicle that left its last stop at an unknown time; else nil: the calls show the location.
    private func location(
        _ trip: LiveTrip, _ vehiclePosition: VehiclePosition?, _ seen: Int?, _ calls: [CallingPoint]
    ) -> String? {
        guard let vehiclePosition, let seen, !vehiclePosition.isStopped,
            calls.last(where: { if case .called = $0.state { true } else { false } })?.state == .called(nil),
            let place = trip.calls[seen].place
        else { return nil }
        return "\u{2192} " + index.timetable.places[place].name
    }
}
