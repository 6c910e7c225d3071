internal import BoardCore

/// What a visit tells of the vehicle's whole way.
extension SIRIVisit {
    /// How long a run is shown past its last time, or after it was told where that is later.
    private static let grace: Duration = .seconds(120)

    /// The run; nil where nothing is told that the departure does not say already.
    ///
    /// - Parameters:
    ///   - departure: the row that was opened.
    ///   - answered: when the answer was made.
    func tripDetails(of departure: Departure, madeAt answered: Timestamp) -> TripDetails? {
        let madeAt = recorded ?? answered
        let isFollowed = isMonitored != false
        let before = previous.compactMap { $0.point(isFollowed: isFollowed, isCancelled: isCancelled, hasCalled: true) }
        let after = onward.compactMap { $0.point(isFollowed: isFollowed, isCancelled: isCancelled, hasCalled: false) }
        let distance = isFollowed && !isCancelled ? call.distance : nil
        guard !before.isEmpty || !after.isEmpty || distance != nil else { return nil }
        let here = CallingPoint(
            name: call.name ?? departure.stop.code, code: departure.stop.code, booked: departure.booked,
            state: call.isAtStop && isFollowed ? .arrived(call.actualArrival ?? madeAt) : CallingPoint.State(departure),
            platform: departure.platform)
        let last = after.compactMap(\.time).max() ?? departure.due
        return TripDetails(
            calls: before + [here] + after, location: distance, madeAt: madeAt,
            expiresAt: max(last, madeAt) + Self.grace)
    }
}

extension SIRICall {
    /// The call; nil where no time is told of it.
    fileprivate func point(isFollowed: Bool, isCancelled: Bool, hasCalled: Bool) -> CallingPoint? {
        guard let name = name ?? stop else { return nil }
        let booked = aimedArrival ?? aimedDeparture
        let expected = expectedArrival ?? expectedDeparture
        let status = arrivalStatus == .noReport ? departureStatus : arrivalStatus ?? departureStatus
        let state: CallingPoint.State
        if isCancelled || status == .cancelled {
            state = .cancelled
        } else if hasCalled {
            state = .called(actualDeparture ?? actualArrival)
        } else if let expected, isFollowed {
            state = .expected(expected)
        } else if let time = booked ?? expected {
            state = .scheduled(time)
        } else {
            return nil
        }
        return CallingPoint(
            name: name, code: stop, booked: booked, state: state, platform: arrivalPlatform ?? departurePlatform)
    }
}

extension CallingPoint {
    /// The time that is told of the call.
    fileprivate var time: Timestamp? {
        switch state {
        case .expected(let time), .scheduled(let time), .arrived(let time): time
        case .called(let time): time ?? booked
        case .delayed, .cancelled: booked
        }
    }
}

extension CallingPoint.State {
    /// What a row says of the call at the stop.
    fileprivate init(_ departure: Departure) {
        self =
            switch departure.status {
            case .expected(let time): .expected(time)
            case .scheduled(let time): .scheduled(time)
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
    }
}
