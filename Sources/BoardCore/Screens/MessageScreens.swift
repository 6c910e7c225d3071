extension Drawing {
    /// Draws one of several panels of rows, in turns: each for a beat for two rows.
    ///
    /// - Parameter since: when the first has its turn.
    mutating func drawInTurns(_ panels: [[String]], since: Instant = Instant(microseconds: 0)) {
        guard panels.count > 1 else { return put(panels.first ?? []) }
        let turn = Self.beat * max(1, size.rows / 2)
        let index = (now - since).wholeMicroseconds.dividedDown(by: turn.wholeMicroseconds)
        changes(at: since + turn * Int(index + 1))
        put(panels[Int(index.remainderDown(by: Int64(panels.count)))])
    }

    func forms(of notice: Notice) -> [String] {
        notice.forms(words, time: { time(of: $0, at: $1) }, days: { days(of: $0, at: $1) })
    }

    /// Notes when the notice about a favourite or its alerts change.
    mutating func noteNoticeChanges(of favourite: FavouriteState) {
        let data = favourite.data
        changes(at: board.responseExpires(favourite))
        let ends = [data.next.map { $0.time - Board.timeAloneWithin }, data.next?.time, data.timetableEndsAt]
        for moment in ends + data.alerts.flatMap({ [$0.from, $0.until] }) { changes(at: moment) }
    }

    /// Draws the digits, and that a press declines: on one page, or in turns if there is no room. With two rows or more
    /// the digits stand still in the first.
    mutating func draw(_ pairing: Pairing) {
        switch pairing {
        case .ended(let isPaired, _): drawPage(isPaired ? words[.phonePaired] : words[.phoneDeclined])
        case .requested(let code, _):
            let shown = hidesCode ? String(repeating: "*", count: code.count) : code
            let digits = words(.pairingCode, code: shown.prefix(3) + " " + shown.dropFirst(3)).joined()
            let forms = words[.pressDeclines].flatMap { decline in
                ["\n", " "].map { words.text(.pairPhone) + $0 + digits + "\n" + decline }
            }
            if let page = Text.fittingPage(forms, width: size.columns, rows: size.rows) { return drawInTurns([page]) }
            let texts = [words.text(.pairPhone)] + words[.pressDeclines].suffix(1)
            drawInTurns(size.rows > 1 ? texts.map { [digits, $0] } : [texts[0], digits, texts[1]].map { [$0] })
        }
    }

    /// Shows what to do on a phone and on the Pi, and its name and address; in turns if there is no room for all.
    mutating func drawFirstStart() {
        let setup = page(words(.noFavourites, word: board.machine))
        guard board.page == nil else { return drawInTurns(addressPanels(under: words[.addByPhone]) + [setup]) }
        let hasMachine = setup.joined(separator: " ").hasSuffix(board.machine)
        drawInTurns([setup] + (hasMachine ? [] : [page([board.machine])]))
    }

    /// The address and the name under a heading, whose last form fits a row.
    func addressPanels(under heading: [String]) -> [[String]] {
        guard let address = board.page?.address else { return [page(words[.noAddress])] }
        let rows = Text.wrapped(address, width: size.columns)
        // Part of a name is not a name.
        let names = (board.page?.name.map { words(.orName, word: $0) + [$0] } ?? []).filter { $0.count <= size.columns }
        let row = (rows + names.prefix(1)).joined(separator: " ")
        let both = rows.count == 1 && row.count <= size.columns ? [row] : rows + names.prefix(1)
        if let title = Text.fittingPage(heading, width: size.columns, rows: size.rows - both.count) {
            return [title + both]
        }
        return ([rows] + names.suffix(1).map { [$0] }).flatMap { rows in
            rows.count < size.rows ? [heading.suffix(1) + rows] : [page(heading)] + paged(rows)
        }
    }
}
