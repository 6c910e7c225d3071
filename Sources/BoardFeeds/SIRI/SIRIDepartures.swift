import BoardCore

extension SIRIResponse {
    /// The settings for interpreting a response.
    struct Options: Sendable {
        /// The zone of times without an offset; nil: those are unreadable.
        let zone: Zone?
        let lines: SIRILineNames
        let language: String
        let interval: Duration
    }

    /// The error of a response without visits. `noInformation` has the lowest priority, since a user can act on the
    /// others.
    var errorCondition: SIRIErrorCondition? {
        guard deliveries.allSatisfy({ $0.visits.isEmpty && !$0.hasCancellations && $0.badRows == 0 }) else {
            return nil
        }
        let errors = (deliveries.map(\.error) + [error]).compactMap(\.self)
        if let error = errors.first(where: { $0.meaning != .noInformation }) ?? errors.first { return error }
        return deliveries.contains { !$0.isGood } ? SIRIErrorCondition() : nil
    }

    /// The error of one delivery if others have visits; not `noInformation` or `reference`, which concern a single
    /// stop.
    var partialError: SIRIErrorCondition? {
        (deliveries.map(\.error) + [error]).lazy.compactMap(\.self).first {
            ![.noInformation, .reference].contains($0.meaning)
        }
    }

    /// Whether times are unreadable because they have no zone.
    var lacksZone: Bool { deliveries.contains { $0.visits.contains(where: \.call.lacksZone) } }

    /// - Parameter response: its `Date` dates a response without `ResponseTimestamp`.
    func feedResponse(
        to request: FeedRequest, _ options: Options, _ response: HTTPResponse, partialFailure: FeedError? = nil
    ) -> FeedResponse {
        let madeAt = madeAt ?? response.madeAt
        var rows: [Departure] = []
        var bad = deliveries.reduce(0) { $0 + $1.badRows }
        let contexts = deliveries.map { delivery in
            SIRIVisit.Context(
                stop: request.stop, madeAt: delivery.madeAt ?? madeAt,
                staleAt: delivery.staleAt(options.interval, madeAt), lines: options.lines)
        }
        for (visit, delivery) in visits {
            switch visit.outcome(contexts[delivery]) {
            case .departure(let row): rows.append(row)
            case .omitted: break
            case .unreadable: bad += 1
            }
        }
        return FeedResponse(
            stop: Stop(id: request.stop, name: name(of: request.stop.code), zone: options.zone), departures: rows,
            alerts: alerts(at: request.stop.code, options, now: madeAt).filter { $0.touches(request.lines) },
            partialFailure: partialFailure, badRows: bad)
    }

    /// The visit of a departure; nil if it is no longer listed.
    func visit(of departure: Departure) -> (visit: SIRIVisit, madeAt: Timestamp?)? {
        let same = visits.filter { visit, _ in
            visit.id == departure.attributes?.id && visit.line ?? visit.lineName ?? "" == departure.line.id
                && (departure.booked == nil || departure.booked == visit.booked)
        }
        // Without a booked time, visits of one vehicle differ only in their expected times, which may have moved.
        func distance(_ visit: SIRIVisit) -> Duration { (visit.time ?? departure.due).distance(to: departure.due) }
        return same.min { distance($0.visit) < distance($1.visit) }.map { visit, delivery in
            (visit, deliveries[delivery].madeAt ?? madeAt)
        }
    }

    /// The distinct visits with the indices of their deliveries. Of duplicates, a cancelled one takes precedence, then
    /// the most recently recorded.
    private var visits: [(visit: SIRIVisit, delivery: Int)] {
        var result: [(visit: SIRIVisit, delivery: Int)] = []
        var indices: [SIRIVisit.Key: Int] = [:]
        func rank(_ one: (visit: SIRIVisit, delivery: Int)) -> (Int, Timestamp) {
            let recorded = one.visit.recorded ?? deliveries[one.delivery].madeAt ?? madeAt
            return (one.visit.doesNotRun ? 1 : 0, recorded ?? Timestamp(seconds: 0))
        }
        // Two calls of one vehicle without a timetable: same record, two times. A later record is the same visit.
        func isTwin(_ other: (visit: SIRIVisit, delivery: Int), _ visit: SIRIVisit, _ delivery: Int) -> Bool {
            !visit.isBooked && !visit.doesNotRun && !other.visit.doesNotRun && delivery == other.delivery
                && visit.recorded == other.visit.recorded && visit.time != other.visit.time
        }
        for (delivery, content) in deliveries.enumerated() {
            for visit in content.visits {
                let key = visit.key
                if let key, let index = indices[key], !isTwin(result[index], visit, delivery) {
                    if rank((visit, delivery)) > rank(result[index]) { result[index] = (visit, delivery) }
                    continue
                }
                if let key { indices[key] = result.count }
                result.append((visit, delivery))
            }
        }
        return result
    }

