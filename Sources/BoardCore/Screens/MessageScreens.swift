extension Drawing {
    /// How long each of several alternating texts is shown.
    private static let turn = Duration.seconds(4)

    /// Draws a message with the departures, in the last row; on one or two rows they alternate.
    mutating func drawMessage(_ notice: Notice) {
        var row = size.rows - 1
        if board.hasRefreshRow { row -= 1 }
        if !hasHeader, isOtherTurn() { return }
        put(Text.left(Text.choose(forms(of: notice), width: size.columns), in: size.columns), row: row)
    }

    /// Whether it is the turn of the second of two alternating texts.
    mutating func isOtherTurn() -> Bool { turn(of: 2) == 1 }

    /// Draws one of several panels of rows, in turns.
    ///
    /// - Parameter since: when the first has its turn.
    mutating func drawInTurns(_ panels: [[String]], since: Instant = Instant(microseconds: 0)) {
        let panel = panels.count > 1 ? panels[turn(of: panels.count, since: since)] : panels.first ?? []
        for (row, text) in panel.prefix(size.rows).enumerated() { put(text, row: row) }
    }

    /// Whose turn it is, from 0.
    private mutating func turn(of count: Int, since: Instant = Instant(microseconds: 0)) -> Int {
        let index = (now - since).wholeMicroseconds.dividedDown(by: Self.turn.wholeMicroseconds)
        changes(at: since + Self.turn * Int(index + 1))
        return Int(index.remainderDown(by: Int64(count)))
    }

    func forms(of notice: Notice) -> [String] {
        notice.forms(words) { moment, stop in
            time(of: moment, at: stop)
        } days: { moment, stop in
            days(of: moment, at: stop)
        }
    }

    /// Notes when the message of a favourite without departures changes.
    mutating func noteNoDepartureChanges(of favourite: FavouriteState) {
        changes(at: favourite.data.next.map { board.clock.instant(of: $0.time - Board.timeAloneWithin) })
        changes(at: favourite.data.next.map { board.clock.instant(of: $0.time) })
        changes(at: favourite.data.timetableEndsAt.map(board.clock.instant(of:)))
        changes(at: board.responseExpires(favourite))
        // Of hidden rows: that there are departures that cannot be caught.
        guard !favourite.hasVisible(at: moment) else { return }
        for row in favourite.data.rows { changes(at: board.clock.instant(of: row.departure.expiresAt)) }
    }
}

extension Board {
    /// Whether the last row of the page in view shows alerts: if configured, if there are any, and if no message needs
    /// the row.
    func showsAlertsRow(at now: Instant) -> Bool {
        guard setup.options.alertsRow, setup.size.rows > 2, let favourite = favouriteInView else { return false }
        if let notice = notice(at: now), notice.accompaniesRows { return false }
        return !alerts(of: favourite, at: now).isEmpty
    }
}

extension Drawing {
    /// How long each part of an alert is shown: the time to read about twenty letters.
    private static let partDuration = Duration.milliseconds(2_500)
    /// Ends an alert in the last row.
    private static let endMark = "■"

    /// The active alerts of a favourite; notes when they change.
    mutating func alerts(of favourite: FavouriteState) -> [Alert] {
        changes(at: board.responseExpires(favourite))
        for alert in favourite.data.alerts {
            changes(at: alert.from.map(board.clock.instant(of:)))
            changes(at: alert.until.map(board.clock.instant(of:)))
        }
        return board.alerts(of: favourite, at: now)
    }

    /// Draws the alerts in the last row, one part at a time, broken at words; starts with the first part when the page
    /// is opened or the alerts change.
    mutating func drawAlertsRow(_ alerts: [Alert], of favourite: FavouriteState) {
        let parts = alerts.flatMap { alert in
            Text.wrapped("\(Self.alertSign) \(alert.text) \(Self.endMark)", width: size.columns)
        }
        guard !parts.isEmpty else { return }
        let start = max(board.view.since, favourite.alertsChangedAt)
        let length = Self.partDuration.wholeMicroseconds
        let index = max(0, (now - start).wholeMicroseconds / length)
        if parts.count > 1 { changes(at: start + .microseconds((index + 1) * length)) }
        var row = size.rows - 1
        if board.hasRefreshRow { row -= 1 }
        put(Text.left(parts[Int(index % Int64(parts.count))], in: size.columns), row: row)
    }
}

extension Drawing {
    /// Draws the digits, and that a press declines: on one panel, or in turns if there is no room. With two rows or
    /// more the digits stay in view.
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
            drawInTurns(size.rows > 1 ? texts.map { [$0, digits] } : [texts[0], digits, texts[1]].map { [$0] })
        }
    }
}

extension Drawing {
    /// Draws a client's message on all rows: on one panel, or in turns that begin with its first words.
    mutating func draw(_ message: RemoteMessage) {
        let rows = Text.wrapped(message.text, width: size.columns)
        let panels = stride(from: 0, to: rows.count, by: size.rows).map { first in
            Array(rows.dropFirst(first).prefix(size.rows))
        }
        drawInTurns(panels, since: message.since)
    }
}

extension Drawing {
    /// Draws the address of the page: on one panel, or in turns if there is no room.
    mutating func drawAddress() {
        drawInTurns(addressPanels(under: words[.openInBrowser]))
        // As on a detail page: a press moves no text.
        if isPressed { put(" " + Self.pressed, row: 0, column: size.columns - 2) }
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
