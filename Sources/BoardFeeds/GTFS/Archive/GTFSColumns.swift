import BoardCore

// The columns that boardd uses: https://gtfs.org/documentation/schedule/reference/. Those with `?` are optional.

enum AgencyColumn: Int, TableColumns {
    case zone

    static let file = GTFSFile.agency
    static let names = ["agency_timezone"]
}

enum FeedInfoColumn: Int, TableColumns {
    case start, end

    static let file = GTFSFile.feedInfo
    static let names = ["feed_start_date?", "feed_end_date?"]
}

enum StopColumn: Int, TableColumns {
    case id, parent, kind, code, name, platform, latitude, longitude, zone

    static let file = GTFSFile.stops
    static let names = [
        "stop_id", "parent_station?", "location_type?", "stop_code?", "stop_name?", "platform_code?", "stop_lat?",
        "stop_lon?", "stop_timezone?",
    ]
}

enum RouteColumn: Int, TableColumns {
    case id, shortName, longName, agency, type, colour

    static let file = GTFSFile.routes
    static let names = [
        "route_id", "route_short_name?", "route_long_name?", "agency_id?", "route_type?", "route_color?",
    ]
}

enum TripColumn: Int, TableColumns {
    case id, route, service, headsign, shortName, direction

    static let file = GTFSFile.trips
    static let names = ["trip_id", "route_id", "service_id", "trip_headsign?", "trip_short_name?", "direction_id?"]
}

enum StopTimeColumn: Int, TableColumns {
    case trip, stop, sequence, arrival, departure, headsign, pickup, distance, window, bookingRule

    static let file = GTFSFile.stopTimes
    static let names = [
        "trip_id", "stop_id", "stop_sequence", "arrival_time?", "departure_time", "stop_headsign?", "pickup_type?",
        "shape_dist_traveled?", "start_pickup_drop_off_window?", "pickup_booking_rule_id?",
    ]
}

enum BookingRuleColumn: Int, TableColumns {
    case id, message, pickupMessage, phone

    static let file = GTFSFile.bookingRules
    static let names = ["booking_rule_id", "message?", "pickup_message?", "phone_number?"]
}

enum TranslationColumn: Int, TableColumns {
    case column, language, translation, record, value, oldValue, oldLanguage

    static let file = GTFSFile.translations
    /// The last two occur in files from before 2020.
    static let names = ["field_name?", "language?", "translation", "record_id?", "field_value?", "trans_id?", "lang?"]
}

enum CalendarColumn: Int, TableColumns {
    case service, start, end, monday, tuesday, wednesday, thursday, friday, saturday, sunday

    static let file = GTFSFile.calendar
    static let names = [
        "service_id", "start_date", "end_date", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday",
    ]
    static let weekdays: [Weekday: CalendarColumn] = [
        .mon: .monday, .tue: .tuesday, .wed: .wednesday, .thu: .thursday, .fri: .friday, .sat: .saturday, .sun: .sunday,
    ]
}

enum CalendarDateColumn: Int, TableColumns {
    case service, date, type

    static let file = GTFSFile.calendarDates
    static let names = ["service_id", "date", "exception_type"]
}

enum FrequencyColumn: Int, TableColumns {
    case trip, start, end, headway, exactness

    static let file = GTFSFile.frequencies
    static let names = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times?"]
}

enum StopKind: Int, Sendable {
    /// A stop, or a platform of a station.
    case stop
    case station
    case entrance
    /// A node of a station's plan.
    case node
    /// A part of a platform.
    case boardingArea
}

extension Table {
    /// `location_type` of the current row of `stops.txt`; a stop if unreadable.
    var stopKind: StopKind { bytes.span.integer(field(StopColumn.kind)).flatMap(StopKind.init) ?? .stop }

    /// `direction_id` of the current row of `trips.txt`; nil unless 0 or 1.
    var direction: Int? {
        bytes.span.integer(field(TripColumn.direction)).flatMap { [0, 1].contains($0) ? $0 : nil }
    }

