/// One vehicle's call at a stop: what the operator said and when, never what is left of it.
///
/// What a person sees (minutes, marks, whether the row is there at all) is computed from this at the instant of drawing.
public struct Departure: Hashable, Sendable, Codable {
    /// What an operator can say about a call.
    public enum Status: Hashable, Sendable, Codable {
        /// A live estimate of the departure (or, where the operator has no other, of the arrival).
        case expected(Timestamp)
        /// Late, with no estimate.
        case delayed
        /// It does not run.
        case cancelled
        /// The timetable's time; nothing live is known.
        case scheduled(Timestamp)
    }

    /// The stop at which the vehicle calls.
    public let stop: StopID
    /// The line that it runs on.
    public let line: Line
    /// Where it goes, as the operator writes it.
    public let destination: String
    /// The operator's name of the vehicle (a number plate, a set number); empty when not told.
    public let vehicle: String
    /// The platform or stop letter; nil when not told.
    public let platform: String?
    /// The compass word or direction that the operator gives; nil when not told.
    public let direction: String?
    /// The timetable's time; nil when the operator gives none.
    public let booked: Timestamp?
    /// What the operator said of the call.
    public let status: Status
    /// What else the operator told of the run; nil: nothing.
    public let attributes: TripAttributes?
    /// What a seat costs; nil when not told, as of everything that people just board.
    public let fare: Fare?
    /// How many seconds a clock where it departs is ahead of UTC then; nil: as the stop's zone says. For stops that are none
    /// but lists, whose departures are from places in several zones.
    public let utcOffset: Int?
    /// When the operator made the estimate.
    public private(set) var madeAt: Timestamp
    /// From when the operator itself calls the estimate old, where that is before the feed's own age; nil: it says nothing.
    public let staleAt: Timestamp?
    /// When the estimate is void and the row leaves the board.
    public let expiresAt: Timestamp

    /// A departure as received.
    public init(
        stop: StopID, line: Line, destination: String, vehicle: String = "", platform: String? = nil,
        direction: String? = nil, booked: Timestamp? = nil, status: Status, attributes: TripAttributes? = nil,
        fare: Fare? = nil, utcOffset: Int? = nil, madeAt: Timestamp, staleAt: Timestamp? = nil, expiresAt: Timestamp
    ) {
        self.stop = stop
        self.line = line
        self.destination = destination.truncatedForDisplay
        self.vehicle = vehicle
        self.platform = platform?.truncatedForDisplay
        self.direction = direction?.truncatedForDisplay
        self.booked = booked
        self.status = status
        self.attributes = attributes
        self.fare = fare
        self.utcOffset = utcOffset
        self.madeAt = madeAt
        self.staleAt = staleAt
        self.expiresAt = expiresAt
    }

    /// The time by which the row is sorted: the estimate, or the booked time of a row without one.
    public var due: Timestamp {
        switch status {
        case .expected(let time), .scheduled(let time): time
        case .delayed, .cancelled: booked ?? expiresAt
        }
    }

    /// The same call, told at `moment` at the latest: an estimate that claims to be of the future proves nothing by that, and is
    /// as old as its receipt.
    func cappedMadeAt(by moment: Timestamp) -> Departure {
        var departure = self
        departure.madeAt = min(madeAt, moment)
        return departure
    }

    /// The same call with every time moved by `shift`: how a recording becomes the present.
    public func shifted(by shift: Duration) -> Departure {
        let status: Status =
            switch status {
            case .expected(let time): .expected(time + shift)
            case .scheduled(let time): .scheduled(time + shift)
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
        return Departure(
            stop: stop, line: line, destination: destination, vehicle: vehicle, platform: platform,
            direction: direction, booked: booked.map { $0 + shift }, status: status,
            attributes: attributes?.shifted(by: shift),
            fare: fare, utcOffset: utcOffset, madeAt: madeAt + shift, staleAt: staleAt.map { $0 + shift },
            expiresAt: expiresAt + shift)
    }
}
