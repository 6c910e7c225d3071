internal import BoardCore
internal import BoardFormats

/// A stop of MOTIS, with its times if it is part of a trip.
struct MOTISPlace: Hashable {
    let name: String?
    let code: String?
    let coordinates: Coordinates?
    /// The zone name ("Europe/Paris").
    let zone: String?
    let arrival: Timestamp?
    let departure: Timestamp?
    let scheduledArrival: Timestamp?
    let scheduledDeparture: Timestamp?
    let track: String?
    let isCancelled: Bool
    let isDropOffOnly: Bool

    init(_ row: JSONRow) {
        name = row.text("name")
        code = row.text("stopId")
        coordinates = row.coordinates()
        zone = row.text("tz")
        arrival = row.time("arrival")
        departure = row.time("departure")
        scheduledArrival = row.time("scheduledArrival")
        scheduledDeparture = row.time("scheduledDeparture")
        track = row.text("track") ?? row.text("scheduledTrack")
        isCancelled = row.truth("cancelled") ?? false
        isDropOffOnly = row.text("pickupType") == "NOT_ALLOWED"
    }

    /// The calling point; nil without a name or a time.
    ///
    /// - Parameter madeAt: when the response was made; earlier calls have happened.
    func call(isRealtime: Bool, isTripCancelled: Bool, isEnd: Bool, madeAt: Timestamp) -> CallingPoint? {
        let booked = isEnd ? scheduledArrival ?? scheduledDeparture : scheduledDeparture ?? scheduledArrival
        let estimate = isEnd ? arrival ?? departure : departure ?? arrival
        guard let name = name ?? code, let time = estimate ?? booked else { return nil }
        let state: CallingPoint.State
        if isCancelled || isTripCancelled {
            state = .cancelled
        } else if !isRealtime {
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
