extension Drawing {
    /// Draws the overview: a row for each favourite, with the next departure of each line of interest.
    mutating func drawOverview() {
        let screens = board.screenCount(at: now)
        let title = Text.choose(words.allStops, width: size.columns - 7)
        if drawAnnouncement(title, order: board.overviewSort, screens: screens) { return }
        if hasHeader { drawHeader([title], screens: screens) }
        let first = hasHeader ? 1 : 0
        let notice = board.notice(at: now)
        for favourite in board.favourites { noteNoDepartureChanges(of: favourite) }
        if let notice, !notice.accompaniesRows {
            drawPage(forms(of: notice), from: first)
            drawRefreshRow()
            return
        }
        let perScreen = board.rowsPerScreen(at: now)
        let start = min(board.view.screen, screens - 1) * perScreen
        for (index, favourite) in board.favourites.dropFirst(start).prefix(perScreen).enumerated() {
            put(overviewRow(of: favourite), row: first + index)
        }
        if board.favourites.isEmpty, let notice { drawPage(forms(of: notice), from: first) }
        if let notice, notice.accompaniesRows, !board.favourites.isEmpty { drawMessage(notice) }
        drawRefreshRow()
    }

    private mutating func overviewRow(of favourite: FavouriteState) -> String {
        // Two fifths for the name: 8 of 20 cells, 6 of 16.
        let nameWidth = size.columns * 2 / 5
        let name = Text.left(name(of: favourite), in: nameWidth)
        var room = size.columns - nameWidth - 1
        var entries: [String] = []
        for row in nextOfEachLine(of: favourite) {
            noteChanges(of: row, in: favourite)
            let gap = entries.isEmpty ? 0 : 1
            guard let entry = forms(of: row, in: favourite).first(where: { gap + $0.count <= room }) else { continue }
            room -= gap + entry.count
            entries.append(entry)
        }
        if entries.isEmpty {
            entries = [favourite.data.status == .loading ? words.unknownYet : words.nothing]
        }
        return name + " " + entries.joined(separator: " ")
    }

    /// The first departure of each line of interest, in the overview's order.
    private func nextOfEachLine(of favourite: FavouriteState) -> [DepartureRow] {
        let running = favourite.visible(at: moment, sorted: .time).filter { row in
            row.departure.status != .cancelled && favourite.favourite.request.matches(row.departure.line)
        }
        // Trains with individual times are all listed, not only the next of each line.
        guard profile(of: favourite)?.leadingColumn != .booked else { return running }
        var seen: Set<Line> = []
        return board.overviewSort.sorted(running.filter { seen.insert($0.departure.line).inserted })
    }

    /// The forms of an entry, longest first. Of an entry that begins with its day, the day matters most until the last
    /// day, then the time.
    private mutating func forms(of row: DepartureRow, in favourite: FavouriteState) -> [String] {
        let whole = entry(of: row, in: favourite)
        guard profile(of: favourite)?.leadingColumn != .booked, leadsWithDay(row.departure, in: favourite) else {
            return [whole]
        }
        let day = lead(of: row.departure, in: favourite)
        guard isLater(row.departure) else { return [whole, String(whole.dropFirst(day.count + 1))] }
        return [whole] + (fare(of: row, in: favourite).map { [day + " " + $0.rounded] } ?? []) + [day]
    }

    /// "73:due", "8:11", "N73 12:45", "17Mar 72EUR": a colon before minutes, a blank before a time of day or a fare.
    private mutating func entry(of row: DepartureRow, in favourite: FavouriteState) -> String {
        let mark = mark(of: row, in: favourite)
        let suffix = mark == " " ? "" : mark
        if profile(of: favourite)?.leadingColumn == .booked {
            let isDelayed = row.departure.status == .delayed
            return time(of: row.departure.due, ahead: row.departure.utcOffset, at: favourite.stop)
                + (isDelayed ? "?" : suffix)
        }
        if leadsWithDay(row.departure, in: favourite) {
            let day = lead(of: row.departure, in: favourite)
            return day + " " + time(of: row, in: favourite) + suffix
        }
        let line = line(row.departure.line, of: favourite)
        switch row.remaining(at: now, clock: board.clock) {
        case .minutes(let count): return "\(line):\(count)\(suffix)"
        case .time(let moment), .later(let moment):
            return "\(line) \(time(of: moment, ahead: row.departure.utcOffset, at: favourite.stop))\(suffix)"
        case .due, .delayed, .cancelled: return "\(line):\(time(of: row, in: favourite))\(suffix)"
        }
    }
}
