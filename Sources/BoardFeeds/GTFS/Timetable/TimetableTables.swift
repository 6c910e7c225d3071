import BoardCore

extension TimetableReader {
    /// Reads a table row by row; counts and skips a row if `take` throws.
    mutating func rows<Columns: TableColumns>(
        of columns: Columns.Type, _ take: (inout TimetableReader, borrowing Table) throws(TableError) -> Void
    ) throws(TableError) {
        var table = try Table(columns, in: archive)
        while try table.next() {
            do throws(TableError) {
                try take(&self, table)
                if table.row.hasLooseQuotes { throw table.looseQuotes }
            } catch {
                guard error.kind == .badValue else { throw error }
                report.countBadRow(Columns.file, error)
            }
        }
    }

    /// The zone of service days, and whether the feed has one agency.
    mutating func readAgencies(
        _ source: FeedContext.ZoneSource
    ) throws(TableError) -> (zone: Zone, hasOneAgency: Bool) {
        var name: String?
        var agencies = 0
        var line = 1
        try rows(of: AgencyColumn.self) { _, table throws(TableError) in
            agencies += 1
            guard let zone = table.textIfAny(AgencyColumn.zone) else {
                throw table.fault(AgencyColumn.zone, "a time zone")
            }
            // The specification requires all agencies to share one zone.
            if let name, name != zone {
                throw table.fault(
                    AgencyColumn.zone, "\"\(name)\" as in line \(line) (all agencies of a GTFS archive share one zone)")
            }
            if name == nil { (name, line) = (zone, table.line) }
        }
        guard let name else {
            throw report.badRows[.agency]?.first
                ?? TableError(AgencyColumn.zone, line: line, "the file has no row, so there is no zone")
        }
        do throws(FeedSettingError) {
            return (try source(name), agencies == 1)
        } catch {
            throw TableError(
                kind: .noZone, file: GTFSFile.agency.name, line: line, column: AgencyColumn.zone.name,
                detail: error.detail)
        }
    }

    /// The zones of the selected places that have their own.
    func readZones(_ source: FeedContext.ZoneSource) -> [Int: Zone?] {
        let zones = Dictionary(uniqueKeysWithValues: Set(zoneNames.values).map { ($0, try? source($0)) })
        return zoneNames.mapValues { zones[$0] ?? nil }
    }

    mutating func readFeedInfo() throws(TableError) {
        guard archive.contains(.feedInfo) else { return }
        try rows(of: FeedInfoColumn.self) { reader, table throws(TableError) in
            if let day = try table.dateIfAny(FeedInfoColumn.start) { reader.report.feedStart = day }
            if let day = try table.dateIfAny(FeedInfoColumn.end) { reader.report.feedEnd = day }
        }
    }

    /// Unreadable translations must not cost any departures.
    mutating func readTranslations() {
        do throws(TableError) {
            try translations.read(archive)
        } catch {
            report.countBadRow(.translations, error)
        }
    }

    /// A headsign as the board shows it: many are a stop's name, and only the stop may have a translation.
    func headsign(_ text: String, _ column: Translations.Column, of trip: String? = nil) -> String {
        let name = translations.name(text, column, of: trip)
        return name == text.plainText ? stopNames[name] ?? name : name
    }

