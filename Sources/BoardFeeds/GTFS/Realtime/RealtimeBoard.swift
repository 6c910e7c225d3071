internal import BoardCore

/// Messages laid over a timetable: what is known of all runs that touch the stops of interest.
///
/// A pure value. A feed makes a new one when a message or a timetable came.
struct RealtimeBoard: Sendable {
    private static let halfDay = Duration.seconds(43_200)

    let index: RealtimeIndex
    /// When the newest message with trips was made; nil where none says so.
    let made: Timestamp?
    /// The runs of which something is known but by the timetable.
    private(set) var runs: [LiveRun] = []
    /// Which of ``runs`` stands for a run of the timetable.
    private(set) var claims: [Timetable.Run: Int] = [:]
    /// Where the vehicles were seen, by their runs.
    private(set) var sightings: [RunID: VehicleReport] = [:]
    /// Which calls of ``runs`` are at a place of interest.
    private(set) var callsAt: [Int: [(run: Int, position: Int)]] = [:]
    /// What the operators want people to know.
    let notices: [AlertNotice]

    /// - Parameters:
    ///   - messages: the last message of each address; none: only the timetable is known.
    ///   - index: the timetable.
    ///   - now: decides which day's run is meant where a message does not say so.
    init(_ messages: [RealtimeMessage], over index: RealtimeIndex, now: Timestamp) {
        self.index = index
        let told = messages.filter { !$0.trips.isEmpty }
        made = (told.isEmpty ? messages : told).compactMap(\.made).max()
        notices = messages.flatMap(\.alerts)
        var updates: [(update: TripUpdate, made: Timestamp)] = []
        for message in messages {
            for update in message.trips { updates.append((update, update.made ?? message.made ?? now)) }
        }
        for (update, made) in Self.withoutRepeats(updates) { add(update, made: made, now: now) }
        for message in messages {
            for report in message.vehicles { add(report, made: report.made ?? message.made ?? now, now: now) }
        }
        for (number, run) in runs.enumerated() {
            for (position, call) in run.calls.enumerated() {
                if let place = call.place, index.isWanted[place] {
                    callsAt[place, default: []].append((number, position))
                }
            }
        }
    }

    /// The updates without those that say of a trip what another one says. Others of the same trip are other trains: New
    /// York's subway has such pairs. The one with the most calls comes first, and is the timetable's.
    private static func withoutRepeats(
        _ updates: [(update: TripUpdate, made: Timestamp)]
    ) -> [(update: TripUpdate, made: Timestamp)] {
        var first: [TripSelector: Int] = [:]
        var kept: [(update: TripUpdate, made: Timestamp)] = []
        for update in updates {
            guard let before = first[update.update.trip] else {
                first[update.update.trip] = kept.count
                kept.append(update)
                continue
            }
            let other = kept[before].update
            if other.stops == update.update.stops, other.newID == update.update.newID { continue }
            kept.append(update)
            if other.stops.count < update.update.stops.count { kept.swapAt(before, kept.count - 1) }
        }
        return kept
    }
}

// MARK: - Trips

extension RealtimeBoard {
    private mutating func add(_ update: TripUpdate, made: Timestamp, now: Timestamp) {
        let trip = update.trip
        switch trip.relationship {
        case .added:
            append(LiveRun(update, like: index.candidates(trip.id).first, index), made)
        case .duplicated:
            addCopy(update, made: made)
        case .scheduled, .unscheduled, .canceled, .deleted, .replacement:
            guard let run = run(of: update, now: now), claims[run] == nil else {
                let known = index.candidates(trip.id).first
                var live = LiveRun(update, like: known, index)
                live.isCancelled = trip.relationship == .canceled
                live.isUnmatched = trip.relationship == .scheduled && known == nil
                if trip.relationship != .deleted { append(live, made) }
                return
            }
            add(update, as: run, made: made)
        }
    }

    /// Takes what is told of a run of the timetable.
    private mutating func add(_ update: TripUpdate, as run: Timetable.Run, made: Timestamp) {
        var live = LiveRun(run, in: index.timetable)
        switch update.trip.relationship {
        case .replacement: live = LiveRun(update, replacing: live, like: run.trip, index)
        case .canceled, .deleted:
            live.isCancelled = true
            live.isHidden = update.trip.relationship == .deleted
        default:
            live.apply(update, index)
            let isOther = !update.stops.isEmpty && live.strays.count == update.stops.count
            // The timetable has another trip of this name by now.
            if isOther { live = LiveRun(update, replacing: live, like: run.trip, index) }
        }
        claims[run] = runs.count
        append(live, made)
        if !live.strays.isEmpty, update.trip.relationship != .replacement {
            addStrays(of: live, update, made: made)
        }
    }

