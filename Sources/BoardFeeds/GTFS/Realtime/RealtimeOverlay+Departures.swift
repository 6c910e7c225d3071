internal import BoardCore

extension RealtimeOverlay {
    /// How long a vehicle may stand at a platform after its booked time and still be looked for there.
    private static let longestStand = Duration.seconds(1_800)

    /// A row, with what decides whether another one is the same vehicle.
    struct Candidate {
        let departure: Departure
        let direction: Int?
        /// The trip of the timetable; nil: none of its.
        let trip: Int?
        /// How many seconds are between two vehicles of the trip, where the timetable tells only that.
        var headway: Int?
        /// Whether it is a live run under a name that the timetable does not know.
        let isUnknownTrip: Bool

        var due: Timestamp { departure.due }

        /// Whether they have one line, and go the same way.
        func isAlong(_ other: Candidate) -> Bool {
            departure.line.id == other.departure.line.id
                && (departure.destination == other.departure.destination
                    || (direction != nil && direction == other.direction))
        }
    }

    /// The departures from a stop, those of the timetable of which nothing else is known among them.
    ///
    /// - Parameters:
    ///   - stop: one of the stops of interest: its code is a `stop_id`.
    ///   - now: what has left before is left out.
    ///   - ahead: how far to look.
    ///   - towards: only those that call at this stop later on, or at a platform of it; nil: all.
    ///   - unsaid: when what only the timetable tells was made, where no message says anything; nil: now.
    /// - Returns: by their times.
    func departures(
        at stop: StopID, towards: String? = nil, now: Timestamp, ahead: Duration, madeAt defaultMadeAt: Timestamp? = nil
    ) -> [Departure] {
        let defaultMadeAt = defaultMadeAt ?? now
        let ends = towards.map { Set(index.timetable.places(of: $0)) }
        let places = index.timetable.places(of: stop.code)
        let end = now + ahead
        // Those that have gone as well: the timetable's rows of them are not to come back.
        var live: [Candidate] = []
        let span = (now - GTFSFeed.expiry.scheduledGrace)..<(end + Self.sameTrain)
        let calls = places.flatMap { callsAt[$0] ?? [] }.filter { number, position in
            matters(number, position, in: span) && ends.map { runs[number].calls($0, after: position) } ?? true
        }
        for (number, position) in earliest(of: calls) {
            if let row = row(of: runs[number], at: position, stop, madeAt: defaultMadeAt) { live.append(row) }
        }
        var planned: [Candidate] = []
        let since = now - lookBack(live)
        for call in index.timetable.departures(at: places, in: since..<end, days) where claims[call.run] == nil {
            guard ends.map({ index.timetable.calls($0, after: call) }) ?? true else { continue }
            if let row = row(of: call, stop, madeAt: defaultMadeAt) { planned.append(row) }
        }
        let rows = live + Self.left(of: planned, beside: live, now: now)
        // Their places are put in order, not the rows themselves, which are large.
        let order = rows.indices.filter { rows[$0].departure.expiresAt > now && rows[$0].due < end }.sorted {
            left, right in
            let (first, second) = (rows[left].due, rows[right].due)
            return first == second
                ? rows[left].departure.line.name < rows[right].departure.line.name : first < second
        }
        return order.prefix(Timetable.mostDepartures).map { rows[$0].departure }
    }

    /// The earliest of some calls of ``runs``, as many as a question is answered with.
    private func earliest(of calls: [(run: Int, position: Int)]) -> ArraySlice<(run: Int, position: Int)> {
        guard calls.count > Timetable.mostDepartures else { return calls[...] }
        func due(_ call: (run: Int, position: Int)) -> Timestamp {
            let call = runs[call.run].calls[call.position]
            return call.live?.departure ?? call.planned?.departure ?? Timestamp(seconds: .max)
        }
        return calls.sorted { due($0) < due($1) }.prefix(Timetable.mostDepartures)
    }

    /// Whether a row of a run's call can be one to show, or one for which a row of the timetable makes way.
    private func matters(_ run: Int, _ position: Int, in span: Range<Timestamp>) -> Bool {
        let call = runs[run].calls[position]
        guard let due = call.live?.departure ?? call.planned?.departure else { return false }
        let booked = call.planned?.departure ?? due
        guard min(due, booked) < span.upperBound else { return false }
        // The timetable's row of a run that it has is claimed; and what stands at the platform may be late.
        let isClaimed = runs[run].run != nil && runs[run].hasExactTimes
        return !isClaimed || !vehiclePositions.isEmpty || max(due, booked) > span.lowerBound
    }

    /// How long ago what the timetable tells may have been booked and still matter.
    private func lookBack(_ live: [Candidate]) -> Duration {
        var back = vehiclePositions.isEmpty ? GTFSFeed.expiry.scheduledGrace : Self.longestStand
        if live.contains(where: \.isUnknownTrip) { back = max(back, Self.duplicateReach) }
        return back
    }

