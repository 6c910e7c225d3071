// Detail pages: a title with the page's position, and as many screens of content as needed.
extension Drawing {
    mutating func draw(_ detailPage: DetailPage, of favourite: FavouriteState) {
        let pages = board.detailPages(favourite, at: now)
        let index = pages.index(of: detailPage.content)
        let position = index.map { self.position($0, of: pages.count) } ?? ""
        let title = title(of: detailPage, in: favourite)
        let content = content(of: detailPage, in: favourite, below: title, position: position)
        noteChanges(of: detailPage, in: favourite)

        let screen = min(max(0, detailPage.screen), content.count - 1)
        let hasTitle = screen == 0 || hasHeader
        if hasTitle { put(Text.ends(head(title, beside: position), position, in: size.columns), row: 0) }
        for (offset, text) in content[screen].enumerated() {
            put(Text.left(text, in: size.columns), row: offset + (hasTitle ? 1 : 0))
        }
    }

    func screens(of detailPage: DetailPage, in favourite: FavouriteState) -> Int {
        var drawing = self
        // The position takes at most "12/34" and a blank.
        return drawing.content(
            of: detailPage, in: favourite, below: title(of: detailPage, in: favourite), position: "12/34"
        )
        .count
    }

    private func title(of detailPage: DetailPage, in favourite: FavouriteState) -> String {
        guard let departure = detailPage.departure else {
            return Text.choose(words.alerts, width: size.columns)
        }
        return lead(of: departure, in: favourite) + " " + destination(of: departure, in: favourite)
    }

    /// The part of a title that fits beside the position.
    private func head(_ title: String, beside position: String) -> String {
        Text.wrapped(title, width: size.columns - position.count - 1).first ?? ""
    }

    /// The content in screens, at least one.
    private mutating func content(
        of detailPage: DetailPage, in favourite: FavouriteState, below title: String, position: String
    ) -> [[String]] {
        let rest = String(title.dropFirst(head(title, beside: position).count))
        let below = Text.wrapped(rest, width: size.columns).filter { !$0.isEmpty }
        let rows: [String]
        switch detailPage.content {
        case .alerts:
            rows = alerts(of: favourite).flatMap { Text.wrapped($0.text, width: size.columns) }
        case .departure(let departure):
            let shown = favourite.visible(at: moment)
            let row = shown.index(of: departure).map { shown[$0] } ?? DepartureRow(departure)
            // The title takes at most all rows but one of the first screen.
            var lines = Array(below.prefix(max(0, size.rows - 2)))
            lines += facts(of: row, detailPage.details, in: favourite)
            lines += rejection(detailPage.rejection, in: favourite)
            lines += detailPage.details.map { calls(of: $0, in: favourite) } ?? []
            rows = lines
        }
        var screens: [[String]] = []
        var left = rows[...]
        repeat {
            let room = screens.isEmpty || hasHeader ? size.rows - 1 : size.rows
            screens.append(Array(left.prefix(room)))
            left = left.dropFirst(room)
        } while !left.isEmpty
        return screens
    }

    private mutating func noteChanges(of detailPage: DetailPage, in favourite: FavouriteState) {
        guard let departure = detailPage.departure else { return }
        let shown = favourite.visible(at: moment)
        noteChanges(of: shown.index(of: departure).map { shown[$0] } ?? DepartureRow(departure), in: favourite)
        guard let walk = favourite.favourite.walk, let leaving = departure.leaving(walk: walk),
            case .inTime(let rest)? = departure.catchStatus(from: moment, walk: walk)
        else { return }
        changes(at: board.clock.instant(of: leaving - .seconds(60 * (rest.wholeSeconds / 60)) + .microseconds(1)))
    }
}