    /// The operator's name for the stop; the visits may be at several of its platforms.
    func name(of code: String) -> String? {
        let visits = deliveries.lazy.flatMap(\.visits)
        return visits.first { $0.call.stop == code && $0.call.name != nil }?.call.name
            ?? visits.compactMap(\.call.name).first
    }
}

extension SIRIDelivery {
    /// When the operator's estimates become stale. Many operators set the time of the next response, and a mark that
    /// toggles with every poll is useless: so one poll may be missed, unless the response was already stale when made.
    fileprivate func staleAt(_ interval: Duration, _ responseMadeAt: Timestamp) -> Timestamp? {
        let madeAt = madeAt ?? responseMadeAt
        return validUntil.map { $0 > madeAt ? max($0, madeAt + interval + interval) : $0 }
    }
}

extension SIRIVisit {
    struct Context {
        let stop: StopID
        let madeAt: Timestamp
        /// When the operator's estimates become stale.
        let staleAt: Timestamp?
        let lines: SIRILineNames
    }

    enum Outcome {
        case departure(Departure)
        /// Boarding is not or no longer possible, or there is no time.
        case omitted
        case unreadable
    }

    /// The identity of the visit: the operator's reference for the journey, else for the visit.
    var id: String? {
        guard let journey = SIRIReference.valid(journeyRef) else { return SIRIReference.valid(item) }
        return (SIRIReference.valid(dataFrameRef) ?? "") + " " + journey
    }

    /// The identity of a visit within a response; only a vehicle's next visit without a booked time can share it.
    struct Key: Hashable {
        fileprivate let id: String
        fileprivate let line: String
        fileprivate let stop: String?
        fileprivate let number: String?
        fileprivate let aimed: Timestamp?
    }

    /// The identity even if a journey has several visits: two calls at the stop, or one reference for two lines. Nil
    /// without a reference.
    var key: Key? {
        id.map { Key(id: $0, line: line ?? lineName ?? "", stop: call.stop, number: call.number, aimed: aimed) }
    }

    /// The line, with its configured name or the operator's.
    func line(named names: SIRILineNames) -> Line {
        let id = line ?? lineName ?? ""
        return Line(id: id, name: names[id, published: lineName])
    }

    private var aimed: Timestamp? { call.aimedDeparture ?? call.aimedArrival }

    var isBooked: Bool { aimed != nil }

    /// The scheduled time; for a cancelled visit without one, the expected time.
    var booked: Timestamp? { aimed ?? (doesNotRun ? expected : nil) }

    var time: Timestamp? { booked ?? expected }

    /// The expected time; without one, from a delay, or from `onTime` if the vehicle is monitored.
    private var expected: Timestamp? {
        if let time = call.expectedDeparture ?? call.expectedArrival { return time }
        guard let aimed, isMonitored != false else { return nil }
        if let delay { return aimed + delay }
        return isMonitored == true && call.status == .onTime ? aimed : nil
    }

    func outcome(_ context: Context) -> Outcome {
        guard !hasLeft, call.allowsBoarding, !ends(at: context.stop.code) else { return .omitted }
        guard let reported else { return call.hasUnreadableTime ? .unreadable : .omitted }
        let madeAt = reported.isLive ? recorded ?? context.madeAt : context.madeAt
        var expiresAt: Timestamp
        switch reported.status {
        case .expected(let time): expiresAt = time + SIRIFeed.expiry.liveGrace
        case .scheduled(let time): expiresAt = time + SIRIFeed.expiry.scheduledGrace
        case .cancelled: expiresAt = (booked ?? context.madeAt) + SIRIFeed.expiry.scheduledGrace
        case .delayed: expiresAt = max(booked ?? context.madeAt, context.madeAt) + SIRIFeed.expiry.delayedGrace
        }
        // While the vehicle is at the stop it has not left, whatever was expected.
        if call.isAtStop, reported.isLive { expiresAt = max(expiresAt, context.madeAt + SIRIFeed.expiry.atStopGrace) }
        return .departure(
            Departure(
                stop: context.stop, line: line(named: context.lines), mode: mode,
                destination: destination ?? call.display ?? directionName ?? directionWord ?? "",
                vehicle: vehicle.map(SIRIReference.short) ?? "",
                platform: call.departurePlatform ?? call.arrivalPlatform, direction: direction, booked: booked,
                status: reported.status,
                attributes: TripAttributes(
                    id: id, company: company, origins: origin.map { [$0] } ?? [],
                    reason: reported.status == .cancelled ? reason : nil, stage: stage),
                madeAt: madeAt, staleAt: reported.isLive ? context.staleAt : nil, expiresAt: expiresAt))
    }

