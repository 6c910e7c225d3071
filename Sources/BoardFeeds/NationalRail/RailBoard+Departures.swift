internal import BoardCore

/// What a board means: departures with moments, notices as alerts.
extension RailBoard {
    /// The longest notice that is kept; real ones have 600 characters.
    private static let longestNotice = 2_000

    /// The board as an answer.
    ///
    /// - Parameters:
    ///   - question: what was asked.
    ///   - zone: London's.
    ///   - response: its `Date` says when a board was made that does not say so.
    func answer(to question: FeedRequest, in zone: Zone, _ response: HTTPResponse) -> FeedResponse {
        let times = RailTimes(madeAt: madeAt ?? response.date ?? response.received, zone: zone)
        var departures: [Departure] = []
        departures.reserveCapacity(services.count)
        var bad = badRows
        var seen = Set<String>(minimumCapacity: services.count)
        var above: Departure?
        // By a span, since a copy of a service counts the references to dozens of texts.
        let rows = services.span
        for index in rows.indices {
            // Trains and buses are lists of their own.
            let isNewList = rows[index].isBus != above?.attributes?.isReplacement
            guard let departure = departure(rows[index], question, times, below: isNewList ? nil : above?.booked)
            else {
                bad += 1
                continue
            }
            above = departure
            if let id = rows[index].id, !seen.insert(id).inserted { continue }
            departures.append(departure)
        }
        return FeedResponse(
            stop: Stop(id: question.stop, name: name, zone: zone), departures: departures, alerts: alerts,
            isWithheld: !showsServices, badRows: bad)
    }

    /// The notices, each once; the operator does not say how much they matter.
    var alerts: [Alert] {
        var seen: Set<String> = []
        return messages.compactMap { message -> Alert? in
            let text = String(HTMLText.plain(message).prefix(Self.longestNotice))
            return text.isEmpty || !seen.insert(text).inserted ? nil : Alert(text)
        }
    }

    private func departure(
        _ service: RailService, _ question: FeedRequest, _ times: RailTimes, below above: Timestamp?
    ) -> Departure? {
        guard let booked = times.booked(service.scheduled, below: above, estimated: RailTimes.Text(service.estimated))
        else { return nil }
        let isMissed = service.isFilterCancelled && question.towards != nil
        let status = isMissed ? .cancelled : service.status(booked, times)
        // One that a board lists is still there, should the next board not come.
        var expiresAt = max(booked, times.madeAt) + RailTimes.grace
        switch status {
        case .expected(let time), .scheduled(let time): expiresAt = max(expiresAt, time + RailTimes.grace)
        case .delayed: expiresAt = max(expiresAt, times.madeAt + Departure.delayedGrace)
        case .cancelled: break
        }
        let destinations = service.destinations.isEmpty ? service.currentDestinations : service.destinations
        return Departure(
            stop: question.stop, line: service.line, destination: destinations.joinedNames ?? "",
            platform: showsPlatforms ? service.shownPlatform : nil, booked: booked, status: status,
            attributes: service.attributes(isCancelled: status == .cancelled, to: destinations), madeAt: times.madeAt,
            expiresAt: expiresAt)
    }
}

extension RailService {
    /// What is said of the departure. Reasons are no state: both stand on trains that run.
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

    /// The operator stands for the line, since trains have none.
    fileprivate var line: Line {
        let id = companyCode ?? company ?? ""
        return Line(id: id, name: company ?? id)
    }

    /// The platform; that of a bus is "BUS" and says nothing.
    var shownPlatform: String? {
        platform.flatMap { $0.uppercased() == "BUS" ? nil : $0 }
    }

    /// How many coaches there are; 0 means that nobody knows.
    var knownCoaches: Int? {
        coaches.flatMap { $0 > 0 ? $0 : nil }
    }

    fileprivate func attributes(isCancelled: Bool, to destinations: [RailLocation]) -> TripAttributes {
        let startsAt = changed(currentOrigins, from: origins)
        let endsAt = changed(currentDestinations, from: destinations)
        // A train that runs all the way has no reason for being cancelled, whatever is written there.
        let isShort = isCancelled || startsAt != nil || endsAt != nil
        return TripAttributes(
            id: id, company: company, coaches: knownCoaches, origins: origins.compactMap(\.name),
            via: destinations.joined(\.via), reason: isShort ? cancelReason ?? delayReason : delayReason,
            isReplacement: isBus, startsAt: startsAt, endsAt: endsAt)
    }

    /// The names of what takes the plan's place; nil where it is the plan.
    private func changed(_ current: [RailLocation], from planned: [RailLocation]) -> String? {
        guard let names = current.joinedNames else { return nil }
        return names == planned.joinedNames ? nil : names
    }
}

extension [RailLocation] {
    /// The most places that are named in one text; trains are joined of up to four.
    private static let most = 16

    /// "Brighton & Littlehampton".
    fileprivate var joinedNames: String? { joined(\.name) }

    /// What places say, each once; nil for nothing.
    fileprivate func joined(_ text: (RailLocation) -> String?) -> String? {
        if count <= 1 { return first.flatMap(text) }
        var texts: [String] = []
        for text in compactMap(text).prefix(Self.most) where !texts.contains(text) { texts.append(text) }
        return texts.isEmpty ? nil : texts.joined(separator: " & ")
    }
}
