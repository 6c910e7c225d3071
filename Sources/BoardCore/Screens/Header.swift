extension Drawing {
    /// Draws the first row of a page: the name of a favourite, or the date on the overview, and the clock. What
    /// there is to say follows in parts, each for a beat after two of the name.
    mutating func drawHeader(of page: RowsPage) {
        if let prompt = prompt() {
            put(Text.left(Text.choose(prompt, width: size.columns), in: size.columns), row: 0)
            return
        }
        let parts = page.sayings.flatMap { forms in
            forms.first { $0.count <= size.columns }.map { [$0] }
                ?? Text.pages(forms.first ?? "", width: size.columns, rows: 1).flatMap(\.self)
        }
        let names = page.favourite.map(heading) ?? date()
        let isStill = isAnnouncing || board.isDark(at: now)
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
            put(Text.left(parts[(said + elapsed - Self.nameBeats) % parts.count], in: size.columns), row: 0)
        } else {
            put(Text.ends(name[elapsed % name.count], end, in: size.columns), row: 0)
        }
    }

    private static let nameBeats = 2

    /// The right end of the first row, longest form first: after a press the position, otherwise the clock, with a
    /// changed order of the rows.
    private mutating func headerEnds(of page: RowsPage) -> [String] {
        let stop = board.favourites.firstIndex { $0.favourite.stop == page.favourite?.favourite.stop }
        if isAnnouncing, page.screens > 1 { return position(.pagePosition, page.screen, of: page.screens) }
        if isAnnouncing, let stop, board.favourites.count > 1 {
            return position(.stopPosition, stop, of: board.favourites.count)
        }
        let clock = (isPressed ? Self.pressed : "") + headerClock()
        let orders = page.favourite.map(orderForms) ?? []
        return orders.map { $0 + " " + clock } + (orders.isEmpty ? [clock] : orders)
    }

    /// "page 2/3".
    private func position(_ phrase: Phrase, _ index: Int, of count: Int) -> [String] {
        Text.fill(words[phrase], code: "\(index + 1)", word: "\(count)").map { (isPressed ? Self.pressed : "") + $0 }
    }

    /// The order of the rows, if a press has changed it.
    func orderForms(of favourite: FavouriteState) -> [String] {
        favourite.sort == favourite.favourite.sort
            ? [] : names(of: favourite.sort).flatMap { Text.fill(words[.sorted], word: $0) }
    }

    /// Whether there has just been a press.
    private var isAnnouncing: Bool {
        mutating get { isBefore(board.view.lastPress.map { $0 + Board.announcement }) || isPressed }
    }

    var isPressed: Bool { board.recognisers.contains(where: \.isDown) }

    /// Precedes a position or the clock while a button is down.
    private static let pressed = "●"

    /// What a release of the held button does, or a hint after a press; nil: neither.
    mutating func prompt() -> [String]? {
        for recogniser in board.recognisers { changes(at: recogniser.deadline(after: now)) }
        if let pendingAction = board.pendingAction(at: now) {
            let actions = forms(of: pendingAction)
            return words[.letGo].flatMap { letGo in actions.flatMap { Text.fill([letGo], word: $0) } }
        }
        guard !isAnnouncing, isBefore(board.view.hintUntil), board.favouriteInView?.detailPage == nil,
            board.view.page != .address
        else { return nil }
        return board.setup.buttons.first?.hold == ButtonAction.none ? words[.hintWithoutHold] : words[.hint]
    }

    private func forms(of action: ButtonAction) -> [String] {
        switch action {
        case .none: return words[.nothingHappens]
        case .next: return words[.next]
        case .previous: return words[.previous]
        case .open: return words[.open]
        case .back: return words[.back]
        case .refresh: return words[.refresh]
        case .sort:
            guard let order = board.favouriteInView?.sort else { return words[.nothingHappens] }
            return names(of: order.next).flatMap { Text.fill(words[.sorted], word: $0) }
        }
    }

    private func names(of order: SortOrder) -> [String] {
        switch order {
        case .time: words[.byTime]
        case .line: words[.byLine]
        case .destination: words[.byDestination]
        }
    }
}
