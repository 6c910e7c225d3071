extension Drawing {
    func profile(of favourite: FavouriteState) -> FeedProfile? {
        board.setup.profiles[favourite.favourite.stop.feed]
    }

    func placeName(of favourite: FavouriteState) -> PlaceName {
        PlaceName(
            suffixes: profile(of: favourite)?.suffixes ?? [], personal: board.setup.options.abbreviations,
            shipped: board.placeNames)
    }

    private static let readableName = 6

    /// The full name of a favourite: its label or the operator's name.
    func name(of favourite: FavouriteState) -> String {
        favourite.favourite.label ?? favourite.stop.name.map(placeName(of: favourite).full)
            ?? favourite.favourite.stop.code
    }

    /// The full name with the letter on the pole.
    func title(of favourite: FavouriteState) -> String {
        name(of: favourite) + letter(of: favourite)
    }

    /// The name in at most `width` cells, with the letter on the pole if any.
    func name(of favourite: FavouriteState, width: Int) -> String {
        // A label is not shortened for the letter: "Oxford St S" would become "Oxford St N".
        if let label = favourite.favourite.label, label.count <= width,
            label.count + letter(of: favourite).count > width
        {
            return label
        }
        return fitted(name(of: favourite), of: favourite, with: letter(of: favourite), to: width)
    }

    /// The name in at most `width` cells, with as much of the letter and distance as fits; for favourites without a
    /// distance, ``name(of:width:)``.
    func nameAndDistance(of favourite: FavouriteState, width: Int) -> String {
        guard let distance = favourite.favourite.distance else { return name(of: favourite, width: width) }
        let name = name(of: favourite)
        let letter = letter(of: favourite)
        // The distance distinguishes several poles if there is no room for both.
        let suffixes = ["\(letter) \(distance)", " \(distance)"]
        let readable = min(name.count, Self.readableName)
        let suffix = suffixes.first { width - $0.count >= readable } ?? " \(distance)"
        return fitted(name, of: favourite, with: suffix, to: width)
    }

    private func fitted(_ name: String, of favourite: FavouriteState, with suffix: String, to width: Int) -> String {
        let room = width - suffix.count
        return (name.count <= room ? name : placeName(of: favourite).fitted(name, to: room)) + suffix
    }

    /// The letter on the pole as a suffix; empty if there is none, or if the name contains it.
    private func letter(of favourite: FavouriteState) -> String {
        guard let letter = favourite.stop.letter.map({ " " + $0 }) else { return "" }
        return name(of: favourite).hasSuffix(letter) ? "" : letter
    }

    /// The full destination; ``Phrase/unknownDestination`` where the operator reports none.
    func destination(of departure: Departure, in favourite: FavouriteState) -> String {
        departure.destination.isEmpty
            ? words.text(.unknownDestination) : placeName(of: favourite).full(departure.destination)
    }

    /// The first column of a row: line or booked time; the day, if the feed's profile has it and for departures more
    /// than a day away.
    func lead(of departure: Departure, in favourite: FavouriteState) -> String {
        if leadsWithDay(departure, in: favourite) {
            return day(of: departure.booked ?? departure.due, ahead: departure.utcOffset, at: favourite.stop)
        }
        guard profile(of: favourite)?.leadingColumn == .booked else { return line(departure.line, of: favourite) }
        return time(of: departure.booked ?? departure.due, ahead: departure.utcOffset, at: favourite.stop)
    }

    func leadsWithDay(_ departure: Departure, in favourite: FavouriteState) -> Bool {
        profile(of: favourite)?.leadingColumn == .day || isLater(departure)
    }

    /// Whether a departure is more than a day away; its fare then replaces the time.
    func isLater(_ departure: Departure) -> Bool {
        departure.due - moment > Remaining.dayWithin
    }

    /// The fare that replaces a row's time; nil: the time is shown. On the last day only while the zone of the place of
    /// departure is unknown.
    func fare(of row: DepartureRow, in favourite: FavouriteState) -> Fare? {
        switch row.remaining(at: now, clock: board.clock) {
        case .later: row.departure.fare
        case .time where row.departure.utcOffset == nil && favourite.stop.zone == nil: row.departure.fare
        case .due, .minutes, .time, .delayed, .cancelled: nil
        }
    }

    /// The platform, longest form first, on rows that begin with a booked time; none for cancelled departures.
    func platforms(of departure: Departure, in favourite: FavouriteState) -> [String] {
        guard profile(of: favourite)?.leadingColumn == .booked, departure.status != .cancelled else { return [] }
        if departure.attributes?.isReplacement == true { return words[.bus] }
        guard let platform = departure.platform.map({ String($0.prefix(3)) }), !platform.isEmpty else { return [] }
        return (size.columns < Self.columnsForPlatforms ? [] : Text.fill(words[.platform], word: platform)) + [platform]
    }

    /// A line's name, or its short form if it is longer than a fifth of the panel. Every bus route fits four cells.
    /// A name is cut before a slash: half of "10/48" would be a different line.
    func line(_ line: Line, of favourite: FavouriteState) -> String {
        let width = max(4, size.columns / 5)
        if line.name.count <= width { return line.name }
        let name = profile(of: favourite)?.shortLines[line.id] ?? line.name
        let cut = Text.cut(name, to: width)
        guard cut.count < name.count, let slash = cut.lastIndex(of: "/"), slash > cut.startIndex else { return cut }
        return String(cut[..<slash])
    }

    mutating func time(of row: DepartureRow, in favourite: FavouriteState) -> String {
        let forms = times(of: row, in: favourite)
        return forms[forms.count - 1]
    }

    /// The forms of a row's time, longest first.
    mutating func times(of row: DepartureRow, in favourite: FavouriteState) -> [String] {
        switch row.remaining(at: now, clock: board.clock) {
        case .due: words[.due]
        case .minutes(let count): ["\(count)\(words.text(.minutes))"]
        case .time(let moment), .later(let moment):
            [
                fare(of: row, in: favourite)?.description
                    ?? time(of: moment, ahead: row.departure.utcOffset, at: favourite.stop)
            ]
        case .delayed: words[.delayed]
        case .cancelled: words[.cancelled]
        }
    }

    /// The mark, if any, and the time, with a blank before them.
    mutating func marked(_ time: String, of row: DepartureRow, in favourite: FavouriteState) -> String {
        let mark = mark(of: row, in: favourite)
        return " " + (mark == " " ? "" : mark) + time
    }

    /// Glyphs: a triangle, a walking person and a bold cross. Without a free slot they become `!`, an arrow and `x`.
    static let alertSign = "⚠"
    static let leaveSign = "⇨"
    static let missedSign = "✗"

    /// From this width, the time to leave and positions are in words.
    private static let columnsForWords = 20
    /// From this width, platforms have a word.
    private static let columnsForPlatforms = 40

    var hasRoomForWords: Bool { size.columns >= Self.columnsForWords }

    /// The mark before a row's time. On narrow panels the time to leave has priority. A fare has none: it is not an
    /// estimate.
    func mark(of row: DepartureRow, in favourite: FavouriteState) -> String {
        hasRoomForWords ? markOfFreshness(row, in: favourite) : sign(of: row, in: favourite)
    }

    /// The sign of the time to leave, or the mark of the freshness.
    func sign(of row: DepartureRow, in favourite: FavouriteState) -> String {
        if fare(of: row, in: favourite) != nil { return " " }
        switch favourite.catchStatus(of: row.departure, at: moment) {
        case .leaveNow: return Self.leaveSign
        case .missed: return Self.missedSign
        case .inTime, nil: return freshnessMark(of: row)
        }
    }

    private func markOfFreshness(_ row: DepartureRow, in favourite: FavouriteState) -> String {
        fare(of: row, in: favourite) == nil ? freshnessMark(of: row) : " "
    }

    func freshnessMark(of row: DepartureRow) -> String {
        switch row.departure.freshness(at: moment) {
        case .live: " "
        case .stale: "?"
        case .scheduled: "*"
        }
    }

    mutating func noteChanges(of row: DepartureRow, in favourite: FavouriteState) {
        changes(
            at: row.nextChange(
                after: now, clock: board.clock, walk: favourite.favourite.walk))
        guard let walk = favourite.favourite.walk, let leaving = row.departure.leaving(walk: walk),
            case .inTime(let rest)? = favourite.catchStatus(of: row.departure, at: moment)
        else { return }
        // The minutes until it is time to leave.
        changes(at: board.clock.instant(of: leaving - .seconds(60 * (rest.wholeSeconds / 60)) + .microseconds(1)))
    }
}
