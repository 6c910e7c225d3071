internal import BoardCore

/// The stable shape of `boardd departures --json`: everything that an operator told. What is not told is left out.
struct DepartureOutput: Encodable {
    let stop: String
    let name: String?
    let letter: String?
    let attribution: String
    /// Whether the operator keeps back what runs; then no departures mean nothing.
    let withheld: Bool
    /// When the next one departs, where none does before.
    let resumesAt: String?
    /// Until when the operator's timetable reaches; no departures after that mean nothing.
    let knownUntil: String?
    let badRows: Int
    let departures: [Row]
    let alerts: [Notice]

    init(_ answer: FeedAnswer, sort: BoardCore.SortOrder, attribution: String) {
        stop = answer.stop.id.description
        name = answer.stop.name
        letter = answer.stop.letter
        self.attribution = attribution
        withheld = answer.isWithheld
        resumesAt = answer.next?.time.rfc3339
        knownUntil = answer.knownUntil?.rfc3339
        badRows = answer.badRows
        departures = sort.sorted(answer.departures).map(Row.init)
        alerts = answer.alerts.map(Notice.init)
    }

    /// A departure.
    struct Row: Encodable {
        let line: String
        let lineID: String
        let destination: String
        let vehicle: String?
        let platform: String?
        let direction: String?
        let status: String
        let booked: String?
        let expected: String?
        let made: String
        let void: String
        let journey: Run?
        let fare: Price?

        init(_ departure: Departure) {
            line = departure.line.name
            lineID = departure.line.id
            destination = departure.destination
            vehicle = departure.vehicle.isEmpty ? nil : departure.vehicle
            platform = departure.platform
            direction = departure.direction
            booked = departure.booked?.rfc3339
            made = departure.made.rfc3339
            void = departure.void.rfc3339
            journey = departure.journey.map(Run.init)
            fare = departure.fare.map(Price.init)
            switch departure.status {
            case .expected(let time): (status, expected) = ("expected", time.rfc3339)
            case .timetabled(let time): (status, expected) = ("timetabled", time.rfc3339)
            case .delayed: (status, expected) = ("delayed", nil)
            case .cancelled: (status, expected) = ("cancelled", nil)
            }
        }
    }

    /// What a seat costs.
    struct Price: Encodable {
        let amount: Double
        let currency: String

        init(_ fare: Fare) {
            amount = Double(fare.hundredths) / 100
            currency = fare.currency
        }
    }

    /// What was told of a run beyond line, destination and time.
    struct Run: Encodable {
        let id: String?
        let company: String?
        let coaches: Int?
        let origins: [String]
        let via: String?
        let reason: String?
        let replacement: Bool
        let startsAt: String?
        let endsAt: String?
        let stage: String?
        let wayBack: String?

        init(_ journey: Journey) {
            id = journey.id
            company = journey.company
            coaches = journey.coaches
            origins = journey.origins
            via = journey.via
            reason = journey.reason
            replacement = journey.isReplacement
            startsAt = journey.startsAt
            endsAt = journey.endsAt
            stage = journey.stage?.rawValue
            wayBack = journey.back?.at.rfc3339
        }
    }

    /// An alert; without lines it is of the stop itself.
    struct Notice: Encodable {
        let text: String
        let severity: String
        let lines: [String]?
        let from: String?
        let until: String?

        init(_ alert: Alert) {
            text = alert.text
            severity =
                switch alert.severity {
                case .information: "information"
                case .minor: "minor"
                case .severe: "severe"
                }
            lines = if case .lines(let ids) = alert.scope { ids } else { nil }
            from = alert.from?.rfc3339
            until = alert.until?.rfc3339
        }
    }
}
