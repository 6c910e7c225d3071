import BoardCore

/// The response of `/stoptimes`: a place and its departures.
struct MOTISStopTimes {
    /// When the response was made; of several pages, the first.
    let madeAt: Timestamp
    /// The stop, else the place of the first row. Old versions send no stop.
    private(set) var stopPlace: (name: String?, coordinates: Coordinates?)?
    /// The stop's zone name; some responses have it only in their rows.
    private(set) var zone: String?
    private(set) var rows: [MOTISStopTime] = []
    private(set) var badRows = 0
    /// Valid rows that are not departures.
    private(set) var others = 0
    private(set) var alerts = AlertList()
    /// The cursor of the next page; nil: there is none.
    private(set) var cursor: String?
    /// The time of the last row of any kind.
    private(set) var last: Timestamp?
    /// Why later pages are missing; nil: none failed.
    var partialFailure: FeedError?

    init(_ body: [UInt8], of stop: StopID, madeAt: Timestamp) throws(FormatError) {
        self.madeAt = madeAt
        let root = try JSONDocument(body).row()
        guard let elements = root["stopTimes"]?.elements else { throw .unexpectedStructure }
        let place = root.row("place")
        stopPlace = place.map { ($0.text("name"), $0.coordinates()) }
        zone = place?.text("tz")
        cursor = root.text("nextPageCursor")
        alerts.add(place?["alerts"], of: nil, now: madeAt)
        let bad = elements.eachRow { add($0, of: stop) }
        badRows += bad
    }

    private mutating func add(_ row: JSONRow, of stop: StopID) {
        guard let time = MOTISStopTime(row, at: stop, madeAt: madeAt) else { return badRows += 1 }
        last = max(last ?? time.time, time.time)
        guard time.isDeparture else { return others += 1 }
        rows.append(time)
        let place = row.row("place")
        stopPlace = stopPlace ?? place.map { ($0.text("name"), $0.coordinates()) }
        zone = zone ?? place?.text("tz")
        alerts.add(place?["alerts"], of: time.departure.line, now: madeAt)
        alerts.add(row["alerts"], of: time.departure.line, now: madeAt)
    }

    /// Appends the next page, without duplicates.
    mutating func append(_ page: MOTISStopTimes) {
        rows = (rows + page.rows).uniqued(by: \.departure)
        stopPlace = stopPlace ?? page.stopPlace
        zone = zone ?? page.zone
        badRows += page.badRows
        others += page.others
        alerts.add(page.alerts.alerts)
        cursor = page.cursor
        last = [last, page.last].compactMap(\.self).max()
    }
}

struct MOTISStopTime {
    let departure: Departure
    /// Identifies the feed behind the server, the agency and the route, within one process.
    let source: Int
    /// The time of the departure or arrival.
    let time: Timestamp
    /// Whether passengers may board; else the trip ends here, or only sets down.
    let isDeparture: Bool

    /// Decodes a row; nil without a time.
    init?(_ row: JSONRow, at stop: StopID, madeAt: Timestamp) {
        guard let place = row.row("place").map(MOTISPlace.init) else { return nil }
        let booked = place.scheduledDeparture
        let estimate = place.departure
        guard let time = estimate ?? booked ?? place.arrival ?? place.scheduledArrival else { return nil }
        let isCancelled = place.isCancelled || row.truth("cancelled") ?? false || row.truth("tripCancelled") ?? false
        let status: Departure.Status
        let expiresAt: Timestamp
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
        let isDropOffOnly = [place.row.text("pickupType"), row.text("pickupDropoffType")].contains("NOT_ALLOWED")
        // A cancelled trip has no boarding either.
        isDeparture = isLeaving && (isCancelled || !isDropOffOnly)
        let trip = row.text("tripId")
        // "20260302_10:00_de-DELFI_1234": day, start, feed and trip.
        let feed = trip?.split(separator: "_", maxSplits: 3).dropFirst(2).first.map(String.init)
        source = [feed, row.text("agencyId"), row.text("routeId")].hashValue
        self.time = time
        departure = Departure(
            stop: stop, line: Self.line(row), lineColour: row.text("routeColor"),
            mode: row.text("mode").flatMap(TransitMode.init(motis:)),
            destination: row.text("headsign") ?? row.row("tripTo")?.text("name") ?? "", platform: place.track,
            booked: booked, status: status,
            attributes: TripAttributes(
                id: trip, company: row.text("agencyName"),
                origins: row.row("tripFrom")?.text("name").map { [$0] } ?? []),
            madeAt: madeAt, expiresAt: expiresAt)
    }

    /// The line. A train's name ("ICE 1021") differs from its line, by which users filter ("ICE"). A line without any
    /// name has its mode's.
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

extension TransitMode {
    /// From MOTIS's `mode`; nil for cable cars, funiculars, aircraft and others.
    fileprivate init?(motis mode: String) {
        switch mode {
        case "BUS", "COACH": self = .bus
        case "TRAM": self = .tram
        case "SUBWAY", "METRO": self = .metro
        case "FERRY": self = .ferry
        case "LONG_DISTANCE", "SUBURBAN": self = .train
        case _ where mode.hasSuffix("RAIL"): self = .train
        default: return nil
        }
    }
}

/// A MOTIS stop, with its times if it is part of a trip.
struct MOTISPlace {
    let row: JSONRow

