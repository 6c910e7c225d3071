internal import BoardCore

/// The answer of `/StopPoint/{id}/ArrivalDepartures` for one line of the Elizabeth line or the Overground.
struct TfLArrivalDepartures {
    /// How long a train is shown past its estimate.
    private static let grace: Duration = .seconds(30)

    private(set) var part: TfLDepartures
    private var seen: Set<Departure> = []

    /// Reads the whole answer; the rows carry no time of their own, so that `Date` is when they were made.
    init(_ body: [UInt8], of line: Line, from code: String, for stop: StopID, _ response: HTTPResponse)
        throws(JSONFault)
    {
        let madeAt = response.date ?? response.received
        part = TfLDepartures(date: response.date)
        let bad = try JSONDocument(body).list().eachRow {
            add(TfLTrain($0), line, from: code, for: stop, madeAt: madeAt)
        }
        part.badRows += bad
    }

    private mutating func add(_ row: TfLTrain, _ line: Line, from code: String, for stop: StopID, madeAt: Timestamp) {
        part.name = part.name ?? row.stationName
        // It ends here, or passes.
        if row.destinationNaptanId == row.naptanId ?? code || row.departureStatus == "NotStoppingAtStation" { return }
        guard let due = row.estimated ?? row.scheduled else {
            // Without any time of departure it only arrives; without that of arrival either it says nothing.
            if row.arrival == nil { part.badRows += 1 }
            return
        }
        let status: Departure.Status
        var expiresAt = due + Self.grace
        switch (row.departureStatus, row.estimated) {
        case ("Cancelled", _):
            status = .cancelled
        case (_, let estimate?):
            status = .expected(estimate)
        case ("Delayed", nil):
            status = .delayed
            expiresAt = max(expiresAt, madeAt + Departure.delayedGrace)
        default:
            status = .scheduled(due)
        }
        let platform = TfLPlatform(row.platformName, isBus: false)
        let departure = Departure(
            stop: stop, line: line, destination: row.destinationName ?? "", platform: platform.platform,
            direction: platform.direction, booked: row.scheduled ?? (status == .cancelled ? due : nil),
            status: status, madeAt: madeAt, expiresAt: expiresAt)
        if seen.insert(departure).inserted { part.departures.append(departure) }
    }
}

/// One row as it is written; nil where nothing is said.
private struct TfLTrain {
    let platformName: String?
    let destinationName: String?
    let destinationNaptanId: String?
    let naptanId: String?
    let stationName: String?
    let departureStatus: String?
    let estimated: Timestamp?
    let scheduled: Timestamp?
    /// When it arrives, estimated or booked.
    let arrival: Timestamp?

    init(_ row: JSONRow) {
        platformName = row.text("platformName")
        destinationName = row.text("destinationName")
        destinationNaptanId = row.text("destinationNaptanId")
        naptanId = row.text("naptanId")
        stationName = row.text("stationName")
        departureStatus = row.text("departureStatus")
        estimated = row.time("estimatedTimeOfDeparture")
        scheduled = row.time("scheduledTimeOfDeparture")
        arrival = row.time("estimatedTimeOfArrival") ?? row.time("scheduledTimeOfArrival")
    }
}
