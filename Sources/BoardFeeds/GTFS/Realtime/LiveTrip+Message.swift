internal import BoardCore

// Runs of which a message alone tells: added ones, replacements, and trips that are not in this timetable. They need
// absolute times; a call without any says nothing.

extension LiveTrip {
    /// A run by a message's calls alone.
    ///
    /// - Parameters:
    ///   - update: what is told.
    ///   - planned: the timetable's run that it replaces; it says which times were booked.
    ///   - trip: the trip of the timetable whose line and headsign it has, where it is known.
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
            id: planned?.id ?? TripInstanceID(update), run: planned?.run, line: line,
            headsign: update.headsign ?? Self.headsign(calls, of: update, like: trip, index),
            direction: update.trip.direction ?? trip.flatMap { timetable.trips[$0].direction }, update: update,
            calls: calls)
    }

    /// Where it goes: what the trip says, if it ends there; else the name of the last stop. Where nobody knows that one, what
    /// the trip says or nothing: a stop before it is not where the vehicle goes.
    private static func headsign(
        _ calls: [Call], of update: TripUpdate, like trip: Int?, _ index: RealtimeIndex
    ) -> String {
        let timetable = index.timetable
        let told = trip.map { timetable.trips[$0].headsign } ?? ""
        guard let last = calls.last(where: { $0.state != .skipped }) else { return told }
        guard let place = last.place else {
            return last.updateIndex.flatMap { timetable.otherStops[update.unknownStop(of: update.stops[$0])] } ?? told
        }
        let end = trip.flatMap { timetable.calls(of: $0).last }.map { Int($0.place) }
        return end.map { index.areSameStation(place, $0) } ?? false ? told : timetable.places[place].name
    }
}

extension LiveTrip.Call {
    /// A call by what a message tells of it.
    fileprivate init(_ stop: StopTimeUpdate, _ properties: StopTimeUpdate.Properties?, at place: Int?, planned: Self?) {
        self.init(
            place: place, planned: planned?.planned, headsign: planned?.headsign ?? -1,
            allowsBoarding: properties?.allowsBoarding ?? planned?.allowsBoarding ?? true)
        let booked = self.planned
        let (arrival, departure) = (stop.arrival, stop.departure)
        let arrives = booked.map { arrival.moment(planned: $0.arrival) } ?? arrival.time
        let departs = booked.map { departure.moment(planned: $0.departure) } ?? departure.time
        guard let comes = arrives ?? departs, let leaves = departs ?? arrives else {
            if stop.relationship == .skipped { state = .skipped }
            return
        }
        let times = Times(arrival: comes, departure: max(comes, leaves))
        switch stop.relationship {
        case .skipped:
            state = .skipped
            self.planned = booked ?? times
        case .scheduled, .unscheduled: state = .expected(times)
        case .noData: break
        }
    }
}
