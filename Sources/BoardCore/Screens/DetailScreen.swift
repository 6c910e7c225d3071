// Detail pages: alerts, departures with their calling points, and the legend, on as many screens as needed.
extension Drawing {
    mutating func draw(_ detailPage: DetailPage, of favourite: FavouriteState) {
        let content = screens(of: detailPage.content, detailPage, in: favourite)
        noteChanges(of: detailPage, in: favourite)
        for (row, text) in content[min(max(0, detailPage.screen), content.count - 1)].enumerated() {
            put(Text.left(text, in: size.columns), row: row)
        }
        guard isAnnouncing else { return }
        // Over the end of the first row, so that a press moves no text. Alerts have numbers of their own.
        let pages = board.detailPages(favourite, at: now)
        let index = detailPage.content == .alerts ? nil : pages.index(of: detailPage.content)
        let position = index.map { " " + self.position($0, of: pages.count) } ?? (isPressed ? " " + Self.pressed : "")
        put(position, row: 0, column: size.columns - position.count)
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
            let alerts = alerts(of: favourite)
            let texts = alerts.enumerated().map { index, alert in
                sign(of: index, among: alerts.count) + alert.text
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
                + origins(of: row.departure, detailPage.details, in: favourite)
            return paged(title + rows, title: hasHeader ? title.first : nil)
        }
    }

    private func title(of departure: Departure, in favourite: FavouriteState) -> String {
        lead(of: departure, in: favourite) + " " + destination(of: departure, in: favourite)
    }

    /// The sign of alerts, and the alert's number if there are several: "⚠1/4 ".
    private func sign(of index: Int, among count: Int) -> String {
        Self.alertSign + (count > 1 ? "\(index + 1)/\(count)" : "") + " "
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

    /// The meaning of each sign that this panel shows.
    private func legend(of favourite: FavouriteState) -> [String] {
        var signs = [
            (Self.alertSign, words[.alertMeaning]), ("?", words[.staleMeaning]), ("*", words[.scheduledMeaning]),
        ]
        if !hasRoomForWords || favourite.favourite.walk != nil {
            signs += [(Self.leaveSign, words[.leaveMeaning]), (Self.missedSign, words[.lateMeaning])]
        }
        if board.setup.options.refreshBar != .off { signs.append((String(RefreshCells.failed), words[.failedMeaning])) }
        return signs.map { sign, meaning in sign + " " + Text.choose(meaning, width: size.columns - 2) }
    }

    private mutating func noteChanges(of detailPage: DetailPage, in favourite: FavouriteState) {
        guard let departure = detailPage.departure else { return }
        let shown = favourite.visible(at: moment)
        noteChanges(of: shown.index(of: departure).map { shown[$0] } ?? DepartureRow(departure), in: favourite)
    }
}

// The detail page of one departure and its trip.
extension Drawing {
    /// The facts for a traveller, most important first; as many whole facts in a row as fit.
    mutating func facts(of row: DepartureRow, _ details: TripDetails?, in favourite: FavouriteState) -> [String] {
        let departure = row.departure
        var facts = [[timeInWords(of: row, in: favourite)]]
        let leaving = leaving(departure, in: favourite)
        if hasHeader || leaving.isEmpty {
            facts += leaving
        } else {
            // A row of its own would be on the next screen.
            let times = facts[0] + times(of: row, in: favourite)
            facts = [times.flatMap { time in leaving.joined().map { time + ", " + $0 } }]
        }
        if leadsWithDay(departure, in: favourite) { facts.append([departure.line.name]) }
        if let platform = departure.platform, platform != favourite.stop.letter {
            // Some operators write the whole phrase ("Northbound - Platform 4"), some only the number.
            facts.append(platform.count > 3 ? [platform] : Text.fill(words[.platform], word: platform))
        }
        facts += returnTrip(of: departure, in: favourite)
        facts += departure.attributes.map { self.facts(of: $0) } ?? []
        if let details { facts += place(of: details, in: favourite) }
        return inRows(facts)
    }

    /// "in 4 min, 12:08", "due now, 12:04", "13:10", "Delay"; with the mark of the row.
    private mutating func timeInWords(of row: DepartureRow, in favourite: FavouriteState) -> String {
        let departure = row.departure
        let shown = time(of: row, in: favourite)
        let clock = (departure.status.time ?? departure.booked).map {
            time(of: $0, ahead: departure.utcOffset, at: favourite.stop)
        }
        let mark = freshnessMark(of: row)
        // A fare is not an estimate.
        let sign = mark == " " || fare(of: row, in: favourite) != nil ? "" : mark
        switch row.remaining(at: now, clock: board.clock) {
        case .due: return sign + phrase(words[.dueAt], time: clock ?? "")
        case .minutes(let count): return sign + phrase(words[.inMinutes], time: clock ?? "", code: "\(count)")
        case .delayed where clock != nil: return sign + phrase(words[.delayedAt], time: clock ?? "")
        case .cancelled where clock != nil: return sign + phrase(words[.cancelledAt], time: clock ?? "")
        case .time, .later, .delayed, .cancelled:
            let parts = [shown] + (clock == shown ? [] : clock.map { [$0] } ?? [])
            return sign + parts.joined(separator: ", ")
        }
    }

    /// Where the data comes from: the vehicle, and when the estimate was made.
    func origins(of departure: Departure, _ details: TripDetails?, in favourite: FavouriteState) -> [String] {
        var facts = departure.vehicle.isEmpty ? [] : [Text.fill(words[.vehicle], word: departure.vehicle)]
        let isOffer = departure.fare != nil
        if isOffer || departure.isEstimate || details?.calls.contains(where: \.isEstimate) ?? false {
            // Combined data is as old as its older part.
            let madeAt = min(departure.madeAt, details?.madeAt ?? departure.madeAt)
            let isOld = moment - madeAt > Remaining.dayWithin
            let when =
                isOld
                ? day(of: madeAt, ahead: departure.utcOffset, at: favourite.stop)
                : time(of: madeAt, ahead: departure.utcOffset, at: favourite.stop)
            facts.append(Text.fill(words[.madeAt], time: when))
        }
        return inRows(facts)
    }

    /// When to leave for the departure; empty for a cancelled one.
    private func leaving(_ departure: Departure, in favourite: FavouriteState) -> [[String]] {
        guard let walk = favourite.favourite.walk else { return [] }
        switch departure.catchStatus(from: moment, walk: walk) {
        case .inTime(let rest): return [Text.fill(words[.leaveIn], code: "\(rest.wholeSeconds / 60)")]
        case .leaveNow: return [words[.leaveNow]]
        case .missed: return [words[.tooLate]]
        case nil: return []
        }
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
    mutating func calls(of details: TripDetails, in favourite: FavouriteState) -> [String] {
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
        case .expected(let time): right = (isStale ? "?" : " ") + self.time(of: time, at: favourite.stop)
        case .scheduled(let time): right = "*" + self.time(of: time, at: favourite.stop)
        case .arrived(let time): right = " " + self.time(of: time, at: favourite.stop)
        case .called(let time):
            right = " " + (time.map { self.time(of: $0, at: favourite.stop) } ?? words.text(.noReport))
        case .delayed: right = " " + (words[.delayed].last ?? "")
        case .cancelled: right = " " + (words[.cancelled].last ?? "")
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
                rows += Text.wrapped(chosen, width: size.columns)
                shorter = chosen.count <= size.columns ? forms.filter { $0.count < chosen.count } : []
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
