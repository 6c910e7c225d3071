// Detail pages: alerts, departures with their calling points, and the legend, on as many screens as needed.
extension Drawing {
    /// The content in screens, at least one.
    mutating func screens(of detailPage: DetailPage, in favourite: FavouriteState) -> [[String]] {
        switch detailPage.content {
        case .alerts:
            noteNoticeChanges(of: favourite)
            let alerts = board.alerts(of: favourite, at: now)
            let screens = alerts.enumerated().flatMap { index, alert in
                let position = alerts.count > 1 ? "\(index + 1)/\(alerts.count) " : ""
                return paged(Text.wrapped(Self.alertSign + position + alert.text, width: size.columns))
            }
            // Alerts that end close the page at the next event.
            return screens.isEmpty ? [[]] : screens
        case .legend:
            let signs: [(String, Phrase)] = [
                ("⇨", .leaveMeaning), (Self.aboutSign, .aboutMeaning), (Text.continues, .continuesMeaning),
                ("✗", .cancelledMeaning), ("⚠", .alertMeaning),
            ]
            return paged(
                signs.flatMap { sign, meaning in
                    Text.page(words[meaning].map { sign + " " + $0 }, width: size.columns, rows: 1)
                })
        case .departure(let departure):
            let shown = favourite.visible(at: moment)
            let row = shown.index(of: departure).map { shown[$0] } ?? DepartureRow(departure)
            for walk in [favourite.favourite.walk, nil] {
                changes(at: row.nextChange(after: now, clock: board.clock, walk: walk))
            }
            let title = Text.wrapped(title(of: departure, in: favourite), width: size.columns)
            var rows = title + facts(of: row, detailPage.details, in: favourite)
            rows += rejection(detailPage.rejection, in: favourite)
            rows += detailPage.details.map { calls(of: $0, in: favourite) } ?? []
            if !departure.vehicle.isEmpty { rows += inRows([words(.vehicle, word: departure.vehicle)]) }
            return paged(rows, title: keepsTitle ? Array(title.prefix(1)) : [])
        }
    }

    private func title(of departure: Departure, in favourite: FavouriteState) -> String {
        let leadsWithLine = profile(of: favourite)?.leadingColumn == .line && !leadsWithDay(departure, in: favourite)
        return (leadsWithLine ? departure.line.name : lead(of: departure, in: favourite)) + " "
            + destination(of: departure, in: favourite)
    }

    /// Rows in screens, at least one; `title` repeats on all but the first.
    func paged(_ rows: [String], title: [String] = []) -> [[String]] {
        let room = size.rows - title.count
        return [Array(rows.prefix(size.rows))]
            + stride(from: size.rows, to: rows.count, by: room).map { title + rows.dropFirst($0).prefix(room) }
    }
}

// The detail page of one departure and its trip.
extension Drawing {
    /// The facts for a traveller: first when to leave, when it departs, and why that may be wrong; as many whole facts in
    /// a row as fit.
    private func facts(of row: DepartureRow, _ details: TripDetails?, in favourite: FavouriteState) -> [String] {
        let departure = row.departure
        // Each in a row of its own where there is room.
        let first = leaving(row, in: favourite) + [departing(row, in: favourite)]
        var facts = keepsTitle ? [] : first
        if let late = departure.minutesLate { facts.append(words(.lateBy, code: "\(late)")) }
        facts.append(origin(of: departure, details, in: favourite))
        if leadsWithDay(departure, in: favourite) { facts.append([departure.line.name]) }
        if let platform = departure.platform, !platform.isEmpty, platform != favourite.stop.letter {
            facts.append(platform.count > Self.longestPlatform ? [platform] : words(.platform, word: platform))
        }
        if let trip = departure.attributes?.returnTrip {
            let offset = trip.utcOffset ?? departure.utcOffset
            let day = day(of: trip.at, ahead: offset, at: favourite.stop)
            facts.append(words(.returnTrip, time: day + " " + time(of: trip.at, ahead: offset, at: favourite.stop)))
        }
        facts += departure.attributes.map { self.facts(of: $0) } ?? []
        facts += details.flatMap { place(of: $0, in: favourite) }.map { [$0] } ?? []
        return (keepsTitle ? first.flatMap { inRows([$0]) } : []) + inRows(facts)
    }

