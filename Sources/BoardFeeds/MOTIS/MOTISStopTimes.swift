internal import BoardCore

/// The answer of `/stoptimes`: a place, and what departs there.
struct MOTISStopTimes {
    /// The stop; nil in answers of old versions.
    private let place: MOTISPlace?
    private(set) var rows: [MOTISStopTime] = []
    private(set) var badRows = 0
    /// Rows that can be read and are no departure.
    private(set) var others = 0
    private(set) var alerts = MOTISAlerts()
    /// By what the page after this one is asked for; nil: there is none.
    private(set) var cursor: String?
    /// The time of the last row, whatever happens then.
    private(set) var last: Timestamp?

    /// What the stop is called and where it is: as it says itself, else as its first row does.
    var stopPlace: MOTISPlace? { place ?? rows.first?.place }

    /// The name of the zone in which its clocks go; some answers say that in their rows alone.
    var zone: String? { place?.zone ?? rows.lazy.compactMap(\.place.zone).first }

    /// Reads the whole answer.
    ///
    /// - Parameter told: when it was told.
    init(_ body: [UInt8], madeAt: Timestamp) throws(JSONFault) {
        let answer = try JSONDocument(body).row()
        guard let elements = answer["stopTimes"]?.elements else { throw .unexpectedStructure }
        let place = answer.row("place")
        self.place = place.map(MOTISPlace.init)
        cursor = answer.text("nextPageCursor")
        alerts.take(place?["alerts"], of: nil, now: madeAt)
        let bad = elements.eachRow { take($0, madeAt: madeAt) }
        badRows += bad
    }

    private mutating func take(_ row: JSONRow, madeAt: Timestamp) {
        guard let time = MOTISStopTime(row) else { return badRows += 1 }
        last = max(last ?? time.time, time.time)
        guard time.isDeparture else { return others += 1 }
        rows.append(time)
        alerts.take(row.row("place")?["alerts"], of: time.line, now: madeAt)
        alerts.take(row["alerts"], of: time.line, now: madeAt)
    }

    /// Goes on with the page after this one. What stands on both is there once.
    mutating func append(_ page: MOTISStopTimes) {
        var seen = Set(rows)
        rows += page.rows.filter { seen.insert($0).inserted }
        badRows += page.badRows
        others += page.others
        alerts.take(page.alerts)
        cursor = page.cursor
        last = [last, page.last].compactMap(\.self).max()
    }
}

/// What happens at a stop, as it is written.
struct MOTISStopTime: Hashable {
    /// How long a live row stands after its time, and one of the timetable alone.
    private static let grace: Duration = .seconds(30)
    private static let scheduledGrace: Duration = .seconds(60)

    let line: Line
    let place: MOTISPlace
    private let destination: String
    private let origin: String?
    private let trip: String?
    private let company: String?
    private let status: Departure.Status
    private let booked: Timestamp?
    private let expiresAt: Timestamp
    /// When it happens.
    let time: Timestamp
    /// Whether it leaves, and people may get on; else a run ends here, or sets people down.
    let isDeparture: Bool

    /// Reads a row; nil where no time is told.
    init?(_ row: JSONRow) {
        guard let place = row.row("place").map(MOTISPlace.init) else { return nil }
        self.place = place
        let booked = place.scheduledDeparture
        let estimate = place.departure
        guard let time = estimate ?? booked ?? place.arrival ?? place.scheduledArrival else { return nil }
        self.time = time
        self.booked = booked
        let isCancelled = place.isCancelled || row.truth("cancelled") ?? false || row.truth("tripCancelled") ?? false
        if isCancelled {
            status = .cancelled
            expiresAt = (booked ?? time) + Self.scheduledGrace
        } else if row.truth("realTime") ?? false, estimate != nil {
            status = .expected(time)
            expiresAt = time + Self.grace
        } else {
            status = .scheduled(time)
            expiresAt = time + Self.scheduledGrace
        }
        let isLeaving = estimate != nil || booked != nil
        let isDropOffOnly = place.isDropOffOnly || row.text("pickupDropoffType") == "NOT_ALLOWED"
        // What is cancelled takes nobody up either.
        isDeparture = isLeaving && (isCancelled || !isDropOffOnly)
        line = Self.line(row)
        destination = row.text("headsign") ?? row.row("tripTo")?.text("name") ?? ""
        origin = row.row("tripFrom")?.text("name")
        trip = row.text("tripId")
        company = row.text("agencyName")
    }

    /// The departure from a stop, told at a moment.
    func departure(from stop: StopID, madeAt: Timestamp) -> Departure {
        Departure(
            stop: stop, line: line, destination: destination, platform: place.track, booked: booked, status: status,
            attributes: TripAttributes(id: trip, company: company, origins: origin.map { [$0] } ?? []), madeAt: madeAt,
            expiresAt: expiresAt)
    }

    /// What riders call it. Trains have a name of their own ("ICE 1021"), and their line's is what people ask for ("ICE").
    ///
    /// What has no name at all goes by its mode, whatever that is.
    private static func line(_ row: JSONRow) -> Line {
        let short = row.text("routeShortName")
        let name =
            row.text("displayName") ?? short ?? row.text("tripShortName") ?? row.text("routeLongName")
            ?? row.text("mode")?.mode ?? "?"
        return Line(id: short ?? name, name: name)
    }
}

extension String {
    /// "HIGHSPEED_RAIL" as "Highspeed rail".
    fileprivate var mode: String {
        let words = map { $0 == "_" ? " " : $0 }
        return String(words.prefix(1)) + String(words.dropFirst()).lowercased()
    }
}