    /// A call of the timetable as a row; nil where it is none.
    private func row(of planned: Timetable.ScheduledCall, _ stop: StopID, madeAt defaultMadeAt: Timestamp) -> Candidate?
    {
        let timetable = index.timetable
        let trip = timetable.trips[planned.run.trip]
        let id = TripInstanceID(planned.run, trip: trip.id)
        if !vehiclePositions.isEmpty, vehiclePositions[id] != nil {
            return row(of: LiveTrip(planned.run, in: timetable), at: planned.position, stop, madeAt: defaultMadeAt)
        }
        let calls = timetable.calls(of: planned.run.trip)
        let call = calls[calls.startIndex + planned.position]
        let route = timetable.routes[trip.route]
        let hasExactTimes = trip.frequencies.allSatisfy(\.isExact)
        let departure = Departure(
            stop: stop, line: Line(id: route.id, name: route.name),
            destination: call.headsign >= 0 ? timetable.headsigns[Int(call.headsign)] : trip.headsign,
            platform: timetable.places[Int(call.place)].platform, direction: trip.direction.map(String.init),
            booked: hasExactTimes ? planned.departure : nil, status: .scheduled(planned.departure),
            attributes: TripAttributes(id: id.text), madeAt: madeAt ?? defaultMadeAt,
            expiresAt: planned.departure + GTFSFeed.expiry.scheduledGrace)
        return Candidate(
            departure: departure, direction: trip.direction, trip: planned.run.trip,
            headway: hasExactTimes ? nil : trip.frequencies.map(\.headway).max(), isUnknownTrip: false)
    }

    /// A run's call as a row; nil where it is no departure, or nothing is known of it.
    private func row(of run: LiveTrip, at position: Int, _ stop: StopID, madeAt defaultMadeAt: Timestamp) -> Candidate?
    {
        let call = run.calls[position]
        guard call.allowsBoarding, !run.isHidden, position < run.calls.count - 1 else { return nil }
        let vehiclePosition = vehiclePositions.isEmpty ? nil : vehiclePositions[run.id]
        let status: Departure.Status
        var expiresAt: Timestamp
        // Where all calls after it are left out nobody can go anywhere from here.
        if run.isCancelled || call.state == .skipped || position >= run.end ?? 0 {
            guard let time = call.planned?.departure ?? call.live?.departure else { return nil }
            status = .cancelled
            expiresAt = time + GTFSFeed.expiry.scheduledGrace
        } else if let live = call.live {
            status = .expected(live.departure)
            expiresAt = live.departure + GTFSFeed.expiry.liveGrace
        } else {
            guard let booked = call.planned?.departure else { return nil }
            status = .scheduled(booked)
            expiresAt = booked + GTFSFeed.expiry.scheduledGrace
        }
        // A vehicle that was seen farther on has left, and one that stands at the platform has not, whatever was expected.
        if let vehiclePosition, status != .cancelled, let seen = place(of: vehiclePosition, in: run),
            let madeAt = vehiclePosition.madeAt
        {
            if seen > position {
                expiresAt = min(expiresAt, madeAt)
            } else if seen == position, vehiclePosition.status == .stopped {
                expiresAt = max(expiresAt, madeAt + GTFSFeed.expiry.atStopGrace)
            }
        }
        let departure = Departure(
            stop: stop, line: run.line, destination: run.headsign(at: position, in: index.timetable),
            vehicle: run.update.map(\.vehicle).flatMap { $0.isEmpty ? nil : $0 } ?? vehiclePosition?.vehicle ?? "",
            platform: call.place.flatMap { index.timetable.places[$0].platform },
            direction: run.direction.map(String.init), booked: run.hasExactTimes ? call.planned?.departure : nil,
            status: status,
            attributes: run.attributes(in: index.timetable),
            madeAt: run.madeAt ?? madeAt ?? defaultMadeAt, expiresAt: expiresAt)
        return Candidate(
            departure: departure, direction: run.direction, trip: run.run?.trip, headway: nil,
            isUnknownTrip: run.isUnknownTrip)
    }

    /// Which of a run's calls a vehicle is at or comes to next: by its sequence, if the stop is that one, else by its stop;
    /// nil where that is not told.
    func place(of vehiclePosition: VehiclePosition, in run: LiveTrip) -> Int? {
        let place = vehiclePosition.stop.flatMap(index.place)
        let planned = run.run.map { index.timetable.calls(of: $0.trip) }
        if let sequence = vehiclePosition.sequence, let planned, planned.count == run.calls.count,
            let found = planned.firstIndex(where: { $0.sequence == sequence }),
            vehiclePosition.stop == nil || run.calls[found - planned.startIndex].place == place
        {
            return found - planned.startIndex
        }
        guard let place else { return nil }
        let visits = run.calls.indices.filter { run.calls[$0].place == place }
        // Of a stop that it calls at twice nobody can tell.
        return visits.count == 1 ? visits.first : nil
    }
}

extension Timetable {
    /// Whether a planned run calls at one of these places after a call.
    func calls(_ ends: Set<Int>, after call: ScheduledCall) -> Bool {
        calls(of: call.run.trip).dropFirst(call.position + 1).contains { ends.contains(Int($0.place)) }
    }
}

extension LiveTrip {
    /// Whether it calls at one of these places after a call.
    fileprivate func calls(_ places: Set<Int>, after position: Int) -> Bool {
        calls.dropFirst(position + 1).contains { call in
            call.state != .skipped && call.place.map(places.contains) ?? false
        }
    }

    /// What is told of the run beyond its row.
    func attributes(in timetable: Timetable) -> TripAttributes {
        guard calls.first?.state == .skipped || calls.last?.state == .skipped else {
            return TripAttributes(id: id.text)
        }
        func name(_ call: Call?) -> String? { call?.place.map { timetable.places[$0].name } }
        let madeAt = isCancelled ? calls[...] : calls.filter { $0.state != .skipped }[...]
        let isShort = !madeAt.isEmpty && madeAt.count < calls.count
        return TripAttributes(
            id: id.text, startsAt: isShort && calls.first?.state == .skipped ? name(madeAt.first) : nil,
            endsAt: isShort && calls.last?.state == .skipped ? name(madeAt.last) : nil)
    }
}
