internal import BoardCore

/// What an answer means: departures with moments, situations as alerts.
extension SIRIAnswer {
    /// What a person configured that decides what it means.
    struct Reading: Sendable {
        /// The operator's zone; nil: the machine's.
        let zone: Zone?
        /// What a person calls the lines, by the operator's references.
        let lines: [String: String]
        /// The language of alerts.
        let language: String
        /// The time between two polls.
        let interval: Duration
    }

    /// The refusal, where nothing else is told.
    var refusal: SIRIError? {
        guard deliveries.allSatisfy({ $0.visits.isEmpty && $0.cancellations.isEmpty }) else { return nil }
        if let error = deliveries.lazy.compactMap(\.error).first ?? error { return error }
        return deliveries.contains { !$0.isGood } ? SIRIError() : nil
    }

    /// The refusal of a part, where the others told something: that one of them knows nothing of the stop is none.
    var partialRefusal: SIRIError? {
        guard refusal == nil else { return nil }
        return (deliveries.compactMap(\.error) + [error].compactMap(\.self)).first {
            ![.noInformation, .reference].contains($0.meaning)
        }
    }

    /// The answer in the board's own terms.
    ///
    /// - Parameter response: its `Date` says when an answer was made that does not say so.
    func answer(
        to question: FeedQuestion, _ reading: Reading, _ response: HTTPResponse, trouble: FeedFailure? = nil
    ) -> FeedAnswer {
        let made = made ?? response.date ?? response.received
        var rows: [Departure] = []
        var bad = 0
        var seen: Set<String> = []
        let cancelled = Dictionary(
            deliveries.flatMap(\.cancellations).compactMap { told in told.item.map { ($0, told.reason) } },
            uniquingKeysWith: { first, _ in first })
        for delivery in deliveries {
            let setting = SIRIVisit.Setting(
                stop: question.stop, made: delivery.made ?? made, agesAt: delivery.agesAt(reading.interval, made),
                lines: reading.lines)
            for var visit in delivery.visits {
                if let item = visit.item, let reason = cancelled[item] {
                    visit.isCancelled = true
                    visit.reason = reason
                }
                switch visit.fate(setting) {
                case .row(let row):
                    // One vehicle is told of once, whatever several deliveries say.
                    if let key = visit.key(row), !seen.insert(key).inserted { continue }
                    rows.append(row)
                case .left: break
                case .unreadable: bad += 1
                }
            }
        }
        return FeedAnswer(
            stop: Stop(id: question.stop, name: name(of: question.stop.code), zone: reading.zone),
            departures: rows,
            alerts: alerts(at: question.stop.code, reading, now: made).filter { $0.touches(question.lines) },
            trouble: trouble, badRows: bad, date: response.date)
    }

    /// The visit of a departure; nil: it is not told of any more.
    func visit(of departure: Departure) -> (visit: SIRIVisit, made: Timestamp?)? {
        for delivery in deliveries {
            for visit in delivery.visits where visit.id == departure.journey?.id {
                guard visit.line ?? visit.lineName ?? "" == departure.line.id,
                    departure.booked == nil || departure.booked == visit.booked
                else { continue }
                return (visit, delivery.made ?? made)
            }
        }
        return nil
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
    /// with every poll says nothing, so that one poll may be missed.
    fileprivate func agesAt(_ interval: Duration, _ answerMade: Timestamp) -> Timestamp? {
        validUntil.map { max($0, (made ?? answerMade) + interval + interval) }
    }
}

extension SIRIVisit {
    /// What no other visit of an answer has; nil: nothing is told by which it could be known.
    fileprivate func key(_ row: Departure) -> String? {
        id.map { "\($0) \(call.stop ?? "") \(call.number ?? "") \(row.booked?.microseconds ?? 0)" }
    }
}
