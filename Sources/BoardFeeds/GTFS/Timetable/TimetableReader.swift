package import BoardCore

/// Reads an archive into the timetable of some stops.
///
/// `stop_times.txt` selects the trips that call there; from the other tables only the rows of these trips are stored.
/// Blocks while the archive is decompressed: seconds for a country's.
package struct TimetableReader {
    let archive: GTFSArchive
    var report = TimetableReport()
    var stopTimes: StopTimesReader
    /// The number of places that are requested stops or their platforms, and the number with those of their stations.
    let watched: Int, selected: Int
    /// `stop_timezone` of the latter.
    var zoneNames: [Int: String] = [:]
    var translations: Translations
    /// The displayed names of the selected places, by the operator's own; only where they differ.
    var stopNames: [String: String] = [:]

    var routes = ByteKeys(), services = ByteKeys(), headsigns = ByteKeys()
    /// By the trip's number.
    var frequencies: [Int: [Timetable.Frequency]] = [:]
    /// The names of stops and routes without a selected trip.
    var otherStops = NameTable(), otherRoutes = NameTable()
    private var namesCount = 0

    /// Checks that an archive has a readable timetable.
    ///
    /// - Throws: ``TableError`` if ``read(_:stops:zone:)`` would throw for every stop.
    static func check(_ archive: GTFSArchive, zone: FeedContext.ZoneSource) throws(TableError) {
        try requireTables(archive)
        var reader = try TimetableReader(archive, [])
        _ = try reader.readAgencies(zone)
        try reader.readFeedInfo()
        try Self.requireRow(in: archive)
    }

    private static func requireTables(_ archive: GTFSArchive) throws(TableError) {
        for file in [GTFSFile.agency, .stops, .routes, .trips, .stopTimes] where !archive.contains(file) {
            throw archive.missing(file)
        }
        guard archive.contains(.calendar) || archive.contains(.calendarDates) else { throw archive.missing(.calendar) }
    }

    /// Reads the timetable of some stops.
    ///
    /// - Parameter codes: `stop_id` of the requested stops, with a station's platforms; missing ones are in the report.
    /// - Throws: ``TableError`` if there is no readable timetable; single bad rows are left out. If all calls at the
    ///   stops are unreadable, it is the error of the first of these rows; without calls, that of the first row of
    ///   `stop_times.txt` if all its rows are unreadable.
    package static func read(
        _ archive: GTFSArchive, stops codes: [String], zone: @Sendable (String) throws(FeedSettingError) -> Zone
    ) throws(TableError) -> (timetable: Timetable, report: TimetableReport) {
        let began = ContinuousClock.now
        try requireTables(archive)
        var reader = try TimetableReader(archive, codes)
        let timetable = try reader.read(zone)
        reader.report.duration = ContinuousClock.now - began
        return (timetable, reader.report)
    }

    private init(_ archive: GTFSArchive, _ codes: [String]) throws(TableError) {
        self.archive = archive
        translations = Translations(archive.names)
        let selection = try StopSelection(codes, in: archive)
        stopTimes = StopTimesReader(selection, archive.limits)
        watched = selection.watched
        selected = selection.places.count
        report.unknownStops = selection.unknown
    }

    private mutating func read(_ source: FeedContext.ZoneSource) throws(TableError) -> Timetable {
        // Small tables first, to fail early.
        let (zone, hasOneAgency) = try readAgencies(source)
        try readFeedInfo()
        try stopTimes.read(archive, &report)
        readTranslations()
        let places = try readPlaces()
        try readFrequencies()
        let trips = try readTrips(places)
        let days = try readServices()
        let usedRoutes = try readRoutes(hasOneAgency: hasOneAgency)
        try checkCalls(of: trips)
        let ends = Set(trips.map(\.service)).compactMap { days[$0].days }.flatMap { [$0.lowerBound, $0.upperBound] }
        report.selectedDays = ClosedRange(ends)
        try rejectUnreadable(trips)
        let selected = stopTimes.trips
        return Timetable(
            zone: zone, zones: readZones(source), places: places, routes: usedRoutes, services: days,
            calls: selected.calls, patterns: selected.patterns,
            headsigns: (0..<stopTimes.headsigns.count).map { headsign(stopTimes.headsigns[$0], .stopHeadsign) },
            bookingRules: try readBookingRules(), trips: trips, watched: 0..<watched, otherStops: otherStops,
            otherRoutes: otherRoutes, allTripIDs: stopTimes.allTripIDs)
    }

    /// Counts the bytes of names that are stored as Strings.
    mutating func countNames(_ names: Int, from file: GTFSFile) throws(TableError) {
        namesCount += names
        let keys = routes.textCount + services.textCount + headsigns.textCount
        try GTFSLimits.check(
            namesCount + keys + stopTimes.textCount, archive.limits.selectedText,
            "bytes of names of the selected trips", file)
    }

    /// Checks that the requested stops do not have more calls than a query can scan.
    private func checkCalls(of trips: [Timetable.Trip]) throws(TableError) {
        let selected = stopTimes.trips
        let watched = selected.patterns.map { range in selected.calls[range].count { Int($0.place) < self.watched } }
        var (calls, repeated) = (0, 0)
        for trip in trips {
            calls += watched[trip.pattern]
            repeated += watched[trip.pattern] * trip.frequencies.count
            try GTFSLimits.check(calls, archive.limits.watchedCalls, "calls at the requested stops", .stopTimes)
            try GTFSLimits.check(
                repeated, archive.limits.repeatedCalls, "calls at the requested stops in its rows", .frequencies)
        }
    }

    /// Rejects a timetable without readable content, so that it does not replace a good one.
    private func rejectUnreadable(_ trips: [Timetable.Trip]) throws(TableError) {
        guard stopTimes.trips.ids.count > 0 else { return try Self.requireRow(in: archive) }
        let calendars = [GTFSFile.calendar, .calendarDates].lazy.compactMap { report.badRows[$0]?.first }
        let reason = trips.isEmpty ? report.firstBadRow : report.selectedDays == nil ? calendars.first : nil
        if let reason { throw reason }
    }

    /// Checks that some row has a stop and a time. In a valid archive the first row does.
    ///
    /// - Throws: ``TableError`` of the first unreadable row, or because there is no readable one.
    private static func requireRow(in archive: GTFSArchive) throws(TableError) {
        var table = try Table(StopTimeColumn.self, in: archive)
        var report = TimetableReport()
        while try table.next() {
            report.stopTimes += 1
            let (row, bytes, line) = (table.row, table.bytes.span, table.line)
            guard !row[StopTimeColumn.stop].isEmpty else { continue }
            guard bytes.integer(row[StopTimeColumn.sequence]) != nil else {
                report.countBadRow(.stopTimes, table.fault(StopTimeColumn.sequence, "a whole number"))
                continue
            }
            let arrival = StopTimesReader.time(row, bytes, line, .arrival, &report)
            let departure = StopTimesReader.time(row, bytes, line, .departure, &report)
            if max(arrival, departure) > TripCall.unreadable { return }
        }
        throw report.firstBadRow
            ?? TableError(
                StopTimeColumn.departure,
                report.stopTimes == 0
                    ? "the file has no row" : "none of \(report.stopTimes) rows has a stop and a time")
    }
}