    /// The current row of `routes.txt`. An unreadable `route_type` counts as 3, a bus.
    func route(_ translations: Translations) -> Timetable.Route {
        let id = text(RouteColumn.id)
        let name =
            nameIfAny(RouteColumn.shortName, translations, .shortName, of: id)
            ?? nameIfAny(RouteColumn.longName, translations, .longName, of: id)
        return Timetable.Route(
            id: id, name: name ?? id, agency: text(RouteColumn.agency),
            type: bytes.span.integer(field(RouteColumn.type)) ?? 3, colour: Line.colour(text(RouteColumn.colour)))
    }
}

/// The requested columns of a table, in the order of their raw values.
protocol TableColumns: RawRepresentable where RawValue == Int {
    static var file: GTFSFile { get }
    /// In the order of the cases; `?` marks an optional column.
    static var names: [String] { get }
}

extension TableColumns {
    /// The column's name, with its mark.
    var name: String { Self.names[rawValue] }
}

extension TableRow {
    @inline(__always)
    subscript(_ column: some TableColumns) -> TableField { self[column.rawValue] }
}

extension Table {
    init<Columns: TableColumns>(_ columns: Columns.Type, in archive: GTFSArchive) throws(TableError) {
        try self.init(Columns.file.name, archive.open(Columns.file), Columns.names)
    }

    @inline(__always)
    func field(_ column: some TableColumns) -> TableField { row[column] }

    func text(_ column: some TableColumns) -> String { text(column.rawValue) }

    func textIfAny(_ column: some TableColumns) -> String? { field(column).isEmpty ? nil : text(column) }

    /// A name for display, with single blanks; nil if empty.
    func nameIfAny(_ column: some TableColumns) -> String? {
        let name = text(column).plainText
        return name.isEmpty ? nil : name
    }

    /// A name as the board shows it, perhaps translated; nil if empty.
    func nameIfAny(
        _ column: some TableColumns, _ translations: Translations, _ kind: Translations.Column, of record: String
    ) -> String? {
        let name = translations.name(text(column), kind, of: record)
        return name.isEmpty ? nil : name
    }

    func textCount<Columns: TableColumns>(_ columns: Columns...) -> Int {
        columns.reduce(0) { $0 + field($1).range.count }
    }

    /// A whole number; nil if blank.
    func integer(_ column: some TableColumns) throws(TableError) -> Int? {
        if field(column).isEmpty { return nil }
        guard let number = bytes.span.integer(field(column)) else { throw fault(column, "a whole number") }
        return number
    }

    /// Seconds from the beginning of a service day.
    func time(_ column: some TableColumns) throws(TableError) -> Int {
        guard let time = bytes.span.time(field(column)) else { throw fault(column, "a time as HH:MM:SS") }
        return Int(time)
    }

    func date(_ column: some TableColumns) throws(TableError) -> CivilDate {
        guard let date = bytes.span.date(field(column)) else { throw fault(column, "a day as YYYYMMDD") }
        return date
    }

    func dateIfAny(_ column: some TableColumns) throws(TableError) -> CivilDate? {
        field(column).isEmpty ? nil : try date(column)
    }

    /// The number of a field's text in `keys`, or ``ByteKeys/unknown``.
    @inline(__always)
    func number(of column: some TableColumns, in keys: borrowing ByteKeys) -> Int {
        keys.number(of: field(column), in: bytes.span)
    }

    /// The error for an unreadable field of the current row.
    func fault(_ column: some TableColumns, _ expected: String) -> TableError {
        TableError(column, line: line, found: field(column), in: bytes.span, expected)
    }
}

extension TableError {
    /// A value of a column is missing or wrong.
    init<Column: TableColumns>(_ column: Column, line: Int? = nil, _ detail: String) {
        self.init(kind: .badValue, file: Column.file.name, line: line, column: column.name.withoutMark, detail: detail)
    }

    init(
        _ column: some TableColumns, line: Int, found field: TableField, in bytes: Span<UInt8>, _ expected: String
    ) {
        let found = field.isEmpty ? "nothing" : "\"\(bytes.text(field).prefix(40))\""
        self.init(column, line: line, "found \(found) where \(expected) was expected")
    }
}

extension TableField {
    init(_ range: Range<Int>) {
        self.init(start: Int32(truncatingIfNeeded: range.lowerBound), end: Int32(truncatingIfNeeded: range.upperBound))
    }
}
