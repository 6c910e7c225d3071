internal import BoardCore
internal import BoardFormats

/// The response of `/trip`: one trip, from its first stop to its last. Vehicles that continue as another trip have several
/// legs.
struct MOTISTrip {
    /// The trip; nil without calls.
    let tripDetails: TripDetails?

    init(_ body: [UInt8], madeAt: Timestamp) throws(JSONFault) {
        guard let legs = try JSONDocument(body).row()["legs"]?.elements else { throw .unexpectedStructure }
        let rows = legs.rows { $0 }.good
        var calls: [CallingPoint] = []
        for (index, leg) in rows.enumerated() {
            let isLast = index == rows.count - 1
            var places = [leg.row("from")].compactMap(\.self).map(MOTISPlace.init)
            places += leg.rows("intermediateStops", MOTISPlace.init)
            // The next leg begins where this one ends.
            if isLast, let end = leg.row("to") { places.append(MOTISPlace(end)) }
            let isCancelled = leg.truth("cancelled") ?? leg.truth("tripCancelled") ?? false
            for (number, place) in places.enumerated() {
                let isEnd = isLast && number == places.count - 1
                let call = place.call(
                    isRealtime: leg.truth("realTime") ?? false, isTripCancelled: isCancelled, isEnd: isEnd,
                    madeAt: madeAt)
                if let call { calls.append(call) }
            }
        }
        guard !calls.isEmpty else {
            tripDetails = nil
            return
        }
        let last = calls.compactMap(\.latest).max() ?? madeAt
        tripDetails = TripDetails(
            calls: calls, madeAt: madeAt, expiresAt: max(last, madeAt) + MOTISFeed.expiry.detailsGrace)
    }
}
