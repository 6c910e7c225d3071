import BoardCore

/// Converts National Rail's times, "12:45" in London time without a date, to timestamps.
///
/// A time on a board lies between nineteen hours before and five hours after the board was made: a train may be hours
/// late, but a board begins at most 119 minutes ahead and covers two hours. An estimate lies between one hour before
/// and twelve hours after the booked time.
///
/// At a clock change a time may occur twice. A board is in the order of booked times and lists services still to come:
/// the first timestamp that fits both is chosen; for a calling point, the one nearest to its reference. A time that is
/// skipped becomes the timestamp at which an unchanged clock would show it.
struct RailTimes: Hashable, Sendable {
    /// The range of a board's times around when it was made, in microseconds like all ranges here.
    private static let boardRange = minutes(-1_140)...minutes(300) - 1_000_000
    /// The range of a call's time around that of the call before it.
    private static let callRange = minutes(-120)...minutes(1_320) - 1_000_000
    private static let estimateRange = minutes(-60)...minutes(720)
    /// The longest time between two calls; a list with a longer one is not in order.
    private static let maximumLeg: Duration = .seconds(720 * 60)

    enum Text: Hashable, Sendable {
        /// A time of day, also "10:42*", which is less certain.
        case time(hour: Int, minute: Int)
        case onTime
        /// "Delayed": late by an unknown time.
        case delayed
        case cancelled
        /// "No report": it has called, at an unknown time.
        case noReport
        /// Absent, or any other text.
        case unknown

        private static let words: [String: Text] = [
            "on time": .onTime, "delayed": .delayed, "cancelled": .cancelled, "no report": .noReport,
        ]

        init(_ text: String?) {
            self = text.flatMap { Self.time($0) ?? Self.words[$0.lowercased()] } ?? .unknown
        }

