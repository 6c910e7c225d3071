internal import BoardCore
internal import BoardFormats

extension RailBoard {
    /// The longest alert, in characters; real ones have 600.
    private static let longestAlert = 2_000

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
        var seen: Set<String> = []
        return messages.compactMap { message -> Alert? in
            let text = String(HTMLText.plain(message).prefix(Self.longestAlert))
            return text.isEmpty || !seen.insert(text).inserted ? nil : Alert(text)
        }
    }

    private func departure(
        _ service: RailService, _ request: FeedRequest, _ times: RailTimes, below above: Timestamp?
    ) -> Departure? {
        guard let booked = times.booked(service.scheduled, below: above, estimated: RailTimes.Text(service.estimated))
        else { return nil }
        let isMissed = service.isFilterCancelled && !request.towards.isEmpty
        let status = isMissed ? .cancelled : service.status(booked, times)
        // One that a board lists is still there, should the next board not come.
        var expiresAt = max(booked, times.madeAt) + NationalRailFeed.expiry.liveGrace
        switch status {
        case .expected(let time), .scheduled(let time):
            expiresAt = max(expiresAt, time + NationalRailFeed.expiry.liveGrace)
        case .delayed: expiresAt = max(expiresAt, times.madeAt + NationalRailFeed.expiry.delayedGrace)
        case .cancelled: break
        }
        let destinations = service.destinations.isEmpty ? service.currentDestinations : service.destinations
        return Departure(
            stop: request.stop, line: service.line, destination: destinations.joinedNames ?? "",
            platform: showsPlatforms ? service.shownPlatform : nil, booked: booked, status: status,
            attributes: service.attributes(isCancelled: status == .cancelled, to: destinations), madeAt: times.madeAt,
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
    private static let maxPlaces = 16

    /// "Brighton & Littlehampton".
    fileprivate var joinedNames: String? { joined(\.name) }

    /// The distinct texts of places; nil if there are none.
    fileprivate func joined(_ text: (RailLocation) -> String?) -> String? {
        if count <= 1 { return first.flatMap(text) }
        var texts: [String] = []
        for text in compactMap(text).prefix(Self.maxPlaces) where !texts.contains(text) { texts.append(text) }
        return texts.isEmpty ? nil : texts.joined(separator: " & ")
    }
}
