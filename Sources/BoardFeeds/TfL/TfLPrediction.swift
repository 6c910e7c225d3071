internal import BoardCore
internal import BoardFormats

/// One prediction as received; nil if absent. `timing` and other members are not read.
struct TfLPrediction {
    let operationType: Int?
    let vehicleId: String?
    let naptanId: String?
    let stationName: String?
    let lineId: String?
    let lineName: String?
    let platformName: String?
    let direction: String?
    let destinationNaptanId: String?
    /// The destination's name, else the direction on the platform's display (`towards`).
    let destination: String?
    let isBus: Bool
    let timestamp: Timestamp?
    let expectedArrival: Timestamp?
    /// Seconds from `timestamp` to the arrival; read only without `expectedArrival`.
    let timeToStation: Int?
    let timeToLive: Timestamp?

    init(_ row: JSONRow) {
        operationType = row.integer("operationType")
        vehicleId = row.text("vehicleId")
        naptanId = row.text("naptanId")
        stationName = row.text("stationName")
        lineId = row.text("lineId")
        lineName = row.text("lineName")
        platformName = row.text("platformName")
        direction = row.text("direction")
        destinationNaptanId = row.text("destinationNaptanId")
        destination = row.text("destinationName") ?? row.text("towards")
        isBus = row.text("modeName") == "bus"
        timestamp = row.time("timestamp")
        expectedArrival = row.time("expectedArrival")
        timeToStation = expectedArrival == nil ? row.integer("timeToStation") : nil
        timeToLive = row.time("timeToLive")
    }

    /// The vehicle's identifier within its line; nil for none and for "000", which stands for an unknown set number.
    var vehicleName: String? {
        vehicleId.flatMap { $0.allSatisfy { $0 == "0" } ? nil : $0 }
    }
}

extension TfLPrediction {
    /// The times of a call.
    struct Times: Hashable, Sendable {
        let due: Timestamp
        let madeAt: Timestamp
        let expiresAt: Timestamp

        /// Whether this prediction replaces `other` of the same call: the newer does; of equally new ones the earlier, so that
        /// passengers do not miss it.
        func replaces(_ other: Times) -> Bool {
            madeAt > other.madeAt || (madeAt == other.madeAt && due < other.due)
        }
    }

    /// The times of the call; nil without a time.
    ///
    /// - Parameter received: when a prediction without a `timestamp` was made.
    func times(received: Timestamp) -> Times? {
        let madeAt = timestamp ?? received
        guard let due = expectedArrival ?? timeToStation.map({ madeAt + .seconds($0) }) else { return nil }
        return Times(
            due: due, madeAt: madeAt, expiresAt: timeToLive ?? due + (isBus ? TfLFeed.expiry.liveGrace : .zero))
    }
}
