package import BoardCore

/// Realtime messages laid over a timetable: all trips that call at the requested stops.
///
/// A pure value. A feed makes a new one for each new message or timetable.
package struct RealtimeOverlay: Sendable {
    private static let halfDay = Duration.seconds(43_200)
    /// The memory limit for trips from messages, in units of a call (48 bytes): ten times the data of a large station.
    /// A trip is as large as `partsOfTrip` calls. Trips beyond the limit stay scheduled.
    private static let maximumParts = 200_000, partsOfTrip = 20
    /// The most searches for a trip by the stops of an update; each is a pass over the route patterns.
    private static let maximumSearches = 500

    let index: RealtimeIndex
    private let now: Timestamp
    /// When the newest message about trips or vehicles was made; nil without a timestamp. Scheduled departures get the
    /// same age, since nothing later confirms them: an operator that repeats one message for hours counts as frozen.
    let madeAt: Timestamp?
    private(set) var trips: [LiveTrip] = []
    /// The index into ``trips`` of each scheduled trip that has realtime data.
    private(set) var overlaid: [Timetable.TripInstance: Int] = [:]
    private(set) var vehiclePositions: [TripInstanceID: VehiclePosition] = [:]
    /// The calls of ``trips`` at each requested stop.
    private(set) var callsAt: [Int: [(trip: Int, position: Int)]] = [:]
    let days: ServiceDayBeginnings
    /// Updates without effect: for calls that their trip does not make, at impossible times, or for several trips.
    private(set) var badUpdates = 0
    private var parts = 0
    private var searches = 0
    let realtimeAlerts: [RealtimeAlert]

    /// - Parameters:
    ///   - messages: the last message of each URL; none: scheduled departures only.
    ///   - now: selects the service day if a message has no date.
    package init(_ messages: [RealtimeMessage], over index: RealtimeIndex, now: Timestamp) {
        self.index = index
        self.now = now
        days = ServiceDayBeginnings(around: now, in: index.timetable)
        madeAt = messages.filter { !$0.hasAlertsOnly }.compactMap(\.madeAt).max()
        realtimeAlerts = messages.flatMap(\.alerts)
        let updates = (messages.count == 1 ? messages[0].trips : messages.flatMap(\.trips)).byPrecedence
        let vehicles = messages.flatMap(\.vehicles)
        trips.reserveCapacity(updates.count)
        overlaid.reserveCapacity(updates.count)
        // First the updates that name their trip: the others may be found only by route and start.
        var unnamed: [TripUpdate] = []
        for update in updates {
            if update.trip.start != nil, index.candidates(update.trip.id).isEmpty {
                unnamed.append(update)
            } else {
                add(update)
            }
        }
        for update in unnamed { add(update) }
        if !vehicles.isEmpty {
            let names = TripInstanceIndex(of: trips)
            for vehicle in vehicles { add(vehicle, names) }
        }
        let isRequested = index.isRequested
        for number in trips.indices {
            for (position, call) in trips[number].calls.enumerated() {
                guard let place = call.place, isRequested[place] else { continue }
                callsAt[place, default: []].append((number, position))
            }
        }
    }

    private mutating func add(_ update: TripUpdate) {
        guard parts < Self.maximumParts, !isElsewhere(update) else { return }
        let update = update.withoutRepeats
        switch update.trip.relationship {
        case .added: append(unscheduledTrip(update, like: index.candidates(update.trip.id).first))
        case .duplicated: addCopy(update)
        case .scheduled, .unscheduled, .canceled, .deleted, .replacement:
            let found = instances(of: update)
            guard let instance = found.first else { return addUnscheduled(update) }
            guard found.count == 1 else { return badUpdates += 1 }
            guard let number = overlaid[instance] else { return add(update, as: instance) }
            // Another train may share ID and day. If the trip is cancelled, only one with its own ID may replace it.
            if !trips[number].isCancelled || index.candidates(update.trip.id).isEmpty { addUnscheduled(update) }
        }
    }

    /// Whether an update is for a scheduled trip that calls at no requested stop. It is ignored even if it names a
    /// requested stop: the trip does not call there, so there is no such departure.
    private func isElsewhere(_ update: TripUpdate) -> Bool {
        switch update.trip.relationship {
        case .scheduled, .unscheduled, .canceled, .duplicated:
            index.candidates(update.trip.id).isEmpty && index.timetable.allTripIDs.contains(update.trip.id)
        // These change the calls of the trip.
        case .added, .replacement, .deleted: false
        }
    }

    /// A trip from a message's calls only.
    ///
    /// - Parameter trip: the trip whose line and headsign it takes; nil: a trip with the same calls, if the update has
    ///   no route.
    private mutating func unscheduledTrip(_ update: TripUpdate, like trip: Int?) -> LiveTrip {
        var (update, trip) = (update, trip)
        if let trip, index.isNamed(trip, update.trip.id), ![.added, .replacement].contains(update.trip.relationship) {
            // Only these may change calls; for the rest it must not matter whether another favourite selects the trip.
            let places = index.timetable.calls(of: trip).map { Int($0.place) }
            update.stops.removeAll { stop in
                stop.place.isSomeAnd { place in !places.contains { index.areSameStation($0, place) } }
            }
        }
        if trip == nil, update.trip.route == nil, searches < Self.maximumSearches {
            searches += 1
            trip = index.similar(to: update)
        }
        return LiveTrip(update, like: trip, index)
    }

    /// Adds a trip that is not in the timetable, or the second of two trains with the same ID.
    private mutating func addUnscheduled(_ update: TripUpdate) {
        let scheduled = index.candidates(update.trip.id).first
        var live = unscheduledTrip(update, like: scheduled)
        live.isCancelled = update.trip.relationship == .canceled
        live.isUnknownTrip = update.trip.relationship == .scheduled && scheduled == nil
        if update.trip.relationship != .deleted { append(live) }
    }

    private mutating func add(_ update: TripUpdate, as instance: Timetable.TripInstance) {
        var live = LiveTrip(instance, in: index.timetable, beginning: days.beginning(of: instance.day))
        switch update.trip.relationship {
        case .replacement: live = LiveTrip(update, replacing: live, like: instance.trip, index)
        case .canceled, .deleted:
            live.update = update
            live.isCancelled = true
            live.isHidden = update.trip.relationship == .deleted
        default: live.apply(update, index)
        }
        overlaid[instance] = trips.count
        append(live)
    }

    private mutating func addCopy(_ update: TripUpdate) {
        guard let trip = index.timetable.trip(update.trip.id), let day = update.newDay ?? update.trip.day else {
            return append(unscheduledTrip(update, like: index.timetable.trip(update.trip.id)))
        }
        let planned = index.timetable.trips[trip]
        let start = update.newStart ?? update.trip.start ?? planned.start
        // A copy at the trip's own time without updates is the trip itself.
        let isItself = start == planned.start && day == update.trip.day && update.stops.isEmpty
        guard !isItself else { return }
        let instance = Timetable.TripInstance(trip: trip, day: day, start: start)
        var live = LiveTrip(instance, as: update.newID ?? update.entity, in: index.timetable)
        live.apply(update, index)
        live.headsign = update.headsign ?? live.headsign
        append(live)
    }

    private mutating func append(_ live: LiveTrip) {
        badUpdates += live.badUpdates
        parts += live.calls.count + Self.partsOfTrip
        trips.append(live)
        trips[trips.count - 1].madeAt = live.update?.madeAt ?? now
    }

    /// The scheduled trip with the update's ID, else those with its route, direction and start; empty if none.
    private func instances(of update: TripUpdate) -> [Timetable.TripInstance] {
        for trip in index.candidates(update.trip.id) {
            guard let instance = instance(of: trip, update) else { continue }
            if index.isNamed(trip, update.trip.id) || index.fits(update, trip) { return [instance] }
        }
        var update = update
        update.trip.day = update.trip.day ?? days.today
        return index.trips(startingAs: update.trip).compactMap { trip in
            guard update.trip.id.isEmpty || index.fits(update, trip) else { return nil }
            return instance(of: trip, update)
        }
    }

    /// A trip on the update's service day; without a date, on the day nearest to the update's times, else to now.
    private func instance(of trip: Int, _ update: TripUpdate) -> Timetable.TripInstance? {
        let timetable = index.timetable
        let planned = timetable.trips[trip]
        var start = planned.start
        if !planned.frequencies.isEmpty {
            // Only the start identifies one of the trip's many instances.
            guard let startTime = update.trip.start else { return nil }
            start = startTime
        }
        let span = start...start + max(0, timetable.calls(of: trip).last.map { Int($0.arrival) } ?? 0)
        if let date = update.trip.day {
            let day = serviceDay(of: trip, date, span, update)
            // New York's subway has trips for one train in several services.
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
            // The times prove that the trip runs, even on a day when its service does not.
            let nearestDays = [running, days].lazy.compactMap { nearest(to: time, among: $0) }
            day = nearestDays.first { distance(from: time, to: $0, span) <= Self.halfDay } ?? day
        }
        return day.map { Timetable.TripInstance(trip: trip, day: $0, start: start) }
    }

    /// The service day of an update's date. Washington uses the calendar date for trips past midnight: its trip of
    /// 24:05:00 on the ninth has the start date of the tenth.
    private func serviceDay(of trip: Int, _ date: CivilDate, _ span: ClosedRange<Int>, _ update: TripUpdate)
        -> CivilDate
    {
        let before = date.adding(days: -1)
        guard let time = update.stops.lazy.compactMap(\.time).first else {
            let isPastMidnight = span.lowerBound >= 86_400
            let runs = index.timetable.runs(trip, on: date)
            return isPastMidnight && !runs && index.timetable.runs(trip, on: before) ? before : date
        }
        if distance(from: time, to: date, span) <= Self.halfDay { return date }
        let other = [before, date.adding(days: 1)].first { distance(from: time, to: $0, span) <= Self.halfDay }
        return other ?? date
    }

    /// The distance of a time from a trip between these seconds of a service day.
    private func distance(from moment: Timestamp, to day: CivilDate, _ span: ClosedRange<Int>) -> Duration {
        let beginning = days.beginning(of: day)
        let (begins, ends) = (beginning + .seconds(span.lowerBound), beginning + .seconds(span.upperBound))
        return begins > moment ? begins - moment : max(moment - ends, .zero)
    }

    private mutating func add(_ vehicle: VehiclePosition, _ names: TripInstanceIndex) {
        let madeAt = vehicle.madeAt ?? now
        var position = vehicle
        position.madeAt = madeAt
        let id: TripInstanceID
        if !vehicle.trip.id.isEmpty, let number = names.trip(of: vehicle.trip, among: trips, in: index.timetable) {
            id = trips[number].id
        } else {
            let found = instances(of: TripUpdate(entity: "", trip: vehicle.trip))
            guard let instance = found.first, found.count == 1 else { return }
            id = TripInstanceID(instance, trip: index.timetable.trips[instance.trip].id)
        }
        // The newest of several positions counts.
        if let before = vehiclePositions[id]?.madeAt, before > madeAt { return }
        vehiclePositions[id] = position
    }
}