    /// When to leave for the departure; empty without a walk.
    private func leaving(_ row: DepartureRow, in favourite: FavouriteState) -> [[String]] {
        let remaining = row.remaining(at: now, clock: board.clock, walk: favourite.favourite.walk)
        let mark = row.departure.freshness(at: moment) == .live ? "" : words.text(.about) + " "
        return switch remaining {
        case .leaveIn(let count): [words(.leaveIn, code: "\(count)", mark: mark)]
        case .leaveNow: [words(.leaveNow, mark: mark)]
        case .run: [words(.runNow, mark: mark)]
        case .leaveAt: [words(.goAt, time: count(remaining, of: row, favourite).last ?? "")]
        case .due, .minutes, .time, .later, .delayed, .cancelled: []
        }
    }

    /// "departs 12:11, 7 min", "13:10", "12:07, delayed".
    private func departing(_ row: DepartureRow, in favourite: FavouriteState) -> [String] {
        let departure = row.departure
        let clock = (departure.status.time ?? departure.booked).map { time(of: $0, departure, favourite) }
        let remaining = row.remaining(at: now, clock: board.clock)
        let counts = count(remaining, of: row, favourite)
        switch remaining {
        case .due, .minutes:
            return words[.departs].flatMap { form in
                counts.map { form.replacing("%time", with: clock ?? "").replacing("%word", with: $0) }
            }
        case .delayed where clock != nil: return words(.delayedAt, time: clock ?? "")
        case .cancelled where clock != nil: return words(.cancelledAt, time: clock ?? "")
        case .time: return words(.leaves, time: clock ?? "")
        default: return [([counts[0]] + [clock].compactMap(\.self).filter { $0 != counts[0] }).joined(separator: ", ")]
        }
    }

    /// Why the time may be wrong: "live report of 12:03". Combined data is as old as its older part.
    private func origin(of departure: Departure, _ details: TripDetails?, in favourite: FavouriteState) -> [String] {
        let isOffer = departure.fare != nil
        if case .scheduled = departure.status, !isOffer { return words[.noReportYet] }
        let madeAt = min(departure.madeAt, details?.madeAt ?? departure.madeAt)
        let when =
            moment - madeAt > Remaining.dayWithin
            ? day(of: madeAt, ahead: departure.utcOffset, at: favourite.stop) : time(of: madeAt, departure, favourite)
        let isOld = departure.freshness(at: moment) == .stale
        return words(isOffer ? .madeAt : isOld ? .oldReport : .liveReport, time: when)
    }

    private func facts(of attributes: TripAttributes) -> [[String]] {
        var facts = attributes.stage.map { [words[$0 == .waiting ? .waiting : .previousTrip]] } ?? []
        facts += attributes.arrangement?.facts(words) ?? []
        if attributes.isReplacement { facts.append(words[.replacement]) }
        if let coaches = attributes.coaches { facts.append(words(.coaches, code: "\(coaches)")) }
        if let start = attributes.startsAt { facts.append(words(.startsAt, word: start)) }
        if let end = attributes.endsAt { facts.append(words(.endsAt, word: end)) }
        return facts + [attributes.via, attributes.company, attributes.reason].compactMap { $0.map { [$0] } }
    }

    /// Why there are no calling points, if a person must fix the cause.
    private func rejection(_ kind: FeedError.Kind?, in favourite: FavouriteState) -> [String] {
        let feed = board.title(of: favourite.favourite.stop.feed)
        return switch kind {
        case .keyRejected: inRows([words(.keyRejected, feed: feed)])
        case .keyMissing: inRows([words(.keyMissing, feed: feed)])
        default: []
        }
    }

