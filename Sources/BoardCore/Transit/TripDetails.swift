/// One trip with its calling points, for the detail page of a departure.
public struct TripDetails: Hashable, Sendable, Codable {
    /// The calling points in the order of travel, including those before the requested stop if the operator reports
    /// them.
    public let calls: [CallingPoint]
    /// The portions that divide from the train on the way.
    public let portions: [Portion]
    /// The operator's description of the position ("Between Oval and Stockwell"); nil when not reported.
    public let location: String?
    /// When the operator made this report.
    public let madeAt: Timestamp
    /// When the whole report expires.
    public let expiresAt: Timestamp

    public struct Portion: Hashable, Sendable, Codable {
        /// The name of the stop where it divides.
        public let at: String
        public let calls: [CallingPoint]

        public init(at: String, calls: [CallingPoint]) {
            self.at = at
            self.calls = calls
        }
    }

    public init(
        calls: [CallingPoint], portions: [Portion] = [], location: String? = nil, madeAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.calls = calls
        self.portions = portions
        self.location = location?.truncatedForDisplay
        self.madeAt = madeAt
        self.expiresAt = expiresAt
    }

    func cappedMadeAt(by moment: Timestamp) -> TripDetails {
        TripDetails(
            calls: calls, portions: portions, location: location, madeAt: min(madeAt, moment), expiresAt: expiresAt)
    }

    /// The index of the last calling point that the vehicle has left or reached; nil before the first, or when unknown.
    public var now: Int? {
        calls.lastIndex { call in
            switch call.state {
            case .called, .arrived: true
            case .expected, .delayed, .cancelled, .scheduled: false
            }
        }
    }
}

/// A stop on a trip.
public struct CallingPoint: Hashable, Sendable, Codable {
    public enum State: Hashable, Sendable, Codable {
        /// An estimate.
        case expected(Timestamp)
        /// The vehicle has left; nil: without a reported time, which does not prove the call.
        case called(Timestamp?)
        /// At the stop since this time.
        case arrived(Timestamp)
        case delayed
        /// The vehicle does not call.
        case cancelled
        /// The time in the timetable, without realtime information.
        case scheduled(Timestamp)
    }

    /// The operator's name of the stop.
    public let name: String
    /// The operator's code of the stop ("PAD"); nil when not reported.
    public let code: String?
    /// The time in the timetable; nil when not reported.
    public let booked: Timestamp?
    public let state: State
    public let platform: String?
    /// The number of coaches from here on, if reported.
    public let coaches: Int?

    public init(
        name: String, code: String? = nil, booked: Timestamp? = nil, state: State, platform: String? = nil,
        coaches: Int? = nil
    ) {
        self.name = name.truncatedForDisplay
        self.code = code
        self.booked = booked
        self.state = state
        self.platform = platform?.truncatedForDisplay
        self.coaches = coaches
    }
}

/// Facts about a trip that come with a departure, besides line, destination and time. Most apply to trains.
public struct TripAttributes: Hashable, Sendable {
    /// Where a vehicle is before its trip begins; its estimates are less reliable then.
    public enum Stage: String, CaseIterable, Hashable, Sendable, Codable {
        /// On its previous trip.
        case previousTrip
        /// Waiting at the terminal.
        case waiting
    }

    /// What passengers must do beforehand so that the vehicle stops.
    public struct Arrangement: Hashable, Sendable, Codable {
        public enum Way: String, CaseIterable, Hashable, Sendable, Codable {
            case phone, driver
        }

        /// Whom they tell: the operator, by telephone, or the driver.
        public let by: Way
        /// The operator's sentence about it.
        public let message: String?
        /// The number to call.
        public let phone: String?

