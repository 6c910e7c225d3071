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

/// The interpretation of TfL's `platformName`: a stop's letter ("N"), a platform with a compass word ("Northbound -
/// Platform 4"), a compass word alone, as also for trams ("Eastbound Platform"), "Platform Unknown".
struct TfLPlatform: Hashable, Sendable {
    private static let directions = [
        "Northbound", "Southbound", "Eastbound", "Westbound", "Inner Rail", "Outer Rail",
    ]
    /// Letters of bus stops are "N", "LF", "KX1"; longer texts are names.
    private static let longestLetter = 3

    /// The letter on a bus stop.
    let letter: String?
    /// The platform's number or letter, or the bus stop's letter.
    let platform: String?
    /// The direction in the name.
    let direction: String?

    /// Parses a `platformName`; everything is nil if it is absent.
    init(_ name: String?, isBus: Bool) {
        guard let name else {
            (letter, platform, direction) = (nil, nil, nil)
            return
        }
        letter = isBus && name.utf8.count <= Self.longestLetter ? name : nil
        direction = Self.directions.first { name.hasPrefix($0) }
        let words = name.split(separator: " ")
        if let word = words.lastIndex(of: "Platform"), words.index(after: word) < words.endIndex {
            let number = words[words.index(after: word)]
            platform = number == "Unknown" ? nil : String(number)
        } else {
            let hasNoNumber = direction.map { [$0, "\($0) Platform"].contains(name) } ?? (name == "Unknown")
            platform = hasNoNumber ? nil : name
        }
    }
}
