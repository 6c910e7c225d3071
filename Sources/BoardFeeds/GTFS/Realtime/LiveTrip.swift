import BoardCore

/// A trip with realtime data: the timetable's calls with a message's updates, or a message's calls only.
struct LiveTrip: Sendable {
    /// A call. Most of the thousands are never shown, so it stores only numbers.
    struct Call: Sendable {
        struct Times: Hashable, Sendable {
            var arrival: Timestamp
            var departure: Timestamp

            /// A missing pair: an optional would take eight more bytes.
            static let none = Times(arrival: Timestamp(microseconds: .min), departure: Timestamp(microseconds: .min))
        }

        /// An index into ``Timetable/places``; nil for a stop that is not in the timetable.
        @PackedIndex var place: Int?
        /// An index into the update's stops; nil if the update does not include the call.
        @PackedIndex var updateIndex: Int? = nil
        /// An index into ``Timetable/headsigns``; -1: the trip's headsign.
        let headsign: Int32
        var boarding: Boarding
        var isSkipped = false
        /// Whether ``live`` is only derived from the reports of other calls.
        var isUncertain = false
        private var plannedTimes = Times.none, liveTimes = Times.none

        init(place: Int?, planned: Times?, headsign: Int32 = -1, boarding: Boarding = .regular) {
            _place = PackedIndex(wrappedValue: place)
            self.headsign = headsign
            self.boarding = boarding
            self.planned = planned
        }

        var planned: Times? {
            get { plannedTimes == .none ? nil : plannedTimes }
            set { plannedTimes = newValue ?? .none }
        }

        /// The live times, if any; the departure is not before the arrival.
        var live: Times? {
            get { liveTimes == .none ? nil : liveTimes }
            set { liveTimes = newValue ?? .none }
        }
    }

    let id: TripInstanceID
    /// The scheduled trip, which this one replaces in the list of departures; nil if it is not in the timetable.
    var instance: Timetable.TripInstance?
    let line: Line
    /// An index into ``Timetable/routes``; nil if the line is not in the timetable.
    @PackedIndex var route: Int?
    var headsign: String
    /// `direction_id`; nil if missing.
    var direction: Int?
    var isCancelled = false
    /// Whether the trip is not shown (`DELETED`).
    var isHidden = false
    /// Whether the `trip_id` is not in our timetable, so a scheduled departure may be the same vehicle.
    var isUnknownTrip = false
    var hasExactTimes = true
    /// When the update was made; nil without realtime data.
    var madeAt: Timestamp?
    var update: TripUpdate?
    var calls: [Call]
    /// The number of updates for calls that the trip does not make, or with impossible times.
    var badUpdates = 0

    /// The position of the last call that is not skipped: the terminus, which is not a departure.
    var end: Int? { calls.lastIndex { !$0.isSkipped } }

    func headsign(at position: Int, in timetable: Timetable) -> String {
        let call = calls[position]
        if let live = stopTimeUpdate(of: call).flatMap({ update?.properties(of: $0)?.headsign }) { return live }
        return call.headsign >= 0 ? timetable.headsigns[Int(call.headsign)] : headsign
    }

    func stopTimeUpdate(of call: Call) -> StopTimeUpdate? {
        guard let number = call.updateIndex, let stops = update?.stops, stops.indices.contains(number) else {
            return nil
        }
        return stops[number]
    }
}

// Trips from a message alone: added trips, replacements, and trips that are not in this timetable. They need absolute
// times; a call without a time has no live data.

extension LiveTrip {
    /// A trip with a message's calls only.
    ///
    /// - Parameters:
    ///   - planned: the scheduled trip that it replaces, for booked times.
    ///   - trip: the trip of the timetable whose line and headsign it takes, if any.
    init(_ update: TripUpdate, replacing planned: LiveTrip? = nil, like trip: Int? = nil, _ index: RealtimeIndex) {
        let timetable = index.timetable
        let route = update.trip.route.flatMap { index.routes[$0] } ?? trip.map { timetable.trips[$0].route }
        let line: Line
        if let route {
            line = Line(id: timetable.routes[route].id, name: timetable.routes[route].name)
        } else {
            let id = update.trip.route ?? ""
            line = Line(id: id, name: timetable.otherRoutes[id] ?? id)
        }
        var booked: [Int: ArraySlice<Call>] = [:]
        for call in planned?.calls ?? [] { if let place = call.place { booked[place, default: []].append(call) } }
        var calls: [Call] = []
        calls.reserveCapacity(update.stops.count)
        for number in update.stops.indices {
            let stop = update.stops[number]
            let properties = stop.properties == nil ? nil : update.properties(of: stop)
            let place = properties?.assignedStop.flatMap(index.place) ?? stop.place
            let planned = booked.isEmpty ? nil : place.flatMap { booked[$0]?.popFirst() }
            var call = Call(stop, properties, at: place, planned: planned)
            call.updateIndex = number
            calls.append(call)
        }
        self.init(
            id: planned?.id ?? TripInstanceID(update), instance: planned?.instance, line: line, route: route,
            headsign: update.headsign ?? Self.headsign(calls, of: update, like: trip, index),
            direction: update.trip.direction ?? trip.flatMap { timetable.trips[$0].direction }, update: update,
            calls: calls)
        order()
    }

