internal import BoardCore

/// The answer of `/trip`: one run, written as a journey from its first stop to its last. Vehicles that go on as another
/// run have several legs.
struct MOTISTrip {
    /// How long a run is shown past its last call, or after it was told where that is later.
    private static let grace: Duration = .seconds(120)

    /// The run; nil where no call of it is told.
    let service: TripDetails?

    /// Reads the whole answer.
    ///
    /// - Parameter told: when it was told.
    init(_ body: [UInt8], madeAt: Timestamp) throws(JSONFault) {
        guard let legs = try JSONDocument(body).row()["legs"]?.elements else { throw .unexpectedStructure }
        let rows = legs.rows { $0 }.good
        var calls: [CallingPoint] = []
        for (index, leg) in rows.enumerated() {
            let isLast = index == rows.count - 1
            var places = [leg.row("from")].compactMap(\.self).map(MOTISPlace.init)
            places += leg.rows("intermediateStops", MOTISPlace.init)
            // Where a leg ends the next one begins.
            if isLast, let end = leg.row("to") { places.append(MOTISPlace(end)) }
            let isCancelled = leg.truth("cancelled") ?? leg.truth("tripCancelled") ?? false
            for (number, place) in places.enumerated() {
                let isEnd = isLast && number == places.count - 1
                guard
                    let call = place.call(
                        isLive: leg.truth("realTime") ?? false, isEnd: isEnd, madeAt: madeAt)
                else { continue }
                calls.append(isCancelled ? call.cancelled : call)
            }
        }
        guard !calls.isEmpty else {
            service = nil
            return
        }
        let last = calls.compactMap(\.time).max() ?? madeAt
        service = TripDetails(calls: calls, madeAt: madeAt, expiresAt: max(last, madeAt) + Self.grace)
    }
}

extension CallingPoint {
    /// The same call of a run that does not run.
    fileprivate var cancelled: CallingPoint {
        CallingPoint(name: name, code: code, booked: booked, state: .cancelled, platform: platform)
    }

    /// The time that is told of the call.
    fileprivate var time: Timestamp? {
        switch state {
        case .expected(let time), .scheduled(let time), .arrived(let time): time
        case .called(let time): time ?? booked
        case .delayed, .cancelled: booked
        }
    }
}
