extension Drawing {
    /// A destination cut shorter than this is unreadable.
    static let readableDestination = 5
    /// A destination cut shorter than this is useless.
    private static let shortestDestination = 4
    /// With more minutes than this until it is time to leave, the row shows the time of departure alone.
    private static let leavingWithin = 60

    /// Draws a favourite's page: a row for each departure, or for each line and destination.
    mutating func drawStop(_ favourite: FavouriteState) {
        let rows = board.rows(of: favourite, at: now)
        let alerts = alerts(of: favourite)
        for row in rows.joined() {
            changes(at: row.nextDisappearance(after: now, clock: board.clock, walk: favourite.favourite.walk))
        }
        changes(at: board.nextInReach(of: favourite, after: now))
        let screens = board.screenCount(at: now)
        let first = hasHeader ? 1 : 0
        let notice = board.notice(at: now)
        noteNoDepartureChanges(of: favourite)
        let perScreen = board.rowsPerScreen(at: now)
        let lead = leadWidth(of: rows, in: favourite)
        let start = min(board.view.screen, screens - 1) * perScreen
        for (index, row) in rows.dropFirst(start).prefix(perScreen).enumerated() {
            for departure in row { noteChanges(of: departure, in: favourite) }
            put(text(of: row, lead: lead, in: favourite), row: first + index)
        }
        let isCaptioned = !rows.isEmpty && isCaptionTurn(hasAlert: !alerts.isEmpty)
        if let notice, rows.isEmpty {
            // A failure fills the page; an explanation for no departures leaves the last row to alerts.
            drawPage(forms(of: notice), from: first, rows: notice.accompaniesRows ? nil : perScreen)
        } else if let notice, notice.accompaniesRows, !isCaptioned {
            // On two rows both together would hide every departure.
            drawMessage(notice)
        }
        if board.showsAlertsRow(at: now) { drawAlertsRow(alerts, of: favourite) }
        drawRefreshRow()
        drawHeader(of: favourite, screens: screens, hasAlert: !alerts.isEmpty, isCaptioned: isCaptioned)
    }

    /// All departures of a favourite with their lines, each in a row, below a header; if there are none, the reason.
    fileprivate mutating func listing(of favourite: FavouriteState) -> [String] {
        let rows = favourite.visible(at: moment)
        let clock = headerClock()
        let name = nameAndDistance(of: favourite, width: size.columns - clock.count - 1)
        let reason = rows.isEmpty ? board.notice(at: now).map(forms(of:)) ?? [] : []
        let width = rows.map { lead(of: $0.departure, in: favourite).count }.max() ?? 0
        return [Text.ends(name, clock, in: size.columns)] + Text.wrapped(reason.first ?? "", width: size.columns)
            + rows.map { text(of: [$0], lead: width, in: favourite) }
    }

    /// The width of the first column, equal on all screens of a page; 0: there is none, because all rows would show the
    /// same line.
    private func leadWidth(of rows: [[DepartureRow]], in favourite: FavouriteState) -> Int {
        let departures = rows.joined().map(\.departure)
        switch profile(of: favourite)?.leadingColumn {
        case .booked where favourite.sort == .line: return 0
        case .line, nil:
            let hasOneLine = departures.count > 1 && Set(departures.map(\.line.id)).count == 1
            guard hasOneLine || favourite.favourite.lines.count == 1 else { break }
            return departures.filter(isLater).map { lead(of: $0, in: favourite).count }.max() ?? 0
        case .booked, .day: break
        }
        return departures.map { lead(of: $0, in: favourite).count }.max() ?? 0
    }

    /// A row: line or booked time, destination, and flush right platform, mark, time and when to leave. Only the first
    /// column has the same width on all rows: a destination gets every cell that its own row leaves.
    private mutating func text(of row: [DepartureRow], lead width: Int, in favourite: FavouriteState) -> String {
        let departure = row[0].departure
        let first = isLater(departure) || width > 0 ? lead(of: departure, in: favourite) : ""
        let lead = width == 0 ? "" : Text.left(first, in: width) + " "
        let name = destination(of: departure, in: favourite)
        let room = size.columns - lead.count
        let right =
            row.count > 1
            ? times(of: row, beside: name, in: favourite, room: room)
            : time(of: row[0], beside: name, in: favourite, room: room)
        let nameWidth = room - right.count
        let fitted = placeName(of: favourite).filled(name, to: nameWidth)
        return lead + Text.left(fitted, in: nameWidth) + right
    }

