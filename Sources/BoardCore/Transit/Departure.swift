/// One vehicle's call at a stop, as the operator reported it.
///
/// What the board shows (minutes, marks, whether the row is visible) is computed from this at the instant of drawing.
public struct Departure: Hashable, Sendable, Codable {
    public enum Status: Hashable, Sendable, Codable {
        /// A realtime estimate of the departure, or of the arrival where the operator estimates only that.
        case expected(Timestamp)
        /// Late, with no estimate.
        case delayed
        case cancelled
        /// The time in the timetable, without realtime information.
        case scheduled(Timestamp)

        /// The estimate or scheduled time; nil: neither.
        var time: Timestamp? {
            switch self {
            case .expected(let time), .scheduled(let time): time
            case .delayed, .cancelled: nil
            }
        }
    }

    public let stop: StopID
    public let line: Line
    /// The destination as the operator writes it.
    public let destination: String
    /// The operator's name of the vehicle (number plate, set number); empty when not reported.
    public let vehicle: String
    /// The platform or stop letter; nil when not reported.
    public let platform: String?
    /// The compass direction or the operator's direction; nil when not reported.
    public let direction: String?
    /// The time in the timetable; nil when not reported.
    public let booked: Timestamp?
    public let status: Status
    /// Further facts about the trip; nil: none reported.
    public let attributes: TripAttributes?
    /// The price of a seat; nil when not reported, as for all services without reservation.
    public let fare: Fare?
    /// The UTC offset in seconds at the place of departure; nil: the offset of the stop's zone. For stops that are
    /// lists of departures from places in several zones.
    public let utcOffset: Int?
    /// When the operator made the estimate.
    public private(set) var madeAt: Timestamp
    /// Whether the operator renews the estimate while the departure is listed, so that an old one shows that the feed is
    /// frozen. An offer stays the same for weeks.
    public let isRenewed: Bool
    /// When the operator itself declares the estimate stale, if that is before the feed's `staleAfter`; nil: not
    /// reported.
    public let staleAt: Timestamp?
    /// When the estimate expires and the row leaves the board.
    public let expiresAt: Timestamp

    public init(
        stop: StopID, line: Line, destination: String, vehicle: String = "", platform: String? = nil,
        direction: String? = nil, booked: Timestamp? = nil, status: Status, attributes: TripAttributes? = nil,
        fare: Fare? = nil, utcOffset: Int? = nil, madeAt: Timestamp, isRenewed: Bool = true,
        staleAt: Timestamp? = nil, expiresAt: Timestamp
    ) {
        self.stop = stop
        self.line = line
        self.destination = (status == .cancelled ? nil : attributes?.endsAt) ?? destination.truncatedForDisplay
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
    public var due: Timestamp {
        status.time ?? booked ?? expiresAt
    }

    /// Returns a copy with `madeAt` at most `moment`: an estimate dated in the future counts as made when it was
    /// received.
    func cappedMadeAt(by moment: Timestamp) -> Departure {
        var departure = self
        departure.madeAt = min(madeAt, moment)
        return departure
    }
}
