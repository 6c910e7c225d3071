/// One run of a vehicle with its calling points: what the page of an opened departure shows.
public struct TripDetails: Hashable, Sendable, Codable {
    /// The calling points in the order of travel: those before the stop where it was asked about among them, where the
    /// operator tells them.
    public let calls: [CallingPoint]
    /// Where parts of it go that are taken off on the way.
    public let portions: [Portion]
    /// The operator's words for where it is now ("Between Oval and Stockwell"); nil when not told.
    public let location: String?
    /// When the operator made this.
    public let madeAt: Timestamp
    /// When it is void: nothing of it is true any more.
    public let expiresAt: Timestamp

    /// A part that leaves the train on the way.
    public struct Portion: Hashable, Sendable, Codable {
        /// Where it is taken off, by its name.
        public let at: String
        /// Where the part goes.
        public let calls: [CallingPoint]

        /// A part.
        public init(at: String, calls: [CallingPoint]) {
            self.at = at
            self.calls = calls
        }
    }

    /// A run.
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

    /// The same run, told at `moment` at the latest.
    func cappedMadeAt(by moment: Timestamp) -> TripDetails {
        TripDetails(
            calls: calls, portions: portions, location: location, madeAt: min(madeAt, moment), expiresAt: expiresAt)
    }

    /// The same run with every time moved by `shift`: how a recording becomes the present.
    public func shifted(by shift: Duration) -> TripDetails {
        TripDetails(
            calls: calls.map { $0.shifted(by: shift) },
            portions: portions.map { part in Portion(at: part.at, calls: part.calls.map { $0.shifted(by: shift) }) },
            location: location, madeAt: madeAt + shift, expiresAt: expiresAt + shift)
    }

    /// The last calling point that the vehicle has left or reached; nil before the first, and when nothing is known.
    public var now: Int? {
        calls.lastIndex { call in
            switch call.state {
            case .called, .arrived: true
            case .expected, .delayed, .cancelled, .scheduled: false
            }
        }
    }
}

/// A vehicle's call on its way.
public struct CallingPoint: Hashable, Sendable, Codable {
    /// What is known of the call.
    public enum State: Hashable, Sendable, Codable {
        /// It will call then.
        case expected(Timestamp)
        /// It has called and left; nil: nobody reported it, which is no proof that it has.
        case called(Timestamp?)
        /// It is there since then.
        case arrived(Timestamp)
        /// It is late, with no estimate.
        case delayed
        /// It does not call.
        case cancelled
        /// The timetable's time; nothing live is known.
        case scheduled(Timestamp)
    }

    /// The operator's name of the stop.
    public let name: String
    /// The operator's code of the stop ("PAD"); nil when not told.
    public let code: String?
    /// The timetable's time; nil when the operator gives none.
    public let booked: Timestamp?
    /// What is known of the call.
    public let state: State
    /// The platform; nil when not told.
    public let platform: String?
    /// How many coaches the train has from here on, where the operator says so.
    public let coaches: Int?

    /// A call.
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

    /// The same call with every time moved by `shift`.
    public func shifted(by shift: Duration) -> CallingPoint {
        let state: State =
            switch state {
            case .expected(let time): .expected(time + shift)
            case .called(let time): .called(time.map { $0 + shift })
            case .arrived(let time): .arrived(time + shift)
            case .scheduled(let time): .scheduled(time + shift)
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
        return CallingPoint(
            name: name, code: code, booked: booked.map { $0 + shift }, state: state, platform: platform,
            coaches: coaches)
    }
}
