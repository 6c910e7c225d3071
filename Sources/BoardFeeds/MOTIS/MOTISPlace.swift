internal import BoardCore

/// A stop as MOTIS writes it, with what happens there where it is a part of a run.
struct MOTISPlace: Hashable {
    let name: String?
    let code: String?
    let coordinates: Coordinates?
    /// The name of its zone ("Europe/Paris").
    let zone: String?
    let arrival: Timestamp?
    let departure: Timestamp?
    let scheduledArrival: Timestamp?
    let scheduledDeparture: Timestamp?
    let track: String?
    let isCancelled: Bool
    /// Whether nobody may get on.
    let isDropOffOnly: Bool

    init(_ row: JSONRow) {
        name = row.text("name")
        code = row.text("stopId")
        coordinates = Coordinates(row)
        zone = row.text("tz")
        arrival = row.time("arrival")
        departure = row.time("departure")
        scheduledArrival = row.time("scheduledArrival")
        scheduledDeparture = row.time("scheduledDeparture")
        track = row.text("track") ?? row.text("scheduledTrack")
        isCancelled = row.truth("cancelled") ?? false
        isDropOffOnly = row.text("pickupType") == "NOT_ALLOWED"
    }

    /// The call on the way of a run.
    ///
    /// - Parameters:
    ///   - isLive: whether the times are estimates.
    ///   - isEnd: whether the run ends here.
    ///   - told: when it was told; what was to be before then has happened.
    /// - Returns: nil where no name or no time is told.
    func call(isLive: Bool, isEnd: Bool, madeAt: Timestamp) -> CallingPoint? {
        let booked = isEnd ? scheduledArrival ?? scheduledDeparture : scheduledDeparture ?? scheduledArrival
        let estimate = isEnd ? arrival ?? departure : departure ?? arrival
        guard let name = name ?? code, let time = estimate ?? booked else { return nil }
        let state: CallingPoint.State
        if isCancelled {
            state = .cancelled
        } else if !isLive {
            state = .scheduled(time)
        } else if time <= madeAt {
            state = isEnd ? .arrived(time) : .called(time)
        } else if !isEnd, let arrival, arrival <= madeAt {
            state = .arrived(arrival)
        } else {
            state = .expected(time)
        }
        return CallingPoint(name: name, code: code, booked: booked, state: state, platform: track)
    }
}

extension Coordinates {
    /// Where a place is; nil where it does not say, and for 0, 0, which stands for nowhere.
    init?(_ row: JSONRow) {
        guard let latitude = row.number("lat"), let longitude = row.number("lon"), latitude != 0 || longitude != 0
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
