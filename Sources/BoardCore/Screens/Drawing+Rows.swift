extension Board {
    /// Rows that a screen of the page in view has for its own: without header, message and bar.
    func rowsPerScreen(at now: Instant) -> Int {
        var rows = setup.size.rows
        if setup.size.rows > 2 {
            rows -= 1
            if let notice = notice(at: now), notice.accompaniesRows {
                rows -= 1
            } else if showsAlertsRow(at: now) {
                rows -= 1
            }
        }
        if setup.options.refreshBar == .row { rows -= 1 }
        return max(1, rows)
    }

    /// The screens of the page in view.
    func screenCount(at now: Instant) -> Int {
        let moment = clock.timestamp(at: now)
        return screenCount(ofRows: favouriteInView?.visible(at: moment).count ?? favourites.count, at: now)
    }

    /// The screens that so many rows need.
    func screenCount(ofRows rows: Int, at now: Instant) -> Int {
        let perScreen = rowsPerScreen(at: now)
        return max(1, (rows + perScreen - 1) / perScreen)
    }
}

extension Drawing {
    /// The operator's own words for a favourite's feed.
    func profile(of favourite: FavouriteState) -> FeedProfile? {
        board.setup.profiles[favourite.favourite.stop.feed]
    }

    /// How names of a favourite's feed are fitted.
    func placeName(of favourite: FavouriteState) -> PlaceName {
        PlaceName(
            suffixes: profile(of: favourite)?.suffixes ?? [], personal: board.setup.options.abbreviations,
            shipped: words.abbreviations)
    }

    /// A name cut shorter than this says nothing.
    private static let readableName = 5

    /// The whole name of a favourite: the person's label or the operator's name.
    func name(of favourite: FavouriteState) -> String {
        favourite.favourite.label ?? favourite.stop.name.map(placeName(of: favourite).full)
            ?? favourite.favourite.stop.code
    }

    /// The whole name of a favourite with the letter on the pole.
    func title(of favourite: FavouriteState) -> String {
        name(of: favourite) + letter(of: favourite)
    }

    /// The name in at most `width` cells, with the letter on the pole where there is one.
    func name(of favourite: FavouriteState, width: Int) -> String {
        fitted(name(of: favourite), of: favourite, with: letter(of: favourite), to: width)
    }

    /// The name in at most `width` cells with what of letter and distance there is room for; of a stop that is not there
    /// because it is near, the name alone.
    func nameAndDistance(of favourite: FavouriteState, width: Int) -> String {
        guard let distance = favourite.favourite.distance else { return name(of: favourite, width: width) }
        let name = name(of: favourite)
        let letter = letter(of: favourite)
        let close = String("\(distance)".filter { $0 != " " })
        // Which of several poles it is can be told by the distance, if there is no room for both.
        let suffixes = ["\(letter) \(distance)", "\(letter) \(close)", " \(close)"]
        let readable = min(name.count, Self.readableName)
        let suffix = suffixes.first { width - $0.count >= readable } ?? " \(close)"
        return fitted(name, of: favourite, with: suffix, to: width)
    }

    private func fitted(_ name: String, of favourite: FavouriteState, with suffix: String, to width: Int) -> String {
        let room = width - suffix.count
        return (name.count <= room ? name : placeName(of: favourite).fitted(name, to: room)) + suffix
    }

    /// The letter on the pole as the end of a name; empty where there is none, or the name says it.
    private func letter(of favourite: FavouriteState) -> String {
        guard let letter = favourite.stop.letter.map({ " " + $0 }) else { return "" }
        return name(of: favourite).hasSuffix(letter) ? "" : letter
    }

    /// Where a service goes, whole; a word of the board's own where the operator did not say.
    func destination(of service: Departure, in favourite: FavouriteState) -> String {
        service.destination.isEmpty ? words.unknownDestination : placeName(of: favourite).full(service.destination)
    }