extension TimetableReader {
    /// Reads the service days of the selected trips, and the first and last service day of the whole feed.
    mutating func readServices() throws(TableError) -> [ServiceDays] {
        let keys = services
        var days = [ServiceDays](repeating: ServiceDays(), count: keys.count)
        // A bad row of a service without selected trips does not count.
        if archive.contains(.calendar) {
            try rows(of: CalendarColumn.self) { reader, table throws(TableError) in
                let service = table.number(of: CalendarColumn.service, in: keys)
                let isSelected = service != ByteKeys.unknown
                guard let week = isSelected ? try table.week() : try? table.week() else { return }
                reader.report.extendServiceDays(week.days)
                guard isSelected else { return }
                days[service].range = week.range
                days[service].weekdays.formUnion(week.weekdays)
            }
        }
        if archive.contains(.calendarDates) {
            var count = 0
            try rows(of: CalendarDateColumn.self) { reader, table throws(TableError) in
                let service = table.number(of: CalendarDateColumn.service, in: keys)
                let isSelected = service != ByteKeys.unknown
                guard let (day, isAdded) = isSelected ? try table.exception() : try? table.exception() else { return }
                if isAdded { reader.report.extendServiceDays(day...day) }
                guard isSelected else { return }
                count += 1
                try GTFSLimits.check(
                    count, reader.archive.limits.exceptions, "exceptions of the selected services", .calendarDates)
                if isAdded { days[service].added.insert(day) } else { days[service].removed.insert(day) }
            }
        }
        return days
    }
}

extension Table {
    fileprivate borrowing func week() throws(TableError) -> ServiceDays {
        let start = try date(CalendarColumn.start)
        let end = try date(CalendarColumn.end)
        guard start <= end else { throw fault(CalendarColumn.end, "a day after the start_date") }
        var days = ServiceDays(range: start...end)
        for (weekday, column) in CalendarColumn.weekdays where try integer(column) == 1 {
            days.weekdays.insert(weekday)
        }
        return days
    }

    fileprivate borrowing func exception() throws(TableError) -> (day: CivilDate, isAdded: Bool) {
        let day = try date(CalendarDateColumn.date)
        switch try integer(CalendarDateColumn.type) {
        case 1: return (day, true)
        case 2: return (day, false)
        default: throw fault(CalendarDateColumn.type, "1 or 2")
        }
    }
}
