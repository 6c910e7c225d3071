/// The JSON of a board's state. Times are RFC 3339 with the offset of their place, without fractions of seconds. Keys without
/// a value are absent.
struct StatePayload: Hashable, Encodable {
    struct Stop: Hashable, Encodable {
        /// When the next departure leaves that a person who sets out now catches.
        var next: String?
        /// When to set out for it; absent without a walking time.
        var leave: String?
        var attributes: Attributes
    }

    /// Beside the next departure. Home Assistant stores at most 16,384 bytes of attributes.
    struct Attributes: Hashable, Encodable {
        let stop: String
        let name: String
        /// Of the stop's feed: live, loading, frozen, failing.
        let status: String
        let attribution: String
        var line: String?
        var destination: String?
        var platform: String?
        /// expected, scheduled.
        var departureStatus: String?
        /// When the operator made the estimate, and how many seconds ago that was.
        var madeAt: String?
        var age: Int?
        /// Whether the display marks the estimate as old.
        var isStale: Bool?
        var departures: [Departure]

        enum CodingKeys: String, CodingKey {
            case stop, name, status, attribution, line, destination, platform, age, departures
            case departureStatus = "departure_status"
            case madeAt = "made_at"
            case isStale = "stale"
        }
    }

    struct Departure: Hashable, Encodable {
        let line: String
        let destination: String
        let platform: String?
        /// expected, scheduled, delayed, cancelled.
        let status: String
        let time: String?
        /// Absent: no.
        let isStale: Bool?

        enum CodingKeys: String, CodingKey {
            case line, destination, platform, status, time
            case isStale = "stale"
        }
    }

    struct Problem: Hashable, Encodable {
        struct Attributes: Hashable, Encodable {
            let faults: [String]
        }

        /// As Home Assistant's binary sensors read it.
        let state: String
        let attributes: Attributes

        init(_ faults: [String]) {
            state = faults.isEmpty ? "OFF" : "ON"
            attributes = Attributes(faults: faults)
        }
    }

    /// The board's time.
    let time: String
    let light: String
    /// The name of the page in view; absent while the pages rotate, and for the address of the page that the daemon serves.
    let page: String?
    let problem: Problem
    var stops: [String: Stop]

    /// The payload in at most `size` bytes: the lists are shortened, the longest first, then the stops are left out.
    func json(atMost size: Int) -> [UInt8] {
        var payload = self
        let longest = stops.values.map(\.attributes.departures.count).max() ?? 0
        for length in stride(from: longest, through: 0, by: -1) {
            payload.stops = payload.stops.mapValues { stop in
                var stop = stop
                stop.attributes.departures = Array(stop.attributes.departures.prefix(length))
                return stop
            }
            let json = StableJSON.bytes(payload)
            if json.count <= size { return json }
        }
        payload.stops = [:]
        return StableJSON.bytes(payload)
    }
}
