// The detail page of one departure and its trip.
extension Drawing {
    /// The facts about a departure, most important first; as many whole facts in a row as fit.
    mutating func facts(of row: DepartureRow, _ details: TripDetails?, in favourite: FavouriteState) -> [String] {
        let departure = row.departure
        let shown = time(of: row, in: favourite)
        var facts = [mark(of: row, in: favourite) + shown]
        if let due = departure.status.time ?? departure.booked {
            let clock = time(of: due, ahead: departure.utcOffset, at: favourite.stop)
            if clock != shown { facts.append(clock) }
        }
        facts += leaving(departure, in: favourite)
        if leadsWithDay(departure, in: favourite) { facts.append(departure.line.name) }
        if !departure.vehicle.isEmpty { facts.append(departure.vehicle) }
        if let platform = departure.platform, platform != favourite.stop.letter {
            // Some operators write the whole phrase ("Northbound - Platform 4"), some only the number.
            let forms = platform.count > 3 ? [platform] : Text.fill(words.platform, word: platform)
            facts.append(Text.choose(forms, width: size.columns))
        }
        facts += returnTrip(of: departure, in: favourite)
        facts += departure.attributes.map { self.facts(of: $0) } ?? []
        if let details { facts += place(of: details, in: favourite) }
        let isOffer = departure.fare != nil
        if isOffer || departure.isEstimate || details?.calls.contains(where: \.isEstimate) ?? false {
            // Combined data is as old as its older part.
            let madeAt = min(departure.madeAt, details?.madeAt ?? departure.madeAt)
            let isOld = moment - madeAt > Remaining.dayWithin
            let when =
                isOld
                ? day(of: madeAt, ahead: departure.utcOffset, at: favourite.stop)
                : time(of: madeAt, ahead: departure.utcOffset, at: favourite.stop)
            // A fare is not an estimate, as the longest form claims.
            facts.append(phrase(isOffer ? Array(words.madeAt.dropFirst()) : words.madeAt, time: when))
        }
        return inRows(facts)
    }

    /// When to leave for the departure; empty for a cancelled one.
    private func leaving(_ departure: Departure, in favourite: FavouriteState) -> [String] {
        guard let walk = favourite.favourite.walk else { return [] }
        switch departure.catchStatus(from: moment, walk: walk) {
        case .inTime(let rest): return [phrase(words.leaveIn, code: "\(rest.wholeSeconds / 60)")]
        case .leaveNow: return [phrase(words.leaveNow)]
        case .missed: return [phrase(words.tooLate)]
        case nil: return []
        }
    }

    private func returnTrip(of departure: Departure, in favourite: FavouriteState) -> [String] {
        guard let returnTrip = departure.attributes?.returnTrip else { return [] }
        let offset = returnTrip.utcOffset ?? departure.utcOffset
        let day = day(of: returnTrip.at, ahead: offset, at: favourite.stop)
        return [phrase(words.returnTrip, time: day + " " + time(of: returnTrip.at, ahead: offset, at: favourite.stop))]
    }

    private func facts(of attributes: TripAttributes) -> [String] {
        var facts: [String] = []
        switch attributes.stage {
        case .previousTrip: facts.append(phrase(words.previousTrip))
        case .waiting: facts.append(phrase(words.waiting))
        case nil: break
        }
        if attributes.isReplacement { facts.append(phrase(words.replacement)) }
        facts += attributes.coaches.map { [phrase(words.coaches, code: "\($0)")] } ?? []
        facts += attributes.startsAt.map { [phrase(words.startsAt, word: $0)] } ?? []
        facts += attributes.endsAt.map { [phrase(words.endsAt, word: $0)] } ?? []
        facts += [attributes.via, attributes.company, attributes.reason].compactMap { $0 }
        return facts
    }

    /// Why there are no calling points, if a person must fix the cause.
    func rejection(_ kind: FeedFailure.Kind?, in favourite: FavouriteState) -> [String] {
        let feed = board.title(of: favourite.favourite.stop.feed)
        return switch kind {
        case .keyRejected: [phrase(words.keyRejected, feed: feed)]
        case .keyMissing: [phrase(words.keyMissing, feed: feed)]
        default: []
        }
    }

