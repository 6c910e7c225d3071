/// A stop with its departures: the response to `GET /v1/stops/{stop}/departures`, an item of the board's state, and the
/// format of `boardd departures --json`. Absent data is omitted.
public struct StopReport: Hashable, Sendable, Codable {
    /// The state of the stop's feed.
    public enum Status: String, CaseIterable, Sendable, Codable {
        /// No response yet.
        case loading
        /// The last request succeeded.
        case live
        /// Responses arrive, but their newest estimate has not changed for minutes.
        case frozen
        /// The last request failed: see ``StopReport/lastError``.
        case failing

        init(_ status: FeedStatus) {
            self =
                switch status {
                case .loading: .loading
                case .live: .live
                case .frozen: .frozen
                case .failing: .failing
                }
        }
    }

    /// Why a request failed, or why a part of a response is missing.
    public struct Failure: Hashable, Sendable, Codable {
        /// A word for programs: "rate-limited".
        public var kind: String
        /// Where the error occurred, what was found, what was expected. Contains no key.
        public var detail: String
        /// When the error occurred.
        public var at: Timestamp

        public init(_ failure: FeedError.Kind, detail: String, at: Timestamp) {
            kind = failure.word
            self.detail = detail
            self.at = at
        }
    }

    public var stop: StopID
    /// The operator's name for the stop; its identifier before the first response.
    public var name: String
    /// The letter on the pole.
    public var letter: String?
    /// The user's label.
    public var label: String?
    /// The lines on the board; empty: all.
    public var lines: [String] = []
    /// The distance of a stop that was found by proximity.
    public var distanceMetres: Double?
    /// The moment to which the minutes of departures refer.
    public var time: Timestamp
    /// The attribution that the operator requires.
    public var attribution = ""
    public var status: Status
    /// What the stop's page on the display says about it, in the board's language; nil: nothing.
    public var notice: String?
    /// When the last response arrived; nil before the first.
    public var lastResponseAt: Timestamp?
    /// The next poll; nil: one is in flight or due, or not from a running board.
    public var nextPollAt: Timestamp?
    /// Seconds between two polls; nil: not from a running board.
    public var intervalSeconds: Double?
    /// Why the last failed request failed; nil if none has failed since the last response.
    public var lastError: Failure?
    /// Why a part of the last response is missing, such as all realtime data; nil if it is complete.
    public var partialFailure: Failure?
    /// Whether the operator withholds departures; then an empty list means nothing.
    public var withheld = false
    /// The next departure, when the last response had none.
    public var nextDepartureAt: Timestamp?
    /// The end of the operator's timetable; nil: there is none, or it is not reported. An empty list after it does not
    /// mean that nothing runs.
    public var timetableEndsAt: Timestamp?
    /// The number of unreadable rows of the response; nil from a running board, whose log reports them.
    public var badRows: Int?
    /// All departures that have not expired, including those that the filters of the stop's page hide: in the requested
    /// order, in a board's state in that of the page.
    public var departures: [ReportedDeparture] = []
    /// All alerts of the last response.
    public var alerts: [Alert] = []

    /// When the newest estimate was made of what the stop's page shows; nil: there is none. A new response may contain old
    /// estimates.
    public var newestEstimate: Timestamp? { departures.filter { $0.isShown == true }.map(\.departure.madeAt).max() }
}

/// A departure with what a board says about it. Who shows it later, with a clock, compares moments: after `staleAt` its
/// time is only about right, after `leaveBy` a person must run, and from `goneAt` on the board does not have it.
public struct ReportedDeparture: Hashable, Sendable, Codable {
    /// An estimate that rose by a minute does not make the count rise: so long as it is one more than these minutes, the
    /// display counts these.
    public struct Hold: Hashable, Sendable, Codable {
        /// 0 for "due".
        public let minutes: Int
        public let until: Timestamp
    }

