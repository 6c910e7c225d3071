internal import BoardCore

// Runs of which a message alone tells: added ones, replacements, and trips that are not in this timetable. They need
// absolute times; a call without any says nothing.

extension LiveRun {
    /// A run by a message's calls alone.
    ///
    /// - Parameters:
    ///   - update: what is told.
    ///   - planned: the timetable's run that it replaces; it says which times were booked.
    ///   - trip: the trip of the timetable whose line and headsign it has, where it is known.
    init(_ update: TripUpdate, replacing planned: LiveRun? = nil, like trip: Int? = nil, _ index: RealtimeIndex) {
        let timetable = index.timetable
        var trip = trip
        if trip == nil, update.trip.route == nil { trip = index.similar(to: update) }
        let route = update.trip.route.flatMap { index.routes[$0] } ?? trip.map { timetable.trips[$0].route }
        let line: Line
        if let route {
            line = Line(id: timetable.routes[route].id, name: timetable.routes[route].name)
        } else {
            line = Line(id: update.trip.route ?? "", name: update.trip.route ?? "")
        }
        var booked: [Int: ArraySlice<Call>] = [:]
        for call in planned?.calls ?? [] { if let place = call.place { booked[place, default: []].append(call) } }
        let calls = update.stops.map { stop -> Call in
            let place = index.places[stop.properties?.assignedStop ?? stop.stop] ?? index.places[stop.stop]
            let planned = place.flatMap { booked[$0]?.popFirst() }
            return Call(stop, at: place, planned: planned)
        }
        self.init(
            id: planned?.id ?? RunID(update), run: planned?.run, line: line, headsign: "",
            direction: update.trip.direction ?? trip.flatMap { timetable.trips[$0].direction }, calls: calls)
        vehicle = update.vehicle
        headsign = update.headsign ?? Self.headsign(calls, like: trip, index)
    }

    /// Where it goes: what the trip says, if it ends there; else the name of the last stop that is known.
    private static func headsign(_ calls: [Call], like trip: Int?, _ index: RealtimeIndex) -> String {
        let timetable = index.timetable
        let last = calls.last { $0.state != .skipped }?.place
        if let trip {
            let end = timetable.calls(of: trip).last.map { Int($0.place) }
            if last == nil || end == nil || index.areTogether(last ?? 0, end ?? 0) {
                return timetable.trips[trip].headsign
            }
        }
        let known = last ?? calls.last { $0.place != nil && $0.state != .skipped }?.place
        return known.map { timetable.places[$0].name } ?? ""
    }
}

extension LiveRun.Call {
    /// A call by what a message tells of it.
    fileprivate init(_ stop: StopUpdate, at place: Int?, planned: Self?) {
        self.init(
            place: place, unknownStop: place == nil ? stop.stop : "", arrival: planned?.arrival,
            departure: planned?.departure, headsign: stop.properties?.headsign ?? planned?.headsign,
            takesRiders: stop.properties?.takesRiders ?? planned?.takesRiders ?? true, isTold: true)
        let arrives = stop.arrival.time ?? planned?.arrival.flatMap { stop.arrival.moment(planned: $0) }
        let departs = stop.departure.time ?? planned?.departure.flatMap { stop.departure.moment(planned: $0) }
        switch (stop.relationship, arrives ?? departs, departs ?? arrives) {
        case (.skipped, let arrives, let departs):
            state = .skipped
            arrival = arrival ?? arrives
            departure = departure ?? departs
        case (.scheduled, let arrives?, let departs?), (.unscheduled, let arrives?, let departs?):
            state = .expected(arrival: arrives, departure: max(arrives, departs))
        case (.noData, _, _), (_, _, _): break
        }
    }
}
