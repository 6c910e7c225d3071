internal import BoardCore

extension SIRIVisit {
    /// The trip; nil if the visit adds nothing to the departure.
    func tripDetails(of departure: Departure, madeAt responseMadeAt: Timestamp) -> TripDetails? {
        let madeAt = recorded ?? responseMadeAt
        let isMonitored = self.isMonitored != false
        let before = previous.compactMap {
            $0.point(isMonitored: isMonitored, isCancelled: isCancelled, hasCalled: true)
        }
        let after = onward.compactMap { $0.point(isMonitored: isMonitored, isCancelled: isCancelled, hasCalled: false) }
        let distance = isMonitored && !isCancelled ? call.distance : nil
        guard !before.isEmpty || !after.isEmpty || distance != nil else { return nil }
        let here = CallingPoint(
            name: call.name ?? departure.stop.code, code: departure.stop.code, booked: departure.booked,
            state: call.isAtStop && isMonitored
                ? .arrived(call.actualArrival ?? madeAt) : CallingPoint.State(departure),
            platform: departure.platform)
        let last = after.compactMap(\.latest).max() ?? departure.due
        return TripDetails(
            calls: before + [here] + after, location: distance, madeAt: madeAt,
            expiresAt: max(last, madeAt) + SIRIFeed.expiry.detailsGrace)
    }
}

extension SIRICall {
    /// The calling point; nil without a time.
    fileprivate func point(isMonitored: Bool, isCancelled: Bool, hasCalled: Bool) -> CallingPoint? {
        guard let name = name ?? stop else { return nil }
        let booked = aimedArrival ?? aimedDeparture
        let expected = expectedArrival ?? expectedDeparture
        let status = arrivalStatus == .noReport ? departureStatus : arrivalStatus ?? departureStatus
        let state: CallingPoint.State
        if isCancelled || status == .cancelled {
            state = .cancelled
        } else if hasCalled {
            state = .called(actualDeparture ?? actualArrival)
        } else if let expected, isMonitored {
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

extension CallingPoint.State {
    /// The state of the departure's own call.
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
