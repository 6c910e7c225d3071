internal import BoardCore
internal import BoardFormats

extension SIRIResponse {
    /// The settings for the interpretation.
    struct Options: Sendable {
        /// The zone of times without an offset; nil: those are unreadable.
        let zone: Zone?
        let lines: SIRILineNames
        /// The language of alerts.
        let language: String
        /// The poll interval.
        let interval: Duration
    }

    /// The error of a response without visits. `noInformation` has the lowest priority, since a user can act on the
    /// others.
    var errorCondition: SIRIErrorCondition? {
        guard deliveries.allSatisfy({ $0.visits.isEmpty && $0.cancellations.isEmpty && $0.badRows == 0 }) else {
            return nil
        }
        let errors = (deliveries.map(\.error) + [error]).compactMap(\.self)
        if let error = errors.first(where: { $0.meaning != .noInformation }) ?? errors.first { return error }
        return deliveries.contains { !$0.isGood } ? SIRIErrorCondition() : nil
    }

    /// The error of one delivery if others have visits; not `noInformation` or `reference`, which concern one of several stops.
    var partialError: SIRIErrorCondition? {
        (deliveries.map(\.error) + [error]).lazy.compactMap(\.self).first {
            ![.noInformation, .reference].contains($0.meaning)
        }
    }

    /// Whether times are unreadable because they have no zone.
    var lacksZone: Bool { deliveries.contains { $0.visits.contains(where: \.call.lacksZone) } }

    /// - Parameter response: its `Date` dates a response without `ResponseTimestamp`.
    func feedResponse(
        to request: FeedRequest, _ options: Options, _ response: HTTPResponse, partialFailure: FeedFailure? = nil
    ) -> FeedResponse {
        let madeAt = madeAt ?? response.madeAt
        var rows: [Departure] = []
        var bad = deliveries.reduce(0) { $0 + $1.badRows }
        let contexts = deliveries.map { delivery in
            SIRIVisit.Context(
                stop: request.stop, madeAt: delivery.madeAt ?? madeAt,
                staleAt: delivery.staleAt(options.interval, madeAt),
                lines: options.lines)
        }
        for (visit, delivery) in visits {
            switch visit.outcome(contexts[delivery]) {
            case .departure(let row): rows.append(row)
            case .omitted: break
            case .unreadable: bad += 1
            }
        }
        return FeedResponse(
            stop: Stop(id: request.stop, name: name(of: request.stop.code), zone: options.zone),
            departures: rows,
            alerts: alerts(at: request.stop.code, options, now: madeAt).filter { $0.touches(request.lines) },
            partialFailure: partialFailure, badRows: bad)
    }

    /// The visit of a departure; nil if it is no longer listed.
    func visit(of departure: Departure) -> (visit: SIRIVisit, madeAt: Timestamp?)? {
        let same = visits.filter { visit, _ in
            visit.id == departure.attributes?.id && visit.line ?? visit.lineName ?? "" == departure.line.id
                && (departure.booked == nil || departure.booked == visit.booked)
        }
        // Without a booked time, visits of one vehicle differ only in their expected times, which may have moved.
        func distance(_ visit: SIRIVisit) -> Duration {
            let apart = (visit.time ?? departure.due) - departure.due
            return apart < .zero ? .zero - apart : apart
        }
        return same.min { distance($0.visit) < distance($1.visit) }.map { visit, delivery in
            (visit, deliveries[delivery].madeAt ?? madeAt)
        }
    }

    /// The distinct visits with the indices of their deliveries. Of duplicates, a cancelled one takes precedence, then the most
    /// recently recorded.
    private var visits: [(visit: SIRIVisit, delivery: Int)] {
        var result: [(visit: SIRIVisit, delivery: Int)] = []
        var indices: [SIRIVisit.Key: Int] = [:]
        func rank(_ one: (visit: SIRIVisit, delivery: Int)) -> (Int, Timestamp) {
            let recorded = one.visit.recorded ?? deliveries[one.delivery].madeAt ?? madeAt
            return (one.visit.doesNotRun ? 1 : 0, recorded ?? Timestamp(seconds: 0))
        }
        // Two calls of one vehicle without a timetable: same record, two times. A later record is the same visit.
        func isTwin(_ other: (visit: SIRIVisit, delivery: Int), _ visit: SIRIVisit, _ delivery: Int) -> Bool {
            !visit.isBooked && !visit.doesNotRun && !other.visit.doesNotRun && delivery == other.delivery
                && visit.recorded == other.visit.recorded && visit.time != other.visit.time
        }
        for (delivery, content) in deliveries.enumerated() {
            for visit in content.visits {
                let key = visit.key
                if let key, let index = indices[key], !isTwin(result[index], visit, delivery) {
                    if rank((visit, delivery)) > rank(result[index]) { result[index] = (visit, delivery) }
                    continue
                }
                if let key { indices[key] = result.count }
                result.append((visit, delivery))
            }
        }
        return result
    }

    /// The operator's name of the stop; the visits may belong to several platforms of it.
    func name(of code: String) -> String? {
        let visits = deliveries.lazy.flatMap(\.visits)
        return visits.first { $0.call.stop == code && $0.call.name != nil }?.call.name
            ?? visits.compactMap(\.call.name).first
    }
}

extension SIRIDelivery {
    /// When the operator's estimates become stale. Many operators set the time of the next response, and a mark that toggles
    /// with every poll is useless: so one poll may be missed, unless the response was already stale when made.
    fileprivate func staleAt(_ interval: Duration, _ responseMadeAt: Timestamp) -> Timestamp? {
        let madeAt = madeAt ?? responseMadeAt
        return validUntil.map { $0 > madeAt ? max($0, madeAt + interval + interval) : $0 }
    }
}