    /// Reads the selected trips, after their calls and frequencies.
    mutating func readTrips(_ places: [Timetable.Place]) throws(TableError) -> [Timetable.Trip] {
        let selected = stopTimes.trips
        var found = [Timetable.Trip?](repeating: nil, count: selected.ids.count)
        // One String for all trips with the same headsign, by its number in ``headsigns``.
        var names: [String] = []
        let hasTripNames = translations.hasTrips
        try rows(of: TripColumn.self) { reader, table throws(TableError) in
            let number = table.number(of: TripColumn.id, in: selected.ids)
            guard number != ByteKeys.unknown, found[number] == nil, selected.patternOfTrip[number] >= 0 else { return }
            let (route, service) = (table.field(TripColumn.route), table.field(TripColumn.service))
            guard !route.isEmpty, !service.isEmpty else {
                throw table.fault(route.isEmpty ? TripColumn.route : .service, "an identifier")
            }
            let pattern = Int(selected.patternOfTrip[number])
            var headsign = ""
            if table.field(TripColumn.headsign).isEmpty {
                headsign = places[Int(selected.calls[selected.patterns[pattern].upperBound - 1].place)].name
            } else {
                let name = reader.headsigns.insert(table.field(TripColumn.headsign), of: table.bytes.span)
                if name == names.count { names.append(reader.headsign(reader.headsigns[name], .tripHeadsign)) }
                headsign = names[name]
                if hasTripNames {
                    headsign = reader.headsign(reader.headsigns[name], .tripHeadsign, of: selected.ids[number])
                }
            }
            try reader.countNames(table.textCount(TripColumn.shortName), from: .trips)
            found[number] = Timetable.Trip(
                id: selected.ids[number], route: reader.routes.insert(route, of: table.bytes.span),
                service: reader.services.insert(service, of: table.bytes.span), pattern: pattern,
                start: Int(selected.starts[number]), headsign: headsign,
                shortName: table.nameIfAny(TripColumn.shortName),
                direction: table.direction, frequencies: reader.frequencies[number] ?? [])
        }
        for number in found.indices where found[number] == nil && selected.patternOfTrip[number] >= 0 {
            report.countBadRow(
                .trips,
                TableError(TripColumn.id, "the file has no trip \"\(selected.ids[number])\", which stop_times.txt has"))
        }
        return found.compactMap(\.self)
    }

    mutating func readPlaces() throws(TableError) -> [Timetable.Place] {
        let keys = stopTimes.places
        var places: [Timetable.Place] = (0..<keys.count).map { Timetable.Place(id: keys[$0], name: "") }
        try rows(of: StopColumn.self) { reader, table throws(TableError) in
            let place = table.number(of: StopColumn.id, in: keys)
            guard place != ByteKeys.unknown else {
                return reader.otherStops.append(
                    table.field(StopColumn.id), table.field(StopColumn.name), of: table.bytes.span)
            }
            try reader.countNames(table.textCount(StopColumn.name, .platform), from: .stops)
            if place < reader.selected { reader.zoneNames[place] = table.textIfAny(StopColumn.zone) }
            let parent = table.field(StopColumn.parent).isEmpty ? place : table.number(of: StopColumn.parent, in: keys)
            let name = table.nameIfAny(StopColumn.name, reader.translations, .stopName, of: keys[place]) ?? ""
            let own = table.nameIfAny(StopColumn.name) ?? ""
            if own != name { reader.stopNames[own] = name }
            places[place] = Timetable.Place(
                id: keys[place], name: name, platform: table.nameIfAny(StopColumn.platform),
                parent: parent == ByteKeys.unknown || parent == place ? nil : parent)
        }
        return places
    }

    mutating func readRoutes(hasOneAgency: Bool) throws(TableError) -> [Timetable.Route] {
        let keys = routes
        var found: [Timetable.Route] = (0..<keys.count).map {
            Timetable.Route(id: keys[$0], name: keys[$0], agency: "", type: 3)
        }
        try rows(of: RouteColumn.self) { reader, table throws(TableError) in
            let number = table.number(of: RouteColumn.id, in: keys)
            guard number != ByteKeys.unknown else {
                let short = table.field(RouteColumn.shortName)
                return reader.otherRoutes.append(
                    table.field(RouteColumn.id), short.isEmpty ? table.field(RouteColumn.longName) : short,
                    of: table.bytes.span)
            }
            try reader.countNames(table.textCount(RouteColumn.shortName, .longName, .agency), from: .routes)
            found[number] = table.route(reader.translations)
            if hasOneAgency { found[number].agency = "" }
            // A route with a bad type counts as a bad row, but its name is used.
            _ = try table.integer(RouteColumn.type)
        }
        return found
    }

