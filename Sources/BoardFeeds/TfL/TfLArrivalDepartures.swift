internal import BoardCore
internal import BoardFormats

/// The response of `/StopPoint/{id}/ArrivalDepartures` for one line of the Elizabeth line or the Overground.
struct TfLArrivalDepartures {
    private(set) var result: TfLDepartures
    private var seen: Set<Departure> = []

    /// Decodes the whole response; the rows have no timestamps, so that `Date` is when they were made.
    init(_ body: [UInt8], of line: Line, from code: String, for stop: StopID, _ response: HTTPResponse)
        throws(JSONFault)
    {
        let madeAt = response.madeAt
        result = TfLDepartures(date: response.date)
        let bad = try JSONDocument(body).list().eachRow {
            add(TfLTrain($0), line, from: code, for: stop, madeAt: madeAt)
        }
        result.badRows += bad
    }

    private mutating func add(_ row: TfLTrain, _ line: Line, from code: String, for stop: StopID, madeAt: Timestamp) {
        result.name = result.name ?? row.stationName
        // The train terminates here or does not stop.
        if row.destinationNaptanId == row.naptanId ?? code || row.departureStatus == "NotStoppingAtStation" { return }
        guard let due = row.estimated ?? row.scheduled else {
            // A row without a departure time is an arrival; without an arrival time either it is malformed.
            if row.arrival == nil { result.badRows += 1 }
            return
        }
        let status: Departure.Status
        var expiresAt = due + TfLFeed.expiry.liveGrace
        switch (row.departureStatus, row.estimated) {
        case ("Cancelled", _):
            status = .cancelled
        case (_, let estimate?):
            status = .expected(estimate)
        case ("Delayed", nil):
            status = .delayed
            expiresAt = max(expiresAt, madeAt + TfLFeed.expiry.delayedGrace)
        default:
            status = .scheduled(due)
        }
        let platform = TfLPlatform(row.platformName, isBus: false)
        let departure = Departure(
            stop: stop, line: line, destination: row.destinationName ?? "", platform: platform.platform,
            direction: platform.direction, booked: row.scheduled ?? (status == .cancelled ? due : nil),
            status: status, madeAt: madeAt, expiresAt: expiresAt)
        if seen.insert(departure).inserted { result.departures.append(departure) }
    }
}

/// One row as received; nil if absent.
private struct TfLTrain {
    let platformName: String?
    let destinationName: String?
    let destinationNaptanId: String?
    let naptanId: String?
    let stationName: String?
    let departureStatus: String?
    let estimated: Timestamp?
    let scheduled: Timestamp?
    /// The arrival time, estimated or scheduled.
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
