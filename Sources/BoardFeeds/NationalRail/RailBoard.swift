import BoardCore

/// A station's board from either service, with texts as received, so they are interpreted in one place.
struct RailBoard: Hashable, Sendable {
    /// When it was made (`generatedAt`); nil if unreadable.
    var madeAt: Timestamp?
    var name: String?
    var code: String?
    /// The station's messages (`nrccMessages`), with HTML.
    var messages: [String] = []
    var showsPlatforms = true
    /// False if the operator withholds the list of services (`areServicesAvailable`).
    var showsServices = true
    /// Trains, then buses, then ferries.
    var services: [RailService] = []
    var badRows = 0
}

/// A train, or its replacement, from either service; nil and false if absent.
struct RailService: Hashable, Sendable {
    var id: String?
    var scheduledArrival: String?
    var estimatedArrival: String?
    var actualArrival: String?
    var scheduled: String?
    var estimated: String?
    var actual: String?
    var platform: String?
    var company: String?
    var companyCode: String?
    var isCancelled = false
    /// Whether it does not call at the station of the request's filter.
    var isFilterCancelled = false
    /// Whether it is a replacement bus.
    var isBus = false
    /// 0 and nil: unknown.
    var coaches: Int?
    var cancelReason: String?
    var delayReason: String?
    var origins: [RailLocation] = []
    var destinations: [RailLocation] = []
    /// Where it starts instead of its origin.
    var currentOrigins: [RailLocation] = []
    /// Where it ends instead of its destination.
    var currentDestinations: [RailLocation] = []
    /// The earlier calls; the first list is the train's own, the others are those of portions that joined it.
    var previous: [RailCallingPointList] = []
    /// The later calls; the first list is the train's own, the others are those of portions that leave it.
    var subsequent: [RailCallingPointList] = []
}

/// An origin or a destination.
struct RailLocation: Hashable, Sendable {
    var name: String?
    /// "via Redhill".
    var via: String?
}

/// Calling points in the order of travel.
struct RailCallingPointList: Hashable, Sendable {
    var calls: [RailCallingPoint] = []
    /// Whether the portion does not run.
    var isCancelled = false
}

/// A calling point; times are texts as for a service.
struct RailCallingPoint: Hashable, Sendable {
    var name: String?
    var code: String?
    var scheduled: String?
    var estimated: String?
    var actual: String?
    var isCancelled = false
    var coaches: Int?
}

/// A single service: the response of `GetServiceDetails`, or a row of a board with its calling points.
struct RailServiceDetails: Hashable, Sendable {
    /// When it was made; nil if unreadable.
    var madeAt: Timestamp?
    /// The station of the request.
    var name: String?
    var code: String?
    var service = RailService()
}

extension RailBoard {
    /// Decodes a board of the Rail Data Marketplace, or of Huxley 2, whose format is nearly the same.
    init(marketplace body: [UInt8], withCalls: Bool) throws(FormatError) {
        let root = try JSONDocument(body).row()
        // A response with neither is something else, such as an error.
        guard root["generatedAt"] != nil || root["crs"] != nil else { throw .unexpectedStructure }
        self.init(root, withCalls: withCalls)
    }

    /// Decodes a board of either service.
    init(_ row: JSONRow, withCalls: Bool) {
        madeAt = row.time("generatedAt")
        name = row.text("locationName")
        code = row.text("crs")
        messages = row.list("nrccMessages", of: "message").limitedCompactMap { message in
            message.isString || message.row != nil ? message.text ?? message.row?.text("message") : nil
        }
        showsPlatforms = row.truth("platformAvailable") ?? true
        showsServices = row.truth("areServicesAvailable") ?? true
        let lists = [("trainServices", false), ("busServices", true), ("ferryServices", false), ("departures", false)]
        for (key, isBus) in lists {
            badRows += row.list(key, of: "service").eachRow {
                services.append(RailService($0, isBus: isBus, withCalls: withCalls))
            }
        }
    }
}

extension RailServiceDetails {
    init(marketplace body: [UInt8]) throws(FormatError) {
        self.init(try JSONDocument(body).row())
    }

