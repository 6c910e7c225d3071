/// What a row of departures says, before it has a width.
struct DepartureLine: Equatable {
    /// The line, the booked time or the day; nil: a stop without departures, which takes the whole row.
    var lead: String?
    /// By how many minutes it leaves later than the booked time in `lead`: "+6"; empty: on time.
    var late = ""
    /// The destination, or the stop.
    var name: String
    /// Facts in their forms, longest first; the most important fact first.
    var facts: [[String]] = []
    /// The same lateness as a fact, for rows without room for it in the lead.
    var lateFact: [[String]] = []
    /// The forms of the number that counts: for 40, 20 and 16 columns.
    var count: [String] = []
}

extension Drawing {
    /// The lines of the rows of a screen; notes when they change.
    ///
    /// - Parameter isOverview: whether each row says from which stop it is.
    mutating func lines(of rows: [BoardRow], isOverview: Bool) -> [DepartureLine] {
        let common = commonWords(of: rows)
        return rows.map { row in
            guard let first = row.shown else { return line(about: row.favourite) }
            for departure in row.departures {
                changes(at: departure.nextChange(after: now, clock: board.clock, walk: row.favourite.favourite.walk))
            }
            return line(of: first, in: row, droppingFirst: common, isOverview: isOverview)
        }
    }

    private func line(
        of row: DepartureRow, in boardRow: BoardRow, droppingFirst common: Int, isOverview: Bool
    ) -> DepartureLine {
        let (departure, favourite) = (row.departure, boardRow.favourite)
        let isByLine = favourite.sort == .line && !isOverview
        let counts = row.remaining(at: now, clock: board.clock, walk: favourite.favourite.walk)
        let leadsWithTime = leadsWithTime(departure, in: favourite)
        // A price that leaves no room for the name is only on the detail page.
        let forms = count(counts, of: row, favourite)
        let isTooLong = forms.last == departure.fare?.rounded && (forms.last?.count ?? 0) > size.columns * 3 / 8
        var line = DepartureLine(
            lead: isByLine && leadsWithTime ? "" : lead(of: departure, in: favourite, droppingFirst: common),
            name: destination(of: departure, in: favourite), facts: facts(of: departure, in: favourite),
            count: isTooLong ? [] : forms)
        if let late = minutesLate(departure, in: favourite) {
            line.lateFact = [words(.lateFact, time: time(of: departure.due, departure, favourite), code: "\(late)")]
            line.late = isByLine ? "" : "+\(late)"
        }
        if departure.status == .cancelled, size.columns < Self.columnsForWords {
            line.facts = [[words.text(.cancelled)]]
        }
        if isOverview { line.facts.append(stopNames(of: favourite).flatMap { words(.fromStop, word: $0) }) }
        switch counts {
        case .leaveIn, .leaveNow, .run:
            if leadsWithTime, !isByLine { break }
            line.facts.append(words(.departsAt, time: time(of: departure.due, departure, favourite)))
        default: break
        }
        let next = boardRow.departures.drop { $0 != row }.dropFirst().first { $0.departure.status != .cancelled }
        if isByLine, let next = next?.departure {
            line.facts.append(words(.nextAfter, time: time(of: next.due, next, favourite)))
        }
        return line
    }

    /// The facts that have no other place in a row, most important first. An old report of a platform is none.
    /// A cancelled departure has none.
    func facts(of departure: Departure, in favourite: FavouriteState) -> [[String]] {
        if departure.status == .cancelled { return [] }
        var facts: [[String]] = []
        if let planned = departure.plannedDestination {
            facts.append(words(.endsEarly, word: placeName(of: favourite).full(planned)))
        }
        if departure.attributes?.isReplacement == true { facts.append(words[.byBus]) }
        if departure.attributes?.arrangement?.by == .phone { facts.append(words[.phoneAhead]) }
        if profile(of: favourite)?.leadingColumn == .booked, departure.freshness(at: moment) != .stale,
            let platform = departure.platform, !platform.isEmpty, platform.count <= Self.longestPlatform
        {
            facts.append(words(.platform, word: platform))
        }
        return facts
    }

    /// The minutes by which a departure is late; nil also where people know it by its line and not by its time.
    func minutesLate(_ departure: Departure, in favourite: FavouriteState) -> Int? {
        leadsWithTime(departure, in: favourite) ? departure.minutesLate : nil
    }

    private func leadsWithTime(_ departure: Departure, in favourite: FavouriteState) -> Bool {
        profile(of: favourite)?.leadingColumn == .booked && !isLater(departure)
    }

    /// Some operators write a phrase ("Northbound - Platform 4"), which is on the detail page.
    static let longestPlatform = 3
    /// From this width, counts are in words.
    static let columnsForWords = 40

