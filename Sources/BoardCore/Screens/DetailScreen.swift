// Detail pages: alerts, departures with their calling points, and the legend, on as many screens as needed.
extension Drawing {
    mutating func draw(_ detailPage: DetailPage, of favourite: FavouriteState) {
        let content = screens(of: detailPage.content, detailPage, in: favourite)
        noteChanges(of: detailPage, in: favourite)
        for (row, text) in content[min(max(0, detailPage.screen), content.count - 1)].enumerated() {
            put(Text.left(text, in: size.columns), row: row)
        }
    }

    func screenCount(of detailPage: DetailPage, in favourite: FavouriteState) -> Int {
        var drawing = self
        return drawing.screens(of: detailPage.content, detailPage, in: favourite).count
    }

    /// The content in screens, at least one.
    private mutating func screens(
        of content: DetailPage.Content, _ detailPage: DetailPage, in favourite: FavouriteState
    ) -> [[String]] {
        switch content {
        case .alerts:
            noteNoticeChanges(of: favourite)
            let alerts = board.alerts(of: favourite, at: now)
            let texts = alerts.enumerated().map { index, alert in
                Self.alertSign + (alerts.count > 1 ? "\(index + 1)/\(alerts.count) " : "") + alert.text
            }
            let screens = texts.flatMap { paged(Text.wrapped($0, width: size.columns)) }
            // Alerts that end close the page at the next event.
            return screens.isEmpty ? paged([]) : screens
        case .legend:
            return paged(legend(of: favourite))
        case .departure(let departure):
            let shown = favourite.visible(at: moment)
            let row = shown.index(of: departure).map { shown[$0] } ?? DepartureRow(departure)
            let title = Text.wrapped(title(of: departure, in: favourite), width: size.columns)
            let rows =
                facts(of: row, detailPage.details, in: favourite) + rejection(detailPage.rejection, in: favourite)
                + (detailPage.details.map { calls(of: $0, in: favourite) } ?? [])
                + inRows([vehicle(of: departure)])
            return paged(title + rows, title: keepsTitle ? title.first : nil)
        }
    }

    private func title(of departure: Departure, in favourite: FavouriteState) -> String {
        let leadsWithLine = profile(of: favourite)?.leadingColumn == .line && !leadsWithDay(departure, in: favourite)
        return (leadsWithLine ? departure.line.name : lead(of: departure, in: favourite)) + " "
            + destination(of: departure, in: favourite)
    }

    /// Rows in screens, at least one; `title` repeats on all but the first.
    private func paged(_ rows: [String], title: String? = nil) -> [[String]] {
        var screens: [[String]] = []
        var left = rows[...]
        repeat {
            let first = screens.isEmpty ? [] : title.map { [$0] } ?? []
            let room = size.rows - first.count
            screens.append(first + left.prefix(room))
            left = left.dropFirst(room)
        } while !left.isEmpty
        return screens
    }

    /// The meaning of each sign.
    private func legend(of favourite: FavouriteState) -> [String] {
        let signs: [(String, Phrase)] = [
            ("⇨", .leaveMeaning), (Self.aboutSign, .aboutMeaning), (Text.continues, .continuesMeaning),
            ("✗", .cancelledMeaning), ("⚠", .alertMeaning),
        ]
        return signs.map { sign, meaning in sign + " " + Text.choose(words[meaning], width: size.columns - 2) }
    }