        private static func time(_ text: String) -> Text? {
            let parts = (text.last == "*" ? text.dropLast() : text[...]).split(
                separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.first?.isNumber == true }),
                let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
            else { return nil }
            return .time(hour: Int(hour), minute: Int(minute))
        }
    }

    let madeAt: Timestamp
    /// London's zone.
    let zone: Zone

    /// The timestamp of a board's booked time; nil if the text is not a time.
    ///
    /// - Parameters:
    ///   - above: the booked time of the row above; nil: there is none.
    ///   - estimated: the estimate of the same train.
    func booked(_ text: String?, below above: Timestamp? = nil, estimated: Text = .unknown) -> Timestamp? {
        guard case .time(let hour, let minute) = Text(text) else { return nil }
        return moment(hour, minute, of: madeAt, within: Self.boardRange) { candidates in
            guard Self.isRepeatedHour(candidates) else { return nearest(candidates, to: madeAt) }
            let fitting = candidates.filter { $0 >= above ?? $0 && isToCome($0, estimated) }
            return fitting.min() ?? nearest(candidates, to: madeAt)
        }
    }

    /// Whether timestamps are those of one time in a repeated hour; others may be a short day apart.
    private static func isRepeatedHour(_ moments: [Timestamp]) -> Bool {
        guard let first = moments.min(), let last = moments.max() else { return false }
        return (.seconds(1)...(.seconds(3_600))).contains(last - first)
    }

    /// Whether `moment` has the text's time of day in London.
    func shows(_ text: String?, at moment: Timestamp) -> Bool {
        guard case .time(let hour, let minute) = Text(text) else { return false }
        let local = zone.localTime(at: moment)
        return local.hour == hour && local.minute == minute
    }

    /// Whether a train booked at `booked` may still be on the board.
    private func isToCome(_ booked: Timestamp, _ estimated: Text) -> Bool {
        switch estimated {
        case .delayed: return true
        case .onTime, .cancelled, .noReport, .unknown: return booked >= madeAt - NationalRailFeed.expiry.liveGrace
        case .time(let hour, let minute):
            // With more delay than that, it is equally likely the train booked an hour later.
            guard let time = estimate(hour: hour, minute: minute, of: booked) else { return false }
            return time >= madeAt - NationalRailFeed.expiry.liveGrace && time - booked < .seconds(3_600)
        }
    }

    /// The timestamp of an estimate on a board; nil if none is within range of `booked`.
    func estimate(hour: Int, minute: Int, of booked: Timestamp) -> Timestamp? {
        moment(hour, minute, of: booked, within: Self.estimateRange, orElse: false) { candidates in
            guard Self.isRepeatedHour(candidates) else { return nearest(candidates, to: madeAt) }
            let first = max(booked, madeAt - NationalRailFeed.expiry.liveGrace)
            return candidates.filter { first <= $0 }.min() ?? nearest(candidates, to: madeAt)
        }
    }

    /// The timestamp of an estimated or actual time at a calling point; nil if none is within range of `booked`.
    func estimate(hour: Int, minute: Int, atCallOf booked: Timestamp) -> Timestamp? {
        moment(hour, minute, of: booked, within: Self.estimateRange, orElse: false) { nearest($0, to: booked) }
    }

    /// The booked time of the call that follows one at `previous`; nil if the text is not a time.
    func booked(_ text: String?, after previous: Timestamp) -> Timestamp? {
        guard case .time(let hour, let minute) = Text(text) else { return nil }
        return moment(hour, minute, of: previous, within: Self.callRange) { candidates in
            candidates.filter { previous <= $0 && $0 - previous <= Self.maximumLeg }.min()
                ?? nearest(candidates, to: previous)
        }
    }

    /// The booked time of the call before one at `next`; nil if the text is not a time.
    func booked(_ text: String?, before next: Timestamp) -> Timestamp? {
        guard case .time(let hour, let minute) = Text(text) else { return nil }
        let range = -Self.callRange.upperBound...(-Self.callRange.lowerBound)
        return moment(hour, minute, of: next, within: range) { candidates in
            candidates.filter { $0 <= next && next - $0 <= Self.maximumLeg }.max() ?? nearest(candidates, to: next)
        }
    }

    /// The timestamp of a time of day in London, chosen from those in a range around `anchor`.
    ///
    /// - Parameter orElse: whether to use the nearest of all if none is in the range, as on a day of 25 hours.
    private func moment(
        _ hour: Int, _ minute: Int, of anchor: Timestamp, within range: ClosedRange<Int64>, orElse: Bool = true,
        choose: ([Timestamp]) -> Timestamp?
    ) -> Timestamp? {
        let all = moments(hour, minute, around: anchor)
        let near = all.filter { range.contains($0.microseconds &- anchor.microseconds) }
        return near.isEmpty ? (orElse ? nearest(all, to: anchor) : nil) : choose(near)
    }

    /// The timestamps on the day of `anchor`, the day before and the day after.
    private func moments(_ hour: Int, _ minute: Int, around anchor: Timestamp) -> [Timestamp] {
        let today = zone.localTime(at: anchor).date.daysSince1970
        return (today - 1...today + 1).flatMap { day in
            LocalTime(CivilDate(daysSince1970: day), hour: hour, minute: minute).map(moments(of:)) ?? []
        }
    }

    private func moments(of local: LocalTime) -> [Timestamp] {
        switch zone.timestamps(of: local) {
        case .unique(let only), .skipped(let only): [only]
        case .ambiguous(let earlier, let later): [earlier, later]
        }
    }

    /// The nearest timestamp; of two equally near ones the later, since boards list what is to come.
    private func nearest(_ moments: [Timestamp], to moment: Timestamp) -> Timestamp? {
        moments.min { left, right in
            let (first, second) = (left.distance(to: moment), right.distance(to: moment))
            return first == second ? left > right : first < second
        }
    }

    private static func minutes(_ count: Int64) -> Int64 { count * 60_000_000 }
}