    /// The trip's headsign if the update ends at the trip's last stop; else the name of the update's last stop. If that
    /// stop is unknown, the trip's headsign or none: an earlier stop is not the destination.
    private static func headsign(
        _ calls: [Call], of update: TripUpdate, like trip: Int?, _ index: RealtimeIndex
    ) -> String {
        let timetable = index.timetable
        let scheduled = trip.map { timetable.trips[$0].headsign } ?? ""
        guard let last = calls.last(where: { !$0.isSkipped }) else { return scheduled }
        guard let place = last.place else {
            return last.updateIndex.flatMap { timetable.otherStops[update.unknownStop(of: update.stops[$0])] }
                ?? scheduled
        }
        let end = trip.flatMap { timetable.calls(of: $0).last }.map { Int($0.place) }
        return end.isSomeAnd { index.areSameStation(place, $0) } ? scheduled : timetable.places[place].name
    }
}

extension LiveTrip.Call {
    fileprivate init(_ stop: StopTimeUpdate, _ properties: StopTimeUpdate.Properties?, at place: Int?, planned: Self?) {
        self.init(
            place: place, planned: planned?.planned, headsign: planned?.headsign ?? -1,
            boarding: properties?.boarding ?? planned?.boarding ?? .regular)
        let booked = self.planned
        let arrives = booked.map { stop.arrival.moment(planned: $0.arrival) } ?? stop.arrival.time
        let departs = booked.map { stop.departure.moment(planned: $0.departure) } ?? stop.departure.time
        guard let arrival = arrives ?? departs, let departure = departs ?? arrives else {
            if stop.relationship == .skipped { isSkipped = true }
            return
        }
        let times = Times(arrival: arrival, departure: max(arrival, departure))
        switch stop.relationship {
        case .skipped:
            isSkipped = true
            self.planned = booked ?? times
        case .scheduled: live = times
        case .noData: break
        }
    }
}

/// Identifies a trip instance for a departure's detail page: a trip on a day at a time, or a trip in a message.
///
/// The text form is `20240209/30600//T1`: service day, start in seconds, length of the entity ID, then the entity ID
/// and the trip ID.
struct TripInstanceID: Hashable, Sendable {
    /// The `trip_id`, or that of a copy.
    let trip: String
    var day: CivilDate?
    /// The first departure in seconds from the beginning of the service day; nil for an unscheduled trip.
    var start: Int?
    /// The entity ID of an unscheduled trip; empty for others.
    var entity = ""
}

extension TripInstanceID {
    init(_ instance: Timetable.TripInstance, trip: String) {
        self.init(trip: trip, day: instance.day, start: instance.start)
    }

    init(_ update: TripUpdate) {
        self.init(trip: update.newID ?? update.trip.id, day: update.trip.day, entity: update.entity)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let length = parts[2].isEmpty ? 0 : Int(parts[2]) else { return nil }
        let rest = parts[3].unicodeScalars
        guard (0...rest.count).contains(length) else { return nil }
        let end = rest.index(rest.startIndex, offsetBy: length)
        self.init(
            trip: String(rest[end...]), day: CivilDate(gtfs: String(parts[0])), start: Int(parts[1]),
            entity: String(rest[..<end]))
    }

    /// The text form, which a departure stores.
    var text: String {
        // Made for every row: appending bytes takes a third of the time of an interpolation.
        let slash = UInt8(ascii: "/")
        var text: [UInt8] = []
        text.reserveCapacity(32 + entity.utf8.count + trip.utf8.count)
        if let day { text += day.gtfs.utf8 }
        text.append(slash)
        if let start { text += String(start).utf8 }
        text.append(slash)
        if !entity.isEmpty { text += String(entity.unicodeScalars.count).utf8 }
        text.append(slash)
        text += entity.utf8
        text += trip.utf8
        return String(decoding: text, as: UTF8.self)
    }
}

/// Finds live trips by trip ID, day and start, the key in the specification (feeds.md §4.3); many operators omit one or
/// two of the parts.
struct TripInstanceIndex {
    /// The index of the first trip with an ID, by its full ID and by its ID without day or start.
    private var numbers: [TripInstanceID: Int] = [:]

    /// Indexes trips; of two with the same name, the first counts.
    init(of live: [LiveTrip]) {
        numbers.reserveCapacity(live.count * 4)
        for (number, trip) in live.enumerated() {
            for name in Self.forms(of: trip.name) where numbers[name] == nil { numbers[name] = number }
        }
    }

    /// The index of a descriptor's trip; nil if none, or if the trip has frequencies and the descriptor no start.
    func trip(of descriptor: TripDescriptor, among live: [LiveTrip], in timetable: Timetable) -> Int? {
        let name = TripInstanceID(trip: descriptor.id, day: descriptor.day, start: descriptor.start)
        let found = Self.forms(of: name).lazy.compactMap { numbers[$0] }.first { number in
            let other = live[number].name
            return (name.day == nil || other.day == nil || name.day == other.day)
                && (name.start == nil || other.start == nil || name.start == other.start)
        }
        return found.flatMap { number in
            let trip = live[number].instance.map { timetable.trips[$0.trip] }
            return name.start != nil || trip?.frequencies.isEmpty ?? true ? number : nil
        }
    }

    private static func forms(of id: TripInstanceID) -> [TripInstanceID] {
        [(id.day, id.start), (id.day, nil), (nil, id.start), (nil, nil)].map { day, start in
            TripInstanceID(trip: id.trip, day: day, start: start)
        }
    }
}

extension LiveTrip {
    /// The trip's ID, day and start: the update's, else the timetable's.
    fileprivate var name: TripInstanceID {
        guard let update else { return TripInstanceID(trip: id.trip, day: id.day, start: id.start) }
        let isCopy = update.trip.relationship == .duplicated
        return TripInstanceID(
            trip: isCopy ? id.trip : update.trip.id, day: (isCopy ? update.newDay : nil) ?? update.trip.day ?? id.day,
            start: (isCopy ? update.newStart : nil) ?? update.trip.start ?? id.start)
    }
}
