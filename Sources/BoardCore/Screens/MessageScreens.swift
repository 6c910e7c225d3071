extension Drawing {
    /// How long each of several pages is shown: a beat for two rows.
    private var turn: Duration { Self.beat * max(1, size.rows / 2) }

    /// Draws one of several panels of rows, in turns.
    ///
    /// - Parameter since: when the first has its turn.
    mutating func drawInTurns(_ panels: [[String]], since: Instant = Instant(microseconds: 0)) {
        let panel = panels.count > 1 ? panels[turn(of: panels.count, since: since)] : panels.first ?? []
        for (row, text) in panel.prefix(size.rows).enumerated() { put(text, row: row) }
    }

    /// Whose turn it is, from 0.
    private mutating func turn(of count: Int, since: Instant = Instant(microseconds: 0)) -> Int {
        let index = (now - since).wholeMicroseconds.dividedDown(by: turn.wholeMicroseconds)
        changes(at: since + turn * Int(index + 1))
        return Int(index.remainderDown(by: Int64(count)))
    }

    func forms(of notice: Notice) -> [String] {
        notice.forms(words) { moment, stop in
            time(of: moment, at: stop)
        } days: { moment, stop in
            days(of: moment, at: stop)
        }
    }

    /// Notes when the notice about a favourite or its alerts change.
    mutating func noteNoticeChanges(of favourite: FavouriteState) {
        changes(at: favourite.data.next.map { board.clock.instant(of: $0.time - Board.timeAloneWithin) })
        changes(at: favourite.data.next.map { board.clock.instant(of: $0.time) })
        changes(at: favourite.data.timetableEndsAt.map(board.clock.instant(of:)))
        changes(at: board.responseExpires(favourite))
        for alert in favourite.data.alerts {
            changes(at: alert.from.map(board.clock.instant(of:)))
            changes(at: alert.until.map(board.clock.instant(of:)))
        }
        // Of hidden rows: that there are departures that cannot be caught.
        guard !favourite.hasVisible(at: moment) else { return }
        for row in favourite.data.rows { changes(at: board.clock.instant(of: row.departure.expiresAt)) }
    }
}

extension Drawing {
    /// Draws the digits, and that a press declines: on one page, or in turns if there is no room. With two rows or more
    /// the digits stand still in the first.
    mutating func draw(_ pairing: Pairing) {
        switch pairing {
        case .ended(let isPaired, _): drawPage(isPaired ? words[.phonePaired] : words[.phoneDeclined])
        case .requested(let code, _):
            let shown = hidesCode ? String(repeating: "*", count: code.count) : code
            let digits = Text.fill(words[.pairingCode], code: shown.prefix(3) + " " + shown.dropFirst(3)).joined()
            let forms = words[.pressDeclines].flatMap { decline in
                ["\n", " "].map { words.text(.pairPhone) + $0 + digits + "\n" + decline }
            }
            if let page = Text.fittingPage(forms, width: size.columns, rows: size.rows) { return drawInTurns([page]) }
            let texts = [words.text(.pairPhone)] + words[.pressDeclines].suffix(1)
            drawInTurns(size.rows > 1 ? texts.map { [digits, $0] } : [texts[0], digits, texts[1]].map { [$0] })
        }
    }
}

extension Drawing {
    /// Draws a client's message on all rows: on one page, or in turns that begin with its first words.
    mutating func draw(_ message: RemoteMessage) {
        drawInTurns(Text.pages(message.text, width: size.columns, rows: size.rows), since: message.since)
    }
}

extension Drawing {
    /// Draws the address of the page: on one panel, or in turns if there is no room.
    mutating func drawAddress() {
        drawInTurns(addressPanels(under: words[.openInBrowser]))
    }

    /// Shows what to do on a phone and on the Pi, and its name and address; in turns if there is no room for all.
    mutating func drawFirstStart() {
        let forms = Text.fill(words[.noFavourites], word: board.machine)
        let setup = Text.page(forms, width: size.columns, rows: size.rows)
        guard board.page == nil else { return drawInTurns(addressPanels(under: words[.addByPhone]) + [setup]) }
        let hasMachine = setup.joined(separator: " ").hasSuffix(board.machine)
        let machine = Text.page([board.machine], width: size.columns, rows: size.rows)
        drawInTurns(hasMachine ? [setup] : [setup, machine])
    }

    /// The address and the name under a heading, whose last form fits a row.
    private func addressPanels(under heading: [String]) -> [[String]] {
        guard let address = board.page?.address else {
            return [Text.page(words[.noAddress], width: size.columns, rows: size.rows)]
        }
        let rows = Text.wrapped(address, width: size.columns)
        // Part of a name is not a name.
        let names = board.page?.name.map { Text.fill(words[.orName], word: $0) + [$0] } ?? []
        let name = names.first { $0.count <= size.columns }.map { [$0] } ?? []
        let row = (rows + name).joined(separator: " ")
        let both = rows.count == 1 && row.count <= size.columns ? [row] : rows + name
        if let title = Text.fittingPage(heading, width: size.columns, rows: size.rows - both.count) {
            return [title + both]
        }
        let title = heading.suffix(1)
        let alone = names.last { $0.count <= size.columns }.map { [[$0]] } ?? []
        return ([rows] + alone).flatMap { rows in
            let panels = title + rows
            if panels.count <= size.rows { return [Array(panels)] }
            return [Text.page(heading, width: size.columns, rows: size.rows)]
                + stride(from: 0, to: rows.count, by: size.rows).map { Array(rows.dropFirst($0).prefix(size.rows)) }
        }
    }
}