    /// The forms of a count, longest first: with "about" or its sign when it is uncertain.
    func count(_ remaining: Remaining, of row: DepartureRow, _ favourite: FavouriteState) -> [String] {
        let departure = row.departure
        let isCertain = departure.freshness(at: moment) == .live
        func marked(_ phrase: Phrase, _ count: Int = 0) -> [String] {
            func forms(_ mark: String) -> [String] { words(phrase, code: "\(count)", mark: mark) }
            let signed = forms(isCertain ? "" : Self.aboutSign)
            return isCertain || signed.count == 1
                ? signed : [forms(words.text(.about) + " ")[0]] + Array(signed.dropFirst())
        }
        switch remaining {
        case .due: return marked(.due)
        case .minutes(let count): return marked(.minutes, count)
        case .leaveIn(let count): return marked(.goIn, count)
        case .leaveNow: return marked(.goNow)
        case .run: return marked(.run)
        case .leaveAt(let time): return words(.goAt, time: self.time(of: time, departure, favourite))
        case .time(let time), .later(let time):
            // On the last day the fare replaces the time only while the zone of the place of departure is unknown.
            let hasFare = remaining == .later(time) || departure.utcOffset == nil && favourite.stop.zone == nil
            guard hasFare, let fare = departure.fare else { return [self.time(of: time, departure, favourite)] }
            return [fare.description, fare.description, fare.rounded]
        case .delayed: return words[.delayed]
        case .cancelled: return words[.cancelled]
        }
    }

    /// The first column of a row: line or booked time; the day, if the feed's profile has it and for departures more
    /// than a day away.
    ///
    /// - Parameter common: how many words all lines of the page begin with.
    func lead(of departure: Departure, in favourite: FavouriteState, droppingFirst common: Int = 0) -> String {
        if leadsWithDay(departure, in: favourite) {
            return day(of: departure.booked ?? departure.due, ahead: departure.utcOffset, at: favourite.stop)
        }
        guard profile(of: favourite)?.leadingColumn == .booked else {
            return lineName(departure.line, of: favourite, droppingFirst: common)
        }
        return time(of: departure.booked ?? departure.due, departure, favourite)
    }

    /// A line's name: without the words that all lines of the page begin with, and at most a quarter of the row. A longer
    /// one has the feed's short form, or its number alone, or is cut, but not within a number: half of "10/48" would be
    /// another line.
    private func lineName(_ line: Line, of favourite: FavouriteState, droppingFirst common: Int) -> String {
        let width = size.columns / 4
        let name = line.name.split(separator: " ").dropFirst(common).joined(separator: " ")
        if name.count <= width { return name }
        let short = profile(of: favourite)?.shortLines[line.id] ?? name
        if short.count <= width { return short }
        let words = short.split { $0 == " " || $0 == "/" }
        let beginning = words.indices.map { short[..<words[$0].endIndex] }.last { $0.count <= width }
        let number = words.last { $0.contains(where: \.isNumber) && $0.count <= width }
        if let beginning, number == nil || beginning.contains(where: \.isNumber) { return String(beginning) }
        return number.map(String.init) ?? short.prefix(width - 1).trimmingEnd() + Text.continues
    }

    /// With how many common words ("Bus", "Route") the names of all lines begin, if a number follows.
    private func commonWords(of rows: [BoardRow]) -> Int {
        let names = Set(rows.flatMap(\.departures).map(\.departure.line.name)).map { $0.split(separator: " ") }
        let first = names.first?.prefix { $0.count > 2 && $0.contains(where: \.isLowercase) } ?? []
        let isCommon = names.allSatisfy {
            $0.starts(with: first) && ($0.dropFirst(first.count).first?.first?.isNumber ?? false)
        }
        return isCommon ? first.count : 0
    }

    func leadsWithDay(_ departure: Departure, in favourite: FavouriteState) -> Bool {
        profile(of: favourite)?.leadingColumn == .day || isLater(departure)
    }

    /// Whether a departure is more than a day away; its fare then replaces the time.
    private func isLater(_ departure: Departure) -> Bool { departure.due - moment > Remaining.dayWithin }

    /// About a stop without departures: "Euston: next 17:12".
    private mutating func line(about favourite: FavouriteState) -> DepartureLine {
        let why: [String]? =
            switch board.notice(of: favourite, at: now) {
            case .next(let next, let stop): words(.stopNext, time: time(of: next.time, at: stop))
            case .nothingPredicted: words[.stopNone]
            case let notice?: forms(of: notice).suffix(1)
            case nil: nil
            }
        return DepartureLine(name: stopNames(of: favourite)[0], facts: why.map { [$0] } ?? [])
    }
}
