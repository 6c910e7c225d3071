internal import BoardCore

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
        /// Boarding is not possible, or no longer, or there is no time.
        case omitted
        case unreadable
    }

    /// The identity of the visit: the operator's reference of the journey, else of the visit.
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

    /// The identity even if a journey has several visits: two calls at the stop, or one reference for two lines. Nil without
    /// a reference.
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

    /// The expected time. Without one, a delay counts, and so does `onTime` of a monitored vehicle.
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
                stop: context.stop, line: line(named: context.lines),
                destination: destination ?? call.display ?? directionName ?? directionWord ?? "",
                vehicle: vehicle.map(SIRIReference.short) ?? "",
                platform: call.departurePlatform ?? call.arrivalPlatform, direction: direction,
                booked: booked,
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
        if call.status == .delayed, isMonitored != false, booked != nil {
            return (.delayed, true)
        }
        return (booked ?? expected).map { (.scheduled($0), false) }
    }

    /// Whether the expected time is realtime. For a vehicle without monitoring or report, many operators repeat the scheduled
    /// time.
    private var isRealtime: Bool {
        guard isMonitored != false else { return false }
        switch call.status {
        case .noReport: return expected != booked
        // For example a request stop or a demand-responsive service that was not ordered.
        case .missed, .notExpected: return false
        case .onTime, .early, .delayed, .cancelled, .arrived, .departed, nil: return true
        }
    }

    /// Whether the visit is cancelled.
    var doesNotRun: Bool { isCancelled || call.status == .cancelled }

    private var hasArrived: Bool {
        isMonitored != false && (call.isAtStop || call.arrivalStatus == .arrived || call.actualArrival != nil)
    }

    private var hasLeft: Bool { call.actualDeparture != nil || call.departureStatus == .departed }

    /// Whether the requested stop is the journey's last: there is no departure time, and the destination is this stop, by its
    /// reference, or by its name if only one of the two has a reference.
    private func ends(at code: String) -> Bool {
        guard call.aimedDeparture == nil, call.expectedDeparture == nil else { return false }
        if let destinationStop { return destinationStop == call.stop ?? code || destinationStop == code }
        return destination != nil && destination == call.name
    }

    /// The direction's reference if it is a word ("IB", "Outbound"): a number means nothing to users.
    private var directionWord: String? {
        direction.flatMap { $0.contains(where: \.isLetter) ? $0 : nil }
    }

    /// The vehicle's stage before the journey begins, from the operator's `ProgressStatus`.
    private var stage: TripAttributes.Stage? {
        guard let progress else { return nil }
        let words = progress.split { $0 == "," || $0 == " " }
        if words.contains("prevTrip") { return .previousTrip }
        return words.contains("layover") ? .waiting : nil
    }
}
