internal import BoardCore

/// The answer of `/StopPoint/{id}/Arrivals`: an array of predictions in no order, `[]` when there are none.
struct TfLArrivals {
    /// What a prediction is one of: the vehicle at the stop; without a vehicle's name, what is known of the call.
    private struct Key: Hashable {
        let vehicle: String
        let line: String
        let stop: String
        var destination = ""
        var due: Timestamp?
    }

    private(set) var part: TfLDepartures
    private let code: String
    private let stop: StopID
    /// When a prediction without a `timestamp` was made.
    private let received: Timestamp
    /// Where each call is in `part.departures`, and by which times.
    private var kept: [Key: (place: Int, times: TfLPrediction.Times)] = [:]

    /// Reads the whole answer.
    ///
    /// - Parameters:
    ///   - code: what was asked for.
    ///   - stop: the stop to which the departures belong, which may be a whole station.
    init(_ body: [UInt8], at code: String, for stop: StopID, _ response: HTTPResponse) throws(JSONFault) {
        self.code = code
        self.stop = stop
        received = response.date ?? response.received
        part = TfLDepartures(date: response.date)
        let bad = try JSONDocument(body).list().eachRow { add(TfLPrediction($0)) }
        part.badRows += bad
    }

    private mutating func add(_ row: TfLPrediction) {
        guard row.operationType ?? 1 == 1 else { return }
        let platform = TfLPlatform(row.platformName, isBus: row.isBus)
        part.name = part.name ?? row.stationName
        part.letter = part.letter ?? platform.letter
        let here = row.naptanId ?? code
        // The train ends here.
        if row.destinationNaptanId == here { return }
        guard let line = row.lineId ?? row.lineName, let times = row.times(received: received) else {
            part.badRows += 1
            return
        }
        let destination = row.destination ?? ""
        let departure = Departure(
            stop: stop, line: Line(id: line, name: row.lineName ?? line), destination: destination,
            vehicle: row.vehicleName ?? "", platform: platform.platform, direction: row.direction ?? platform.direction,
            status: .expected(times.due), madeAt: times.madeAt, expiresAt: times.expiresAt)
        keep(
            departure, times,
            as: row.vehicleName.map { Key(vehicle: $0, line: line, stop: here) }
                ?? Key(vehicle: "", line: line, stop: here, destination: destination, due: times.due))
    }

    /// Keeps one of several predictions of one call.
    private mutating func keep(_ departure: Departure, _ times: TfLPrediction.Times, as key: Key) {
        guard let other = kept[key] else {
            kept[key] = (part.departures.count, times)
            part.departures.append(departure)
            return
        }
        if times.replaces(other.times) {
            kept[key] = (other.place, times)
            part.departures[other.place] = departure
        }
    }
}
