internal import BoardCore
internal import BoardFormats

/// The response of `/StopPoint/{id}/Arrivals`: an unordered array of predictions, `[]` if there are none.
struct TfLArrivals {
    /// The identity of a call: the vehicle at the stop; without a vehicle's name, the other properties of the call.
    private struct Key: Hashable {
        let vehicle: String
        let line: String
        let stop: String
        var destination = ""
        var due: Timestamp?
    }

    private(set) var result: TfLDepartures
    private let code: String
    private let stop: StopID
    /// When a prediction without a `timestamp` was made.
    private let received: Timestamp
    /// The index in `result.departures` and the times of each call.
    private var calls: [Key: (index: Int, times: TfLPrediction.Times)] = [:]

    /// - Parameter stop: the stop of the departures, which may be a whole station.
    init(_ body: [UInt8], at code: String, for stop: StopID, _ response: HTTPResponse) throws(JSONFault) {
        self.code = code
        self.stop = stop
        received = response.madeAt
        result = TfLDepartures(date: response.date)
        let bad = try JSONDocument(body).list().eachRow { add(TfLPrediction(row: $0)) }
        result.badRows += bad
    }

    private mutating func add(_ row: TfLPrediction) {
        guard row.operationType ?? 1 == 1 else { return }
        let platform = TfLPlatform(row.platformName, isBus: row.isBus)
        result.name = result.name ?? row.stationName
        result.letter = result.letter ?? platform.letter
        let here = row.naptanId ?? code
        // The train terminates here.
        if row.destinationNaptanId == here { return }
        guard let line = row.lineId ?? row.lineName, let times = row.times(received: received) else {
            result.badRows += 1
            return
        }
        let destination = row.destination ?? ""
        let departure = Departure(
            stop: stop, line: Line(id: line, name: row.lineName ?? line), destination: destination,
            vehicle: row.vehicleName ?? "", platform: platform.platform, direction: row.direction ?? platform.direction,
            status: .expected(times.due), madeAt: times.madeAt, expiresAt: times.expiresAt)
        store(
            departure, times,
            as: row.vehicleName.map { Key(vehicle: $0, line: line, stop: here) }
                ?? Key(vehicle: "", line: line, stop: here, destination: destination, due: times.due))
    }

    /// Stores the best of several predictions of one call.
    private mutating func store(_ departure: Departure, _ times: TfLPrediction.Times, as key: Key) {
        guard let other = calls[key] else {
            calls[key] = (result.departures.count, times)
            result.departures.append(departure)
            return
        }
        if times.replaces(other.times) {
            calls[key] = (other.index, times)
            result.departures[other.index] = departure
        }
    }
}