    /// Calls that the timetable's run does not make, as far as they have times of their own; they end where the run does.
    private mutating func addStrays(of live: LiveRun, _ update: TripUpdate, made: Timestamp) {
        var other = update
        other.stops = live.strays
        guard live.strays.contains(where: { index.places[$0.stop].map { index.isWanted[$0] } ?? false }) else { return }
        var strays = LiveRun(other, like: live.run?.trip, index)
        strays.headsign = live.headsign
        if let end = live.end { strays.calls.append(live.calls[end]) }
        append(strays, made)
    }

    /// A copy of a trip at another time.
    private mutating func addCopy(_ update: TripUpdate, made: Timestamp) {
        guard let trip = index.timetable.trip(update.trip.id), let day = update.newDay ?? update.trip.day else {
            return append(LiveRun(update, like: index.timetable.trip(update.trip.id), index), made)
        }
        let start = update.newStart ?? update.trip.start ?? index.timetable.trips[trip].start
        let run = Timetable.Run(trip: trip, day: day, start: start)
        var live = LiveRun(run, as: update.newID ?? update.entity, in: index.timetable)
        live.apply(update, index)
        live.headsign = update.headsign ?? live.headsign
        append(live, made)
    }

    private mutating func append(_ live: LiveRun, _ made: Timestamp) {
        var live = live
        live.made = made
        runs.append(live)
    }

    /// The timetable's run that an update means; nil where it is not in this timetable.
    private func run(of update: TripUpdate, now: Timestamp) -> Timetable.Run? {
        let candidates = index.candidates(update.trip.id)
        let running = candidates.lazy.compactMap { run(of: $0, update, now: now) }
        return running.first { index.isNamed($0.trip, update.trip.id) || index.fits(update, $0.trip) }
    }

    /// A trip's run on the day that a message says; where it says none, the one nearest to now.
    private func run(of trip: Int, _ update: TripUpdate, now: Timestamp) -> Timetable.Run? {
        let timetable = index.timetable
        let planned = timetable.trips[trip]
        var start = planned.start
        if !planned.frequencies.isEmpty {
            // Which of the trip's many runs it is only its start tells.
            guard let told = update.trip.start else { return nil }
            start = told
        }
        let span = start...start + (timetable.calls(of: trip).last.map { Int($0.arrival) } ?? 0)
        if let told = update.trip.day {
            let day = serviceDay(of: trip, told, span, update)
            // New York's subway has one train in the timetables of many services.
            guard planned.id == update.trip.id || timetable.runs(trip, on: day) else { return nil }
            return Timetable.Run(trip: trip, day: day, start: start)
        }
        let today = timetable.zone.localTime(at: now).date
        let days = (-span.upperBound / 86_400 - 1...1).map { today.adding(days: $0) }
        let nearest = days.filter { timetable.runs(trip, on: $0) }.min {
            distance(from: now, to: $0, span) < distance(from: now, to: $1, span)
        }
        return nearest.map { Timetable.Run(trip: trip, day: $0, start: start) }
    }

    /// The service day that a message means by a date. Washington writes, of trips past midnight, the date of the calendar:
    /// its trip of 24:05:00 on the ninth has the start date of the tenth.
    private func serviceDay(of trip: Int, _ told: CivilDate, _ span: ClosedRange<Int>, _ update: TripUpdate)
        -> CivilDate
    {
        let before = told.adding(days: -1)
        guard let time = update.stops.lazy.compactMap({ $0.arrival.time ?? $0.departure.time }).first else {
            let isPastMidnight = span.lowerBound >= 86_400
            let runs = index.timetable.runs(trip, on: told)
            return isPastMidnight && !runs && index.timetable.runs(trip, on: before) ? before : told
        }
        if distance(from: time, to: told, span) <= Self.halfDay { return told }
        let other = [before, told.adding(days: 1)].first { distance(from: time, to: $0, span) <= Self.halfDay }
        return other ?? told
    }

    /// How far a moment is from a run, which begins and ends at these seconds of a service day.
    private func distance(from moment: Timestamp, to day: CivilDate, _ span: ClosedRange<Int>) -> Duration {
        let beginning = index.timetable.beginning(of: day)
        let (begins, ends) = (beginning + .seconds(span.lowerBound), beginning + .seconds(span.upperBound))
        return begins > moment ? begins - moment : max(moment - ends, .zero)
    }
}

// MARK: - Vehicles

extension RealtimeBoard {
    private mutating func add(_ told: VehicleReport, made: Timestamp, now: Timestamp) {
        guard !told.trip.id.isEmpty else { return }
        var report = told
        report.made = made
        let update = TripUpdate(entity: "", trip: report.trip)
        let id: RunID
        if let run = run(of: update, now: now) {
            id = RunID(run, trip: index.timetable.trips[run.trip].id)
        } else if let run = runs.first(where: { isMeant($0, by: report.trip) }) {
            id = run.id
        } else {
            return
        }
        // The newest of several.
        if let before = sightings[id]?.made, before > made { return }
        sightings[id] = report
    }

    private func isMeant(_ run: LiveRun, by trip: TripSelector) -> Bool {
        run.id.trip == trip.id && (trip.day == nil || run.id.day == nil || run.id.day == trip.day)
    }
}
