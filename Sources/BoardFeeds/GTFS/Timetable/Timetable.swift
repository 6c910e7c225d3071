internal import BoardCore

/// What is kept of a city's timetable: the trips that call at the stops of interest, each whole, and nothing else.
///
/// Stops, routes, services and trips are known by their places in these arrays. Trips that serve the same stops at the same
/// intervals share one pattern, as most trips of a line do, so that a stop with 10,000 calls a day needs few megabytes.
///
/// It never changes: a class, so that to hand it on costs one reference count and not one for each of its arrays.
final class Timetable: Sendable {
    /// A stop, platform or station that a kept trip serves, or that is of interest.
    struct Place: Hashable, Sendable {
        /// `stop_id`.
        let id: String
        /// `stop_name`; empty where the feed gives none.
        let name: String
        /// `platform_code`, else the letter or number that the pole shows, where the feed tells them apart.
        var platform: String?
        /// The station of which it is a part: its place in ``Timetable/places``.
        var parent: Int?
    }

    /// What riders call a line.
    struct Route: Hashable, Sendable {
        /// `route_id`.
        let id: String
        /// `route_short_name`, else `route_long_name`, else the id.
        let name: String
        /// `agency_id`; empty where there is but one.
        let agency: String
        /// `route_type`: 0–12, or 100–1700.
        let type: Int
    }

    /// A call of a pattern. Times are seconds from the trip's first departure; blank ones of the feed are interpolated.
    struct Call: Hashable, Sendable {
        /// Where: a place in ``Timetable/places``.
        let place: Int32
        /// `stop_sequence`: ascending along the trip, not consecutive.
        let sequence: Int32
        /// When it arrives.
        let arrival: Int32
        /// When it departs; never before the arrival.
        let departure: Int32
        /// `stop_headsign`: a place in ``Timetable/headsigns``; -1: the trip's own.
        let headsign: Int32
        /// Whether people may get on: `pickup_type` is not 1.
        let allowsBoarding: Bool
    }

    /// One run of `frequencies.txt`: departures from the first stop at `start`, `start + headway`, … before `end`; all in
    /// seconds from the beginning of the service day.
    struct Frequency: Hashable, Sendable {
        /// The shortest headway that is shown, in seconds: the board counts minutes, and no line runs more often.
        static let shortest = 60

        let start: Int
        let end: Int
        /// At least ``shortest``.
        let headway: Int
        /// `exact_times` = 1: these are departures, not a promise of how long one waits.
        let isExact: Bool
    }

    /// A trip.
    struct Trip: Hashable, Sendable {
        /// `trip_id`.
        let id: String
        /// A place in ``Timetable/routes``.
        let route: Int
        /// A place in ``Timetable/services``.
        let service: Int
        /// A place in ``Timetable/patterns``.
        let pattern: Int
        /// The first departure, in seconds from the beginning of the service day; 24:00:00 and later is common.
        let start: Int
        /// `trip_headsign`, else the name of the last stop.
        let headsign: String
        /// `trip_short_name`: the train number.
        var shortName: String?
        /// `direction_id`: 0 or 1.
        var direction: Int?
        /// When it runs again and again; empty: once, at ``start``.
        var frequencies: [Frequency] = []
    }

    /// A trip on one service day: what a vehicle does once.
    struct TripInstance: Hashable, Sendable {
        /// A place in ``Timetable/trips``.
        let trip: Int
        /// The service day, which lasts past midnight.
        let day: CivilDate
        /// The first departure, in seconds from the beginning of the service day: the trip's ``Trip/start``, or one of its
        /// frequencies'.
        let start: Int
    }

    /// A run's call at a stop of interest.
    struct ScheduledCall: Hashable, Sendable {
        let run: TripInstance
        /// Which of the trip's calls.
        let position: Int
        let arrival: Timestamp
        let departure: Timestamp
    }

    /// `agency_timezone`, in which service days begin.
    let zone: Zone
    let places: [Place]
    let routes: [Route]
    let services: [ServiceDays]
    /// The calls of all patterns, one pattern after the other.
    let calls: [Call]
    /// Where each pattern's calls are in ``calls``.
    let patterns: [Range<Int>]
    let headsigns: [String]
    let trips: [Trip]
    /// The names of all the feed's other stops and routes, which no kept trip serves: a message may tell of vehicles that go
    /// there.
    let otherStops: NameTable, otherRoutes: NameTable
    /// All trips of the feed, kept or not.
    let allTripIDs: TripIDSet

    /// The calls at the places of interest, by time.
    let index: StopIndex
    /// The trips by their identifiers.
    let tripsByID: [Int32]

    /// A timetable.
    ///
    /// - Parameter watched: the places of which departures are asked for; nil: all.
    init(
        zone: Zone, places: [Place], routes: [Route], services: [ServiceDays], calls: [Call], patterns: [Range<Int>],
        headsigns: [String], trips: [Trip], watched: Range<Int>? = nil, otherStops: NameTable = NameTable(),
        otherRoutes: NameTable = NameTable(), allTripIDs: TripIDSet = TripIDSet()
    ) {
        self.zone = zone
        self.places = places
        self.routes = routes
        self.services = services
        self.calls = calls
        self.patterns = patterns
        self.headsigns = headsigns
        self.trips = trips
        self.otherStops = otherStops
        self.otherRoutes = otherRoutes
        self.allTripIDs = allTripIDs
        index = StopIndex(
            trips, patterns: patterns, calls: calls, places: places.count, watched: watched ?? 0..<places.count)
        tripsByID = trips.indices.sorted { trips[$0].id < trips[$1].id }.map(Int32.init(truncatingIfNeeded:))
    }
}
