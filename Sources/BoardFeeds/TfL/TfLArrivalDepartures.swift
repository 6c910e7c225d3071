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
            add($0, line, from: code, for: stop, madeAt: madeAt)
        }
        result.badRows += bad
    }

    private mutating func add(_ row: JSONRow, _ line: Line, from code: String, for stop: StopID, madeAt: Timestamp) {
        result.name = result.name ?? row.text("stationName")
        let word = row.text("departureStatus")
        let destination = row.text("destinationNaptanId")
        // The train terminates here or does not stop.
        if destination == row.text("naptanId") ?? code || word == "NotStoppingAtStation" { return }
        let (estimated, scheduled) = (row.time("estimatedTimeOfDeparture"), row.time("scheduledTimeOfDeparture"))
        guard let due = estimated ?? scheduled else {
            // A row without a departure time is an arrival; without an arrival time either it is malformed.
            if row.time("estimatedTimeOfArrival") ?? row.time("scheduledTimeOfArrival") == nil { result.badRows += 1 }
            return
        }
        let status: Departure.Status
        var expiresAt = due + TfLFeed.expiry.liveGrace
        switch (word, estimated) {
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
        let platform = TfLPlatform(row.text("platformName"), isBus: false)
        let departure = Departure(
            stop: stop, line: line, destination: row.text("destinationName") ?? "", platform: platform.platform,
            direction: platform.direction, booked: scheduled ?? (status == .cancelled ? due : nil),
            status: status, madeAt: madeAt, expiresAt: expiresAt)
        if seen.insert(departure).inserted { result.departures.append(departure) }
    }
}