        public init(by way: Way, message: String? = nil, phone: String? = nil) {
            by = way
            self.message = message?.truncatedForDisplay
            self.phone = phone?.truncatedForDisplay
        }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                by: try values.decode(Way.self, forKey: .by),
                message: try values.decodeIfPresent(String.self, forKey: .message),
                phone: try values.decodeIfPresent(String.self, forKey: .phone))
        }
    }

    /// The return departure of an offer.
    public struct ReturnTrip: Hashable, Sendable, Codable {
        public let at: Timestamp
        /// The UTC offset in seconds at that place and time; nil: unknown, the offset of the outward trip applies.
        public let utcOffset: Int?

        private enum CodingKeys: String, CodingKey {
            case at
            case utcOffset = "utcOffsetSeconds"
        }

        public init(at: Timestamp, utcOffset: Int?) {
            self.at = at
            self.utcOffset = utcOffset
        }
    }

    /// The operator's identifier of the trip, for requests about it; not for display.
    public let id: String?
    /// The company that runs the trip: "Thameslink"; nil when not reported.
    public let company: String?
    /// The number of coaches; nil when not reported.
    public let coaches: Int?
    /// The origins; several where trains were joined.
    public let origins: [String]
    /// The route variant ("via Redhill"); nil when there is only one, or when not reported.
    public let via: String?
    /// The operator's reason for a delay or cancellation; may be present without either.
    public let reason: String?
    /// Whether a bus replaces the train.
    public let isReplacement: Bool
    /// The actual first stop of a trip that begins elsewhere than planned.
    public let startsAt: String?
    /// The actual last stop of a trip that ends before its planned destination.
    public let endsAt: String?
    /// Where the vehicle is before its trip; nil: on its trip, or not reported.
    public let stage: Stage?
    /// The return departure of an offer; nil: none, or not reported.
    public let returnTrip: ReturnTrip?
    /// At most one: thousands of departures have none, and an optional one takes 40 bytes in each.
    private let arrangements: [Arrangement]

    /// Nil: the vehicle stops anyway.
    public var arrangement: Arrangement? { arrangements.first }

    public init(
        id: String? = nil, company: String? = nil, coaches: Int? = nil, origins: [String] = [], via: String? = nil,
        reason: String? = nil, isReplacement: Bool = false, startsAt: String? = nil, endsAt: String? = nil,
        stage: Stage? = nil, returnTrip: ReturnTrip? = nil, arrangement: Arrangement? = nil
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
        arrangements = arrangement.map { [$0] } ?? []
    }
}

/// In the words of the API.
extension TripAttributes: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, coaches, origins, via, reason, isReplacement, returnTrip, arrangement
        case company = "operator"
        case startsAt = "startsFrom"
        case endsAt = "terminatesAt"
        case stage = "vehicleState"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
        self.init(
            id: try text(.id), company: try text(.company),
            coaches: try values.decodeIfPresent(Int.self, forKey: .coaches),
            origins: try values.decode([String].self, forKey: .origins), via: try text(.via), reason: try text(.reason),
            isReplacement: try values.decode(Bool.self, forKey: .isReplacement), startsAt: try text(.startsAt),
            endsAt: try text(.endsAt), stage: try values.decodeIfPresent(Stage.self, forKey: .stage),
            returnTrip: try values.decodeIfPresent(ReturnTrip.self, forKey: .returnTrip),
            arrangement: try values.decodeIfPresent(Arrangement.self, forKey: .arrangement))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(id, forKey: .id)
        try values.encodeIfPresent(company, forKey: .company)
        try values.encodeIfPresent(coaches, forKey: .coaches)
        try values.encode(origins, forKey: .origins)
        try values.encodeIfPresent(via, forKey: .via)
        try values.encodeIfPresent(reason, forKey: .reason)
        try values.encode(isReplacement, forKey: .isReplacement)
        try values.encodeIfPresent(startsAt, forKey: .startsAt)
        try values.encodeIfPresent(endsAt, forKey: .endsAt)
        try values.encodeIfPresent(stage, forKey: .stage)
        try values.encodeIfPresent(returnTrip, forKey: .returnTrip)
        try values.encodeIfPresent(arrangement, forKey: .arrangement)
    }
}
