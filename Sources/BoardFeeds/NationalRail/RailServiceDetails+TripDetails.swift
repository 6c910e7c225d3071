internal import BoardCore
internal import BoardFormats

extension RailServiceDetails {
    /// The trip; nil if there are no other calling points than the requested station.
    ///
    /// - Parameters:
    ///   - zone: London's.
    ///   - response: its `Date` dates a response without `generatedAt`.
    func tripDetails(of departure: Departure, in zone: Zone, _ response: HTTPResponse) -> TripDetails? {
        let times = RailTimes(madeAt: madeAt ?? response.madeAt, zone: zone)
        let scheduled = service.scheduled ?? service.scheduledArrival
        // The board has resolved which of two equal times it is.
        let boardTime = departure.booked.flatMap { times.shows(scheduled, at: $0) ? $0 : nil }
        guard let booked = boardTime ?? times.booked(scheduled) ?? departure.booked else { return nil }
        let before = service.previous.first.map { Self.calls($0, before: booked, times) } ?? []
        let after = service.subsequent.first.map { Self.calls($0, after: booked, times) } ?? []
        guard !before.isEmpty || !after.isEmpty else { return nil }
        let remaining = [here(booked, times)] + after
        let calls = before + remaining
        let portions = service.subsequent.dropFirst().compactMap { portion($0, of: remaining, booked, times) }
        let last = (calls + portions.flatMap(\.calls)).compactMap(\.latest).max() ?? times.madeAt
        return TripDetails(
            calls: calls, portions: portions, madeAt: times.madeAt,
            expiresAt: max(last, times.madeAt) + NationalRailFeed.expiry.detailsGrace)
    }

    /// The call at the requested station.
    private func here(_ booked: Timestamp, _ times: RailTimes) -> CallingPoint {
        let call = RailCallingPoint(
            name: name ?? "", code: code, estimated: service.estimated ?? service.estimatedArrival,
            actual: service.actual, isCancelled: service.isCancelled)
        return CallingPoint(
            name: name ?? code ?? "", code: code, booked: booked,
            state: arrived(booked, times) ?? call.state(booked, times), platform: service.shownPlatform,
            coaches: service.knownCoaches)
    }

    /// The state of a train in the station: it has arrived and not left.
    private func arrived(_ booked: Timestamp, _ times: RailTimes) -> CallingPoint.State? {
        guard service.actual == nil, !service.isCancelled else { return nil }
        let due = times.booked(service.scheduledArrival, before: booked) ?? booked
        let call = RailCallingPoint(actual: service.actualArrival)
        guard case .called(let time?) = call.state(due, times) else { return nil }
        return .arrived(time)
    }

    /// A portion that leaves the train at one of its calls from here on, with which the portion's list begins; else it leaves at
    /// this station.
    private func portion(
        _ callList: RailCallingPointList, of remaining: [CallingPoint], _ booked: Timestamp, _ times: RailTimes
    ) -> TripDetails.Portion? {
        let first = callList.calls.first
        let place = remaining.first { call in
            call.code.map { $0 == first?.code } ?? (call.name == first?.name)
        }
        let calls = Self.calls(callList, after: place?.booked ?? booked, times)
        guard !calls.isEmpty else { return nil }
        guard let place else { return TripDetails.Portion(at: name ?? code ?? "", calls: calls) }
        return TripDetails.Portion(at: place.name, calls: Array(calls.dropFirst()))
    }

    /// The calls after `moment`; the last one is an arrival.
    private static func calls(_ callList: RailCallingPointList, after moment: Timestamp, _ times: RailTimes)
        -> [CallingPoint]
    {
        var last = moment
        return callList.calls.enumerated().compactMap { index, call in
            guard let booked = times.booked(call.scheduled, after: last) else { return nil }
            last = booked
            return call.point(
                booked, isCancelled: callList.isCancelled, isEnd: index == callList.calls.count - 1, times)
        }
    }

    private static func calls(_ callList: RailCallingPointList, before moment: Timestamp, _ times: RailTimes)
        -> [CallingPoint]
    {
        var next = moment
        return callList.calls.reversed().compactMap { call -> CallingPoint? in
            guard let booked = times.booked(call.scheduled, before: next) else { return nil }
            next = booked
            return call.point(booked, isCancelled: callList.isCancelled, isEnd: false, times)
        }.reversed()
    }
}

extension RailCallingPoint {
    fileprivate func point(
        _ booked: Timestamp, isCancelled: Bool, isEnd: Bool, _ times: RailTimes
    ) -> CallingPoint? {
        guard let name = name ?? code else { return nil }
        var state = isCancelled ? .cancelled : state(booked, times)
        if isEnd, case .called(let time?) = state { state = .arrived(time) }
        return CallingPoint(
            name: name, code: code, booked: booked, state: state,
            coaches: coaches.flatMap { $0 > 0 ? $0 : nil })
    }

    /// The state of the call: actual times take precedence over estimates.
    fileprivate func state(_ booked: Timestamp, _ times: RailTimes) -> CallingPoint.State {
        if isCancelled { return .cancelled }
        switch RailTimes.Text(actual) {
        case .cancelled: return .cancelled
        case .onTime: return .called(booked)
        case .time(let hour, let minute):
            return .called(times.estimate(hour: hour, minute: minute, atCallOf: booked))
        case .noReport: return .called(nil)
        case .delayed: return .delayed
        case .unknown: break
        }
        return switch RailTimes.Text(estimated) {
        case .cancelled: .cancelled
        case .delayed: .delayed
        case .onTime: .expected(booked)
        case .time(let hour, let minute):
            times.estimate(hour: hour, minute: minute, atCallOf: booked).map { .expected($0) } ?? .scheduled(booked)
        case .noReport: .called(nil)
        case .unknown: .scheduled(booked)
        }
    }
}
