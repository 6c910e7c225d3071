public import BoardCore

/// The departures of a stop: the response to `GET /v1/stops/{stop}/departures`, and the format of
/// `boardd departures --json`. Absent data is omitted.
public struct StopDepartures: Hashable, Sendable, Codable {
    public struct Entry: Hashable, Sendable, Codable {
        public enum Status: String, CaseIterable, Sendable, Codable {
            /// A realtime estimate.
            case expected
            /// The time in the timetable, without realtime information.
            case scheduled
            /// Late, with no estimate.
            case delayed
            case cancelled
        }

        /// The line's name for passengers.
        public var line: String
        /// The operator's identifier for the line.
        public var lineID: String
        public var destination: String
        /// The operator's name for the vehicle.
        public var vehicle: String?
        public var platform: String?
        public var direction: String?
        public var status: Status
        /// The time in the timetable.
        public var scheduled: RFC3339Timestamp?
        /// The estimate or, without one, the time in the timetable.
        public var expected: RFC3339Timestamp?
        /// Whole minutes to go as the display counts them: 0 below half a minute; nil: no time is known.
        public var minutes: Int?
        /// Whether the estimate is so old that the display marks it with `?`.
        public var isStale: Bool
        /// When that begins; nil: a time in the timetable.
        public var staleAt: RFC3339Timestamp?
        /// When the operator made the estimate.
        public var madeAt: RFC3339Timestamp
        /// When the display stops showing it.
        public var expiresAt: RFC3339Timestamp
        /// The UTC offset at the place of departure, in seconds; nil: that of the machine.
        public var utcOffsetSeconds: Int?
        /// Whether the stop's page on the display shows it; nil: not from a running board.
        public var isShown: Bool?
        /// Whether a person who leaves now catches it; nil: no walking time is configured, or no time within a day is
        /// known.
        public var isCatchable: Bool?
        public var trip: Trip?
        public var fare: Price?
    }

    /// The price of a seat.
    public struct Price: Hashable, Sendable, Codable {
        public var amount: Double
        public var currency: String
    }

    /// The attributes of a trip beyond line, destination and time.
    public struct Trip: Hashable, Sendable, Codable {
        public var id: String?
        public var `operator`: String?
        public var coaches: Int?
        public var origins: [String]
        public var via: String?
        public var reason: String?
        public var isReplacement: Bool
        public var startsFrom: String?
        public var terminatesAt: String?
        public var vehicleState: TripAttributes.Stage?
        public var returnsAt: RFC3339Timestamp?
        public var arrangement: TripAttributes.Arrangement?
    }

    /// An alert; without lines, it is about the stop itself.
    public struct AlertEntry: Hashable, Sendable, Codable {
        public enum Severity: String, CaseIterable, Sendable, Codable {
            case information, minor, severe
        }

        public var text: String
        public var severity: Severity
        public var lines: [String]?
        public var from: RFC3339Timestamp?
        public var until: RFC3339Timestamp?
    }

    /// The stop, `feed:code`.
    public var stop: String
    /// The operator's name for the stop; its identifier before the first response.
    public var name: String
    /// The letter on the pole.
    public var letter: String?
    /// The user's label.
    public var label: String?
    /// The moment to which ``Entry/minutes`` refers.
    public var time: RFC3339Timestamp
    /// The attribution that the operator requires.
    public var attribution: String
    public var status: StopState.Status
    /// What the display says about the stop, in its language; nil: nothing.
    public var notice: String?
    /// When the last response arrived; nil before the first.
    public var lastResponseAt: RFC3339Timestamp?
    /// The next poll; nil: one is in flight or due, or not from a running board.
    public var nextPollAt: RFC3339Timestamp?
    /// Seconds between two polls; nil: not from a running board.
    public var intervalSeconds: Double?
    /// Why the last failed request failed; nil if none has failed since the last response.
    public var lastError: StopState.LastError?
    /// Why a part of the last response is missing; nil if it is complete.
    public var partialFailure: StopState.LastError?
    /// Whether the operator withholds departures; then an empty list means nothing.
    public var withheld: Bool
    /// The next departure when the list is empty.
    public var nextDepartureAt: RFC3339Timestamp?
    /// The end of the operator's timetable; an empty list means nothing after that.
    public var timetableEndsAt: RFC3339Timestamp?
    /// The number of unreadable rows of the response; nil from a running board, whose log reports them.
    public var badRows: Int?
    /// All departures that the board holds, including those that its page's filters hide.
    public var departures: [Entry]
    public var alerts: [AlertEntry]
}

