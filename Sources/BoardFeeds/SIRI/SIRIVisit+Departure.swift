internal import BoardCore

/// What a visit means for a person at the stop.
extension SIRIVisit {
    /// How long a row with a live time is shown past it, one that stands at the stop past the answer, and one of the
    /// timetable past its booked time.
    private static let liveGrace = Duration.seconds(30)
    private static let standingGrace = Duration.seconds(60)
    private static let scheduledGrace = Duration.seconds(60)

    /// What is known beside the visit.
    struct Context {
        /// The stop of the question.
        let stop: StopID
        /// When the answer was made.
        let madeAt: Timestamp
        /// From when the operator calls its estimates old.
        let staleAt: Timestamp?
        /// What a person calls the lines.
        let lines: SIRILineNames
    }

    /// What becomes of it on a board.
    enum Outcome {
        case departure(Departure)
        /// Nobody can get on any more, or ever could; or nothing says when.
        case omitted
        /// It cannot be read.
        case unreadable
    }

    /// By what it is told from others: the operator's name of the journey or of the visit.
    var id: String? {
        guard let attributes = SIRIReference.valid(attributes) else { return SIRIReference.valid(item) }
        return (SIRIReference.valid(frame) ?? "") + " " + attributes
    }

    /// What no other visit of an answer has, but a vehicle's next one where nothing is booked.
    struct Key: Hashable {
        fileprivate let id: String
        fileprivate let line: String
        fileprivate let stop: String?
        fileprivate let number: String?
        fileprivate let aimed: Timestamp?
    }

    /// By what it is told from others even where a journey has several: one that calls twice, or one name for two lines'. Nil:
    /// nothing is told by which it could be known.
    var key: Key? {
        id.map { Key(id: $0, line: line ?? lineName ?? "", stop: call.stop, number: call.number, aimed: aimed) }
    }

    /// Its line, with the name that a person gave it, or else the operator's.
    func line(named names: SIRILineNames) -> Line {
        let id = line ?? lineName ?? ""
        return Line(id: id, name: names[id, published: lineName])
    }

    /// The timetable's time of the departure, or of the arrival where nothing else is told.
    private var aimed: Timestamp? { call.aimedDeparture ?? call.aimedArrival }

    /// Whether the timetable has a time of it.
    var isBooked: Bool { aimed != nil }

    /// The time of which the row is: of one that does not run and has no other, when it was expected.
    var booked: Timestamp? { aimed ?? (doesNotRun ? expected : nil) }

    /// The timetable's time, else the one that is expected.
    var time: Timestamp? { booked ?? expected }

    /// The time that is expected. Where there is none a delay counts, and that a vehicle which is followed is on time.
    private var expected: Timestamp? {
        if let time = call.expectedDeparture ?? call.expectedArrival { return time }
        guard let aimed, isMonitored != false else { return nil }
        if let delay { return aimed + delay }
        return isMonitored == true && call.status == .onTime ? aimed : nil
    }

    /// What the row is.
    func outcome(_ setting: Context) -> Outcome {
        guard !hasLeft, call.allowsBoarding, !ends(at: setting.stop.code) else { return .omitted }
        guard let reported else { return call.hasUnreadableTime ? .unreadable : .omitted }
        let madeAt = reported.isLive ? recorded ?? setting.madeAt : setting.madeAt
        var expiresAt: Timestamp
        switch reported.status {
        case .expected(let time): expiresAt = time + Self.liveGrace
        case .scheduled(let time): expiresAt = time + Self.scheduledGrace
        case .cancelled: expiresAt = (booked ?? setting.madeAt) + Self.scheduledGrace
        case .delayed: expiresAt = max(booked ?? setting.madeAt, setting.madeAt) + Departure.delayedGrace
        }
        // As long as it stands at the stop it has not left, whatever was expected.
        if call.isAtStop, reported.isLive { expiresAt = max(expiresAt, setting.madeAt + Self.standingGrace) }
        return .departure(
            Departure(
                stop: setting.stop, line: line(named: setting.lines),
                destination: destination ?? call.display ?? directionName ?? directionWord ?? "",
                vehicle: vehicle.map(SIRIReference.short) ?? "",
                platform: call.departurePlatform ?? call.arrivalPlatform, direction: direction,
                booked: booked,
                status: reported.status,
                attributes: TripAttributes(
                    id: id, company: company, origins: origin.map { [$0] } ?? [],
                    reason: reported.status == .cancelled ? reason : nil, stage: stage),
                madeAt: madeAt, staleAt: reported.isLive ? setting.staleAt : nil, expiresAt: expiresAt))
    }

    /// What is said of the departure, and whether it is of the vehicle and not of the timetable; nil: there is no time.
    private var reported: (status: Departure.Status, isLive: Bool)? {
        if doesNotRun { return booked == nil ? nil : (.cancelled, false) }
        if hasCome, let time = call.expectedDeparture ?? call.aimedDeparture ?? call.actualArrival ?? expected {
            return (.expected(time), true)
        }
        if let time = expected, isFollowed { return (.expected(time), true) }
        if call.status == .delayed, isMonitored != false, booked != nil {
            return (.delayed, true)
        }
        return (booked ?? expected).map { (.scheduled($0), false) }
    }

    /// Whether a time that is expected is one of the vehicle. Where nobody follows it, or nothing was heard of it, many
    /// operators write the timetable's once more.
    private var isFollowed: Bool {
        guard isMonitored != false else { return false }
        switch call.status {
        case .noReport: return expected != booked
        // One that nobody ordered, say.
        case .missed, .notExpected: return false
        case .onTime, .early, .delayed, .cancelled, .arrived, .departed, nil: return true
        }
    }

    /// Whether it is told that it is cancelled.
    var doesNotRun: Bool { isCancelled || call.status == .cancelled }

    private var hasCome: Bool {
        isMonitored != false && (call.isAtStop || call.arrivalStatus == .arrived || call.actualArrival != nil)
    }

    private var hasLeft: Bool { call.actualDeparture != nil || call.departureStatus == .departed }

    /// Whether the stop of the question is the journey's last: there is no time of a departure, and the destination is here, by its
    /// reference, or by its name where only one of the two has a reference.
    private func ends(at code: String) -> Bool {
        guard call.aimedDeparture == nil, call.expectedDeparture == nil else { return false }
        if let destinationStop { return destinationStop == call.stop ?? code || destinationStop == code }
        return destination != nil && destination == call.name
    }

    /// The direction's reference where it is a word ("IB", "Outbound"): a number says nothing to people.
    private var directionWord: String? {
        direction.flatMap { $0.contains(where: \.isLetter) ? $0 : nil }
    }

    /// Where the vehicle is before the journey begins. The operator tells it in words of a program.
    private var stage: TripAttributes.Stage? {
        guard let progress else { return nil }
        let words = progress.split { $0 == "," || $0 == " " }
        if words.contains("prevTrip") { return .previousTrip }
        return words.contains("layover") ? .waiting : nil
    }
}
