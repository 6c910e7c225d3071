internal import BoardCore
internal import BoardFormats

/// The response of `/stoptimes`: a place and its departures.
struct MOTISStopTimes {
    /// When the response was made; of several pages the first.
    let madeAt: Timestamp
    /// The stop; nil in responses of old versions.
    private let place: MOTISPlace?
    private(set) var rows: [MOTISStopTime] = []
    private(set) var badRows = 0
    /// Valid rows that are not departures.
    private(set) var others = 0
    private(set) var alerts = AlertList()
    /// The cursor of the next page; nil: there is none.
    private(set) var cursor: String?
    /// The time of the last row of any kind.
    private(set) var last: Timestamp?

    /// The stop's place, else that of the first row.
    var stopPlace: MOTISPlace? { place ?? rows.first?.place }

    /// The stop's zone name; some responses have it in their rows only.
    var zone: String? { place?.zone ?? rows.lazy.compactMap(\.place.zone).first }

    init(_ body: [UInt8], madeAt: Timestamp) throws(JSONFault) {
        self.madeAt = madeAt
        let root = try JSONDocument(body).row()
        guard let elements = root["stopTimes"]?.elements else { throw .unexpectedStructure }
        let place = root.row("place")
        self.place = place.map(MOTISPlace.init)
        cursor = root.text("nextPageCursor")
        alerts.add(place?["alerts"], of: nil, now: madeAt)
        let bad = elements.eachRow { add($0) }
        badRows += bad
    }

    private mutating func add(_ row: JSONRow) {
        guard let time = MOTISStopTime(row) else { return badRows += 1 }
        last = max(last ?? time.time, time.time)
        guard time.isDeparture else { return others += 1 }
        rows.append(time)
        alerts.add(row.row("place")?["alerts"], of: time.line, now: madeAt)
        alerts.add(row["alerts"], of: time.line, now: madeAt)
    }

    /// Appends the next page, without duplicates.
    mutating func append(_ page: MOTISStopTimes) {
        rows = (rows + page.rows).uniqued()
        badRows += page.badRows
        others += page.others
        alerts.add(page.alerts.alerts)
        cursor = page.cursor
        last = [last, page.last].compactMap(\.self).max()
    }
}

/// A row as received.
struct MOTISStopTime: Hashable {
    let line: Line
    let place: MOTISPlace
    private let destination: String
    private let origin: String?
    private let trip: String?
    private let company: String?
    /// Identifies the feed behind the server, the agency and the route, in one process.
    let source: Int
    private let status: Departure.Status
    private let booked: Timestamp?
    private let expiresAt: Timestamp
    /// The time of the departure or arrival.
    let time: Timestamp
    /// Whether passengers may board; else the trip ends here, or only sets down.
    let isDeparture: Bool

    /// Decodes a row; nil without a time.
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
            expiresAt = (booked ?? time) + MOTISFeed.expiry.scheduledGrace
        } else if row.truth("realTime") ?? false, estimate != nil {
            status = .expected(time)
            expiresAt = time + MOTISFeed.expiry.liveGrace
        } else {
            status = .scheduled(time)
            expiresAt = time + MOTISFeed.expiry.scheduledGrace
        }
        let isLeaving = estimate != nil || booked != nil
        let isDropOffOnly = place.isDropOffOnly || row.text("pickupDropoffType") == "NOT_ALLOWED"
        // A cancelled trip has no boarding either.
        isDeparture = isLeaving && (isCancelled || !isDropOffOnly)
        line = Self.line(row)
        destination = row.text("headsign") ?? row.row("tripTo")?.text("name") ?? ""
        origin = row.row("tripFrom")?.text("name")
        trip = row.text("tripId")
        company = row.text("agencyName")
        // "20260302_10:00_de-DELFI_1234": day, start, feed and trip.
        let feed = trip?.split(separator: "_", maxSplits: 3).dropFirst(2).first.map(String.init)
        source = [feed, row.text("agencyId"), row.text("routeId")].hashValue
    }

    func departure(from stop: StopID, madeAt: Timestamp) -> Departure {
        Departure(
            stop: stop, line: line, destination: destination, platform: place.track, booked: booked, status: status,
            attributes: TripAttributes(id: trip, company: company, origins: origin.map { [$0] } ?? []), madeAt: madeAt,
            expiresAt: expiresAt)
    }

    /// The line. A train's name ("ICE 1021") differs from its line, by which users filter ("ICE").
    ///
    /// A line without any name has that of its mode.
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
