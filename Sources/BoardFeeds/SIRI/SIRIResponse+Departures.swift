internal import BoardCore

/// What an answer means: departures with moments, situations as alerts.
extension SIRIResponse {
    /// What a person configured that decides what it means.
    struct Options: Sendable {
        /// The operator's zone, in which its times are that name none; nil: not known, so that those cannot be read.
        let zone: Zone?
        /// What the lines are called.
        let lines: SIRILineNames
        /// The language of alerts.
        let language: String
        /// The time between two polls.
        let interval: Duration
    }

    /// The refusal, where nothing else is told. That an operator knows nothing of the stop is worth the least of several: the
    /// others a person can do something about.
    var errorCondition: SIRIErrorCondition? {
        guard deliveries.allSatisfy({ $0.visits.isEmpty && $0.cancellations.isEmpty && $0.badRows == 0 }) else {
            return nil
        }
        let errors = (deliveries.map(\.error) + [error]).compactMap(\.self)
        if let error = errors.first(where: { $0.meaning != .noInformation }) ?? errors.first { return error }
        return deliveries.contains { !$0.isGood } ? SIRIErrorCondition() : nil
    }

    /// The refusal of a part, where the others told something: that one of them knows nothing of the stop is none.
    var partialError: SIRIErrorCondition? {
        (deliveries.map(\.error) + [error]).lazy.compactMap(\.self).first {
            ![.noInformation, .reference].contains($0.meaning)
        }
    }

    /// Whether there are times that cannot be read for want of a zone.
    var lacksZone: Bool { deliveries.contains { $0.visits.contains(where: \.call.lacksZone) } }

    /// The answer in the board's own terms.
    ///
    /// - Parameter response: its `Date` says when an answer was made that does not say so.
    func answer(
        to question: FeedRequest, _ options: Options, _ response: HTTPResponse, partialFailure: FeedFailure? = nil
    ) -> FeedResponse {
        let madeAt = madeAt ?? response.date ?? response.received
        var rows: [Departure] = []
        var bad = deliveries.reduce(0) { $0 + $1.badRows }
        let settings = deliveries.map { delivery in
            SIRIVisit.Context(
                stop: question.stop, madeAt: delivery.madeAt ?? madeAt,
                staleAt: delivery.staleAt(options.interval, madeAt),
                lines: options.lines)
        }
        for (visit, delivery) in visits {
            switch visit.outcome(settings[delivery]) {
            case .departure(let row): rows.append(row)
            case .omitted: break
            case .unreadable: bad += 1
            }
        }
        return FeedResponse(
            stop: Stop(id: question.stop, name: name(of: question.stop.code), zone: options.zone),
            departures: rows,
            alerts: alerts(at: question.stop.code, options, now: madeAt).filter { $0.touches(question.lines) },
            partialFailure: partialFailure, badRows: bad)
    }

    /// The visit of a departure; nil: it is not told of any more.
    func visit(of departure: Departure) -> (visit: SIRIVisit, madeAt: Timestamp?)? {
        let same = visits.filter { visit, _ in
            visit.id == departure.attributes?.id && visit.line ?? visit.lineName ?? "" == departure.line.id
                && (departure.booked == nil || departure.booked == visit.booked)
        }
        // Where nothing is booked a vehicle that comes twice is known by the time alone, which may have moved.
        func distance(_ visit: SIRIVisit) -> Duration {
            let apart = (visit.time ?? departure.due) - departure.due
            return apart < .zero ? .zero - apart : apart
        }
        return same.min { distance($0.visit) < distance($1.visit) }.map { visit, delivery in
            (visit, deliveries[delivery].madeAt ?? madeAt)
        }
    }

    /// The visits with their deliveries' places, each once: of what is told of one the newest counts, and before that what
    /// says that it does not run.
    private var visits: [(visit: SIRIVisit, delivery: Int)] {
        var told: [(visit: SIRIVisit, delivery: Int)] = []
        var places: [SIRIVisit.Key: Int] = [:]
        func rank(_ one: (visit: SIRIVisit, delivery: Int)) -> (Int, Timestamp) {
            let recorded = one.visit.recorded ?? deliveries[one.delivery].madeAt ?? madeAt
            return (one.visit.doesNotRun ? 1 : 0, recorded ?? Timestamp(seconds: 0))
        }
        // A vehicle that comes twice without a timetable: told at once, for two times. Told later it is the same visit.
        func isTwin(_ other: (visit: SIRIVisit, delivery: Int), _ visit: SIRIVisit, _ delivery: Int) -> Bool {
            !visit.isBooked && !visit.doesNotRun && !other.visit.doesNotRun && delivery == other.delivery
                && visit.recorded == other.visit.recorded && visit.time != other.visit.time
        }
        for (delivery, content) in deliveries.enumerated() {
            for visit in content.visits {
                let key = visit.key
                if let key, let place = places[key], !isTwin(told[place], visit, delivery) {
                    if rank((visit, delivery)) > rank(told[place]) { told[place] = (visit, delivery) }
                    continue
                }
                if let key { places[key] = told.count }
                told.append((visit, delivery))
            }
        }
        return told
    }

    /// What the operator calls the stop: a visit may be of one of several poles of it.
    private func name(of code: String) -> String? {
        let visits = deliveries.lazy.flatMap(\.visits)
        return visits.first { $0.call.stop == code && $0.call.name != nil }?.call.name
            ?? visits.compactMap(\.call.name).first
    }
}

extension SIRIDelivery {
    /// From when the operator calls its estimates old. Many say the moment of the next answer: a mark that comes and goes
    /// with every poll says nothing, so that one poll may be missed; but not of an answer that was old when it was made.
    fileprivate func staleAt(_ interval: Duration, _ answerMade: Timestamp) -> Timestamp? {
        let madeAt = madeAt ?? answerMade
        return validUntil.map { $0 > madeAt ? max($0, madeAt + interval + interval) : $0 }
    }
}
