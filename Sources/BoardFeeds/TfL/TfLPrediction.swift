internal import BoardCore
internal import BoardFormats

/// One prediction as received; nil if absent. `timing` and other members are not read.
struct TfLPrediction {
    let row: JSONRow

    var operationType: Int? { row.integer("operationType") }
    var naptanId: String? { row.text("naptanId") }
    var stationName: String? { row.text("stationName") }
    var lineId: String? { row.text("lineId") }
    var lineName: String? { row.text("lineName") }
    var platformName: String? { row.text("platformName") }
    var direction: String? { row.text("direction") }
    var destinationNaptanId: String? { row.text("destinationNaptanId") }
    /// The destination's name, else the direction on the platform's display (`towards`).
    var destination: String? { row.text("destinationName") ?? row.text("towards") }
    var isBus: Bool { row.text("modeName") == "bus" }

    /// The vehicle's identifier within its line; nil for none and for "000", which stands for an unknown set number.
    var vehicleName: String? {
        row.text("vehicleId").flatMap { $0.allSatisfy { $0 == "0" } ? nil : $0 }
    }
}

extension TfLPrediction {
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
        let madeAt = row.time("timestamp") ?? received
        // `timeToStation`: seconds from `timestamp` to the arrival.
        let due = row.time("expectedArrival") ?? row.integer("timeToStation").map { madeAt + .seconds($0) }
        guard let due else { return nil }
        return Times(
            due: due, madeAt: madeAt,
            expiresAt: row.time("timeToLive") ?? due + (isBus ? TfLFeed.expiry.liveGrace : .zero))
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

    let letter: String?
    /// The platform's number or letter, or the bus stop's letter.
    let platform: String?
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
