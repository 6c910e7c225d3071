internal import BoardCore

/// Messages laid over a timetable: what is known of all runs that touch the stops of interest.
///
/// A pure value. A feed makes a new one when a message or a timetable came.
struct RealtimeOverlay: Sendable {
    private static let halfDay = Duration.seconds(43_200)
    /// The most runs that are made of messages, counted by their calls: ten times what a large station has. A run is as large
    /// as `partsOfRun` calls of 48 bytes. Where a small message would make more, the timetable's rows stay for the others.
    private static let mostParts = 200_000, partsOfRun = 20
    /// How often a trip of the timetable is searched by the stops of an update, which costs a pass over its patterns.
    private static let mostSearches = 500

    let index: RealtimeIndex
    /// When the newest message about trips or vehicles was made: a row of the timetable is as old as that, since nothing
    /// newer says that it is otherwise. So an operator who answers for hours with the same message is seen to be frozen.
    /// Nil: there is none, or none says so.
    let madeAt: Timestamp?
    /// The runs of which something is known but by the timetable.
    private(set) var runs: [LiveTrip] = []
    /// Which of ``runs`` stands for a run of the timetable.
    private(set) var claims: [Timetable.TripInstance: Int] = [:]
    /// Where the vehicles were seen, by their runs.
    private(set) var vehiclePositions: [TripInstanceID: VehiclePosition] = [:]
    /// Which calls of ``runs`` are at a place of interest.
    private(set) var callsAt: [Int: [(run: Int, position: Int)]] = [:]
    let days: ServiceDayBeginnings
    /// What messages call ``runs``.
    private var names = TripInstanceIndex()
    private var parts = 0
    private var searches = 0
    /// What the operators want people to know.
    let realtimeAlerts: [RealtimeAlert]

    /// - Parameters:
    ///   - messages: the last message of each address; none: only the timetable is known.
    ///   - index: the timetable.
    ///   - now: decides which day's run is meant where a message does not say so.
    init(_ messages: [RealtimeMessage], over index: RealtimeIndex, now: Timestamp) {
        self.index = index
        days = ServiceDayBeginnings(around: now, in: index.timetable)
        madeAt = messages.filter { !$0.hasAlertsOnly }.compactMap(\.madeAt).max()
        realtimeAlerts = messages.flatMap(\.alerts)
        let updates = (messages.count == 1 ? messages[0].trips : messages.flatMap(\.trips)).inOrder
        let vehicles = messages.flatMap(\.vehicles)
        runs.reserveCapacity(updates.count)
        claims.reserveCapacity(updates.count)
        for update in updates { add(update, madeAt: update.madeAt ?? now, now: now) }
        // Only vehicles ask for them.
        if !vehicles.isEmpty { names = TripInstanceIndex(of: runs) }
        for report in vehicles { add(report, madeAt: report.madeAt ?? now, now: now) }
        let isWanted = index.isWanted
        for number in runs.indices {
            for (position, call) in runs[number].calls.enumerated() {
                guard let place = call.place, isWanted[place] else { continue }
                callsAt[place, default: []].append((number, position))
            }
        }
    }
}

// MARK: - Trips

extension RealtimeOverlay {
    private mutating func add(_ told: TripUpdate, madeAt: Timestamp, now: Timestamp) {
        guard parts < Self.mostParts, !isElsewhere(told) else { return }
        let update = told.withoutRepeats
        switch update.trip.relationship {
        case .added: append(alone(update, like: index.candidates(update.trip.id).first), madeAt)
        case .duplicated: addCopy(update, madeAt: madeAt)
        case .scheduled, .unscheduled, .canceled, .deleted, .replacement:
            guard let run = run(of: update, now: now) else { return addAlone(update, madeAt: madeAt) }
            guard let claim = claims[run] else { return add(update, as: run, madeAt: madeAt) }
            // Of one name and day there may be another train; but none of a trip that does not run.
            if !runs[claim].isCancelled { addAlone(update, madeAt: madeAt) }
        }
    }

