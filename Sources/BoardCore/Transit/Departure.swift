/// One vehicle's call at a stop, as the operator reported it.
///
/// What the board shows (minutes, marks, whether the row is visible) is computed from this at the instant of drawing.
public struct Departure: Hashable, Sendable, Codable {
    public enum Status: Hashable, Sendable, Codable {
        /// A realtime estimate of the departure, or of the arrival if the operator estimates only that.
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
    /// The price of a seat; nil when not reported, as for all services without reservations.
    public let fare: Fare?
    /// The UTC offset in seconds at the place of departure; nil: the offset of the stop's zone. For stops that list
    /// departures from places in several zones.
    public let utcOffset: Int?
    /// When the operator made the estimate.
    public private(set) var madeAt: Timestamp
    /// Whether the operator renews the estimate while the departure is listed, so that an old one shows that the feed
    /// is frozen. An offer stays the same for weeks.
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

/// An operator's notice about a stop or about lines that call there; never the state of a single departure.
public struct Alert: Hashable, Sendable, Codable {
    public enum Scope: Hashable, Sendable, Codable {
        /// The stop: a closed entrance, a lift, a notice of the station.
        case stop
        /// Line identifiers.
        case lines([String])
    }

    /// The effect on passengers.
    public enum Severity: Int, Comparable, Sendable, Codable {
        case information
        /// Some passengers wait longer.
        case minor
        /// Little or no service.
        case severe

        public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// The operator's text, cleaned: one paragraph without markup.
    public let text: String
    public let scope: Scope
    public let severity: Severity
    /// Start of validity; nil: already valid.
    public let from: Timestamp?
    /// End of validity; nil: unknown.
    public let until: Timestamp?

    public init(
        _ text: String, scope: Scope = .stop, severity: Severity = .minor, from: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.text = text
        self.scope = scope
        self.severity = severity
        self.from = from
        self.until = until
    }

    public func isActive(at moment: Timestamp) -> Bool {
        (from ?? moment) <= moment && moment < (until ?? Timestamp(microseconds: .max))
    }
}

/// The price of a seat on a departure that is booked in advance: flights, coaches.
///
/// Until the last day a row shows the fare instead of the time, because passengers do not wait for the departure yet.
public struct Fare: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The price in hundredths of the currency, whatever its subunit.
    public let hundredths: Int
    /// The currency as written in a table: "EUR".
    public let currency: String

    /// ISO 4217 codes have three letters; no currency sign is longer than four.
    private static let maximumCurrencyLength = 4

    public init(hundredths: Int, currency: String) {
        self.hundredths = hundredths
        self.currency = String(currency.prefix(Self.maximumCurrencyLength))
    }

    /// Whole units for narrow places, rounded up: 19.90 EUR is "20EUR", so that nothing looks cheaper than it is.
    var rounded: String {
        let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
        return "\(whole + (part > 0 ? 1 : 0))\(currency)"
    }

    /// "72EUR", "19.90EUR".
    public var description: String {
        let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard part != 0 else { return "\(whole)\(currency)" }
        return "\(hundredths < 0 && whole == 0 ? "-" : "")\(whole).\(part.magnitude.padded(to: 2))\(currency)"
    }
}
