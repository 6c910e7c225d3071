internal import BoardCore

extension RealtimeBoard {
    /// How long a row with a live time is shown past it, and one of the timetable's past its booked time.
    static let liveGrace = Duration.seconds(30)
    static let timetabledGrace = Duration.seconds(60)
    /// How long a vehicle may stand at a platform after its booked time and still be looked for there.
    private static let longestStand = Duration.seconds(1_800)

    /// A row, with what decides whether another one is the same vehicle.
    struct Row {
        let departure: Departure
        let direction: Int?
        /// The trip of the timetable; nil: none of its.
        let trip: Int?
        /// How many seconds are between two vehicles of the trip, where the timetable tells only that.
        var headway: Int?
        /// Whether it is a live run under a name that the timetable does not know.
        let isUnmatched: Bool

        var due: Timestamp { departure.due }

        /// Whether they have one line, and go the same way.
        func isAlong(_ other: Row) -> Bool {
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
        at stop: StopID, towards: String? = nil, now: Timestamp, ahead: Duration, made unsaid: Timestamp? = nil
    ) -> [Departure] {
        let unsaid = unsaid ?? now
        let ends = towards.map { Set(index.timetable.places(of: $0)) }
        let places = index.timetable.places(of: stop.code)
        let end = now + ahead
        // Those that have gone as well: the timetable's rows of them are not to come back.
        var live: [Row] = []
        let span = (now - Self.timetabledGrace)..<(end + Self.sameTrain)
        let calls = places.flatMap { callsAt[$0] ?? [] }.filter { number, position in
            matters(number, position, in: span) && ends.map { runs[number].calls($0, after: position) } ?? true
        }
        for (number, position) in earliest(of: calls) {
            if let row = row(of: runs[number], at: position, stop, made: unsaid) { live.append(row) }
        }
        var planned: [Row] = []
        let since = now - lookBack(live)
        for call in index.timetable.departures(at: places, in: since..<end, days) where claims[call.run] == nil {
            guard ends.map({ index.timetable.calls($0, after: call) }) ?? true else { continue }
            if let row = row(of: call, stop, made: unsaid) { planned.append(row) }
        }
        let rows = live + Self.left(of: planned, beside: live, now: now)
        // Their places are put in order, not the rows themselves, which are large.
        let order = rows.indices.filter { rows[$0].departure.void > now && rows[$0].due < end }.sorted { left, right in
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
        let isClaimed = runs[run].run != nil && runs[run].isPromised
        return !isClaimed || !sightings.isEmpty || max(due, booked) > span.lowerBound
    }

    /// How long ago what the timetable tells may have been booked and still matter.
    private func lookBack(_ live: [Row]) -> Duration {
        var back = sightings.isEmpty ? Self.timetabledGrace : Self.longestStand
        if live.contains(where: \.isUnmatched) { back = max(back, Self.longestTwin) }
        return back
    }

    /// A call of the timetable as a row; nil where it is none.
    private func row(of planned: Timetable.PlannedCall, _ stop: StopID, made unsaid: Timestamp) -> Row? {
        let timetable = index.timetable
        let trip = timetable.trips[planned.run.trip]
        let id = RunID(planned.run, trip: trip.id)
        if !sightings.isEmpty, sightings[id] != nil {
            return row(of: LiveRun(planned.run, in: timetable), at: planned.position, stop, made: unsaid)
        }
        let calls = timetable.calls(of: planned.run.trip)
        let call = calls[calls.startIndex + planned.position]
        let route = timetable.routes[trip.route]
        let isPromised = trip.frequencies.allSatisfy(\.isExact)
        let departure = Departure(
            stop: stop, line: Line(id: route.id, name: route.name),
            destination: call.headsign >= 0 ? timetable.headsigns[Int(call.headsign)] : trip.headsign,
            platform: timetable.places[Int(call.place)].platform, direction: trip.direction.map(String.init),
            booked: isPromised ? planned.departure : nil, status: .timetabled(planned.departure),
            journey: Journey(id: id.text), made: made ?? unsaid, void: planned.departure + Self.timetabledGrace)
        return Row(
            departure: departure, direction: trip.direction, trip: planned.run.trip,
            headway: isPromised ? nil : trip.frequencies.map(\.headway).max(), isUnmatched: false)
    }

    /// A run's call as a row; nil where it is no departure, or nothing is known of it.
    private func row(of run: LiveRun, at position: Int, _ stop: StopID, made unsaid: Timestamp) -> Row? {
        let call = run.calls[position]
        guard call.takesRiders, !run.isHidden, position < run.calls.count - 1 else { return nil }
        let sighting = sightings.isEmpty ? nil : sightings[run.id]
        let status: Departure.Status
        var void: Timestamp
        // Where all calls after it are left out nobody can go anywhere from here.
        if run.isCancelled || call.state == .skipped || position >= run.end ?? 0 {
            guard let time = call.planned?.departure ?? call.live?.departure else { return nil }
            status = .cancelled
            void = time + Self.timetabledGrace
        } else if let live = call.live {
            status = .expected(live.departure)
            void = live.departure + Self.liveGrace
        } else {
            guard let booked = call.planned?.departure else { return nil }
            status = .timetabled(booked)
            void = booked + Self.timetabledGrace
        }
        // A vehicle that was seen farther on has left, and one that stands at the platform has not, whatever was expected.
        if let sighting, status != .cancelled, let seen = place(of: sighting, in: run), let made = sighting.made {
            if seen > position {
                void = min(void, made)
            } else if seen == position, sighting.status == .stopped {
                void = max(void, made + Self.timetabledGrace)
            }
        }
        let departure = Departure(
            stop: stop, line: run.line, destination: run.headsign(at: position, in: index.timetable),
            vehicle: run.update.map(\.vehicle).flatMap { $0.isEmpty ? nil : $0 } ?? sighting?.vehicle ?? "",
            platform: call.place.flatMap { index.timetable.places[$0].platform },
            direction: run.direction.map(String.init), booked: run.isPromised ? call.planned?.departure : nil,
            status: status,
            journey: run.journey(in: index.timetable),
            made: run.made ?? made ?? unsaid, void: void)
        return Row(
            departure: departure, direction: run.direction, trip: run.run?.trip, headway: nil,
            isUnmatched: run.isUnmatched)
    }

    /// Which of a run's calls a vehicle is at or comes to next: by its sequence, if the stop is that one, else by its stop;
    /// nil where that is not told.
    func place(of sighting: VehicleReport, in run: LiveRun) -> Int? {
        let place = sighting.stop.flatMap(index.place)
        let planned = run.run.map { index.timetable.calls(of: $0.trip) }
        if let sequence = sighting.sequence, let planned, planned.count == run.calls.count,
            let found = planned.firstIndex(where: { $0.sequence == sequence }),
            sighting.stop == nil || run.calls[found - planned.startIndex].place == place
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
    func calls(_ ends: Set<Int>, after call: PlannedCall) -> Bool {
        calls(of: call.run.trip).dropFirst(call.position + 1).contains { ends.contains(Int($0.place)) }
    }
}

extension LiveRun {
    /// Whether it calls at one of these places after a call.
    fileprivate func calls(_ places: Set<Int>, after position: Int) -> Bool {
        calls.dropFirst(position + 1).contains { call in
            call.state != .skipped && call.place.map(places.contains) ?? false
        }
    }

    /// What is told of the run beyond its row.
    func journey(in timetable: Timetable) -> Journey {
        guard calls.first?.state == .skipped || calls.last?.state == .skipped else { return Journey(id: id.text) }
        func name(_ call: Call?) -> String? { call?.place.map { timetable.places[$0].name } }
        let made = isCancelled ? calls[...] : calls.filter { $0.state != .skipped }[...]
        let isShort = !made.isEmpty && made.count < calls.count
        return Journey(
            id: id.text, startsAt: isShort && calls.first?.state == .skipped ? name(made.first) : nil,
            endsAt: isShort && calls.last?.state == .skipped ? name(made.last) : nil)
    }
}
