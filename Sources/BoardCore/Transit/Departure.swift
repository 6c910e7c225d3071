/// One vehicle's call at a stop, as the operator reported it.
///
/// What the board shows (minutes, marks, whether the row is visible) is computed from this at the instant of drawing.
public struct Departure: Hashable, Sendable {
    public enum Status: Hashable, Sendable {
        /// A realtime estimate of the departure, or of the arrival if the operator estimates only that.
        case expected(Timestamp)
        /// Late, with no estimate.
        case delayed
        case cancelled
        /// The time in the timetable, without realtime information.
        case scheduled(Timestamp)

        /// The estimate or scheduled time; nil: neither.
        public var time: Timestamp? {
            switch self {
            case .expected(let time), .scheduled(let time): time
            case .delayed, .cancelled: nil
            }
        }

        public var kind: Kind {
            switch self {
            case .expected: .expected
            case .scheduled: .scheduled
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
        }

        /// A status without its time, in the words of the API.
        public enum Kind: String, CaseIterable, Sendable, Codable {
            case expected, scheduled, delayed, cancelled
        }
    }

    public private(set) var stop: StopID
    public let line: Line
    /// See ``Line/colour(_:)``; nil when the operator reports none.
    public let lineColour: String?
    /// Nil when not reported.
    public let mode: TransitMode?
    /// The destination as the operator writes it; of a trip that ends early its actual last stop.
    public let destination: String
    /// The destination that a trip which ends early does not reach; nil for all others.
    public let plannedDestination: String?
    /// The operator's name of the vehicle (number plate, set number); empty when not reported.
    public let vehicle: String
    /// The platform or stop letter; nil when not reported.
    public let platform: String?
    /// The compass direction or the operator's direction; nil when not reported.
    public let direction: String?
    /// The time in the timetable; nil when not reported.
    public let booked: Timestamp?
    public private(set) var status: Status
    /// Further facts about the trip; nil: none reported.
    public let attributes: TripAttributes?
    /// The price of a seat; nil when not reported, as for all services without reservations.
    public let fare: Fare?
    /// The UTC offset in seconds at the place of departure; nil: the offset of the stop's zone. For stops that list
    /// departures from places in several zones.
    public private(set) var utcOffset: Int?
    /// When the operator made the estimate.
    public private(set) var madeAt: Timestamp
    /// Whether the operator renews the estimate while the departure is listed, so that an old one shows that the feed
    /// is frozen. An offer stays the same for weeks.
    public let isRenewed: Bool
    /// When the estimate becomes stale. From a feed: when the operator itself declares that, nil if it does not. On a
    /// board nil only for a time of the timetable: see ``received(at:staleAfter:)``.
    public private(set) var staleAt: Timestamp?
    /// When the estimate expires and the row leaves the board.
    public private(set) var expiresAt: Timestamp

    public init(
        stop: StopID, line: Line, lineColour: String? = nil, mode: TransitMode? = nil, destination: String,
        vehicle: String = "", platform: String? = nil, direction: String? = nil, booked: Timestamp? = nil,
        status: Status, attributes: TripAttributes? = nil, fare: Fare? = nil, utcOffset: Int? = nil, madeAt: Timestamp,
        isRenewed: Bool = true, staleAt: Timestamp? = nil, expiresAt: Timestamp
    ) {
        self.stop = stop
        self.line = line
        self.lineColour = lineColour.flatMap(Line.colour)
        self.mode = mode
        let planned = destination.truncatedForDisplay
        self.destination = (status == .cancelled ? nil : attributes?.endsAt) ?? planned
        plannedDestination = planned.isEmpty || planned == self.destination ? nil : planned
        self.vehicle = vehicle
        self.platform = platform?.truncatedForDisplay
        self.direction = direction?.truncatedForDisplay
        self.booked = booked
        self.status = status
        self.attributes = attributes
        self.fare = fare
        self.utcOffset = utcOffset
        self.madeAt = madeAt
        self.isRenewed = isRenewed
        self.staleAt = staleAt
        self.expiresAt = expiresAt
    }

    /// The sort key: the estimate, or the booked time of a row without an estimate.
    public var due: Timestamp { status.time ?? booked ?? expiresAt }

    /// Where it leads, as reported: its direction, its destination, and the one that it does not reach.
    var headings: [String?] { [direction, destination, plannedDestination] }

    /// Its direction for a reader: nil for a number, as in timetables, which says nothing.
    public var namedDirection: String? { direction.flatMap { $0.contains(where: \.isLetter) ? $0 : nil } }

    /// The departure as a board holds it from `moment` on. An estimate dated in the future counts as made when it was
    /// received, and every estimate has a time at which it becomes stale.
    ///
    /// - Parameter limit: the feed's ``ExpiryPolicy/staleAfter``.
    package func received(at moment: Timestamp, staleAfter limit: Duration) -> Departure {
        var departure = self
        departure.madeAt = min(madeAt, moment)
        let end = departure.madeAt + limit
        departure.staleAt = if case .scheduled = status { nil } else { min(end, staleAt ?? end) }
        return departure
    }

    /// The departure with the UTC offset that a zone has then, unless it has one of its own.
    package func located(in zone: Zone?) -> Departure {
        var departure = self
        departure.utcOffset = utcOffset ?? (zone?.offset(at: due)).map { Int($0 / .seconds(1)) }
        return departure
    }

    /// The departure with the estimate of another, and with what follows from it.
    func estimated(as other: Departure) -> Departure {
        var departure = self
        departure.status = other.status
        departure.madeAt = other.madeAt
        departure.staleAt = other.staleAt
        departure.expiresAt = other.expiresAt
        return departure
    }

