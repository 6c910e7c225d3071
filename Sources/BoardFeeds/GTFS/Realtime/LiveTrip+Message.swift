internal import BoardCore

// Trips from a message alone: added trips, replacements, and trips that are not in this timetable. They need absolute
// times; a call without a time has no live data.

extension LiveTrip {
    /// A trip with a message's calls only.
    ///
    /// - Parameters:
    ///   - planned: the scheduled trip that it replaces, for booked times.
    ///   - trip: the trip of the timetable whose line and headsign it has, if any.
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
            id: planned?.id ?? TripInstanceID(update), instance: planned?.instance, line: line,
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
        return end.map { index.areSameStation(place, $0) } ?? false ? scheduled : timetable.places[place].name
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
