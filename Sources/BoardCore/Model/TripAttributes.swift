/// What an operator tells of a departure beyond line, destination and time: most of it of trains.
public struct TripAttributes: Hashable, Sendable, Codable {
    /// Where a vehicle is whose run has not begun: what is expected of it is less sure.
    public enum Stage: String, Hashable, Sendable, Codable {
        /// On the run before it.
        case previousTrip
        /// At the terminal, until it is time.
        case waiting
    }

    /// When what is offered there and back goes back.
    public struct ReturnTrip: Hashable, Sendable, Codable {
        /// When it departs there.
        public let at: Timestamp
        /// How many seconds a clock is ahead of UTC then and there; nil: not known, and the clock of the way there counts.
        public let utcOffset: Int?

        /// A way back.
        public init(at: Timestamp, utcOffset: Int?) {
            self.at = at
            self.utcOffset = utcOffset
        }
    }

    /// The operator's own identifier of the run, by which it can be asked about; it means nothing to a person.
    public let id: String?
    /// Who runs it: "Thameslink"; nil when not told.
    public let company: String?
    /// How many coaches it has; nil when not told.
    public let coaches: Int?
    /// Where it comes from; several where trains were joined.
    public let origins: [String]
    /// On which way it goes ("via Redhill"); nil when there is but one, or it is not told.
    public let via: String?
    /// Why it is late or does not run, in the operator's words; no proof that it is or does not.
    public let reason: String?
    /// Whether a bus runs in a train's place.
    public let isReplacement: Bool
    /// Where it starts, of a run that does not begin where it was planned to.
    public let startsAt: String?
    /// Where it ends, of a run that does not reach the destination that was planned.
    public let endsAt: String?
    /// Where the vehicle is before its run; nil: on its run, or it is not told.
    public let stage: Stage?
    /// The way back; nil: there is none, or it is not told.
    public let returnTrip: ReturnTrip?

    /// What is told; nothing by default.
    public init(
        id: String? = nil, company: String? = nil, coaches: Int? = nil, origins: [String] = [], via: String? = nil,
        reason: String? = nil, isReplacement: Bool = false, startsAt: String? = nil, endsAt: String? = nil,
        stage: Stage? = nil, returnTrip: ReturnTrip? = nil
    ) {
        self.id = id
        self.company = company?.truncatedForDisplay
        self.coaches = coaches
        self.origins = origins.map(\.truncatedForDisplay)
        self.via = via?.truncatedForDisplay
        self.reason = reason?.truncatedForDisplay
        self.isReplacement = isReplacement
        self.startsAt = startsAt?.truncatedForDisplay
        self.endsAt = endsAt?.truncatedForDisplay
        self.stage = stage
        self.returnTrip = returnTrip
    }

    /// The same journey with every time moved by `shift`: how a recording becomes the present.
    func shifted(by shift: Duration) -> TripAttributes {
        guard let returnTrip else { return self }
        return TripAttributes(
            id: id, company: company, coaches: coaches, origins: origins, via: via, reason: reason,
            isReplacement: isReplacement, startsAt: startsAt, endsAt: endsAt, stage: stage,
            returnTrip: ReturnTrip(at: returnTrip.at + shift, utcOffset: returnTrip.utcOffset))
    }
}
