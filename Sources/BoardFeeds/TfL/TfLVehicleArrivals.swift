internal import BoardCore

/// The answer of `/Vehicle/{id}/Arrivals`: the next calls of the vehicle of one departure, in no order.
struct TfLVehicleArrivals {
    /// The run; nil where nothing of it is told, or nothing is true any more.
    let service: TripDetails?

    /// Reads the whole answer.
    ///
    /// A set number is one train's on one line only, and a bus is told of on its way back, too: rows of other lines and
    /// of other ways are left out.
    init(_ body: [UInt8], of departure: Departure, _ response: HTTPResponse) throws(JSONFault) {
        let rows = try JSONDocument(body).list().rows(TfLVehiclePrediction.init)
        if rows.good.isEmpty, rows.bad > 0 { throw .unexpectedStructure }
        let received = response.date ?? response.received
        let own = rows.good.compactMap { Call($0, of: departure, received: received) }
        var calls: [String: Call] = [:]
        for call in Self.sameWay(own, as: departure) {
            if calls[call.stop].map({ call.times.replaces($0.times) }) ?? true { calls[call.stop] = call }
        }
        let way = calls.values.filter { $0.times.expiresAt > received }.sorted {
            ($0.times.due, $0.stop) < ($1.times.due, $1.stop)
        }
        guard let newest = way.max(by: { $0.times.madeAt < $1.times.madeAt }),
            let expiresAt = way.map(\.times.expiresAt).max()
        else {
            service = nil
            return
        }
        service = TripDetails(
            calls: way.map(\.point), location: newest.location, madeAt: newest.times.madeAt, expiresAt: expiresAt)
    }

    /// The calls of the run that the departure is of: those with its destination, and where it has another one by now,
    /// those in its direction.
    private static func sameWay(_ calls: [Call], as departure: Departure) -> [Call] {
        let same = calls.filter { $0.destination == departure.destination }
        guard same.isEmpty, let direction = departure.direction else { return same.isEmpty ? calls : same }
        // Only rows that end where they are have no direction, and of them only those of this run are left.
        let told = calls.filter { $0.direction == direction }
        return calls.filter { call in told.contains { $0.destination == call.destination } }
    }
}

extension TfLVehicleArrivals {
    /// One call that the answer tells of.
    private struct Call {
        let stop: String
        let destination: String
        let direction: String?
        let times: TfLPrediction.Times
        let location: String?
        let point: CallingPoint

        /// Nil where the row is of another vehicle or says nothing.
        init?(_ row: TfLVehiclePrediction, of departure: Departure, received: Timestamp) {
            let told = row.prediction
            guard told.operationType ?? 1 == 1, told.vehicleName ?? departure.vehicle == departure.vehicle,
                told.lineId ?? told.lineName == departure.line.id, let times = told.times(received: received),
                let name = told.stationName ?? told.naptanId
            else { return nil }
            stop = told.naptanId ?? name
            destination = told.destination ?? ""
            let platform = TfLPlatform(told.platformName, isBus: told.isBus)
            direction = told.direction ?? platform.direction
            self.times = times
            location = row.location
            point = CallingPoint(
                name: TfLText.clean(name), code: told.naptanId, state: .expected(times.due),
                platform: platform.platform)
        }
    }
}

/// One prediction with what is only told of a vehicle on its way.
private struct TfLVehiclePrediction {
    let prediction: TfLPrediction
    /// Where a train is ("Between Oval and Stockwell"); TfL cuts it after 50 characters.
    let location: String?

    init(_ row: JSONRow) {
        prediction = TfLPrediction(row)
        location = row.text("currentLocation").map(TfLText.clean)
    }
}