    /// The status of the departure, and whether it is realtime; nil without a time.
    private var reported: (status: Departure.Status, isLive: Bool)? {
        if doesNotRun { return booked == nil ? nil : (.cancelled, false) }
        if hasArrived, let time = call.expectedDeparture ?? call.aimedDeparture ?? call.actualArrival ?? expected {
            return (.expected(time), true)
        }
        if let time = expected, isRealtime { return (.expected(time), true) }
        if call.status == .delayed, isMonitored != false, booked != nil { return (.delayed, true) }
        return (booked ?? expected).map { (.scheduled($0), false) }
    }

    /// Whether the expected time is realtime. For a vehicle that is not monitored or does not report, many operators
    /// repeat the scheduled time.
    private var isRealtime: Bool {
        guard isMonitored != false else { return false }
        switch call.status {
        case .noReport: return expected != booked
        // For example a request stop or a demand-responsive service that was not ordered.
        case .missed, .notExpected: return false
        case .onTime, .early, .delayed, .cancelled, .arrived, .departed, nil: return true
        }
    }

    var doesNotRun: Bool { isCancelled || call.status == .cancelled }

    private var hasArrived: Bool {
        isMonitored != false && (call.isAtStop || call.arrivalStatus == .arrived || call.actualArrival != nil)
    }

    private var hasLeft: Bool { call.actualDeparture != nil || call.departureStatus == .departed }

    /// Whether the requested stop is the journey's last: there is no departure time, and the destination is this stop,
    /// by its reference, or by its name if the destination has no reference.
    private func ends(at code: String) -> Bool {
        guard call.aimedDeparture == nil, call.expectedDeparture == nil else { return false }
        if let destinationStop { return destinationStop == call.stop ?? code || destinationStop == code }
        return destination != nil && destination == call.name
    }

    /// The direction's reference if it is a word ("IB", "Outbound"): a number means nothing to users.
    private var directionWord: String? { direction.flatMap { $0.contains(where: \.isLetter) ? $0 : nil } }

    /// The vehicle's stage before the journey begins, from the operator's `ProgressStatus`.
    private var stage: TripAttributes.Stage? {
        guard let progress else { return nil }
        let words = progress.split { $0 == "," || $0 == " " }
        if words.contains("prevTrip") { return .previousTrip }
        return words.contains("layover") ? .waiting : nil
    }
}

extension SIRIVisit {
    /// The trip; nil if the visit adds nothing to the departure.
    func tripDetails(of departure: Departure, madeAt responseMadeAt: Timestamp) -> TripDetails? {
        let madeAt = recorded ?? responseMadeAt
        let isMonitored = self.isMonitored != false
        let before = previous.compactMap {
            $0.point(isMonitored: isMonitored, isCancelled: isCancelled, hasCalled: true)
        }
        let after = onward.compactMap { $0.point(isMonitored: isMonitored, isCancelled: isCancelled, hasCalled: false) }
        let distance = isMonitored && !isCancelled ? call.distance : nil
        guard !before.isEmpty || !after.isEmpty || distance != nil else { return nil }
        let here = CallingPoint(
            name: call.name ?? departure.stop.code, code: departure.stop.code, booked: departure.booked,
            state: call.isAtStop && isMonitored
                ? .arrived(call.actualArrival ?? madeAt) : CallingPoint.State(departure), platform: departure.platform)
        let last = after.compactMap(\.latest).max() ?? departure.due
        return TripDetails(
            calls: before + [here] + after, location: distance, madeAt: madeAt,
            expiresAt: max(last, madeAt) + SIRIFeed.expiry.detailsGrace)
    }
}

extension SIRICall {
    /// The calling point; nil without a time.
    fileprivate func point(isMonitored: Bool, isCancelled: Bool, hasCalled: Bool) -> CallingPoint? {
        guard let name = name ?? stop else { return nil }
        let booked = aimedArrival ?? aimedDeparture
        let expected = expectedArrival ?? expectedDeparture
        let status = arrivalStatus == .noReport ? departureStatus : arrivalStatus ?? departureStatus
        let state: CallingPoint.State
        if isCancelled || status == .cancelled {
            state = .cancelled
        } else if hasCalled {
            state = .called(actualDeparture ?? actualArrival)
        } else if let expected, isMonitored {
            state = .expected(expected)
        } else if let time = booked ?? expected {
            state = .scheduled(time)
        } else {
            return nil
        }
        return CallingPoint(
            name: name, code: stop, booked: booked, state: state, platform: arrivalPlatform ?? departurePlatform)
    }
}

extension CallingPoint.State {
    /// The state of the departure's own call.
    fileprivate init(_ departure: Departure) {
        self =
            switch departure.status {
            case .expected(let time): .expected(time)
            case .scheduled(let time): .scheduled(time)
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
    }
}
