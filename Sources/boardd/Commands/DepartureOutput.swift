internal import BoardCore

/// The stable shape of `boardd departures --json`.
struct DepartureOutput: Encodable {
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
        let coaches: Int?
        let origins: [String]?
        let via: String?
        let startsAt: String?
        let endsAt: String?
        let reason: String?
        let replacement: Bool?
        let service: String?
        let made: String
        let void: String

        init(_ departure: Departure) {
            line = departure.line.name
            lineID = departure.line.id
            destination = departure.destination
            vehicle = departure.vehicle.isEmpty ? nil : departure.vehicle
            platform = departure.platform
            direction = departure.direction
            booked = departure.booked?.rfc3339
            let journey = departure.journey
            coaches = journey?.coaches
            origins = journey.flatMap { $0.origins.isEmpty ? nil : $0.origins }
            via = journey?.via
            startsAt = journey?.startsAt
            endsAt = journey?.endsAt
            reason = journey?.reason
            replacement = journey?.isReplacement
            service = journey?.id
            made = departure.made.rfc3339
            void = departure.void.rfc3339
            switch departure.status {
            case .expected(let time): (status, expected) = ("expected", time.rfc3339)
            case .timetabled(let time): (status, expected) = ("timetabled", time.rfc3339)
            case .delayed: (status, expected) = ("delayed", nil)
            case .cancelled: (status, expected) = ("cancelled", nil)
            }
        }
    }

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

    let stop: String
    let name: String?
    let letter: String?
    let attribution: String
    let badRows: Int
    let departures: [Row]
    let alerts: [Notice]

    init(_ answer: FeedAnswer, sort: BoardCore.SortOrder, attribution: String) {
        stop = answer.stop.id.description
        name = answer.stop.name
        letter = answer.stop.letter
        self.attribution = attribution
        badRows = answer.badRows
        departures = sort.sorted(answer.departures).map(Row.init)
        alerts = answer.alerts.map(Notice.init)
    }
}