// MARK: - From and to the board

extension StopDepartures {
    /// - Parameter state: the state of the stop.
    public init(_ held: Board.HeldDepartures, _ state: StopState, attribution: String, badRows: Int? = nil) {
        let zone = held.report.stop.zone
        self.init(
            stop: state.stop, name: state.name, letter: held.report.stop.letter, label: state.label,
            time: RFC3339Timestamp(held.moment), attribution: attribution, status: state.status, notice: held.notice,
            lastResponseAt: state.lastResponseAt, nextPollAt: state.nextPoll,
            intervalSeconds: held.interval.map { $0 / .seconds(1) }, lastError: state.lastError,
            partialFailure: state.partialFailure, withheld: held.isWithheld,
            nextDepartureAt: (held.next?.time).map { RFC3339Timestamp($0) }, timetableEndsAt: state.timetableEndsAt,
            badRows: badRows, departures: held.entries.map { Entry($0, zone: zone) },
            alerts: held.alerts.map { AlertEntry($0) })
    }
}

extension StopDepartures {
    /// Without what only a running board has.
    package var withoutBoard: StopDepartures {
        var departures = self
        departures.nextPollAt = nil
        departures.intervalSeconds = nil
        for index in departures.departures.indices { departures.departures[index].isShown = nil }
        return departures
    }

    /// A response with everything that a page of the board shows.
    package func response(of stop: StopID) -> FeedResponse {
        FeedResponse(
            stop: Stop(id: stop, name: name, letter: letter), departures: departures.map { $0.departure(of: stop) },
            alerts: alerts.map(\.alert), isWithheld: withheld,
            next: nextDepartureAt.map { .laterToday($0.timestamp) }, timetableEndsAt: timetableEndsAt?.timestamp)
    }
}

extension StopDepartures.Entry {
    fileprivate init(_ held: Board.HeldDepartures.Entry, zone: Zone?) {
        self.init(held.departure, isStale: held.freshness == .stale, staleAt: held.staleAt, zone: zone)
        minutes = held.minutes
        isShown = held.isShown
        isCatchable = held.isCatchable
    }

    /// A departure as a feed returns it, without what depends on a board.
    ///
    /// - Parameters:
    ///   - staleAfter: the age from which an estimate of the feed is stale.
    ///   - zone: the stop's.
    package init(_ departure: Departure, staleAfter: Duration, zone: Zone?, at moment: Timestamp) {
        let freshness = departure.freshness(at: moment, staleAfter: staleAfter)
        self.init(
            departure, isStale: freshness == .stale,
            staleAt: freshness == .scheduled ? nil : departure.becomesStale(after: staleAfter), zone: zone)
    }

