internal import BoardCore

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
            madeAt: trip.madeAt ?? madeAt ?? departure.madeAt,
            expiresAt: max(last, now) + GTFSFeed.expiry.detailsGrace)
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
        let isOwn = call.place.map(places.contains) ?? false
        return CallingPoint(
            name: place?.name ?? index.timetable.otherStops[unknown] ?? unknown,
            code: isOwn ? departure.stop.code : place?.id ?? unknown,
            booked: booked, state: state, platform: place?.platform)
    }

    /// The next stop of a vehicle that left its last stop at an unknown time. Otherwise nil: the calls show the location.
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