    private mutating func noteChanges(of detailPage: DetailPage, in favourite: FavouriteState) {
        guard let departure = detailPage.departure else { return }
        let shown = favourite.visible(at: moment)
        let row = shown.index(of: departure).map { shown[$0] } ?? DepartureRow(departure)
        for walk in [favourite.favourite.walk, nil] {
            changes(at: row.nextChange(after: now, clock: board.clock, walk: walk))
        }
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
        facts += departure.minutesLate.map { [Text.fill(words[.lateBy], code: "\($0)")] } ?? []
        facts.append(origin(of: departure, details, in: favourite))
        if leadsWithDay(departure, in: favourite) { facts.append([departure.line.name]) }
        if let platform = departure.platform, !platform.isEmpty, platform != favourite.stop.letter {
            // Some operators write the whole phrase ("Northbound - Platform 4"), some only the number.
            facts.append(platform.count > 3 ? [platform] : Text.fill(words[.platform], word: platform))
        }
        facts += returnTrip(of: departure, in: favourite)
        facts += departure.attributes.map { self.facts(of: $0) } ?? []
        if let details { facts += place(of: details, in: favourite) }
        return (keepsTitle ? first.flatMap { inRows([$0]) } : []) + inRows(facts)
    }

    /// When to leave for the departure; empty without a walk.
    private func leaving(_ row: DepartureRow, in favourite: FavouriteState) -> [[String]] {
        let remaining = row.remaining(at: now, clock: board.clock, walk: favourite.favourite.walk)
        let mark = row.departure.freshness(at: moment) == .live ? "" : words.text(.about) + " "
        return switch remaining {
        case .leaveIn(let count): [Text.fill(words[.leaveIn], code: "\(count)", mark: mark)]
        case .leaveNow: [Text.fill(words[.leaveNow], mark: mark)]
        case .run: [Text.fill(words[.runNow], mark: mark)]
        case .leaveAt: [Text.fill(words[.goAt], time: count(remaining, of: row, favourite).last ?? "")]
        case .due, .minutes, .time, .later, .delayed, .cancelled: []
        }
    }

    /// "departs 12:11, 7 min", "13:10", "12:07, delayed".
    private func departing(_ row: DepartureRow, in favourite: FavouriteState) -> [String] {
        let departure = row.departure
        let clock = (departure.status.time ?? departure.booked).map {
            time(of: $0, ahead: departure.utcOffset, at: favourite.stop)
        }
        let remaining = row.remaining(at: now, clock: board.clock)
        let counts = count(remaining, of: row, favourite)
        switch remaining {
        case .due, .minutes:
            return words[.departs].flatMap { form in
                counts.flatMap { Text.fill([form], time: clock ?? "", word: $0) }
            }
        case .delayed where clock != nil: return Text.fill(words[.delayedAt], time: clock ?? "")
        case .cancelled where clock != nil: return Text.fill(words[.cancelledAt], time: clock ?? "")
        case .time: return Text.fill(words[.leaves], time: clock ?? "")
        default: return [([counts[0]] + (clock.map { $0 == counts[0] ? [] : [$0] } ?? [])).joined(separator: ", ")]
        }
    }

    /// Why the time may be wrong: "live report of 12:03". Combined data is as old as its older part.
    private func origin(of departure: Departure, _ details: TripDetails?, in favourite: FavouriteState) -> [String] {
        let isOffer = departure.fare != nil
        if case .scheduled = departure.status, !isOffer { return words[.noReportYet] }
        let madeAt = min(departure.madeAt, details?.madeAt ?? departure.madeAt)
        let when =
            moment - madeAt > Remaining.dayWithin
            ? day(of: madeAt, ahead: departure.utcOffset, at: favourite.stop)
            : time(of: madeAt, ahead: departure.utcOffset, at: favourite.stop)
        let isOld = departure.freshness(at: moment) == .stale
        return Text.fill(words[isOffer ? .madeAt : isOld ? .oldReport : .liveReport], time: when)
    }

    private func vehicle(of departure: Departure) -> [String] {
        departure.vehicle.isEmpty ? [] : Text.fill(words[.vehicle], word: departure.vehicle)
    }

    private func returnTrip(of departure: Departure, in favourite: FavouriteState) -> [[String]] {
        guard let returnTrip = departure.attributes?.returnTrip else { return [] }
        let offset = returnTrip.utcOffset ?? departure.utcOffset
        let day = day(of: returnTrip.at, ahead: offset, at: favourite.stop)
        let time = time(of: returnTrip.at, ahead: offset, at: favourite.stop)
        return [Text.fill(words[.returnTrip], time: day + " " + time)]
    }