    /// Whether an update means a trip of the timetable that calls at no stop of interest. It says nothing of these stops, also
    /// where it names calls there, which the trip does not make: shown as a train of its own it would be one that does not exist.
    private func isElsewhere(_ update: TripUpdate) -> Bool {
        switch update.trip.relationship {
        case .scheduled, .unscheduled, .canceled, .duplicated:
            index.candidates(update.trip.id).isEmpty && index.timetable.allTripIDs.contains(update.trip.id)
        // These say that other calls than the timetable's are made.
        case .added, .replacement, .deleted: false
        }
    }

    /// A run by a message's calls alone, which is not the timetable's.
    ///
    /// - Parameter trip: the trip whose line and headsign it has; nil: one with the same calls is searched where the update
    ///   names no line.
    private mutating func alone(_ update: TripUpdate, like trip: Int?) -> LiveTrip {
        var trip = trip
        if trip == nil, update.trip.route == nil, searches < Self.mostSearches {
            searches += 1
            trip = index.similar(to: update)
        }
        return LiveTrip(update, like: trip, index)
    }

    /// Takes what is told of a run that the timetable does not have, or has once where there are two.
    private mutating func addAlone(_ update: TripUpdate, madeAt: Timestamp) {
        let known = index.candidates(update.trip.id).first
        var live = alone(update, like: known)
        live.isCancelled = update.trip.relationship == .canceled
        live.isUnknownTrip = update.trip.relationship == .scheduled && known == nil
        if update.trip.relationship != .deleted { append(live, madeAt) }
    }

    /// Takes what is told of a run of the timetable.
    private mutating func add(_ update: TripUpdate, as run: Timetable.TripInstance, madeAt: Timestamp) {
        var live = LiveTrip(run, in: index.timetable, beginning: days.beginning(of: run.day))
        switch update.trip.relationship {
        case .replacement: live = LiveTrip(update, replacing: live, like: run.trip, index)
        case .canceled, .deleted:
            live.update = update
            live.isCancelled = true
            live.isHidden = update.trip.relationship == .deleted
        default:
            live.apply(update, index)
            if isAnother(live, update) { live = LiveTrip(update, replacing: live, like: run.trip, index) }
        }
        claims[run] = runs.count
        append(live, madeAt)
        if !live.unmatchedUpdates.isEmpty, update.trip.relationship != .replacement {
            addStrays(of: live, update, madeAt: madeAt)
        }
    }

    /// Whether an update means another trip than the timetable's of this name: all its calls are elsewhere, and one of them
    /// at a stop that is known. One that nobody knows, or that is not named, says nothing of where it is.
    private func isAnother(_ live: LiveTrip, _ update: TripUpdate) -> Bool {
        live.unmatchedUpdates.count == update.stops.count
            && live.unmatchedUpdates.contains { stray in
                stray.place != nil || index.timetable.otherStops[update.unknownStop(of: stray)] != nil
            }
    }

    /// Calls that the timetable's run does not make, as far as they have times of their own; they end where the run does.
    private mutating func addStrays(of live: LiveTrip, _ update: TripUpdate, madeAt: Timestamp) {
        var other = update
        other.stops = live.unmatchedUpdates
        guard live.unmatchedUpdates.contains(where: { $0.place.map { index.isWanted[$0] } ?? false }) else { return }
        var unmatchedUpdates = LiveTrip(other, like: live.run?.trip, index)
        unmatchedUpdates.headsign = live.headsign
        if let end = live.end {
            unmatchedUpdates.calls.append(live.calls[end])
            unmatchedUpdates.calls[unmatchedUpdates.calls.count - 1].updateIndex = nil
        }
        append(unmatchedUpdates, madeAt)
    }

    /// A copy of a trip at another time.
    private mutating func addCopy(_ update: TripUpdate, madeAt: Timestamp) {
        guard let trip = index.timetable.trip(update.trip.id), let day = update.newDay ?? update.trip.day else {
            return append(alone(update, like: index.timetable.trip(update.trip.id)), madeAt)
        }
        let planned = index.timetable.trips[trip]
        let start = update.newStart ?? update.trip.start ?? planned.start
        // A copy at the trip's own time, of which nothing else is told, is the trip itself.
        let isItself = start == planned.start && day == update.trip.day && update.stops.isEmpty
        guard !isItself else { return }
        let run = Timetable.TripInstance(trip: trip, day: day, start: start)
        var live = LiveTrip(run, as: update.newID ?? update.entity, in: index.timetable)
        live.apply(update, index)
        live.headsign = update.headsign ?? live.headsign
        append(live, madeAt)
    }

