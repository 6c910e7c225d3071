extension Drawing {
    /// The minimum width of the time column: "due" and two digits fit without moving anything.
    private static let narrowestTime = 3
    /// A destination cut shorter than this is unreadable.
    private static let readableDestination = 5
    /// A destination cut shorter than this is useless.
    private static let shortestDestination = 4

    /// Draws a favourite's page: a row for each departure.
    mutating func drawStop(_ favourite: FavouriteState) {
        let rows = favourite.visible(at: moment)
        let alerts = alerts(of: favourite)
        for row in rows { changes(at: row.nextReflow(after: now, clock: board.clock, walk: favourite.favourite.walk)) }
        let screens = board.screenCount(at: now)
        let announced = nameAndDistance(of: favourite, width: size.columns - 4)
        if drawAnnouncement(announced, order: favourite.sort, screens: screens) {
            return
        }
        if hasHeader {
            let width = size.columns - 7
            drawHeader(
                [nameAndDistance(of: favourite, width: width), name(of: favourite, width: width)], screens: screens,
                hasAlert: !alerts.isEmpty)
        }
        let first = hasHeader ? 1 : 0
        let notice = board.notice(at: now)
        noteNoDepartureChanges(of: favourite)
        let perScreen = board.rowsPerScreen(at: now)
        let layout = layout(of: rows, in: favourite)
        let start = min(board.view.screen, screens - 1) * perScreen
        for (index, row) in rows.dropFirst(start).prefix(perScreen).enumerated() {
            noteChanges(of: row, in: favourite)
            put(text(of: row, in: favourite, layout), row: first + index)
        }
        if let notice, rows.isEmpty {
            // A failure fills the page; an explanation for no departures leaves the last row to alerts.
            drawPage(forms(of: notice), from: first, rows: notice.accompaniesRows ? nil : perScreen)
        } else if let notice, notice.accompaniesRows {
            drawMessage(notice)
        }
        if board.showsAlertsRow(at: now) { drawAlertsRow(alerts) }
        drawRefreshRow()
    }

    /// The column widths of a page, equal on all its screens so that nothing moves.
    private struct Layout {
        let lead: Int
        let time: Int
    }

    private mutating func layout(of rows: [DepartureRow], in favourite: FavouriteState) -> Layout {
        var time = Self.narrowestTime
        for row in rows where fare(of: row, in: favourite) == nil {
            time = max(time, self.time(of: row, in: favourite).count)
        }
        let lead = rows.map { self.lead(of: $0.departure, in: favourite).count }.max() ?? 0
        return Layout(lead: lead, time: time)
    }

    /// Line (or booked time), destination, platform, mark and right-aligned time. A long fare takes its width from its
    /// own row alone, because it is shown for weeks.
    private mutating func text(of row: DepartureRow, in favourite: FavouriteState, _ layout: Layout) -> String {
        let lead = Text.left(self.lead(of: row.departure, in: favourite), in: layout.lead) + " "
        let platform = self.platform(of: row.departure, in: favourite)
        let name = destination(of: row.departure, in: favourite)
        var shown = self.time(of: row, in: favourite)
        let readable = min(name.count, Self.readableDestination)
        if let fare = fare(of: row, in: favourite), size.columns - lead.count - 1 - shown.count < readable {
            // A fare that leaves no room for the name appears only on the detail page.
            let rest = size.columns - lead.count - 1 - fare.rounded.count
            shown = rest < min(name.count, Self.shortestDestination) ? "" : fare.rounded
        }
        let time = mark(of: row, in: favourite) + Text.right(shown, in: max(layout.time, shown.count))
        let room = size.columns - lead.count - time.count
        // A destination of a few letters is unreadable: the platform then appears only on the detail page.
        let isTight = room - platform.count - 1 < readable
        let place = platform.isEmpty || isTight ? "" : " " + platform
        let width = room - place.count
        return lead + Text.left(placeName(of: favourite).fitted(name, to: width), in: width) + place + time
    }
}
