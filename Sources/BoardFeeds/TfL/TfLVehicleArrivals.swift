internal import BoardCore
internal import BoardFormats

/// The response of `/Vehicle/{id}/Arrivals`: the next calls of the vehicle of one departure, unordered.
struct TfLVehicleArrivals {
    /// The trip; nil if the response has no unexpired call of it.
    let tripDetails: TripDetails?

    /// Decodes the whole response.
    ///
    /// A set number is unique within a line only, and the response includes a bus's return trip: rows of other lines and other
    /// trips are left out.
    init(_ body: [UInt8], of departure: Departure, _ response: HTTPResponse) throws(JSONFault) {
        let rows = try JSONDocument(body).list().rows(TfLPrediction.init)
        if rows.good.isEmpty, rows.bad > 0 { throw .unexpectedStructure }
        let received = response.madeAt
        let own = rows.good.compactMap { Call($0, of: departure, received: received) }
        var calls: [String: Call] = [:]
        for call in Self.ofTrip(own, as: departure) {
            if calls[call.stop].map({ call.times.replaces($0.times) }) ?? true { calls[call.stop] = call }
        }
        let upcoming = calls.values.filter { $0.times.expiresAt > received }.sorted {
            ($0.times.due, $0.stop) < ($1.times.due, $1.stop)
        }
        guard let newest = upcoming.max(by: { $0.times.madeAt < $1.times.madeAt }),
            let expiresAt = upcoming.map(\.times.expiresAt).max()
        else {
            tripDetails = nil
            return
        }
        tripDetails = TripDetails(
            calls: upcoming.map(\.point), location: newest.location, madeAt: newest.times.madeAt, expiresAt: expiresAt)
    }

    /// The calls of the departure's trip: those with its destination; if that has changed, those in its direction.
    private static func ofTrip(_ calls: [Call], as departure: Departure) -> [Call] {
        let same = calls.filter { $0.destination == departure.destination }
        guard same.isEmpty, let direction = departure.direction else { return same.isEmpty ? calls : same }
        // Only rows at their own terminus have no direction; they belong to this trip if their destination does.
        let sameDirection = calls.filter { $0.direction == direction }
        return calls.filter { call in sameDirection.contains { $0.destination == call.destination } }
    }
}

extension TfLVehicleArrivals {
    private struct Call {
        let stop: String
        let destination: String
        let direction: String?
        let times: TfLPrediction.Times
        /// The position of a train ("Between Oval and Stockwell"); TfL cuts it after 50 characters.
        let location: String?
        let point: CallingPoint

        /// Nil if the row belongs to another vehicle or has no time or name.
        init?(_ prediction: TfLPrediction, of departure: Departure, received: Timestamp) {
            guard prediction.operationType ?? 1 == 1, prediction.vehicleName ?? departure.vehicle == departure.vehicle,
                prediction.lineId ?? prediction.lineName == departure.line.id,
                let times = prediction.times(received: received),
                let name = prediction.stationName ?? prediction.naptanId
            else { return nil }
            stop = prediction.naptanId ?? name
            destination = prediction.destination ?? ""
            let platform = TfLPlatform(prediction.platformName, isBus: prediction.isBus)
            direction = prediction.direction ?? platform.direction
            self.times = times
            location = prediction.row.text("currentLocation").map(\.plainText)
            point = CallingPoint(
                name: name.plainText, code: prediction.naptanId, state: .expected(times.due),
                platform: platform.platform)
        }
    }
}
