extension Drawing {
    /// How long each of several texts that alternate is shown.
    private static let turn = Duration.seconds(4)

    /// Draws a message beside departures, in the last row; on two rows or one alternately.
    mutating func drawMessage(_ notice: Notice) {
        var row = size.rows - 1
        if board.hasRefreshRow { row -= 1 }
        if !hasHeader, isOtherTurn() { return }
        put(Text.left(Text.choose(forms(of: notice), width: size.columns), in: size.columns), row: row)
    }

    /// Whether it is the turn of the second of two texts that alternate.
    mutating func isOtherTurn() -> Bool { turn(of: 2) == 1 }

    /// Draws one of several panels of rows, in turns.
    ///
    /// - Parameter since: when the first has its turn.
    mutating func drawInTurns(_ panels: [[String]], since: Instant = Instant(microseconds: 0)) {
        let panel = panels.count > 1 ? panels[turn(of: panels.count, since: since)] : panels.first ?? []
        for (row, text) in panel.prefix(size.rows).enumerated() { put(text, row: row) }
    }

    /// Whose turn it is, of so many.
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
        // Of hidden rows: that there are departures which cannot be caught.
        guard !favourite.hasVisible(at: moment) else { return }
        for row in favourite.data.rows { changes(at: board.clock.instant(of: row.departure.expiresAt)) }
    }
}