    /// Platform, mark, time and when to leave of one departure.
    private mutating func time(
        of row: DepartureRow, beside name: String, in favourite: FavouriteState, room: Int
    ) -> String {
        var times = times(of: row, in: favourite)
        let readable = min(name.count, Self.readableDestination)
        if let fare = fare(of: row, in: favourite), room - 1 - times[0].count < readable {
            // A fare that leaves no room for the name appears only on the detail page.
            let rest = room - 1 - fare.rounded.count
            times = [rest < min(name.count, Self.shortestDestination) ? "" : fare.rounded]
        }
        times = times.map { marked($0, of: row, in: favourite) }
        let leaves = leaving(row.departure, in: favourite)
        if let leave = leaves.last {
            let status = favourite.catchStatus(of: row.departure, at: moment)
            let shortest = status == .missed ? readable : min(name.count, Self.shortestDestination)
            let isReadable = room - (times.last ?? "").count - 1 - leave.count >= shortest
            // A person who cannot catch a departure needs its time least.
            if status == .missed, !isReadable { return " " + leave }
            if isReadable || status == .leaveNow { times = times.flatMap { time in leaves.map { time + " " + $0 } } }
        }
        let short = times[times.count - 1]
        let platforms = platforms(of: row.departure, in: favourite)
        var forms = platforms.flatMap { platform in times.map { " " + platform + $0 } }
        if platforms.isEmpty { forms = times }
        if let whole = forms.first(where: { name.count + $0.count <= room }) { return whole }
        // A whole name is worth more than the blank before a mark.
        if platforms.isEmpty, name.count + short.count - 1 == room, mark(of: row, in: favourite) != " " {
            return String(short.dropFirst())
        }
        // A destination of a few letters is unreadable: the platform then appears only on the detail page.
        let form = forms[forms.count - 1]
        return room - form.count < readable ? short : form
    }

    /// The next departures of a line to one destination, soonest first: three next to a whole name, otherwise two.
    private mutating func times(
        of row: [DepartureRow], beside name: String, in favourite: FavouriteState, room: Int
    ) -> String {
        let running = row.filter { $0.departure.status != .cancelled }
        var times = running.prefix(3).map { shortTime(of: $0, in: favourite, hasSigns: true) }
        guard let last = times.last else {
            let whole = words[.cancelled].first { name.count + 1 + $0.count <= room }
            return " " + (whole ?? words[.cancelled][words[.cancelled].count - 1])
        }
        if times.count == 1 {
            return (last.last?.isNumber == true && !last.contains(":") ? " " + last + words.text(.minutes) : " " + last)
        }
        if let leave = leaving(running[0].departure, in: favourite).last {
            let text =
                " " + running.prefix(2).map { shortTime(of: $0, in: favourite, hasSigns: false) }.joined(separator: " ")
            // The time to leave in words if that leaves the name readable, otherwise in signs.
            let readable = min(name.count, Self.readableDestination)
            if room - text.count - 1 - leave.count >= readable { return text + " " + leave }
        }
        let text = " " + times.joined(separator: " ")
        if times.count < 3 || name.count + text.count <= room { return text }
        times.removeLast()
        return " " + times.joined(separator: " ")
    }

    /// A time without its unit, followed by its mark: "due", "4", "12?", "13:10*".
    private mutating func shortTime(
        of row: DepartureRow, in favourite: FavouriteState, hasSigns: Bool
    ) -> String {
        let mark = hasSigns ? sign(of: row, in: favourite) : mark(of: row, in: favourite)
        let suffix = mark == " " ? "" : mark
        if case .minutes(let count) = row.remaining(at: now, clock: board.clock) { return "\(count)\(suffix)" }
        return time(of: row, in: favourite) + suffix
    }

    /// The minutes until it is time to leave, longest form first, on panels with room for it; others have a mark.
    private func leaving(_ departure: Departure, in favourite: FavouriteState) -> [String] {
        guard hasRoomForWords else { return [] }
        switch favourite.catchStatus(of: departure, at: moment) {
        case .inTime(let rest):
            let minutes = rest.wholeSeconds / 60
            return minutes > Self.leavingWithin ? [] : Text.fill(words[.leaveWithin], code: "\(minutes)")
        case .leaveNow: return words[.leave]
        case .missed: return words[.missed]
        case nil: return []
        }
    }
}

extension Board {
    /// All departures of the favourite in view as lines of text, as wide as the panel.
    public func listing(at now: Instant) -> [String] {
        var drawing = Drawing(of: self, at: now)
        return favouriteInView.map { drawing.listing(of: $0) } ?? []
    }
}
