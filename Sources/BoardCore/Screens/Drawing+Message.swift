extension Drawing {
    /// How long a message alternates with the last row on panels without a header.
    private static let turn = Duration.seconds(4)

    /// Draws a message beside departures, in the last row; on two rows or one alternately.
    mutating func drawMessage(_ notice: Notice) {
        var row = size.rows - 1
        if board.hasRefreshRow { row -= 1 }
        if !hasHeader {
            let turn = Self.turn.wholeMicroseconds
            let index = now.microseconds.dividedDown(by: turn)
            changes(at: Instant(microseconds: (index + 1) * turn))
            guard index.isMultiple(of: 2) else { return }
        }
        put(Text.left(Text.choose(forms(of: notice), width: size.columns), in: size.columns), row: row)
    }

    func forms(of notice: Notice) -> [String] {
        notice.forms(words) { moment, stop in
            time(of: moment, at: stop)
        } day: { moment, stop in
            day(of: moment, at: stop)
        }
    }

    /// Notes when the message of a favourite without departures changes.
    mutating func noteNoDepartureChanges(of favourite: FavouriteState) {
        changes(at: favourite.data.next.map { board.clock.instant(of: $0.time - Board.timeAloneWithin) })
        changes(at: favourite.data.next.map { board.clock.instant(of: $0.time) })
        changes(at: favourite.data.timetableEndsAt.map(board.clock.instant(of:)))
    }
}
