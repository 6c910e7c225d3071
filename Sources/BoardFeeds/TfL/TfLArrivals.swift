import BoardCore

extension TfLDepartures {
    /// The identity of a call: the vehicle at the stop; without a vehicle's name, the other properties of the call.
    private struct Key: Hashable {
        let vehicle: String?
        let line: String
        let stop: String
        let destination: String?
        let due: Timestamp?
    }

    /// Decodes the response of `/StopPoint/{id}/Arrivals`: an unordered array of predictions, `[]` if there are none.
    ///
    /// - Parameter stop: the stop of the departures, which may be a whole station.
    init(arrivals body: [UInt8], at code: String, for stop: StopID, _ response: HTTPResponse) throws(FormatError) {
        self.init(date: response.date)
        // The index in `departures` and the times of each call.
        var calls: [Key: (index: Int, times: TfLPrediction.Times)] = [:]
        let rows = try JSONDocument(body).list().rows(TfLPrediction.init)
        badRows = rows.bad
        for row in rows.good where row.operationType ?? 1 == 1 {
            let platform = TfLPlatform(row.platformName, isBus: row.isBus)
            name = name ?? row.stationName
            letter = letter ?? platform.letter
            let here = row.naptanId ?? code
            // The train terminates here.
            if row.destinationNaptanId == here { continue }
            guard let line = row.lineId ?? row.lineName, let times = row.times(received: response.madeAt) else {
                badRows += 1
                continue
            }
            let (vehicle, destination) = (row.vehicleName, row.destination ?? "")
            let key = Key(
                vehicle: vehicle, line: line, stop: here, destination: vehicle == nil ? destination : nil,
                due: vehicle == nil ? times.due : nil)
            let index = calls[key]?.index ?? departures.count
            if let other = calls[key]?.times, !times.replaces(other) { continue }
            calls[key] = (index, times)
            let departure = Departure(
                stop: stop, line: Line(id: line, name: row.lineName ?? line),
                lineColour: TfLColours.colour(of: line, mode: row.modeName),
                mode: row.modeName.flatMap { TransitMode.tfl[$0] }, destination: destination, vehicle: vehicle ?? "",
                platform: platform.platform, direction: platform.direction ?? row.direction,
                status: .expected(times.due), madeAt: times.madeAt, expiresAt: times.expiresAt)
            if index < departures.count { departures[index] = departure } else { departures.append(departure) }
        }
    }

    /// Decodes the response of `/StopPoint/{id}/ArrivalDepartures` for the Elizabeth line or one line of the Overground;
    /// the rows have no timestamps, so `Date` is when they were made.
    init(
        trains body: [UInt8], of line: Line, from code: String, for stop: StopID, _ response: HTTPResponse
    ) throws(FormatError) {
        self.init(date: response.date)
        let madeAt = response.madeAt
        let rows = try JSONDocument(body).list().rows { $0 }
        badRows = rows.bad
        name = rows.good.lazy.compactMap { $0.text("stationName") }.first
        for row in rows.good {
            let word = row.text("departureStatus")
            // The train terminates here or does not stop.
            if row.text("destinationNaptanId") == row.text("naptanId") ?? code || word == "NotStoppingAtStation" {
                continue
            }
            let (estimated, scheduled) = (row.time("estimatedTimeOfDeparture"), row.time("scheduledTimeOfDeparture"))
            guard let due = estimated ?? scheduled else {
                // A row without a departure time is an arrival; without an arrival time either it is malformed.
                if row.time("estimatedTimeOfArrival") ?? row.time("scheduledTimeOfArrival") == nil { badRows += 1 }
                continue
            }
            let status: Departure.Status
            var expiresAt = due + TfLFeed.expiry.liveGrace
            switch (word, estimated) {
            case ("Cancelled", _): status = .cancelled
            case (_, let estimate?): status = .expected(estimate)
            case ("Delayed", nil):
                status = .delayed
                expiresAt = max(expiresAt, madeAt + TfLFeed.expiry.delayedGrace)
            default: status = .scheduled(due)
            }
            let platform = TfLPlatform(row.text("platformName"), isBus: false)
            departures.append(
                Departure(
                    stop: stop, line: line, lineColour: TfLColours.colour(of: line.id, mode: nil), mode: .train,
                    destination: row.text("destinationName") ?? "", platform: platform.platform,
                    direction: platform.direction, booked: scheduled ?? (status == .cancelled ? due : nil),
                    status: status, madeAt: madeAt, expiresAt: expiresAt))
        }
        departures = departures.uniqued()
    }
}

