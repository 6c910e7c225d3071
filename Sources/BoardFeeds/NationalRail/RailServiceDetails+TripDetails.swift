internal import BoardCore

/// What one service means: calling points with moments.
extension RailServiceDetails {
    /// How long a run is shown past its last estimate, or after it was told where that is later.
    private static let grace: Duration = .seconds(120)

    /// The run; nil where nothing is told of it but where it was asked about.
    ///
    /// - Parameters:
    ///   - departure: the row that was opened.
    ///   - zone: London's.
    ///   - response: its `Date` says when it was told, where the answer does not say so.
    func run(of departure: Departure, in zone: Zone, _ response: HTTPResponse) -> TripDetails? {
        let times = RailTimes(madeAt: madeAt ?? response.date ?? response.received, zone: zone)
        let scheduled = service.scheduled ?? service.scheduledArrival
        // The board knew which of two equal times it is.
        let known = departure.booked.flatMap { times.shows(scheduled, at: $0) ? $0 : nil }
        guard let booked = known ?? times.booked(scheduled) ?? departure.booked else { return nil }
        let before = service.previous.first.map { Self.calls($0, before: booked, times) } ?? []
        let after = service.subsequent.first.map { Self.calls($0, after: booked, times) } ?? []
        guard !before.isEmpty || !after.isEmpty else { return nil }
        let still = [here(booked, times)] + after
        let calls = before + still
        let portions = service.subsequent.dropFirst().compactMap { portion($0, of: still, booked, times) }
        let last = (calls + portions.flatMap(\.calls)).compactMap(\.latest).max() ?? times.madeAt
        return TripDetails(
            calls: calls, portions: portions, madeAt: times.madeAt, expiresAt: max(last, times.madeAt) + Self.grace)
    }

    /// The call at the station of which it was asked.
    private func here(_ booked: Timestamp, _ times: RailTimes) -> CallingPoint {
        let call = RailCallingPoint(
            name: name ?? "", code: code, estimated: service.estimated ?? service.estimatedArrival,
            actual: service.actual, isCancelled: service.isCancelled)
        return CallingPoint(
            name: name ?? code ?? "", code: code, booked: booked,
            state: arrived(booked, times) ?? call.state(booked, times), platform: service.shownPlatform,
            coaches: service.knownCoaches)
    }

    /// That it stands there: it has come, and not left.
    private func arrived(_ booked: Timestamp, _ times: RailTimes) -> CallingPoint.State? {
        guard service.actual == nil, !service.isCancelled else { return nil }
        let due = times.booked(service.scheduledArrival, before: booked) ?? booked
        let call = RailCallingPoint(actual: service.actualArrival)
        guard case .called(let time?) = call.state(due, times) else { return nil }
        return .arrived(time)
    }

    /// A portion that is taken off at one of the train's calls from here on, with which its list begins; or else right
    /// here.
    private func portion(
        _ way: RailCallingPointList, of still: [CallingPoint], _ booked: Timestamp, _ times: RailTimes
    ) -> TripDetails.Portion? {
        let first = way.calls.first
        let place = still.first { call in
            call.code.map { $0 == first?.code } ?? (call.name == first?.name)
        }
        let calls = Self.calls(way, after: place?.booked ?? booked, times)
        guard !calls.isEmpty else { return nil }
        guard let place else { return TripDetails.Portion(at: name ?? code ?? "", calls: calls) }
        return TripDetails.Portion(at: place.name, calls: Array(calls.dropFirst()))
    }

    /// The calls after `moment`; at the last one nothing leaves any more.
    private static func calls(_ way: RailCallingPointList, after moment: Timestamp, _ times: RailTimes)
        -> [CallingPoint]
    {
        var last = moment
        return way.calls.enumerated().compactMap { index, call in
            guard let booked = times.booked(call.scheduled, after: last) else { return nil }
            last = booked
            return call.point(booked, isCancelled: way.isCancelled, isEnd: index == way.calls.count - 1, times)
        }
    }

    /// The calls before `moment`.
    private static func calls(_ way: RailCallingPointList, before moment: Timestamp, _ times: RailTimes)
        -> [CallingPoint]
    {
        var next = moment
        return way.calls.reversed().compactMap { call -> CallingPoint? in
            guard let booked = times.booked(call.scheduled, before: next) else { return nil }
            next = booked
            return call.point(booked, isCancelled: way.isCancelled, isEnd: false, times)
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

    /// What is said of the call: what happened before what is expected.
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

extension CallingPoint {
    /// The latest time that is told of the call.
    fileprivate var latest: Timestamp? {
        switch state {
        case .expected(let time), .scheduled(let time): time
        case .arrived(let time): time
        case .called(let time): time ?? booked
        case .delayed, .cancelled: booked
        }
    }
}