    /// The departure under a board's own name of its stop.
    package func renamed(to stop: StopID) -> Departure {
        var departure = self
        departure.stop = stop
        return departure
    }
}

/// In the words of the API. Absent data is omitted.
extension Departure: Codable {
    private enum CodingKeys: CodingKey {
        case stop, destination, plannedDestination, vehicle, platform, direction, fare, madeAt, isRenewed, expiresAt
        /// From when the estimate is too old to be exact (`~` on the display); nil for a time of the timetable.
        case staleAt
        /// The line's name for passengers.
        case line
        /// The operator's identifier of the line.
        case lineID
        /// The line's colour as the operator gives it, six hexadecimal digits (RRGGBB); nil: none is known.
        case lineColour
        /// The kind of vehicle; nil: unknown, or another one.
        case mode
        /// What the operator reports about the trip besides line, destination and time.
        case trip
        /// The time in the timetable.
        case scheduled
        /// Whether `expected` is an estimate or the time in the timetable, or why there is none.
        case status
        /// The estimate, or the time in the timetable without one; nil for a departure that is delayed or cancelled.
        case expected
        /// The UTC offset at the place of departure; nil: that of the machine.
        case utcOffsetSeconds
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let time = try values.decodeIfPresent(Timestamp.self, forKey: .expected)
        let status: Status =
            switch try values.decode(Status.Kind.self, forKey: .status) {
            case .expected: time.map { .expected($0) } ?? .delayed
            case .scheduled: time.map { .scheduled($0) } ?? .delayed
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
        let destination = try values.decode(String.self, forKey: .destination)
        self.init(
            stop: try values.decode(StopID.self, forKey: .stop),
            line: Line(
                id: try values.decode(String.self, forKey: .lineID),
                name: try values.decode(String.self, forKey: .line)),
            lineColour: try values.decodeIfPresent(String.self, forKey: .lineColour),
            // One that only a newer board knows costs only itself.
            mode: try? values.decodeIfPresent(TransitMode.self, forKey: .mode),
            destination: try values.decodeIfPresent(String.self, forKey: .plannedDestination) ?? destination,
            vehicle: try values.decodeIfPresent(String.self, forKey: .vehicle) ?? "",
            platform: try values.decodeIfPresent(String.self, forKey: .platform),
            direction: try values.decodeIfPresent(String.self, forKey: .direction),
            booked: try values.decodeIfPresent(Timestamp.self, forKey: .scheduled), status: status,
            attributes: try values.decodeIfPresent(TripAttributes.self, forKey: .trip),
            // A price that no row can show costs only itself.
            fare: try? values.decodeIfPresent(Fare.self, forKey: .fare),
            utcOffset: try values.decodeIfPresent(Int.self, forKey: .utcOffsetSeconds),
            madeAt: try values.decode(Timestamp.self, forKey: .madeAt),
            isRenewed: try values.decodeIfPresent(Bool.self, forKey: .isRenewed) ?? true,
            staleAt: try values.decodeIfPresent(Timestamp.self, forKey: .staleAt),
            expiresAt: try values.decode(Timestamp.self, forKey: .expiresAt))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(stop, forKey: .stop)
        try values.encode(line.name, forKey: .line)
        try values.encode(line.id, forKey: .lineID)
        try values.encodeIfPresent(lineColour, forKey: .lineColour)
        try values.encodeIfPresent(mode, forKey: .mode)
        try values.encode(destination, forKey: .destination)
        try values.encodeIfPresent(plannedDestination, forKey: .plannedDestination)
        if !vehicle.isEmpty { try values.encode(vehicle, forKey: .vehicle) }
        try values.encodeIfPresent(platform, forKey: .platform)
        try values.encodeIfPresent(direction, forKey: .direction)
        try values.encodeIfPresent(booked, forKey: .scheduled)
        try values.encode(status.kind, forKey: .status)
        try values.encodeIfPresent(status.time, forKey: .expected)
        try values.encodeIfPresent(attributes, forKey: .trip)
        try values.encodeIfPresent(fare, forKey: .fare)
        try values.encodeIfPresent(utcOffset, forKey: .utcOffsetSeconds)
        try values.encode(madeAt, forKey: .madeAt)
        if !isRenewed { try values.encode(isRenewed, forKey: .isRenewed) }
        try values.encodeIfPresent(staleAt, forKey: .staleAt)
        try values.encode(expiresAt, forKey: .expiresAt)
    }
}

/// An operator's notice about a stop or about lines that call there; never the state of a single departure.
public struct Alert: Hashable, Sendable, Codable {
    /// The effect on passengers.
    public enum Severity: String, CaseIterable, Comparable, Sendable, Codable {
        case information
        /// Some passengers wait longer.
        case minor
        /// Little or no service.
        case severe

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
    }

    /// The operator's text, cleaned: one paragraph without markup.
    public let text: String
    public let severity: Severity
    /// The operator's identifiers of the lines; nil: it concerns the stop itself.
    public let lines: [String]?
    /// Start of validity; nil: already valid.
    public let from: Timestamp?
    /// End of validity; nil: unknown.
    public let until: Timestamp?

    public init(
        _ text: String, lines: [String]? = nil, severity: Severity = .minor, from: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.text = text
        self.severity = severity
        self.lines = lines
        self.from = from
        self.until = until
    }

    public func isActive(at moment: Timestamp) -> Bool {
        (from ?? moment) <= moment && moment < (until ?? Timestamp(microseconds: .max))
    }
}