// Removes scheduled departures that are the same vehicles as live trips with other IDs. Live trips that have left
// count, too: while a message still lists them, their scheduled departures would come back as ghosts.

extension RealtimeOverlay {
    /// The largest difference between a live trip with an unknown ID and the scheduled departure of the same vehicle.
    static let sameTrain = Duration.seconds(300)
    /// How long ago such a trip may have left; an older one does not replace the next scheduled departure.
    private static let maximumGoneTime = Duration.seconds(900)
    /// How far back its scheduled departure may be.
    static let duplicateReach = maximumGoneTime + sameTrain

    /// The scheduled departures that live ones do not replace.
    static func withoutReplaced(_ planned: [Candidate], by live: [Candidate], now: Timestamp) -> [Candidate] {
        let remaining = planned.contains { $0.headway != nil } ? planned.filter { !isReplaced($0, by: live) } : planned
        return withoutDuplicates(remaining, of: live, since: now - maximumGoneTime)
    }

    /// Whether live vehicles replace a departure of a trip that has a headway and no exact times.
    private static func isReplaced(_ row: Candidate, by live: [Candidate]) -> Bool {
        guard row.trip != nil, let headway = row.headway, row.departure.booked == nil else { return false }
        let last = live.lazy.filter { $0.trip == row.trip || $0.departure.line.id == row.departure.line.id }
            .filter { $0.direction == row.direction }.map(\.departure.due).max()
        return last.isSomeAnd { row.departure.due <= $0 + .seconds(headway / 2) }
    }

    /// The scheduled departures without duplicates of live trips with unknown IDs: each live trip removes the nearest
    /// departure of the same line and direction. Otherwise the board would show each of them twice.
    private static func withoutDuplicates(_ planned: [Candidate], of live: [Candidate], since: Timestamp) -> [Candidate]
    {
        var planned = planned
        for row in live where row.isUnknownTrip && row.due > since {
            let near = planned.indices.filter { index in
                planned[index].due.distance(to: row.due) <= sameTrain && row.hasSameLineAndDirection(as: planned[index])
            }
            // Of two equally near ones, the first.
            let nearest = near.min { planned[$0].due.distance(to: row.due) < planned[$1].due.distance(to: row.due) }
            if let nearest { planned.remove(at: nearest) }
        }
        return planned
    }
}

extension Timestamp {
    func distance(to other: Timestamp) -> Duration {
        self < other ? other - self : self - other
    }
}
