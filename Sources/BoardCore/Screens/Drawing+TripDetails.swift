// What an opened page says of one departure and of its run.
extension Drawing {
    /// What is known of a departure, each fact whole, as many to a row as fit; the most important first.
    mutating func facts(of row: DepartureRow, _ details: TripDetails?, in favourite: FavouriteState) -> [String] {
        let departure = row.departure
        let shown = time(of: row, in: favourite)
        var facts = [mark(of: row, in: favourite) + shown]
        switch departure.status {
        case .expected(let time), .scheduled(let time):
            let clock = self.time(of: time, of: departure, at: favourite.stop)
            if clock != shown { facts.append(clock) }
        case .delayed, .cancelled:
            facts += departure.booked.map { [time(of: $0, of: departure, at: favourite.stop)] } ?? []
        }
        facts += leaving(departure, in: favourite)
        if leadsWithDay(departure, in: favourite) { facts.append(departure.line.name) }
        if !departure.vehicle.isEmpty { facts.append(departure.vehicle) }
        if let platform = departure.platform, platform != favourite.stop.letter {
            // Some operators write the whole phrase ("Northbound - Platform 4"), some the number alone.
            let forms = platform.count > 3 ? [platform] : Text.fill(words.platform, word: platform)
            facts.append(Text.choose(forms, width: size.columns))
        }
        facts += returnTrip(of: departure, in: favourite)
        facts += departure.attributes.map { self.facts(of: $0) } ?? []
        if let details { facts += place(of: details, in: favourite) }
        let isOffer = departure.fare != nil
        if isOffer || departure.isEstimate || details?.calls.contains(where: \.isEstimate) ?? false {
            // What stands beside each other is as old as the older of it.
            let madeAt = min(departure.madeAt, details?.madeAt ?? departure.madeAt)
            let isOld = moment - madeAt > Remaining.dayWithin
            let when =
                isOld
                ? day(of: madeAt, ahead: departure.utcOffset, at: favourite.stop)
                : time(of: madeAt, of: departure, at: favourite.stop)
            // A fare is no estimate, as the fullest form says.
            facts.append(phrase(isOffer ? Array(words.madeAt.dropFirst()) : words.madeAt, time: when))
        }
        return inRows(facts)
    }

    /// When to leave for it: never of one that is cancelled.
    private func leaving(_ departure: Departure, in favourite: FavouriteState) -> [String] {
        guard let walk = favourite.favourite.walk else { return [] }
        switch departure.catchStatus(from: moment, walk: walk) {
        case .inTime(let rest): return [phrase(words.leaveIn, code: "\(rest.wholeSeconds / 60)")]
        case .leaveNow: return [phrase(words.leaveNow)]
        case .missed: return [phrase(words.tooLate)]
        case nil: return []
        }
    }

    /// When it goes back: the day, and the time.
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

    /// Why there are no calling points, where a person can mend it.
    func rejection(_ kind: FeedFailure.Kind?, in favourite: FavouriteState) -> [String] {
        let feed = board.title(of: favourite.favourite.stop.feed)
        return switch kind {
        case .keyRejected: [phrase(words.keyRejected, feed: feed)]
        case .keyMissing: [phrase(words.keyMissing, feed: feed)]
        default: []
        }
    }

    /// Where the vehicle is now, or was seen last: a call that nobody reported tells neither.
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

    /// The calling points that are still to come: after the stop where the person waits, if the run has not passed it.
    mutating func calls(of details: TripDetails, in favourite: FavouriteState) -> [String] {
        let stale = details.madeAt + staleAfter(favourite) + .microseconds(1)
        changes(at: board.clock.instant(of: stale))
        let code = favourite.favourite.stop.code.uppercased()
        let own = details.calls.lastIndex { $0.code?.uppercased() == code }
        let here = max(own ?? -1, details.now ?? -1)
        let first = here + 1
        var coaches = details.calls.prefix(first).compactMap(\.coaches).last
        // Who waits where it is divided chooses a part of it before all else.
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

    /// The parts that are taken off at a call, which the vehicle has not left yet.
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

    /// The longest form of a phrase that fits a row; the fullest, to be broken at words, where none does.
    private func phrase(
        _ forms: [String], feed: String = "", time: String = "", code: String = "", word: String = ""
    ) -> String {
        let filled = Text.fill(forms, feed: feed, time: time, code: code, word: word)
        return filled.first { $0.count <= size.columns } ?? filled.first ?? ""
    }

    /// Facts in rows: as many to a row as fit, a long one broken at words.
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
    /// Whether an operator has said so, and not the timetable alone.
    fileprivate var isEstimate: Bool {
        if case .scheduled = status { false } else { true }
    }
}

extension CallingPoint {
    /// Whether an operator has said when it is or was, and not the timetable alone.
    fileprivate var isEstimate: Bool {
        switch state {
        case .expected, .arrived, .called(.some), .delayed, .cancelled: true
        case .called(nil), .scheduled: false
        }
    }
}
