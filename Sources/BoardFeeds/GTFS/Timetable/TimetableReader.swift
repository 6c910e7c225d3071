internal import BoardCore

/// Reads an archive into the timetable of some stops.
///
/// `stop_times.txt` tells which trips call there; of the other tables only what these trips need is kept. Blocks for as long
/// as the archive takes to decompress, seconds for a country's.
struct TimetableReader {
    /// What is known of a trip beside its calls.
    struct TripFacts {
        var route: Int32
        var service: Int32
        /// `trip_headsign`, by its number; -1: none.
        var headsign: Int32
        var direction: Int8?
        var shortName: String?
    }

    let archive: GTFSArchive
    var report = TimetableReport()
    var stopTimes: StopTimesReader
    /// How many of the places are of interest, or platforms of those.
    let watched: Int

    var routes = ByteKeys(), services = ByteKeys(), headsigns = ByteKeys()
    /// By the trips' numbers; nil: `trips.txt` does not have it.
    var facts: [TripFacts?] = []
    var frequencies: [Int: [Timetable.Frequency]] = [:]
    /// Of the stops and routes that no kept trip serves.
    var otherStops = NameTable(), otherRoutes = NameTable()
    /// Bytes of names that are kept as texts of their own.
    private var namesCount = 0

    /// Whether there is a timetable to be read for any stop.
    ///
    /// - Throws: ``GTFSFailure`` where ``read(_:stops:zone:)`` would throw one for every stop.
    static func check(_ archive: GTFSArchive, zone: FeedContext.ZoneSource) throws(GTFSFailure) {
        try requireTables(archive)
        var reader = try TimetableReader(archive, [])
        _ = try reader.readAgencies(zone)
        try reader.readFeedInfo()
        try StopTimesReader.requireRow(in: archive)
    }

    private static func requireTables(_ archive: GTFSArchive) throws(GTFSFailure) {
        for file in [GTFSFile.agency, .stops, .routes, .trips, .stopTimes] where !archive.contains(file) {
            throw archive.missing(file)
        }
        guard archive.contains(.calendar) || archive.contains(.calendarDates) else { throw archive.missing(.calendar) }
    }

    /// Reads the timetable of some stops.
    ///
    /// - Parameters:
    ///   - archive: the operator's.
    ///   - codes: `stop_id` of the stops of interest; a station stands for its platforms as well. One that the archive does
    ///     not have is told in the report.
    ///   - zone: where a zone comes from, by its name.
    /// - Throws: ``GTFSFailure`` where there is no timetable to be read; single rows that are bad are left out instead. Where
    ///   vehicles call at the stops and nothing of that can be read, the first of these rows; where none calls, the first row
    ///   of `stop_times.txt` if no other is any better.
    static func read(
        _ archive: GTFSArchive, stops codes: [String], zone: FeedContext.ZoneSource
    ) throws(GTFSFailure) -> (timetable: Timetable, report: TimetableReport) {
        let began = ContinuousClock.now
        try requireTables(archive)
        var reader = try TimetableReader(archive, codes)
        let timetable = try reader.read(zone)
        reader.report.duration = ContinuousClock.now - began
        return (timetable, reader.report)
    }

    private init(_ archive: GTFSArchive, _ codes: [String]) throws(GTFSFailure) {
        self.archive = archive
        let selection = try StopSelection(codes, in: archive)
        stopTimes = StopTimesReader(selection, archive.limits)
        watched = selection.watched
        report.unknownStops = selection.unknown
    }

