import BoardCore

/// The part of a GTFS timetable in memory: the trips that call at the requested stops, with all their calls.
///
/// Stops, routes, services and trips are identified by their indices in these arrays. Trips with equal stops and
/// intervals share one pattern, as most trips of a line do, so a stop with 10,000 calls a day needs a few megabytes.
///
/// Immutable; a class, so passing it on costs one reference count instead of one per array.
package final class Timetable: Sendable {
    /// A stop, platform or station that is requested, or that a selected trip serves.
    struct Place: Hashable, Sendable {
        let id: String
        /// `stop_name`; empty if missing.
        let name: String
        var platform: String?
        /// Its station: an index into ``Timetable/places``.
        var parent: Int?
    }

    struct Route: Hashable, Sendable {
        let id: String
        /// `route_short_name`, else `route_long_name`, else the ID.
        let name: String
        /// `agency_id`; empty if the feed has one agency.
        var agency: String
        /// `route_type`: 0–12, or 100–1702.
        let type: Int
        /// `route_color`; nil if missing.
        var colour: String?
    }

    /// A call of a pattern. Times are seconds from the trip's first departure; omitted ones are interpolated.
    package struct Call: Hashable, Sendable {
        /// An index into ``Timetable/places``.
        let place: Int32
        /// `stop_sequence`: ascending along the trip, not necessarily consecutive.
        let sequence: Int32
        let arrival: Int32
        /// Not before the arrival.
        let departure: Int32
        /// `stop_headsign`: an index into ``Timetable/headsigns``; -1: the trip's headsign.
        let headsign: Int32
        let boarding: Boarding
        /// `pickup_booking_rule_id`: an index into ``Timetable/bookingRules``; -1: none.
        var bookingRule: Int16 = -1
    }

    /// A row of `frequencies.txt`: departures from the first stop at `start`, `start + headway`, … before `end`; all in
    /// seconds from the beginning of the service day.
    struct Frequency: Hashable, Sendable {
        /// The shortest headway in seconds: the board counts minutes, and no line is more frequent.
        static let shortest = 60

        let start: Int
        let end: Int
        /// At least ``shortest``.
        let headway: Int
        /// `exact_times` = 1: the departures are exact, not only the headway.
        let isExact: Bool

        func starts(at second: Int) -> Bool {
            (start..<max(start, end)).contains(second) && (!isExact || (second - start) % headway == 0)
        }

        /// The starts of its trip instances between two seconds of the service day, `to` excluded.
        func starts(from: Int, to: Int) -> StrideTo<Int> {
            let ahead = max(0, from - start)
            let first = start + (ahead + headway - 1) / headway * headway
            return stride(from: first, to: min(to, end), by: headway)
        }
    }

    package struct Trip: Hashable, Sendable {
        let id: String
        /// An index into ``Timetable/routes``.
        let route: Int
        /// An index into ``Timetable/services``.
        let service: Int
        /// An index into ``Timetable/patterns``.
        let pattern: Int
        /// The first departure, in seconds from the beginning of the service day; 24:00:00 and later is common.
        let start: Int
        /// `trip_headsign`, else the name of the last stop.
        let headsign: String
        /// `trip_short_name`: the train number.
        var shortName: String?
        /// `direction_id`: 0 or 1.
        var direction: Int?
        /// Rows of `frequencies.txt`; empty: one trip a day, at ``start``.
        var frequencies: [Frequency] = []
    }

    struct TripInstance: Hashable, Sendable {
        /// An index into ``Timetable/trips``.
        let trip: Int
        /// The service day, which lasts past midnight.
        let day: CivilDate
        /// The first departure, in seconds from the beginning of the service day: ``Trip/start``, or a frequency's.
        let start: Int
    }

    package struct ScheduledCall: Hashable, Sendable {
        let instance: TripInstance
        let position: Int
        let arrival: Timestamp
        let departure: Timestamp
    }

    /// `agency_timezone`, the zone of service days.
    let zone: Zone
    /// `stop_timezone` of the requested stops, their platforms and stations, by place; nil: this machine lacks it.
    private let zones: [Int: Zone?]
    let places: [Place]
    let routes: [Route]
    let services: [ServiceDays]
    /// The calls of all patterns, pattern by pattern.
    package let calls: [Call]
    package let patterns: [Range<Int>]
    let headsigns: [String]
    let bookingRules: [TripAttributes.Arrangement?]
    package let trips: [Trip]
    /// The names of the feed's other stops and routes, which realtime messages may contain.
    let otherStops: NameTable, otherRoutes: NameTable
    let allTripIDs: TripIDSet

    /// The calls at the requested stops, by time.
    let index: StopIndex
    /// Indices of trips, sorted by `trip_id`.
    let tripsByID: [Int32]

    /// - Parameter watched: the requested stops; nil: all places.
    init(
        zone: Zone, zones: [Int: Zone?] = [:], places: [Place], routes: [Route], services: [ServiceDays], calls: [Call],
        patterns: [Range<Int>], headsigns: [String], bookingRules: [TripAttributes.Arrangement?] = [], trips: [Trip],
        watched: Range<Int>? = nil, otherStops: NameTable = NameTable(),
        otherRoutes: NameTable = NameTable(), allTripIDs: TripIDSet = TripIDSet()
    ) {
        self.zone = zone
        self.zones = zones
        self.places = places
        self.routes = routes
        self.services = services
        self.calls = calls
        self.patterns = patterns
        self.headsigns = headsigns
        self.bookingRules = bookingRules
        self.trips = trips
        self.otherStops = otherStops
        self.otherRoutes = otherRoutes
        self.allTripIDs = allTripIDs
        index = StopIndex(trips, patterns: patterns, calls: calls, watched: watched ?? 0..<places.count)
        tripsByID = trips.indices.sorted { trips[$0].id < trips[$1].id }.map(Int32.init(truncatingIfNeeded:))
    }

    /// How passengers arrange to board at a call of a trip; nil: they need not.
    ///
    /// - Parameter count: how many calls the trip has; if not as many as in the timetable, no booking rule applies.
    func arrangement(
        _ boarding: Boarding, at position: Int, of trip: Int?, count: Int? = nil
    ) -> TripAttributes.Arrangement? {
        let calls = trip.map { self.calls(of: $0) } ?? []
        let rule = count ?? calls.count == calls.count ? calls.dropFirst(position).first?.bookingRule ?? -1 : -1
        return boarding.arrangement(bookingRules.indices.contains(Int(rule)) ? bookingRules[Int(rule)] : nil)
    }

    /// The zone for times at a place: its station's, else its own, else the agency's; nil: this machine lacks it.
    func zone(at place: Int) -> Zone? {
        // A boarding area is in a platform, which is in a station.
        let station = places[place].parent.map { places[$0].parent ?? $0 }
        return [station, places[place].parent, place].lazy.compactMap(\.self).compactMap { self.zones[$0] }.first
            ?? zone
    }
}
