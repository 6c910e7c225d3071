extension Drawing {
    /// Draws the first row of a page: the name of a favourite, or the date on the overview, and the clock. What
    /// there is to say follows in parts, each for a beat after two of the name.
    mutating func drawHeader(of page: RowsPage) {
        if let prompt = prompt() { return drawPage(prompt, to: 1) }
        let isStill = isAnnouncing || board.isDark(at: now)
        let parts = isStill ? [] : page.sayings.flatMap { Text.pages($0, width: size.columns, rows: 1) }
        let names = page.favourite.map(heading) ?? days(of: moment)[0]
        let ends = headerEnds(of: page)
        let end = ends.first { names.count + $0.count < size.columns } ?? ends[ends.count - 1]
        let nameParts = board.streetNames.parts(names, width: size.columns - end.count - 1)
        let name = board.setup.options.turns ? nameParts : Array(nameParts.prefix(1))
        let length = Self.nameBeats + parts.count
        let elapsed = isStill || parts.isEmpty && name.count == 1 ? 0 : beatsSinceTurn() % length
        if elapsed >= Self.nameBeats {
            // A page that turns before all is said goes on with it at its next turn.
            let turns = page.favourite == nil ? board.view.rounds * page.screens + page.screen : board.view.rounds
            let said = rowBeats < length ? turns * max(0, rowBeats - Self.nameBeats) : 0
            return put(parts[(said + elapsed - Self.nameBeats) % parts.count])
        }
        frame.put(name[elapsed % name.count], row: 0)
        frame.put(end, row: 0, column: size.columns - end.count)
    }

    private static let nameBeats = 2

    /// The right end of the first row, longest form first: after a press the position, otherwise the clock, with a
    /// changed order of the rows.
    private mutating func headerEnds(of page: RowsPage) -> [String] {
        // While a button is down.
        let mark = isPressed ? "●" : ""
        if isAnnouncing, page.screens > 1 {
            return words(.pagePosition, code: "\(page.screen + 1)", word: "\(page.screens)").map { mark + $0 }
        }
        let (stops, stop) = (board.favourites.map(\.favourite.stop), page.favourite?.favourite.stop)
        if isAnnouncing, let index = stops.firstIndex(where: { $0 == stop }), stops.count > 1 {
            return words(.stopPosition, code: "\(index + 1)", word: "\(stops.count)").map { mark + $0 }
        }
        let clock = mark + headerClock()
        let orders = page.favourite.map(orderForms) ?? []
        return orders.map { $0 + " " + clock } + (orders.isEmpty ? [clock] : orders)
    }

    /// The order of the rows, if a press has changed it.
    func orderForms(of favourite: FavouriteState) -> [String] {
        favourite.sort == favourite.favourite.sort ? [] : forms(of: favourite.sort)
    }

    /// Whether there has just been a press.
    private var isAnnouncing: Bool {
        mutating get { isBefore(board.view.lastPress.map { $0 + Board.announcement }) || isPressed }
    }

    var isPressed: Bool { board.recognisers.contains(where: \.isDown) }

    /// What a release of the held button does, or a hint after a press; nil: neither.
    mutating func prompt() -> [String]? {
        for recogniser in board.recognisers { changes(at: recogniser.deadline(after: now)) }
        if board.recognisers.indices.contains(where: { board.opensSetup(byButton: $0, at: now) }) {
            return letGo(words[.setUpByPhone])
        }
        if let pendingAction = board.pendingAction(at: now) { return letGo(forms(of: pendingAction)) }
        guard !isAnnouncing, isBefore(board.view.hintUntil), board.favouriteInView?.detailPage == nil,
            board.view.page != .address
        else { return nil }
        return board.setup.buttons.first?.hold == ButtonAction.none ? words[.hintWithoutHold] : words[.hint]
    }

    private func letGo(_ actions: [String]) -> [String] {
        words[.letGo].flatMap { letGo in actions.map { letGo.replacing("%word", with: $0) } }
    }

    private func forms(of action: ButtonAction) -> [String] {
        switch action {
        case .none: words[.nothingHappens]
        case .next: words[.next]
        case .previous: words[.previous]
        case .open: words[.open]
        case .back: words[.back]
        case .refresh: words[.refresh]
        case .sort: board.favouriteInView.map { forms(of: $0.sort.next) } ?? words[.nothingHappens]
        }
    }

    private func forms(of order: SortOrder) -> [String] {
        let names =
            switch order {
            case .time: words[.byTime]
            case .line: words[.byLine]
            case .destination: words[.byDestination]
            }
        return names.flatMap { words(.sorted, word: $0) }
    }
}