    private func facts(of attributes: TripAttributes) -> [[String]] {
        var facts: [[String]] = []
        switch attributes.stage {
        case .previousTrip: facts.append(words[.previousTrip])
        case .waiting: facts.append(words[.waiting])
        case nil: break
        }
        if let arrangement = attributes.arrangement {
            facts += arrangement.facts(words)
        }
        if attributes.isReplacement { facts.append(words[.replacement]) }
        facts += attributes.coaches.map { [Text.fill(words[.coaches], code: "\($0)")] } ?? []
        facts += attributes.startsAt.map { [Text.fill(words[.startsAt], word: $0)] } ?? []
        facts += attributes.endsAt.map { [Text.fill(words[.endsAt], word: $0)] } ?? []
        return facts + [attributes.via, attributes.company, attributes.reason].compactMap { $0.map { [$0] } }
    }

    /// Why there are no calling points, if a person must fix the cause.
    func rejection(_ kind: FeedError.Kind?, in favourite: FavouriteState) -> [String] {
        let feed = board.title(of: favourite.favourite.stop.feed)
        return switch kind {
        case .keyRejected: [phrase(words[.keyRejected], feed: feed)]
        case .keyMissing: [phrase(words[.keyMissing], feed: feed)]
        default: []
        }
    }

    /// The vehicle's current or last reported position; a call without a reported time does not count.
    private func place(of details: TripDetails, in favourite: FavouriteState) -> [[String]] {
        if let location = details.location { return [Text.fill(words[.whereabouts], word: location)] }
        for call in details.calls.reversed() {
            switch call.state {
            case .arrived: return [Text.fill(words[.nowAt], word: call.name)]
            case .called(let left?):
                return [Text.fill(words[.leftAt], time: time(of: left, at: favourite.stop), word: call.name)]
            case .called(nil), .expected, .delayed, .cancelled, .scheduled: continue
            }
        }
        return []
    }

    /// The calling points after the user's stop, or after the vehicle's position if it is further on.
    private mutating func calls(of details: TripDetails, in favourite: FavouriteState) -> [String] {
        let stale = details.madeAt + board.staleAfter(favourite.favourite.stop.feed) + .microseconds(1)
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
                    phrase(words[.coachesFrom], code: "\(length)", word: call.name), width: size.columns)
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
            return Text.wrapped(phrase(words[.divides], feed: call.name, word: end), width: size.columns)
        }
    }

    private func row(of call: CallingPoint, in favourite: FavouriteState, isStale: Bool) -> String {
        let right: String
        switch call.state {
        case .expected(let time): right = (isStale ? Self.aboutSign : " ") + self.time(of: time, at: favourite.stop)
        case .scheduled(let time): right = Self.aboutSign + self.time(of: time, at: favourite.stop)
        case .arrived(let time): right = " " + self.time(of: time, at: favourite.stop)
        case .called(let time):
            right = " " + (time.map { self.time(of: $0, at: favourite.stop) } ?? words.text(.noReport))
        case .delayed: right = " " + (words[.delayed].last ?? "")
        case .cancelled: right = " " + (words[.cancelled].last ?? "")
        }
        let width = size.columns - right.count
        let name = placeName(of: favourite).full(call.name)
        return Text.left(board.streetNames.parts(name, width: width)[0], in: width) + right
    }

    /// The longest form of a phrase that fits a row; where none does, the longest, to be broken at words.
    private func phrase(
        _ forms: [String], feed: String = "", time: String = "", code: String = "", word: String = ""
    ) -> String {
        let filled = Text.fill(forms, feed: feed, time: time, code: code, word: word)
        return (filled.first { $0.count <= size.columns } ?? filled.first ?? "").capitalisedFirst
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
                shorter =
                    chosen.count <= size.columns ? forms.filter { $0.count < chosen.count }.map(\.capitalisedFirst) : []
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
    public func text(in words: Words) -> String {
        facts(words).compactMap(\.first).joined(separator: ", ")
    }
}