    mutating func readFrequencies() throws(TableError) {
        guard archive.contains(.frequencies) else { return }
        var count = 0
        try rows(of: FrequencyColumn.self) { reader, table throws(TableError) in
            let trip = table.number(of: FrequencyColumn.trip, in: reader.stopTimes.trips.ids)
            guard trip != ByteKeys.unknown else { return }
            let start = try table.time(FrequencyColumn.start)
            let end = try table.time(FrequencyColumn.end)
            guard let headway = try table.integer(FrequencyColumn.headway), headway >= 1 else {
                throw table.fault(FrequencyColumn.headway, "at least one second")
            }
            if headway < Timetable.Frequency.shortest { reader.report.clampedHeadways += 1 }
            count += 1
            try GTFSLimits.check(count, reader.archive.limits.frequencies, "rows of the selected trips", .frequencies)
            reader.frequencies[trip, default: []].append(
                Timetable.Frequency(
                    start: start, end: end, headway: max(headway, Timetable.Frequency.shortest),
                    isExact: try table.integer(FrequencyColumn.exactness) == 1))
        }
    }
}

package struct TimetableReport: Hashable, Sendable {
    struct BadRows: Hashable, Sendable {
        var count: Int
        let first: TableError
    }

    /// `feed_start_date`; nil if missing.
    var feedStart: CivilDate?
    /// `feed_end_date`, the feed's last valid day; nil if missing.
    var feedEnd: CivilDate?
    /// The first and the last day on which a selected trip runs; nil if none ever runs.
    var selectedDays: ClosedRange<CivilDate>?
    /// The first and the last day on which any service of the feed runs, selected or not; nil if none ever runs.
    /// Removals in `calendar_dates.txt` are ignored.
    var serviceDays: ClosedRange<CivilDate>?
    /// The unreadable rows that matter for the selected trips.
    var badRows: [GTFSFile: BadRows] = [:]
    var badRowCount: Int { badRows.values.reduce(0) { $0 + $1.count } }
    /// The first unreadable row; of several files, that of the file most relevant to departures.
    var firstBadRow: TableError? {
        let files: [GTFSFile] = [.stopTimes, .trips, .calendar, .calendarDates]
        return (files + GTFSFile.allCases).lazy.compactMap { badRows[$0]?.first }.first
    }
    /// Rows of `frequencies.txt` with a headway of less than a minute, which is raised to a minute.
    var clampedHeadways = 0
    var unknownStops: [String] = []
    package var stopTimes = 0
    /// Whether the rows of a trip were not contiguous, so that `stop_times.txt` was read twice.
    var isUnsorted = false
    var duration = Duration.zero

    package init() {}

    /// The timetable's first valid day: the first day of service, or `feed_start_date` if later; nil if both are
    /// unknown. It decides which of two archives is in effect; departures follow the services.
    ///
    /// Counts all services, not only those of selected trips: a stop served only in summer must not make the timetable
    /// start in summer.
    var firstDay: CivilDate? { [feedStart, serviceDays?.lowerBound].compactMap(\.self).max() }

    /// The timetable's last valid day: the last day of service, or `feed_end_date` if earlier; nil if both are unknown.
    var lastDay: CivilDate? { [feedEnd, serviceDays?.upperBound].compactMap(\.self).min() }

    /// Extends ``serviceDays`` by the days of a service.
    mutating func extendServiceDays(_ days: ClosedRange<CivilDate>?) {
        guard let days else { return }
        let current = serviceDays ?? days
        serviceDays = min(current.lowerBound, days.lowerBound)...max(current.upperBound, days.upperBound)
    }

    mutating func countBadRow(_ file: GTFSFile, _ failure: TableError) {
        badRows[file, default: BadRows(count: 0, first: failure)].count += 1
    }
}
