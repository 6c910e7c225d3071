internal import BoardCore

/// The stable format of `boardd departures --json`. Absent data is omitted.
struct DepartureOutput: Encodable {
    let stop: String
    let name: String?
    let letter: String?
    let attribution: String
    /// Whether the operator withholds departures; an empty list means nothing then.
    let withheld: Bool
    /// The next departure when the list is empty.
    let nextDepartureAt: String?
    /// The end of the operator's timetable; an empty list means nothing after that.
    let timetableEndsAt: String?
    let badRows: Int
    let departures: [Entry]
    let alerts: [AlertEntry]

    init(_ response: FeedResponse, sort: BoardCore.SortOrder, attribution: String) {
        stop = response.stop.id.description
        name = response.stop.name
        letter = response.stop.letter
        self.attribution = attribution
        withheld = response.isWithheld
        nextDepartureAt = response.next?.time.rfc3339
        timetableEndsAt = response.timetableEndsAt?.rfc3339
        badRows = response.badRows
        departures = sort.sorted(response.departures).map(Entry.init)
        alerts = response.alerts.map(AlertEntry.init)
    }

    struct Entry: Encodable {
        let line: String
        let lineID: String
        let destination: String
        let vehicle: String?
        let platform: String?
        let direction: String?
        let status: String
        let scheduled: String?
        let expected: String?
        let madeAt: String
        let expiresAt: String
        let trip: Trip?
        let fare: Price?

        init(_ departure: Departure) {
            line = departure.line.name
            lineID = departure.line.id
            destination = departure.destination
            vehicle = departure.vehicle.isEmpty ? nil : departure.vehicle
            platform = departure.platform
            direction = departure.direction
            scheduled = departure.booked?.rfc3339
            madeAt = departure.madeAt.rfc3339
            expiresAt = departure.expiresAt.rfc3339
            trip = departure.attributes.map(Trip.init)
            fare = departure.fare.map(Price.init)
            switch departure.status {
            case .expected(let time): (status, expected) = ("expected", time.rfc3339)
            case .scheduled(let time): (status, expected) = ("scheduled", time.rfc3339)
            case .delayed: (status, expected) = ("delayed", nil)
            case .cancelled: (status, expected) = ("cancelled", nil)
            }
        }
    }

    /// The price of a seat.
    struct Price: Encodable {
        let amount: Double
        let currency: String

        init(_ fare: Fare) {
            amount = Double(fare.hundredths) / 100
            currency = fare.currency
        }
    }

    /// The attributes of a trip beyond line, destination and time.
    struct Trip: Encodable {
        let id: String?
        let `operator`: String?
        let coaches: Int?
        let origins: [String]
        let via: String?
        let reason: String?
        let isReplacement: Bool
        let startsFrom: String?
        let terminatesAt: String?
        let vehicleState: String?
        let returnsAt: String?

        init(_ attributes: TripAttributes) {
            id = attributes.id
            `operator` = attributes.company
            coaches = attributes.coaches
            origins = attributes.origins
            via = attributes.via
            reason = attributes.reason
            isReplacement = attributes.isReplacement
            startsFrom = attributes.startsAt
            terminatesAt = attributes.endsAt
            vehicleState = attributes.stage?.rawValue
            returnsAt = attributes.returnTrip?.at.rfc3339
        }
    }

    /// An alert; without lines it concerns the stop itself.
    struct AlertEntry: Encodable {
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
