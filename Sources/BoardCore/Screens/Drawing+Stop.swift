extension Drawing {
    /// The narrowest column of times: "due" and two digits stand in it without moving anything.
    private static let narrowestTime = 3

    /// A favourite's page: a row a departure.
    mutating func drawStop(_ favourite: FavouriteState) {
        let rows = favourite.visible(at: moment)
        for row in rows { changes(at: row.nextReflow(after: now, clock: board.clock)) }
        let screens = board.screenCount(at: now)
        let announced = nameAndDistance(of: favourite, width: size.columns - 4)
        if drawAnnouncement(announced, order: favourite.sort, screens: screens) {
            return
        }
        if hasHeader {
            let width = size.columns - 7
            drawHeader(
                [nameAndDistance(of: favourite, width: width), name(of: favourite, width: width)], screens: screens)
        }
        let first = hasHeader ? 1 : 0
        let notice = board.notice(at: now)
        guard !rows.isEmpty else {
            if let notice { drawPage(forms(of: notice), from: first) }
            drawRefreshRow()
            return
        }
        let perScreen = board.rowsPerScreen(at: now)
        let layout = layout(of: rows, in: favourite)
        let start = min(board.view.screen, screens - 1) * perScreen
        for (index, row) in rows.dropFirst(start).prefix(perScreen).enumerated() {
            noteChanges(of: row, in: favourite)
            put(text(of: row, in: favourite, layout), row: first + index)
        }
        if let notice, notice.accompaniesRows { drawMessage(notice) }
        drawRefreshRow()
    }

    /// Widths of a page's columns: the same on all of its screens, so that nothing jumps.
    private struct Layout {
        let line: Int
        let time: Int
    }

    private mutating func layout(of rows: [Row], in favourite: FavouriteState) -> Layout {
        var time = Self.narrowestTime
        for row in rows { time = max(time, self.time(of: row, in: favourite).count) }
        let line = rows.map { self.line($0.departure.line, of: favourite).count }.max() ?? 0
        return Layout(line: line, time: time)
    }

    /// Line, destination, mark and time; the time right-aligned.
    private mutating func text(of row: Row, in favourite: FavouriteState, _ layout: Layout) -> String {
        let line = Text.left(self.line(row.departure.line, of: favourite), in: layout.line) + " "
        let time = mark(of: row, in: favourite) + Text.right(self.time(of: row, in: favourite), in: layout.time)
        let width = size.columns - line.count - time.count
        let destination = placeName(of: favourite).fitted(destination(of: row.departure, in: favourite), to: width)
        return line + Text.left(destination, in: width) + time
    }
}