    init(_ row: JSONRow) {
        madeAt = row.time("generatedAt")
        name = row.text("locationName")
        code = row.text("crs")
        service = RailService(row, isBus: false, withCalls: true)
    }
}

extension RailService {
    fileprivate init(_ row: JSONRow, isBus: Bool, withCalls: Bool) {
        id = row.text("serviceID")
        scheduledArrival = row.text("sta")
        estimatedArrival = row.text("eta")
        actualArrival = row.text("ata")
        scheduled = row.text("std")
        estimated = row.text("etd")
        actual = row.text("atd")
        platform = row.text("platform")
        company = row.text("operator")
        companyCode = row.text("operatorCode")
        isCancelled = row.truth("isCancelled") ?? false
        isFilterCancelled = row.truth("filterLocationCancelled") ?? false
        // Huxley 2 uses numbers: 1 is a bus.
        let type = row.text("serviceType")
        self.isBus = isBus || type == "bus" || type == "1"
        coaches = row.integer("length")
        cancelReason = row.text("cancelReason")
        delayReason = row.text("delayReason") ?? row.text("disruptionReason")
        origins = row.rows("origin", of: "location", RailLocation.init)
        destinations = row.rows("destination", of: "location", RailLocation.init)
        currentOrigins = row.rows("currentOrigins", of: "location", RailLocation.init)
        currentDestinations = row.rows("currentDestinations", of: "location", RailLocation.init)
        guard withCalls else { return }
        previous = row.rows("previousCallingPoints", of: "callingPointList", RailCallingPointList.init)
        subsequent = row.rows("subsequentCallingPoints", of: "callingPointList", RailCallingPointList.init)
    }
}

extension RailLocation {
    fileprivate init(_ row: JSONRow) {
        self.init(name: row.text("locationName"), via: row.text("via"))
    }
}

extension RailCallingPointList {
    fileprivate init(_ row: JSONRow) {
        self.init(
            calls: row.all("callingPoint").rows(RailCallingPoint.init).good,
            isCancelled: row.truth("assocIsCancelled") ?? false)
    }
}

extension RailCallingPoint {
    fileprivate init(_ row: JSONRow) {
        self.init(
            name: row.text("locationName"), code: row.text("crs"), scheduled: row.text("st"),
            estimated: row.text("et"), actual: row.text("at"), isCancelled: row.truth("isCancelled") ?? false,
            coaches: row.integer("length"))
    }
}

extension JSONRow {
    /// The elements of a list: those of an array in JSON, the elements with this name in XML. Any other value is
    /// returned itself, and is not a row.
    fileprivate func list(_ key: String, of name: String) -> [JSONValue] {
        guard let value = self[key], !value.isNull else { return [] }
        if let elements = value.elements { return Array(elements) }
        let inner = value.descendants(name)
        return inner.isEmpty && (value.row == nil || value.nonEmptyRow != nil) ? [value] : inner
    }

    fileprivate func rows<Row>(_ key: String, of name: String, _ read: (JSONRow) -> Row) -> [Row] {
        list(key, of: name).rows(read).good
    }
}

extension RailBoard {
    /// The longest alert, in characters; real ones have 600.
    private static let maximumAlertLength = 2_000

    /// - Parameters:
    ///   - zone: London's.
    ///   - response: its `Date` dates a board without `generatedAt`.
    func feedResponse(to request: FeedRequest, in zone: Zone, _ response: HTTPResponse) -> FeedResponse {
        let times = RailTimes(madeAt: madeAt ?? response.madeAt, zone: zone)
        var departures: [Departure] = []
        var bad = badRows
        var seen: Set<String> = []
        var previous: Departure?
        for service in services {
            // Trains and buses are separate lists.
            let isNewList = service.isBus != previous?.attributes?.isReplacement
            guard let departure = departure(service, request, times, below: isNewList ? nil : previous?.booked)
            else {
                bad += 1
                continue
            }
            previous = departure
            if let id = service.id, !seen.insert(id).inserted { continue }
            departures.append(departure)
        }
        return FeedResponse(
            stop: Stop(id: request.stop, name: name, zone: zone), departures: departures, alerts: alerts,
            isWithheld: !showsServices, badRows: bad)
    }

