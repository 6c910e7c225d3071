internal import BoardCore
internal import BoardFormats

/// The columns used of `agency.txt`.
private enum AgencyColumn: Int, TableColumns {
    case zone

    static let file = GTFSFile.agency

    var column: Table.Column { .required("agency_timezone") }
}

/// The columns used of `feed_info.txt`.
private enum FeedInfoColumn: Int, TableColumns {
    case start, end

    static let file = GTFSFile.feedInfo

    var column: Table.Column { .optional(self == .start ? "feed_start_date" : "feed_end_date") }
}

/// The columns used of `frequencies.txt`.
private enum FrequencyColumn: Int, TableColumns {
    case trip, start, end, headway, exactness

    static let file = GTFSFile.frequencies

    var column: Table.Column {
        switch self {
        case .trip: .required("trip_id")
        case .start: .required("start_time")
        case .end: .required("end_time")
        case .headway: .required("headway_secs")
        case .exactness: .optional("exact_times")
        }
    }
}

extension TimetableReader {
    /// Reads a table row by row; counts and skips a row if `take` throws.
    mutating func rows<Columns: TableColumns>(
        of columns: Columns.Type, _ take: (inout TimetableReader, borrowing Table) throws(GTFSFailure) -> Void
    ) throws(GTFSFailure) {
        var table = try Table(columns, in: archive)
        while try table.next() {
            do throws(GTFSFailure) {
                try take(&self, table)
            } catch {
                guard error.kind == .badValue else { throw error }
                report.countBadRow(Columns.file, error)
            }
        }
    }

    /// The zone of service days, and whether the feed has one agency.
    mutating func readAgencies(
        _ source: FeedContext.ZoneSource
    ) throws(GTFSFailure) -> (zone: Zone, hasOneAgency: Bool) {
        var name: String?
        var agencies = 0
        var line = 1
        try rows(of: AgencyColumn.self) { _, table throws(GTFSFailure) in
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
        func fault(_ detail: String) -> GTFSFailure {
            GTFSFailure(
                kind: .badValue, file: GTFSFile.agency.name, line: line, column: "agency_timezone", detail: detail)
        }
        guard let name else {
            throw report.badRows[.agency]?.first ?? fault("the file has no row, so there is no zone")
        }
        do throws(FeedSettingFailure) {
            return (try source(name), agencies == 1)
        } catch {
            throw fault(error.detail)
        }
    }

    /// Reads the feed's first and last day.
    mutating func readFeedInfo() throws(GTFSFailure) {
        guard archive.contains(.feedInfo) else { return }
        try rows(of: FeedInfoColumn.self) { reader, table throws(GTFSFailure) in
            if let day = try table.dateIfAny(FeedInfoColumn.start) { reader.report.feedStart = day }
            if let day = try table.dateIfAny(FeedInfoColumn.end) { reader.report.feedEnd = day }
        }
    }

    /// Reads route, service, headsign, direction and short name of the selected trips.
    mutating func readTrips() throws(GTFSFailure) {
        facts = Array(repeating: nil, count: stopTimes.trips.ids.count)
        var table = try Table(TripColumn.self, in: archive)
        while try table.next() {
            let trip = table.number(of: TripColumn.id, in: stopTimes.trips.ids)
            guard trip != ByteKeys.unknown, facts[trip] == nil else { continue }
            let (route, service) = (table.field(TripColumn.route), table.field(TripColumn.service))
            guard !route.isEmpty, !service.isEmpty else {
                report.countBadRow(.trips, table.fault(route.isEmpty ? TripColumn.route : .service, "an identifier"))
                continue
            }
            let headsign = table.field(TripColumn.headsign)
            try countNames(table.textCount(TripColumn.shortName), from: .trips)
            facts[trip] = TripFacts(
                route: Int32(truncatingIfNeeded: routes.insert(route, of: table.bytes.span)),
                service: Int32(truncatingIfNeeded: services.insert(service, of: table.bytes.span)),
                headsign: headsign.isEmpty
                    ? -1 : Int32(truncatingIfNeeded: headsigns.insert(headsign, of: table.bytes.span)),
                direction: table.direction.map(Int8.init(truncatingIfNeeded:)),
                shortName: table.nameIfAny(TripColumn.shortName))
        }
    }

    /// Reads the names, platforms and stations of the places.
    mutating func readPlaces() throws(GTFSFailure) -> [Timetable.Place] {
        let keys = stopTimes.places
        var places: [Timetable.Place] = (0..<keys.count).map { Timetable.Place(id: keys[$0], name: "") }
        try rows(of: StopColumn.self) { reader, table throws(GTFSFailure) in
            let place = table.number(of: StopColumn.id, in: keys)
            guard place != ByteKeys.unknown else {
                return reader.otherStops.append(
                    table.field(StopColumn.id), table.field(StopColumn.name), of: table.bytes.span)
            }
            try reader.countNames(table.textCount(StopColumn.name, .platform), from: .stops)
            let parent = table.field(StopColumn.parent).isEmpty ? place : table.number(of: StopColumn.parent, in: keys)
            places[place] = Timetable.Place(
                id: keys[place], name: table.nameIfAny(StopColumn.name) ?? "",
                platform: table.nameIfAny(StopColumn.platform),
                parent: parent == ByteKeys.unknown || parent == place ? nil : parent)
        }
        otherStops.seal()
        return places
    }

    /// Reads the routes of the selected trips.
    mutating func readRoutes(hasOneAgency: Bool) throws(GTFSFailure) -> [Timetable.Route] {
        let keys = routes
        var found: [Timetable.Route] = (0..<keys.count).map {
            Timetable.Route(id: keys[$0], name: keys[$0], agency: "", type: 3)
        }
        try rows(of: RouteColumn.self) { reader, table throws(GTFSFailure) in
            let number = table.number(of: RouteColumn.id, in: keys)
            guard number != ByteKeys.unknown else {
                let short = table.field(RouteColumn.shortName)
                return reader.otherRoutes.append(
                    table.field(RouteColumn.id), short.isEmpty ? table.field(RouteColumn.longName) : short,
                    of: table.bytes.span)
            }
            try reader.countNames(table.textCount(RouteColumn.shortName, .longName, .agency), from: .routes)
            let route = table.route
            found[number] = Timetable.Route(
                id: route.id, name: route.name, agency: hasOneAgency ? "" : route.agency, type: route.type)
            // A route with a bad type counts as a bad row, but its name is used.
            _ = try table.integer(RouteColumn.type)
        }
        otherRoutes.seal()
        return found
    }

    /// Reads the frequencies of the selected trips.
    mutating func readFrequencies() throws(GTFSFailure) {
        guard archive.contains(.frequencies) else { return }
        var count = 0
        try rows(of: FrequencyColumn.self) { reader, table throws(GTFSFailure) in
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
