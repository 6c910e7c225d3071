import BoardCore

/// A station's board from either service; texts are read as received, and interpreted in one place. The response of
/// `GetServiceDetails` has the same members about its station.
struct RailBoard {
    fileprivate let row: JSONRow

    /// When it was made (`generatedAt`), else when the response was.
    let madeAt: Timestamp
    var name: String? { row.text("locationName") }
    var code: String? { row.text("crs") }
    /// The station's messages (`nrccMessages`), with HTML.
    var messages: [String] {
        row.list("nrccMessages", of: "message").limitedCompactMap { message in
            message.isString || message.row != nil ? message.text ?? message.row?.text("message") : nil
        }
    }
    /// Trains, then buses, then ferries, and the number of malformed rows.
    var services: (good: [RailService], bad: Int) {
        let lists = [("trainServices", false), ("busServices", true), ("ferryServices", false), ("departures", false)]
        return lists.reduce(into: (good: [], bad: 0)) { all, list in
            let rows = row.list(list.0, of: "service").rows { RailService(row: $0, isOfBuses: list.1) }
            all.good += rows.good
            all.bad += rows.bad
        }
    }

    init(_ row: JSONRow, _ response: HTTPResponse) {
        self.row = row
        madeAt = row.time("generatedAt") ?? response.madeAt
    }

    /// Decodes a board of the Rail Data Marketplace, or of Huxley 2, whose format is nearly the same.
    init(marketplace body: [UInt8], _ response: HTTPResponse) throws(FormatError) {
        self.init(try JSONDocument(body).row(), response)
        // A response with neither is something else, such as an error.
        guard row["generatedAt"] != nil || row["crs"] != nil else { throw .unexpectedStructure }
    }
}

/// A train, or its replacement, from either service; nil and false if absent.
struct RailService {
    let row: JSONRow
    let isOfBuses: Bool

    var id: String? { row.text("serviceID") }
    var scheduledArrival: String? { row.text("sta") }
    var scheduled: String? { row.text("std") }
    var estimated: String? { row.text("etd") }
    var actual: String? { row.text("atd") }
    var isCancelled: Bool { row.truth("isCancelled") ?? false }
    /// Whether it does not call at the station of the request's filter.
    var isFilterCancelled: Bool { row.truth("filterLocationCancelled") ?? false }
    /// Whether it is a replacement bus. Huxley 2 uses numbers for types: 1 is a bus.
    var isBus: Bool { isOfBuses || ["bus", "1"].contains(row.text("serviceType")) }
    var destinations: [RailLocation] { locations("destination") }
    /// Where it ends instead of its destination.
    var currentDestinations: [RailLocation] { locations("currentDestinations") }
    /// The earlier calls; the first list is the train's own, the others are those of portions that joined it.
    var previous: [RailCallingPointList] { calls("previousCallingPoints") }
    /// The later calls; the first list is the train's own, the others are those of portions that leave it.
    var subsequent: [RailCallingPointList] { calls("subsequentCallingPoints") }

    fileprivate func locations(_ key: String) -> [RailLocation] {
        row.list(key, of: "location").rows { RailLocation(name: $0.text("locationName"), via: $0.text("via")) }.good
    }

    private func calls(_ key: String) -> [RailCallingPointList] {
        row.list(key, of: "callingPointList").rows(RailCallingPointList.init).good
    }
}

struct RailLocation {
    let name: String?
    /// "via Redhill".
    let via: String?
}

/// Calling points in the order of travel.
struct RailCallingPointList {
    let calls: [RailCallingPoint]
    /// Whether the portion does not run.
    let isCancelled: Bool

    fileprivate init(_ row: JSONRow) {
        calls = row.all("callingPoint").rows(RailCallingPoint.init).good
        isCancelled = row.truth("assocIsCancelled") ?? false
    }
}

/// A calling point; times are texts as for a service.
struct RailCallingPoint {
    let row: JSONRow

    var name: String? { row.text("locationName") }
    var code: String? { row.text("crs") }
}

/// A single service: the response of `GetServiceDetails`, or a row of a board with its calling points.
struct RailServiceDetails {
    let station: RailBoard
    let service: RailService

    init(_ service: RailService, at station: RailBoard) {
        self.station = station
        self.service = service
    }

    init(_ row: JSONRow, _ response: HTTPResponse) {
        self.init(RailService(row: row, isOfBuses: false), at: RailBoard(row, response))
    }
}

extension Int {
    /// A number of coaches; nil for 0, which means unknown.
    init?(coachesOf row: JSONRow) {
        guard let count = row.integer("length"), count > 0 else { return nil }
        self = count
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
}

extension RailBoard {
    /// The longest alert, in characters; real ones have 600.
    private static let maximumAlertLength = 2_000

    /// - Parameter zone: London's.
    func feedResponse(to request: FeedRequest, in zone: Zone) -> FeedResponse {
        let times = RailTimes(madeAt: madeAt, zone: zone)
        var departures: [Departure] = []
        let showsPlatforms = row.truth("platformAvailable") ?? true
        let services = services
        var bad = services.bad
        var seen: Set<String> = []
        var previous: Departure?
        for service in services.good {
            // Trains and buses are separate lists.
            let isNewList = service.isBus != previous?.attributes?.isReplacement
            guard
                let departure = departure(
                    service, request, times, showsPlatforms: showsPlatforms, below: isNewList ? nil : previous?.booked)
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
            isWithheld: row.truth("areServicesAvailable") == false, badRows: bad)
    }

    /// The distinct messages; the operator sends no severity.
    var alerts: [Alert] {
        messages.map { String(HTMLText.plain($0).prefix(Self.maximumAlertLength)) }.filter { !$0.isEmpty }.uniqued()
            .map { Alert($0) }
    }

    private func departure(
        _ service: RailService, _ request: FeedRequest, _ times: RailTimes, showsPlatforms: Bool,
        below above: Timestamp?
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
        let planned = service.destinations
        let destinations = planned.isEmpty ? service.currentDestinations : planned
        let attributes = service.attributes(isCancelled: status == .cancelled, to: destinations)
        return Departure(
            stop: request.stop, line: service.line, mode: attributes.isReplacement ? .bus : .train,
            destination: destinations.joinedNames ?? "", platform: showsPlatforms ? service.shownPlatform : nil,
            booked: booked, status: status, attributes: attributes, madeAt: times.madeAt, expiresAt: expiresAt)
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
        let company = row.text("operator")
        let id = row.text("operatorCode") ?? company ?? ""
        return Line(id: id, name: company ?? id)
    }

    /// The platform; nil for a bus, whose platform is "BUS".
    var shownPlatform: String? { row.text("platform").flatMap { $0.uppercased() == "BUS" ? nil : $0 } }

    fileprivate func attributes(isCancelled: Bool, to destinations: [RailLocation]) -> TripAttributes {
        let origins = locations("origin")
        let startsAt = changed(locations("currentOrigins"), from: origins)
        let endsAt = changed(currentDestinations, from: destinations)
        // A train that runs all the way has no reason for cancellation, whatever `cancelReason` contains.
        let isShort = isCancelled || startsAt != nil || endsAt != nil
        let delayReason = row.text("delayReason") ?? row.text("disruptionReason")
        return TripAttributes(
            id: id, company: row.text("operator"), coaches: Int(coachesOf: row), origins: origins.compactMap(\.name),
            via: destinations.joined(\.via), reason: isShort ? row.text("cancelReason") ?? delayReason : delayReason,
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
