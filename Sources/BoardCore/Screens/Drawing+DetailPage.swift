// Detail pages: alerts, departures with their calling points, and the legend, in as many screens as needed.
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
            // Alerts that end close the page with the next event.
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

    /// The sign of alerts, and the alert's number where there are several: "⚠1/4 ".
    private func sign(of index: Int, among count: Int) -> String {
        Self.alertSign + (count > 1 ? "\(index + 1)/\(count)" : "") + " "
    }

    /// Rows in screens, at least one; `title` repeats on each but the first.
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
        var signs = [(Self.alertSign, words.alertMeaning), ("?", words.staleMeaning), ("*", words.scheduledMeaning)]
        if !hasRoomForWords || favourite.favourite.walk != nil {
            signs += [(Self.leaveSign, words.leaveMeaning), (Self.missedSign, words.lateMeaning)]
        }
        if board.setup.options.refreshBar != .off { signs.append((String(Glyph.pollFailed), words.failedMeaning)) }
        return signs.map { sign, meaning in sign + " " + Text.choose(meaning, width: size.columns - 2) }
    }

    private mutating func noteChanges(of detailPage: DetailPage, in favourite: FavouriteState) {
        guard let departure = detailPage.departure else { return }
        let shown = favourite.visible(at: moment)
        noteChanges(of: shown.index(of: departure).map { shown[$0] } ?? DepartureRow(departure), in: favourite)
    }
}