    /// The vehicle's current or last reported position; a call without a reported time does not count.
    private func place(of details: TripDetails, in favourite: FavouriteState) -> [String] {
        if let location = details.location { return [phrase(words.whereabouts, word: location)] }
        for call in details.calls.reversed() {
            switch call.state {
            case .arrived: return [phrase(words.nowAt, word: call.name)]
            case .called(let left?):
                return [phrase(words.leftAt, time: time(of: left, at: favourite.stop), word: call.name)]
            case .called(nil), .expected, .delayed, .cancelled, .scheduled: continue
            }
        }
        return []
    }

    /// The calling points after the user's stop, or after the vehicle's position if it is further on.
    mutating func calls(of details: TripDetails, in favourite: FavouriteState) -> [String] {
        let stale = details.madeAt + staleAfter(favourite) + .microseconds(1)
        changes(at: board.clock.instant(of: stale))
        let code = favourite.favourite.stop.code.uppercased()
        let own = details.calls.lastIndex { $0.code?.uppercased() == code }
        let here = max(own ?? -1, details.now ?? -1)
        let first = here + 1
        var coaches = details.calls.prefix(first).compactMap(\.coaches).last
        // At the stop where the train divides, the passenger must choose a portion first.
        var rows = own.map { $0 == here ? divisions(of: details, at: details.calls[$0]) : [] } ?? []
        for call in details.calls.dropFirst(first) {
            rows.append(row(of: call, in: favourite, isStale: stale <= moment))
            rows += divisions(of: details, at: call)
            if let length = call.coaches, let before = coaches, length != before {
                rows += Text.wrapped(
                    phrase(words.coachesFrom, code: "\(length)", word: call.name), width: size.columns)
            }
            coaches = call.coaches ?? coaches
        }
        return rows
    }

    /// The portions that divide at a call, until the vehicle has left it.
    private func divisions(of details: TripDetails, at call: CallingPoint) -> [String] {
        if case .called = call.state { return [] }
        return details.portions.filter { $0.at == call.name }.flatMap { portion in
            let end = portion.calls.last?.name ?? ""
            return Text.wrapped(phrase(words.divides, feed: call.name, word: end), width: size.columns)
        }
    }

    private func row(of call: CallingPoint, in favourite: FavouriteState, isStale: Bool) -> String {
        let right: String
        switch call.state {
        case .expected(let time): right = (isStale ? "?" : " ") + self.time(of: time, at: favourite.stop)
        case .scheduled(let time): right = "*" + self.time(of: time, at: favourite.stop)
        case .arrived(let time): right = " " + self.time(of: time, at: favourite.stop)
        case .called(let time): right = " " + (time.map { self.time(of: $0, at: favourite.stop) } ?? words.noReport)
        case .delayed: right = " " + words.delayed
        case .cancelled: right = " " + words.cancelled
        }
        let width = size.columns - right.count
        return Text.left(placeName(of: favourite).fitted(call.name, to: width), in: width) + right
    }

    /// The longest form of a phrase that fits a row; where none does, the longest, to be broken at words.
    private func phrase(
        _ forms: [String], feed: String = "", time: String = "", code: String = "", word: String = ""
    ) -> String {
        let filled = Text.fill(forms, feed: feed, time: time, code: code, word: word)
        return filled.first { $0.count <= size.columns } ?? filled.first ?? ""
    }

    /// Arranges facts in rows: as many in a row as fit, a long one broken at words.
    private func inRows(_ facts: [String]) -> [String] {
        var rows: [String] = []
        for fact in facts.map({ String($0.drop { $0 == " " }) }) where !fact.isEmpty {
            let isRunOn = rows.last?.last?.isNumber ?? false && fact.first?.isNumber ?? false
            if let last = rows.last, !isRunOn, last.count + 1 + fact.count <= size.columns {
                rows[rows.count - 1] = last + " " + fact
            } else {
                rows += Text.wrapped(fact, width: size.columns)
            }
        }
        return rows
    }
}

extension Departure {
    /// Whether the status is more than the timetable.
    fileprivate var isEstimate: Bool {
        if case .scheduled = status { false } else { true }
    }
}

extension CallingPoint {
    /// Whether the state is more than the timetable.
    fileprivate var isEstimate: Bool {
        switch state {
        case .expected, .arrived, .called(.some), .delayed, .cancelled: true
        case .called(nil), .scheduled: false
        }
    }
}