    /// The distinct messages; the operator sends no severity.
    var alerts: [Alert] {
        messages.map { String(HTMLText.plain($0).prefix(Self.maximumAlertLength)) }.filter { !$0.isEmpty }.uniqued()
            .map { Alert($0) }
    }

    private func departure(
        _ service: RailService, _ request: FeedRequest, _ times: RailTimes, below above: Timestamp?
    ) -> Departure? {
        guard let booked = times.booked(service.scheduled, below: above, estimated: RailTimes.Text(service.estimated))
        else { return nil }
        let isMissed = service.isFilterCancelled && !request.towards.isEmpty
        let status = isMissed ? .cancelled : service.status(booked, times)
        // A train on a board is still there, even if the next board does not come.
        var expiresAt = max(booked, times.madeAt) + NationalRailFeed.expiry.liveGrace
        switch status {
        case .expected(let time), .scheduled(let time):
            expiresAt = max(expiresAt, time + NationalRailFeed.expiry.liveGrace)
        case .delayed: expiresAt = max(expiresAt, times.madeAt + NationalRailFeed.expiry.delayedGrace)
        case .cancelled: break
        }
        let destinations = service.destinations.isEmpty ? service.currentDestinations : service.destinations
        let attributes = service.attributes(isCancelled: status == .cancelled, to: destinations)
        return Departure(
            stop: request.stop, line: service.line, mode: attributes.isReplacement ? .bus : .train,
            destination: destinations.joinedNames ?? "",
            platform: showsPlatforms ? service.shownPlatform : nil, booked: booked, status: status,
            attributes: attributes, madeAt: times.madeAt,
            expiresAt: expiresAt)
    }
}

extension RailService {
    /// The status of the departure. Reasons do not determine it: trains that run can have both.
    func status(_ booked: Timestamp, _ times: RailTimes) -> Departure.Status {
        if isCancelled { return .cancelled }
        return switch RailTimes.Text(estimated) {
        case .cancelled: .cancelled
        case .delayed: .delayed
        case .onTime: .expected(booked)
        case .time(let hour, let minute):
            times.estimate(hour: hour, minute: minute, of: booked).map { .expected($0) } ?? .scheduled(booked)
        case .noReport, .unknown: .scheduled(booked)
        }
    }

    /// The operator serves as the line, since trains have none.
    fileprivate var line: Line {
        let id = companyCode ?? company ?? ""
        return Line(id: id, name: company ?? id)
    }

    /// The platform; nil for a bus, whose platform is "BUS".
    var shownPlatform: String? {
        platform.flatMap { $0.uppercased() == "BUS" ? nil : $0 }
    }

    var knownCoaches: Int? {
        coaches.flatMap { $0 > 0 ? $0 : nil }
    }

    fileprivate func attributes(isCancelled: Bool, to destinations: [RailLocation]) -> TripAttributes {
        let startsAt = changed(currentOrigins, from: origins)
        let endsAt = changed(currentDestinations, from: destinations)
        // A train that runs all the way has no reason for cancellation, whatever `cancelReason` contains.
        let isShort = isCancelled || startsAt != nil || endsAt != nil
        return TripAttributes(
            id: id, company: company, coaches: knownCoaches, origins: origins.compactMap(\.name),
            via: destinations.joined(\.via), reason: isShort ? cancelReason ?? delayReason : delayReason,
            isReplacement: isBus, startsAt: startsAt, endsAt: endsAt)
    }

    /// The names of the current places; nil if they equal the planned ones.
    private func changed(_ current: [RailLocation], from planned: [RailLocation]) -> String? {
        guard let names = current.joinedNames else { return nil }
        return names == planned.joinedNames ? nil : names
    }
}

extension [RailLocation] {
    /// The most places in one text; trains have up to four portions.
    private static let maximumPlaces = 16

    /// "Brighton & Littlehampton".
    fileprivate var joinedNames: String? { joined(\.name) }

    /// The distinct texts of places; nil if there are none.
    fileprivate func joined(_ text: (RailLocation) -> String?) -> String? {
        let texts = compactMap(text).prefix(Self.maximumPlaces).uniqued()
        return texts.isEmpty ? nil : texts.joined(separator: " & ")
    }
}