    private mutating func read(_ source: FeedContext.ZoneSource) throws(GTFSFailure) -> Timetable {
        // The cheap ones first: a feed that is faulty there is known at once.
        let (zone, hasOneAgency) = try readAgencies(source)
        try readFeedInfo()
        try stopTimes.read(archive, &report)
        try readTrips()
        let places = try readPlaces()
        let days = try readServices()
        let known = try readRoutes(hasOneAgency: hasOneAgency)
        try readFrequencies()
        let trips = trips(places)
        try checkCalls(of: trips)
        let ends = Set(trips.map(\.service)).compactMap { days[$0].days }.flatMap { [$0.lowerBound, $0.upperBound] }
        report.selectedDays = ClosedRange(ends)
        try rejectUnreadable(trips)
        let store = stopTimes.trips.store
        return Timetable(
            zone: zone, places: places, routes: known, services: days, calls: store.calls, patterns: store.patterns,
            headsigns: (0..<stopTimes.headsigns.count).map { stopTimes.headsigns[$0].singleSpaced }, trips: trips,
            watched: 0..<watched, otherStops: otherStops, otherRoutes: otherRoutes, allTripIDs: stopTimes.allTripIDs)
    }

    /// Counts the bytes of names that are kept as texts of their own.
    mutating func keep(_ names: Int, from file: GTFSFile) throws(GTFSFailure) {
        namesCount += names
        let keys = routes.textCount + services.textCount + headsigns.textCount
        try GTFSLimits.check(
            namesCount + keys + stopTimes.textCount, archive.limits.selectedText, "bytes of names of interest", file)
    }

    /// That no more calls are at the stops of interest than a question can look through.
    private func checkCalls(of trips: [Timetable.Trip]) throws(GTFSFailure) {
        let store = stopTimes.trips.store
        let watched = store.patterns.map { range in store.calls[range].count { Int($0.place) < self.watched } }
        var (calls, repeated) = (0, 0)
        for trip in trips {
            calls += watched[trip.pattern]
            repeated += watched[trip.pattern] * trip.frequencies.count
            try GTFSLimits.check(calls, archive.limits.watchedCalls, "calls at the stops of interest", .stopTimes)
            try GTFSLimits.check(
                repeated, archive.limits.repeatedCalls, "calls at the stops of interest in its rows", .frequencies)
        }
    }

    /// That a timetable of which nothing can be read may not take a good one's place.
    private func rejectUnreadable(_ trips: [Timetable.Trip]) throws(GTFSFailure) {
        guard stopTimes.trips.ids.count > 0 else { return try StopTimesReader.requireRow(in: archive) }
        let calendars = [GTFSFile.calendar, .calendarDates].lazy.compactMap { report.badRows[$0]?.first }
        let reason = trips.isEmpty ? report.firstBadRow : report.selectedDays == nil ? calendars.first : nil
        if let reason { throw reason }
    }

    /// The trips of which all is known.
    private mutating func trips(_ places: [Timetable.Place]) -> [Timetable.Trip] {
        let kept = stopTimes.trips
        // One String for all trips that go to one place.
        let names = (0..<headsigns.count).map { headsigns[$0].singleSpaced }
        var trips: [Timetable.Trip] = []
        trips.reserveCapacity(kept.ids.count)
        for number in 0..<kept.ids.count where kept.patterns[number] >= 0 {
            guard let facts = facts[number] else {
                report.countBadRow(
                    .trips,
                    GTFSFailure(
                        kind: .badValue, file: GTFSFile.trips.name, column: "trip_id",
                        detail: "the file has no trip \"\(kept.ids[number])\", which stop_times.txt has"))
                continue
            }
            let pattern = Int(kept.patterns[number])
            let last = kept.store.calls[kept.store.patterns[pattern].upperBound - 1]
            let headsign = facts.headsign >= 0 ? names[Int(facts.headsign)] : places[Int(last.place)].name
            trips.append(
                Timetable.Trip(
                    id: kept.ids[number], route: Int(facts.route), service: Int(facts.service), pattern: pattern,
                    start: Int(kept.starts[number]), headsign: headsign, shortName: facts.shortName,
                    direction: facts.direction.map(Int.init), frequencies: frequencies[number] ?? []))
        }
        return trips
    }
}
