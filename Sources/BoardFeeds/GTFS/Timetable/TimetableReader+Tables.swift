internal import BoardCore

extension TimetableReader {
    /// Reads a table row by row; a row whose reading throws is counted and left out.
    private mutating func rows(
        of file: GTFSFile, _ columns: [Table.Column],
        _ take: (inout TimetableReader, borrowing Table) throws(GTFSFailure) -> Void
    ) throws(GTFSFailure) {
        var table = try Table(file.name, archive.open(file), columns)
        while try table.next() {
            do throws(GTFSFailure) {
                try take(&self, table)
            } catch {
                report.leaveOut(file, error)
            }
        }
    }

    /// The zone in which service days begin, and whether there is but one agency.
    mutating func readAgencies(
        _ source: FeedContext.ZoneSource
    ) throws(GTFSFailure) -> (zone: Zone, hasOneAgency: Bool) {
        var name: String?
        var agencies = 0
        var line = 1
        try rows(of: .agency, [.required("agency_timezone")]) { _, table throws(GTFSFailure) in
            agencies += 1
            let zone = try table.required(table.textIfAny(0), 0)
            if let name, name != zone { throw table.fault(0, "\"\(name)\", the zone of all agencies,") }
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

    /// What the feed says of itself.
    mutating func readFeedInfo() throws(GTFSFailure) {
        guard archive.contains(.feedInfo) else { return }
        let columns: [Table.Column] = [.optional("feed_start_date"), .optional("feed_end_date")]
        try rows(of: .feedInfo, columns) { reader, table throws(GTFSFailure) in
            if let day = try table.date(0) { reader.report.feedStart = day }
            if let day = try table.date(1) { reader.report.feedEnd = day }
        }
    }

    /// What is known of the kept trips.
    mutating func readTrips() throws(GTFSFailure) {
        facts = Array(repeating: nil, count: stopTimes.trips.ids.count)
        let columns: [Table.Column] = [
            .required("trip_id"), .required("route_id"), .required("service_id"), .optional("trip_headsign"),
            .optional("trip_short_name"), .optional("direction_id"),
        ]
        var table = try Table(GTFSFile.trips.name, archive.open(.trips), columns)
        while try table.next() {
            let trip = stopTimes.trips.ids.number(of: table.row[0], in: table.bytes.span)
            guard trip != ByteKeys.unknown, facts[trip] == nil else { continue }
            guard !table.row[1].isEmpty, !table.row[2].isEmpty else {
                report.leaveOut(.trips, table.fault(table.row[1].isEmpty ? 1 : 2, "an identifier"))
                continue
            }
            let headsign = table.row[3]
            let direction = table.bytes.span.integer(table.row[5])
            facts[trip] = TripFacts(
                route: Int32(truncatingIfNeeded: routes.insert(table.row[1], of: table.bytes.span)),
                service: Int32(truncatingIfNeeded: services.insert(table.row[2], of: table.bytes.span)),
                headsign: headsign.isEmpty
                    ? -1 : Int32(truncatingIfNeeded: headsigns.insert(headsign, of: table.bytes.span)),
                direction: direction == 0 || direction == 1 ? direction.map(Int8.init(truncatingIfNeeded:)) : nil,
                shortName: table.textIfAny(4))
        }
    }

    /// What the places are called.
    mutating func readPlaces() throws(GTFSFailure) -> [Timetable.Place] {
        let keys = stopTimes.places
        var places: [Timetable.Place] = (0..<keys.count).map { Timetable.Place(id: keys[$0], name: "") }
        let columns: [Table.Column] = [
            .required("stop_id"), .optional("stop_name"), .optional("platform_code"), .optional("parent_station"),
        ]
        try rows(of: .stops, columns) { reader, table throws(GTFSFailure) in
            let place = keys.number(of: table.row[0], in: table.bytes.span)
            guard place != ByteKeys.unknown else {
                return reader.otherStops.append(table.row[0], table.row[1], of: table.bytes.span)
            }
            let parent = table.row[3].isEmpty ? ByteKeys.unknown : keys.number(of: table.row[3], in: table.bytes.span)
            places[place] = Timetable.Place(
                id: keys[place], name: table.text(1), platform: table.textIfAny(2),
                parent: parent == ByteKeys.unknown || parent == place ? nil : parent)
        }
        otherStops.seal()
        return places
    }

    /// What the lines are called.
    mutating func readRoutes(hasOneAgency: Bool) throws(GTFSFailure) -> [Timetable.Route] {
        let keys = routes
        var found: [Timetable.Route] = (0..<keys.count).map {
            Timetable.Route(id: keys[$0], name: keys[$0], agency: "", type: 3)
        }
        let columns: [Table.Column] = [
            .required("route_id"), .optional("route_short_name"), .optional("route_long_name"), .optional("agency_id"),
            .optional("route_type"),
        ]
        try rows(of: .routes, columns) { reader, table throws(GTFSFailure) in
            let route = keys.number(of: table.row[0], in: table.bytes.span)
            guard route != ByteKeys.unknown else {
                let name = table.row[table.row[1].isEmpty ? 2 : 1]
                return reader.otherRoutes.append(table.row[0], name, of: table.bytes.span)
            }
            found[route] = Timetable.Route(
                id: keys[route], name: table.textIfAny(1) ?? table.textIfAny(2) ?? keys[route],
                agency: hasOneAgency ? "" : table.text(3), type: try table.integer(4) ?? 3)
        }
        otherRoutes.seal()
        return found
    }

    /// When the services of the kept trips run.
    mutating func readServices() throws(GTFSFailure) -> [ServiceDays] {
        let keys = services
        var days = [ServiceDays](repeating: ServiceDays(), count: keys.count)
        if archive.contains(.calendar) {
            let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            let columns: [Table.Column] =
                [.required("service_id"), .required("start_date"), .required("end_date")]
                + names.map(Table.Column.required)
            try rows(of: .calendar, columns) { _, table throws(GTFSFailure) in
                let service = keys.number(of: table.row[0], in: table.bytes.span)
                guard service != ByteKeys.unknown else { return }
                let start = try table.required(table.date(1), 1)
                let end = try table.required(table.date(2), 2)
                guard start <= end else { throw table.fault(2, "a day after the start_date") }
                days[service].range = start...end
                for weekday in Weekday.allCases where try table.integer(3 + weekday.rawValue) == 1 {
                    days[service].weekdays.insert(weekday)
                }
            }
        }
        if archive.contains(.calendarDates) {
            let columns: [Table.Column] = [
                .required("service_id"), .required("date"), .required("exception_type"),
            ]
            try rows(of: .calendarDates, columns) { _, table throws(GTFSFailure) in
                let service = keys.number(of: table.row[0], in: table.bytes.span)
                guard service != ByteKeys.unknown else { return }
                let day = try table.required(table.date(1), 1)
                switch try table.integer(2) {
                case 1: days[service].added.insert(day)
                case 2: days[service].removed.insert(day)
                default: throw table.fault(2, "1 or 2")
                }
            }
        }
        return days
    }

    /// The trips that run again and again.
    mutating func readFrequencies() throws(GTFSFailure) {
        guard archive.contains(.frequencies) else { return }
        let columns: [Table.Column] = [
            .required("trip_id"), .required("start_time"), .required("end_time"), .required("headway_secs"),
            .optional("exact_times"),
        ]
        try rows(of: .frequencies, columns) { reader, table throws(GTFSFailure) in
            let trip = reader.stopTimes.trips.ids.number(of: table.row[0], in: table.bytes.span)
            guard trip != ByteKeys.unknown else { return }
            let start = try table.required(table.time(1), 1)
            let end = try table.required(table.time(2), 2)
            let headway = try table.required(table.integer(3), 3)
            guard headway >= 1 else { throw table.fault(3, "at least one second") }
            reader.frequencies[trip, default: []].append(
                Timetable.Frequency(
                    start: Int(start), end: Int(end), headway: headway, isExact: try table.integer(4) == 1))
        }
    }
}

extension ServiceDays {
    /// The last day on which the service runs; nil: it never does.
    var last: CivilDate? {
        let last = added.max()
        guard let range, !weekdays.isEmpty else { return last }
        // Soon found: a week has seven days, and the exceptions are counted.
        var day = range.upperBound
        while day >= range.lowerBound, last.map({ $0 < day }) ?? true {
            if runs(on: day) { return day }
            day = day.adding(days: -1)
        }
        return last
    }
}