    private init(_ departure: Departure, isStale: Bool, staleAt: Timestamp?, zone: Zone?) {
        let (status, expected): (Status, Timestamp?) =
            switch departure.status {
            case .expected(let time): (.expected, time)
            case .scheduled(let time): (.scheduled, time)
            case .delayed: (.delayed, nil)
            case .cancelled: (.cancelled, nil)
            }
        self.init(
            line: departure.line.name, lineID: departure.line.id, destination: departure.destination,
            vehicle: departure.vehicle.isEmpty ? nil : departure.vehicle, platform: departure.platform,
            direction: departure.direction, status: status,
            scheduled: departure.booked.map { RFC3339Timestamp($0) }, expected: expected.map { RFC3339Timestamp($0) },
            minutes: nil, isStale: isStale, staleAt: staleAt.map { RFC3339Timestamp($0) },
            madeAt: RFC3339Timestamp(departure.madeAt), expiresAt: RFC3339Timestamp(departure.expiresAt),
            utcOffsetSeconds: departure.utcOffset ?? (zone?.offset(at: departure.due)).map { Int($0 / .seconds(1)) },
            isShown: nil, isCatchable: nil, trip: departure.attributes.map { StopDepartures.Trip($0) },
            fare: departure.fare.map {
                StopDepartures.Price(amount: Double($0.hundredths) / 100, currency: $0.currency)
            })
    }

    /// - Parameter isRenewed: as in ``BoardCore/Departure/isRenewed``.
    package func departure(of stop: StopID, isRenewed: Bool = true) -> Departure {
        let time = expected?.timestamp
        let status: Departure.Status =
            switch self.status {
            case .expected: time.map { .expected($0) } ?? .delayed
            case .scheduled: time.map { .scheduled($0) } ?? .delayed
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
        return Departure(
            stop: stop, line: Line(id: lineID, name: line), destination: destination, vehicle: vehicle ?? "",
            platform: platform, direction: direction, booked: scheduled?.timestamp, status: status,
            attributes: trip.map { TripAttributes($0, offset: utcOffsetSeconds) },
            fare: fare.flatMap { price in
                Int(exactly: (price.amount * 100).rounded()).map { Fare(hundredths: $0, currency: price.currency) }
            }, utcOffset: utcOffsetSeconds, madeAt: madeAt.timestamp, isRenewed: isRenewed, staleAt: staleAt?.timestamp,
            expiresAt: expiresAt.timestamp)
    }
}

extension StopDepartures.Trip {
    fileprivate init(_ attributes: TripAttributes) {
        self.init(
            id: attributes.id, operator: attributes.company, coaches: attributes.coaches, origins: attributes.origins,
            via: attributes.via, reason: attributes.reason, isReplacement: attributes.isReplacement,
            startsFrom: attributes.startsAt, terminatesAt: attributes.endsAt, vehicleState: attributes.stage,
            returnsAt: (attributes.returnTrip?.at).map { RFC3339Timestamp($0) }, arrangement: attributes.arrangement)
    }
}

extension TripAttributes {
    /// - Parameter offset: the UTC offset of the departure in seconds.
    fileprivate init(_ trip: StopDepartures.Trip, offset: Int?) {
        self.init(
            id: trip.id, company: trip.operator, coaches: trip.coaches, origins: trip.origins, via: trip.via,
            reason: trip.reason, isReplacement: trip.isReplacement, startsAt: trip.startsFrom,
            endsAt: trip.terminatesAt, stage: trip.vehicleState,
            returnTrip: trip.returnsAt.map { ReturnTrip(at: $0.timestamp, utcOffset: offset) },
            arrangement: trip.arrangement)
    }
}

extension StopDepartures.AlertEntry {
    package init(_ alert: Alert) {
        let severity: Severity =
            switch alert.severity {
            case .information: .information
            case .minor: .minor
            case .severe: .severe
            }
        let lines: [String]? = if case .lines(let ids) = alert.scope { ids } else { nil }
        self.init(
            text: alert.text, severity: severity, lines: lines, from: alert.from.map { RFC3339Timestamp($0) },
            until: alert.until.map { RFC3339Timestamp($0) })
    }

    package var alert: Alert {
        let severity: Alert.Severity =
            switch self.severity {
            case .information: .information
            case .minor: .minor
            case .severe: .severe
            }
        return Alert(
            text, scope: lines.map { .lines($0) } ?? .stop, severity: severity, from: from?.timestamp,
            until: until?.timestamp)
    }
}