    private mutating func append(_ live: LiveTrip, _ madeAt: Timestamp) {
        parts += live.calls.count + Self.partsOfRun
        runs.append(live)
        runs[runs.count - 1].madeAt = madeAt
    }

    /// The timetable's run that an update means; nil where it is not in this timetable.
    private func run(of update: TripUpdate, now: Timestamp) -> Timetable.TripInstance? {
        for trip in index.candidates(update.trip.id) {
            guard let run = run(of: trip, update, now: now) else { continue }
            if index.isNamed(trip, update.trip.id) || index.fits(update, trip) { return run }
        }
        return nil
    }

    /// A trip's run on the day that a message says; where it says none, the one nearest to the times that are told, else to
    /// now.
    private func run(of trip: Int, _ update: TripUpdate, now: Timestamp) -> Timetable.TripInstance? {
        let timetable = index.timetable
        let planned = timetable.trips[trip]
        var start = planned.start
        if !planned.frequencies.isEmpty {
            // Which of the trip's many runs it is only its start tells.
            guard let told = update.trip.start else { return nil }
            start = told
        }
        let span = start...start + max(0, timetable.calls(of: trip).last.map { Int($0.arrival) } ?? 0)
        if let told = update.trip.day {
            let day = serviceDay(of: trip, told, span, update)
            // New York's subway has one train in the timetables of many services.
            guard planned.id == update.trip.id || timetable.runs(trip, on: day) else { return nil }
            return Timetable.TripInstance(trip: trip, day: day, start: start)
        }
        let today = self.days.today
        let days = (-span.upperBound / 86_400 - 1...1).map { today.adding(days: $0) }
        func nearest(to moment: Timestamp, among days: [CivilDate]) -> CivilDate? {
            days.min { distance(from: moment, to: $0, span) < distance(from: moment, to: $1, span) }
        }
        let running = days.filter { timetable.runs(trip, on: $0) }
        var day = nearest(to: now, among: running)
        if let time = update.stops.lazy.compactMap(\.time).first {
            // On a holiday of which the timetable knows nothing, the times say that it runs.
            let told = [running, days].lazy.compactMap { nearest(to: time, among: $0) }
            day = told.first { distance(from: time, to: $0, span) <= Self.halfDay } ?? day
        }
        return day.map { Timetable.TripInstance(trip: trip, day: $0, start: start) }
    }

    /// The service day that a message means by a date. Washington writes, of trips past midnight, the date of the calendar:
    /// its trip of 24:05:00 on the ninth has the start date of the tenth.
    private func serviceDay(of trip: Int, _ told: CivilDate, _ span: ClosedRange<Int>, _ update: TripUpdate)
        -> CivilDate
    {
        let before = told.adding(days: -1)
        guard let time = update.stops.lazy.compactMap(\.time).first else {
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
        let beginning = days.beginning(of: day)
        let (begins, ends) = (beginning + .seconds(span.lowerBound), beginning + .seconds(span.upperBound))
        return begins > moment ? begins - moment : max(moment - ends, .zero)
    }
}

// MARK: - Vehicles

extension RealtimeOverlay {
    private mutating func add(_ told: VehiclePosition, madeAt: Timestamp, now: Timestamp) {
        guard !told.trip.id.isEmpty else { return }
        var report = told
        report.madeAt = madeAt
        let id: TripInstanceID
        if let run = names.run(of: told.trip, among: runs, of: index.timetable) {
            id = runs[run].id
        } else if let run = run(of: TripUpdate(entity: "", trip: told.trip), now: now) {
            id = TripInstanceID(run, trip: index.timetable.trips[run.trip].id)
        } else {
            return
        }
        // The newest of several.
        if let before = vehiclePositions[id]?.madeAt, before > madeAt { return }
        vehiclePositions[id] = report
    }
}