    /// What stands first in a row: its line, or its booked time; its day, where that is what its feed's riders ask for, and
    /// wherever it is more than a day away.
    func lead(of departure: Departure, in favourite: FavouriteState) -> String {
        if leadsWithDay(departure, in: favourite) {
            return day(of: departure.booked ?? departure.due, ahead: departure.utcOffset, at: favourite.stop)
        }
        guard profile(of: favourite)?.leadingColumn == .booked else { return line(departure.line, of: favourite) }
        return time(of: departure.booked ?? departure.due, of: departure, at: favourite.stop)
    }

    /// Whether a row begins with its day.
    func leadsWithDay(_ departure: Departure, in favourite: FavouriteState) -> Bool {
        profile(of: favourite)?.leadingColumn == .day || isLater(departure)
    }

    /// Whether a departure is more than a day away: then it has its fare in the time's place.
    func isLater(_ departure: Departure) -> Bool {
        departure.due - moment > Remaining.dayWithin
    }

    /// The fare that stands in a row's time's place; nil: its time does. On the last day, too, it stands there while nobody
    /// knows what clocks show where it departs.
    func fare(of row: DepartureRow, in favourite: FavouriteState) -> Fare? {
        switch row.remaining(at: now, clock: board.clock) {
        case .later: row.departure.fare
        case .time where row.departure.utcOffset == nil && favourite.stop.zone == nil: row.departure.fare
        case .due, .minutes, .time, .delayed, .cancelled: nil
        }
    }

    /// The platform where a row has a place for it: of a feed's rows that begin with a time.
    func platform(of departure: Departure, in favourite: FavouriteState) -> String {
        guard profile(of: favourite)?.leadingColumn == .booked else { return "" }
        if departure.attributes?.isReplacement == true { return words.bus }
        return String((departure.platform ?? "").prefix(3))
    }

    /// A line's name, or its short form where a fifth of the panel does not hold it. Every bus route fits four cells. What
    /// is cut ends before a slash: half of "10/48" is another line.
    func line(_ line: Line, of favourite: FavouriteState) -> String {
        let width = max(4, size.columns / 5)
        if line.name.count <= width { return line.name }
        let name = profile(of: favourite)?.shortLines[line.id] ?? line.name
        let cut = Text.cut(name, to: width)
        guard cut.count < name.count, let slash = cut.lastIndex(of: "/"), slash > cut.startIndex else { return cut }
        return String(cut[..<slash])
    }

    /// What is shown of a row's time.
    mutating func time(of row: DepartureRow, in favourite: FavouriteState) -> String {
        switch row.remaining(at: now, clock: board.clock) {
        case .due: words.due
        case .minutes(let count): "\(count)\(words.minutes)"
        case .time(let moment), .later(let moment):
            fare(of: row, in: favourite)?.description ?? time(of: moment, of: row.departure, at: favourite.stop)
        case .delayed: words.delayed
        case .cancelled: words.cancelled
        }
    }

    /// The mark before a row's time. To leave in time matters most. A fare has none: it is no estimate.
    func mark(of row: DepartureRow, in favourite: FavouriteState) -> String {
        if fare(of: row, in: favourite) != nil { return " " }
        switch favourite.favourite.walk.flatMap({ row.departure.catchStatus(from: moment, walk: $0) }) {
        case .leaveNow: return "!"
        case .missed: return "-"
        case .inTime, nil: break
        }
        return switch row.freshness(at: moment, staleAfter: staleAfter(favourite)) {
        case .live: " "
        case .stale: "?"
        case .scheduled: "*"
        }
    }

    /// Notes when a row will look different.
    mutating func noteChanges(of row: DepartureRow, in favourite: FavouriteState) {
        changes(
            at: row.nextChange(
                after: now, clock: board.clock, staleAfter: staleAfter(favourite), walk: favourite.favourite.walk))
    }

    /// The age from which an estimate is marked.
    func staleAfter(_ favourite: FavouriteState) -> Duration {
        profile(of: favourite)?.staleAfter ?? .seconds(180)
    }
}