extension RailServiceDetails {
    /// The trip; nil if there are no calling points other than the requested station.
    ///
    /// - Parameter zone: London's.
    func tripDetails(of departure: Departure, in zone: Zone) -> TripDetails? {
        let times = RailTimes(madeAt: station.madeAt, zone: zone)
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

    private func here(_ booked: Timestamp, _ times: RailTimes) -> CallingPoint {
        let isCancelled = service.isCancelled
        let estimated = service.estimated ?? service.row.text("eta")
        var state = times.state(booked, isCancelled: isCancelled, actual: service.actual, estimated: estimated)
        // A train in the station has arrived and not left.
        if service.actual == nil, !isCancelled {
            let due = times.booked(service.scheduledArrival, before: booked) ?? booked
            if case .called(let time?) = times.state(due, actual: service.row.text("ata")) { state = .arrived(time) }
        }
        return CallingPoint(
            name: station.name ?? station.code ?? "", code: station.code, booked: booked, state: state,
            platform: service.shownPlatform, coaches: Int(coachesOf: service.row))
    }

    /// A portion that leaves the train at one of its calls from here on, the first in the portion's list; without such
    /// a call, it leaves at this station.
    private func portion(
        _ callList: RailCallingPointList, of remaining: [CallingPoint], _ booked: Timestamp, _ times: RailTimes
    ) -> TripDetails.Portion? {
        let first = callList.calls.first
        let place = remaining.first { call in call.code.map { $0 == first?.code } ?? (call.name == first?.name) }
        let calls = Self.calls(callList, after: place?.booked ?? booked, times)
        guard !calls.isEmpty else { return nil }
        guard let place else { return TripDetails.Portion(at: station.name ?? station.code ?? "", calls: calls) }
        return TripDetails.Portion(at: place.name, calls: Array(calls.dropFirst()))
    }

    /// The calls after `moment`; the last one is an arrival.
    private static func calls(_ callList: RailCallingPointList, after moment: Timestamp, _ times: RailTimes)
        -> [CallingPoint]
    {
        var last = moment
        return callList.calls.enumerated().compactMap { index, call in
            guard let booked = times.booked(call.row.text("st"), after: last) else { return nil }
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
            guard let booked = times.booked(call.row.text("st"), before: next) else { return nil }
            next = booked
            return call.point(booked, isCancelled: callList.isCancelled, isEnd: false, times)
        }.reversed()
    }
}

extension RailCallingPoint {
    fileprivate func point(_ booked: Timestamp, isCancelled: Bool, isEnd: Bool, _ times: RailTimes) -> CallingPoint? {
        guard let name = name ?? code else { return nil }
        var state = times.state(
            booked, isCancelled: isCancelled || row.truth("isCancelled") ?? false, actual: row.text("at"),
            estimated: row.text("et"))
        if isEnd, case .called(let time?) = state { state = .arrived(time) }
        return CallingPoint(name: name, code: code, booked: booked, state: state, coaches: Int(coachesOf: row))
    }
}

extension RailTimes {
    /// The state of a call: actual times take precedence over estimates.
    fileprivate func state(
        _ booked: Timestamp, isCancelled: Bool = false, actual: String?, estimated: String? = nil
    ) -> CallingPoint.State {
        if isCancelled { return .cancelled }
        switch Text(actual) {
        case .cancelled: return .cancelled
        case .onTime: return .called(booked)
        case .time(let hour, let minute): return .called(estimate(hour: hour, minute: minute, atCallOf: booked))
        case .noReport: return .called(nil)
        case .delayed: return .delayed
        case .unknown: break
        }
        return switch Text(estimated) {
        case .cancelled: .cancelled
        case .delayed: .delayed
        case .onTime: .expected(booked)
        case .time(let hour, let minute):
            estimate(hour: hour, minute: minute, atCallOf: booked).map { .expected($0) } ?? .scheduled(booked)
        case .noReport: .called(nil)
        case .unknown: .scheduled(booked)
        }
    }
}
