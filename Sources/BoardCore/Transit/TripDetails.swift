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
