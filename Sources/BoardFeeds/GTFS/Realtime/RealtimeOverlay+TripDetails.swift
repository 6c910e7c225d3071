internal import BoardCore

extension RealtimeOverlay {
    /// The run of a departure with its calling points; nil where nothing is known of it any more.
    ///
    /// - Parameter now: what was to happen before has happened.
    func tripDetails(of departure: Departure, now: Timestamp) -> TripDetails? {
        guard let id = departure.attributes?.id.flatMap(TripInstanceID.init), let run = run(id, of: departure) else {
            return nil
        }
        let places = Set(index.timetable.places(of: departure.stop.code))
        let vehiclePosition = vehiclePositions[run.id]
        let seen = vehiclePosition.flatMap { place(of: $0, in: run) }
        let calls = run.calls.indices.compactMap { position -> CallingPoint? in
            let isHere = vehiclePosition?.status == .stopped && position == seen
            return point(run, position, departure, places, seen: seen, isHere: isHere, now: now)
        }
        guard calls.count > 1 else { return nil }
        let last = run.calls.compactMap { $0.live?.departure ?? $0.planned?.departure }.max() ?? departure.expiresAt
        return TripDetails(
            calls: calls, location: location(run, vehiclePosition, seen, calls),
            madeAt: run.madeAt ?? madeAt ?? departure.madeAt,
            expiresAt: max(last, now) + GTFSFeed.expiry.detailsGrace)
    }

    /// The run of this name: one of which something is told, or one of the timetable.
    private func run(_ id: TripInstanceID, of departure: Departure) -> LiveTrip? {
        let named = runs.filter { $0.id.trip == id.trip && $0.id.day == id.day && !$0.isHidden }
        if let run = named.first(where: { $0.id == id }) { return run }
        if let day = id.day, let start = id.start, let trip = index.timetable.trip(id.trip),
            index.timetable.runs(trip, on: day)
        {
            let run = Timetable.TripInstance(trip: trip, day: day, start: start)
            return claims[run].map { runs[$0] } ?? LiveTrip(run, in: index.timetable)
        }
        // Entities are numbered anew in each message of some operators.
        return id.entity.isEmpty ? nil : named.first { $0.run == nil && $0.line == departure.line }
    }

    private func point(
        _ run: LiveTrip, _ position: Int, _ departure: Departure, _ places: Set<Int>, seen: Int?, isHere: Bool,
        now: Timestamp
    ) -> CallingPoint? {
        let call = run.calls[position]
        let isLast = position == run.calls.count - 1
        let booked = isLast ? call.planned?.arrival : call.planned?.departure
        let state: CallingPoint.State
        if run.isCancelled || call.state == .skipped {
            state = .cancelled
        } else if isHere {
            state = .called(nil)
        } else if let live = call.live {
            let time = isLast ? live.arrival : live.departure
            let hasCalled = seen.map { position < $0 } ?? (time <= now)
            state = hasCalled ? .called(time <= now ? time : nil) : .expected(time)
        } else if let seen, position < seen {
            state = .called(nil)
        } else if let booked {
            state = .scheduled(booked)
        } else {
            return nil
        }
        let place = call.place.map { index.timetable.places[$0] }
        let unknown = run.stopTimeUpdate(of: call).flatMap { run.update?.unknownStop(of: $0) } ?? ""
        let isOwn = call.place.map(places.contains) ?? false
        return CallingPoint(
            name: place?.name ?? index.timetable.otherStops[unknown] ?? unknown,
            code: isOwn ? departure.stop.code : place?.id ?? unknown,
            booked: booked, state: state, platform: place?.platform)
    }

    /// Where a vehicle is that has left its last stop at a time which nobody told: the next one. All else the calls say.
    private func location(
        _ run: LiveTrip, _ vehiclePosition: VehiclePosition?, _ seen: Int?, _ calls: [CallingPoint]
    ) -> String? {
        guard let vehiclePosition, let seen, vehiclePosition.status != .stopped,
            calls.last(where: { if case .called = $0.state { true } else { false } })?.state == .called(nil),
            let place = run.calls[seen].place
        else { return nil }
        return "\u{2192} " + index.timetable.places[place].name
    }
}