    /// The vehicle's current or last reported position; a call without a reported time does not count.
    private func place(of details: TripDetails, in favourite: FavouriteState) -> [String]? {
        if let location = details.location { return words(.whereabouts, word: location) }
        return details.calls.reversed().lazy.compactMap { call in
            switch call.state {
            case .arrived: words(.nowAt, word: call.name)
            case .called(let left?): words(.leftAt, time: time(of: left, at: favourite.stop), word: call.name)
            case .called(nil), .expected, .delayed, .cancelled, .scheduled: nil
            }
        }.first
    }

    /// The calling points after the user's stop, or after the vehicle's position if it is further on.
    private mutating func calls(of details: TripDetails, in favourite: FavouriteState) -> [String] {
        let stale = details.madeAt + board.staleAfter(favourite.favourite.stop.feed) + .microseconds(1)
        changes(at: stale)
        let code = favourite.favourite.stop.code.uppercased()
        let own = details.calls.lastIndex { $0.code?.uppercased() == code }
        let here = max(own ?? -1, details.now ?? -1)
        var coaches = details.calls.prefix(here + 1).compactMap(\.coaches).last
        // At the stop where the train divides, the passenger must choose a portion first.
        var rows = own == here ? divisions(of: details, at: details.calls[here]) : []
        for call in details.calls.dropFirst(here + 1) {
            rows.append(row(of: call, in: favourite, isStale: stale <= moment))
            rows += divisions(of: details, at: call)
            if let length = call.coaches, let before = coaches, length != before {
                rows += inRows([words(.coachesFrom, code: "\(length)", word: call.name)])
            }
            coaches = call.coaches ?? coaches
        }
        return rows
    }

    /// The portions that divide at a call, until the vehicle has left it.
    private func divisions(of details: TripDetails, at call: CallingPoint) -> [String] {
        if case .called = call.state { return [] }
        return details.portions.filter { $0.at == call.name }.flatMap { portion in
            inRows([words(.divides, feed: call.name, word: portion.calls.last?.name ?? "")])
        }
    }

    private func row(of call: CallingPoint, in favourite: FavouriteState, isStale: Bool) -> String {
        func at(_ moment: Timestamp) -> String { time(of: moment, at: favourite.stop) }
        let right =
            switch call.state {
            case .expected(let time) where !isStale: " " + at(time)
            case .expected(let time), .scheduled(let time): Self.aboutSign + at(time)
            case .arrived(let time), .called(let time?): " " + at(time)
            case .called(nil): " " + words.text(.noReport)
            case .delayed: " " + (words[.delayed].last ?? "")
            case .cancelled: " " + (words[.cancelled].last ?? "")
            }
        let width = size.columns - right.count
        let name = placeName(of: favourite).full(call.name)
        return Text.left(board.streetNames.parts(name, width: width)[0], in: width) + right
    }

    /// Arranges facts in rows, each in its longest form that fits: as many in a row as fit, a long one broken at words.
    private func inRows(_ facts: [[String]]) -> [String] {
        var rows: [String] = []
        // The shorter forms of the last row.
        var shorter: [String] = []
        for forms in facts {
            let forms = forms.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
            guard let longest = forms.first else { continue }
            let both = (rows.suffix(1) + shorter).flatMap { last in forms.map { last + ", " + $0 } }
            if let row = both.first(where: { $0.count <= size.columns }) {
                rows[rows.count - 1] = row
                shorter = []
            } else {
                let chosen = forms.first { $0.count <= size.columns } ?? longest
                rows += Text.wrapped(chosen.capitalisedFirst, width: size.columns)
                // One that is broken has none that fits.
                shorter = forms.filter { $0.count < min(chosen.count, size.columns) }.map(\.capitalisedFirst)
            }
        }
        return rows
    }
}

extension String {
    fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension TripAttributes.Arrangement {
    fileprivate func facts(_ words: Words) -> [[String]] {
        [by == .phone ? words[.phoneAhead] : words[.arrangeWithDriver]]
            + [phone, message].compactMap { $0.map { [$0] } }
    }

    /// "phone ahead to board, 01234 567".
    public func text(in words: Words) -> String { facts(words).compactMap(\.first).joined(separator: ", ") }
}