    var name: String? { row.text("name") }
    var code: String? { row.text("stopId") }
    var coordinates: Coordinates? { row.coordinates() }
    var arrival: Timestamp? { row.time("arrival") }
    var departure: Timestamp? { row.time("departure") }
    var scheduledArrival: Timestamp? { row.time("scheduledArrival") }
    var scheduledDeparture: Timestamp? { row.time("scheduledDeparture") }
    var track: String? { row.text("track") ?? row.text("scheduledTrack") }
    var isCancelled: Bool { row.truth("cancelled") ?? false }

    /// The calling point; nil without a name or a time.
    ///
    /// - Parameter madeAt: when the response was made; earlier calls have happened.
    func call(isRealtime: Bool, isTripCancelled: Bool, isEnd: Bool, madeAt: Timestamp) -> CallingPoint? {
        let booked = isEnd ? scheduledArrival ?? scheduledDeparture : scheduledDeparture ?? scheduledArrival
        let estimate = isEnd ? arrival ?? departure : departure ?? arrival
        guard let name = name ?? code, let time = estimate ?? booked else { return nil }
        let state: CallingPoint.State
        if isCancelled || isTripCancelled {
            state = .cancelled
        } else if !isRealtime {
            state = .scheduled(time)
        } else if time <= madeAt {
            state = isEnd ? .arrived(time) : .called(time)
        } else if !isEnd, let arrival, arrival <= madeAt {
            state = .arrived(arrival)
        } else {
            state = .expected(time)
        }
        return CallingPoint(name: name, code: code, booked: booked, state: state, platform: track)
    }
}

extension TripDetails {
    /// Decodes the response of `/trip`: one trip, from its first stop to its last; nil without calls. Vehicles that
    /// continue as another trip have several legs.
    init?(motis body: [UInt8], madeAt: Timestamp) throws(FormatError) {
        guard let legs = try JSONDocument(body).row()["legs"]?.elements else { throw .unexpectedStructure }
        let rows = legs.rows { $0 }.good
        var calls: [CallingPoint] = []
        for (index, leg) in rows.enumerated() {
            let isLast = index == rows.count - 1
            var places = [leg.row("from")].compactMap(\.self).map(MOTISPlace.init)
            places += leg.rows("intermediateStops", MOTISPlace.init)
            // The next leg begins where this one ends.
            if isLast, let end = leg.row("to") { places.append(MOTISPlace(row: end)) }
            let isCancelled = leg.truth("cancelled") ?? leg.truth("tripCancelled") ?? false
            for (number, place) in places.enumerated() {
                let isEnd = isLast && number == places.count - 1
                let call = place.call(
                    isRealtime: leg.truth("realTime") ?? false, isTripCancelled: isCancelled, isEnd: isEnd,
                    madeAt: madeAt)
                if let call { calls.append(call) }
            }
        }
        guard !calls.isEmpty else { return nil }
        let last = calls.compactMap(\.latest).max() ?? madeAt
        self.init(calls: calls, madeAt: madeAt, expiresAt: max(last, madeAt) + MOTISFeed.expiry.detailsGrace)
    }
}

extension AlertList {
    /// Adds the alerts of a place or departure; MOTIS repeats them for each departure.
    ///
    /// - Parameters:
    ///   - line: the departure's line; nil: alerts of the stop.
    ///   - now: alerts that are over are left out.
    mutating func add(_ list: JSONValue?, of line: Line?, now: Timestamp) {
        // Operators use the identifier, users the name.
        let lines = line.map { Set([$0.id, $0.name]).sorted() }
        _ = list?.elements?.eachRow { row in if let alert = Alert(row, lines: lines, now: now) { add([alert]) } }
    }
}

extension Alert {
    /// Decodes an alert; nil if it has no text or is over.
    fileprivate init?(_ row: JSONRow, lines: [String]?, now: Timestamp) {
        let text = AlertText.joined(row.text("headerText") ?? "", row.text("descriptionText") ?? "")
        guard !text.isEmpty else { return nil }
        // `impactPeriod` is when it applies, `communicationPeriod` when it is to be displayed.
        let periods =
            ["impactPeriod", "communicationPeriod"].lazy
            .map { row.rows($0) { ActivePeriod(start: $0.time("start"), end: $0.time("end")) } }.first { !$0.isEmpty }
            ?? []
        guard let period = periods.current(at: now) else { return nil }
        let severity = ["severityLevel", "effect"].lazy.compactMap { row.text($0).flatMap { Self.severities[$0] } }
            .first
        self.init(text, lines: lines, severity: severity ?? .minor, in: period, now: now)
    }

    /// By the level, or the effect on the service.
    private static let severities: [String: Alert.Severity] = [
        "SEVERE": .severe, "WARNING": .minor, "INFO": .information,
        "NO_SERVICE": .severe, "ADDITIONAL_SERVICE": .information, "NO_EFFECT": .information,
        "ACCESSIBILITY_ISSUE": .information,
    ]
}