/// One prediction as received; nil if absent. `timing` and other members are not read.
struct TfLPrediction {
    let row: JSONRow

    var operationType: Int? { row.integer("operationType") }
    var naptanId: String? { row.text("naptanId") }
    var stationName: String? { row.text("stationName") }
    var lineId: String? { row.text("lineId") }
    var lineName: String? { row.text("lineName") }
    var platformName: String? { row.text("platformName") }
    /// "inbound" or "outbound", which no sign of a station has: see ``TfLPlatform/direction``.
    var direction: String? { row.text("direction") }
    var destinationNaptanId: String? { row.text("destinationNaptanId") }
    /// The destination's name, else the direction on the platform's display (`towards`).
    var destination: String? { row.text("destinationName") ?? row.text("towards") }
    var modeName: String? { row.text("modeName") }
    var isBus: Bool { modeName == "bus" }

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

        /// Whether this prediction replaces `other` of the same call: the newer one does; of equally new ones, the
        /// earlier call, so that passengers do not miss it.
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
    private static let directions = ["Northbound", "Southbound", "Eastbound", "Westbound", "Inner Rail", "Outer Rail"]
    private(set) var letter: String?
    /// The platform's number or letter, or the bus stop's letter.
    private(set) var platform: String?
    private(set) var direction: String?

    /// Parses a `platformName`; everything is nil if it is absent.
    init(_ name: String?, isBus: Bool) {
        guard let name else { return }
        letter = isBus && name.utf8.count <= TfLText.maximumLetterLength ? name : nil
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

extension TripDetails {
    /// Decodes the response of `/Vehicle/{id}/Arrivals`, the next calls of the vehicle of one departure, unordered; nil
    /// if it has no unexpired call of the trip.
    ///
    /// A set number is unique only within a line, and the response includes a bus's return trip: rows of other lines
    /// and other trips are left out.
    init?(tfl body: [UInt8], of departure: Departure, _ response: HTTPResponse) throws(FormatError) {
        let rows = try JSONDocument(body).list().validRows(TfLPrediction.init).good
        let received = response.madeAt
        let own = rows.compactMap { TfLCall($0, of: departure, received: received) }
        var calls: [String: TfLCall] = [:]
        for call in TfLCall.ofTrip(own, as: departure) {
            if calls[call.stop].isNilOr({ call.times.replaces($0.times) }) { calls[call.stop] = call }
        }
        let upcoming = calls.values.filter { $0.times.expiresAt > received }.sorted {
            ($0.times.due, $0.stop) < ($1.times.due, $1.stop)
        }
        guard let newest = upcoming.max(by: { $0.times.madeAt < $1.times.madeAt }),
            let expiresAt = upcoming.map(\.times.expiresAt).max()
        else { return nil }
        self.init(
            calls: upcoming.map(\.point), location: newest.location, madeAt: newest.times.madeAt, expiresAt: expiresAt)
    }
}

private struct TfLCall {
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
            let times = prediction.times(received: received), let name = prediction.stationName ?? prediction.naptanId
        else { return nil }
        stop = prediction.naptanId ?? name
        destination = prediction.destination ?? ""
        let platform = TfLPlatform(prediction.platformName, isBus: prediction.isBus)
        direction = platform.direction ?? prediction.direction
        self.times = times
        location = prediction.row.text("currentLocation").map(\.plainText)
        point = CallingPoint(
            name: name.plainText, code: prediction.naptanId, state: .expected(times.due), platform: platform.platform)
    }

    /// The calls of the departure's trip: those with its destination; if that has changed, those in its direction.
    static func ofTrip(_ calls: [TfLCall], as departure: Departure) -> [TfLCall] {
        let same = calls.filter { $0.destination == departure.destination }
        guard same.isEmpty, let direction = departure.direction else { return same.isEmpty ? calls : same }
        // Only rows at their own terminus have no direction; they belong to this trip if their destination does.
        let sameDirection = calls.filter { $0.direction == direction }
        return calls.filter { call in sameDirection.contains { $0.destination == call.destination } }
    }
}
