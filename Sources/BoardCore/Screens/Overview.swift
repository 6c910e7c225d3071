extension Drawing {
    /// Draws the overview: a row for each favourite.
    mutating func drawOverview() {
        let first = hasHeader ? 1 : 0
        let notice = board.notice(at: now)
        if notice == .noFavourites { return drawFirstStart() }
        for favourite in board.favourites { noteNoDepartureChanges(of: favourite) }
        let screens = board.screenCount(at: now)
        if let notice, !notice.accompaniesRows || board.favourites.isEmpty {
            drawPage(forms(of: notice), from: first)
        } else {
            let perScreen = board.rowsPerScreen(at: now)
            let start = min(board.view.screen, screens - 1) * perScreen
            for (index, favourite) in board.favourites.dropFirst(start).prefix(perScreen).enumerated() {
                put(overviewRow(of: favourite), row: first + index)
            }
            if let notice { drawMessage(notice) }
        }
        drawRefreshRow()
        drawHeader(of: nil, screens: screens)
    }

    /// The name, and flush right the soonest departure with its destination, or the next of each line of interest.
    private mutating func overviewRow(of favourite: FavouriteState) -> String {
        let hasAlert = !alerts(of: favourite).isEmpty
        let name = (hasAlert ? Self.alertSign : "") + name(of: favourite)
        // A long name leaves half of the row to the departures: 10 of 20 cells, 8 of 16.
        let room = size.columns - min(name.count, size.columns / 2) - 1
        let right =
            nextDepartures(of: favourite, in: room)
            ?? (favourite.data.status == .loading ? words.text(.unknownYet) : words.text(.nothing))
        let width = size.columns - right.count - 1
        return Text.ends(placeName(of: favourite).fitted(name, to: width), right, in: size.columns)
    }

    /// Nil if there are none.
    private mutating func nextDepartures(of favourite: FavouriteState, in room: Int) -> String? {
        let running = favourite.visible(at: moment, sorted: .time).filter { $0.departure.status != .cancelled }
        guard let first = running.first else { return nil }
        guard favourite.favourite.lines.count > 1 else {
            noteChanges(of: first, in: favourite)
            return entry(of: first, in: favourite, room: room)
        }
        var entries: [String] = []
        var left = room
        var seen: Set<Line> = []
        for row in running where seen.insert(row.departure.line).inserted {
            noteChanges(of: row, in: favourite)
            let time = time(of: row, in: favourite)
            let entry = line(row.departure.line, of: favourite) + marked(time, of: row, in: favourite)
            guard entry.count <= left else { continue }
            entries.append(entry)
            left -= entry.count + 1
        }
        return entries.isEmpty ? entry(of: first, in: favourite, room: room) : entries.joined(separator: " ")
    }

    /// A departure with as much of line and destination as fits: "73 Oxford Cir 4m".
    private mutating func entry(of row: DepartureRow, in favourite: FavouriteState, room: Int) -> String {
        let time = marked(self.time(of: row, in: favourite), of: row, in: favourite)
        let lead = profile(of: favourite)?.leadingColumn == .booked ? "" : lead(of: row.departure, in: favourite) + " "
        let width = room - lead.count - time.count
        let name = destination(of: row.departure, in: favourite)
        guard width >= min(name.count, Self.readableDestination) else {
            return lead + time.drop { $0 == " " }
        }
        return lead + placeName(of: favourite).filled(name, to: width) + time
    }
}