    public private(set) var departure: Departure
    /// The destination where there is little room, by the rules of the display: without the operator's suffix, with the
    /// configured abbreviations, and words abbreviated where it is long; nil: as in `destination`.
    public let shortDestination: String?
    /// Whole minutes to go as the display counts them: 0 for "due"; nil: no time is known.
    public var minutes: Int?
    /// Why the display may count a minute less than its time says; nil: it does not.
    public private(set) var hold: Hold?
    /// Whether it passes the favourite's filters: lines, platforms and directions.
    public let passesFilters: Bool
    /// Whether the stop's page on the display shows it, on any of its screens; nil: not from a running board.
    public var isShown: Bool?
    /// When a person with the favourite's walking time must leave: at its time on a board where only other favourites
    /// have one. Nil: no favourite has a walking time, or no time is known.
    public private(set) var leaveBy: Timestamp?
    /// When it expires, or can no longer be caught even at a run, which takes two thirds of the walking time.
    public private(set) var goneAt: Timestamp
    /// What its row on the display says besides its destination and its times, in the board's language, the most
    /// important first: "not to Brighton", "bus, not train", "platform 4".
    public let facts: [String]
    /// How many minutes later than `scheduled` it leaves, from 2, where the display shows its booked time; nil: it is on
    /// time, or that is not known.
    public let lateMinutes: Int?

    private enum CodingKeys: CodingKey {
        case shortDestination, minutes, hold, passesFilters, isShown, leaveBy, goneAt, facts, lateMinutes
    }

    /// - Parameter departure: one of this stop.
    init(
        _ departure: Departure, of favourite: Favourite, minutes: Int?, hold: Hold?, isShown: Bool?,
        shortDestination: String? = nil, facts: [String] = [], lateMinutes: Int? = nil
    ) {
        self.departure = departure
        self.shortDestination = shortDestination
        self.minutes = minutes
        self.hold = hold
        passesFilters = favourite.request.selects(departure)
        self.isShown = isShown
        leaveBy = favourite.walk.flatMap { departure.leaving(walk: $0) }
        goneAt = min(departure.expiresAt, departure.missed(walk: favourite.walk) ?? departure.expiresAt)
        self.facts = facts
        self.lateMinutes = lateMinutes
    }

    /// The departure with the moments of another, and with the minutes that follow from them.
    public func estimated(as other: ReportedDeparture) -> ReportedDeparture {
        var departure = self
        departure.departure = self.departure.estimated(as: other.departure)
        departure.minutes = other.minutes
        departure.hold = other.hold
        departure.leaveBy = other.leaveBy
        departure.goneAt = other.goneAt
        return departure
    }

    // The keys stand beside those of the departure.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        departure = try Departure(from: decoder)
        shortDestination = try values.decodeIfPresent(String.self, forKey: .shortDestination)
        minutes = try values.decodeIfPresent(Int.self, forKey: .minutes)
        hold = try values.decodeIfPresent(Hold.self, forKey: .hold)
        passesFilters = try values.decode(Bool.self, forKey: .passesFilters)
        isShown = try values.decodeIfPresent(Bool.self, forKey: .isShown)
        leaveBy = try values.decodeIfPresent(Timestamp.self, forKey: .leaveBy)
        goneAt = try values.decode(Timestamp.self, forKey: .goneAt)
        facts = try values.decode([String].self, forKey: .facts)
        lateMinutes = try values.decodeIfPresent(Int.self, forKey: .lateMinutes)
    }

    public func encode(to encoder: any Encoder) throws {
        try departure.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(shortDestination, forKey: .shortDestination)
        try values.encodeIfPresent(minutes, forKey: .minutes)
        try values.encodeIfPresent(hold, forKey: .hold)
        try values.encode(passesFilters, forKey: .passesFilters)
        try values.encodeIfPresent(isShown, forKey: .isShown)
        try values.encodeIfPresent(leaveBy, forKey: .leaveBy)
        try values.encode(goneAt, forKey: .goneAt)
        try values.encode(facts, forKey: .facts)
        try values.encodeIfPresent(lateMinutes, forKey: .lateMinutes)
    }
}
