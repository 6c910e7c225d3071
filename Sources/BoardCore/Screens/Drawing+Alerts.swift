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

    /// Draws the alerts in the last row, one part at a time, broken at words; from the first on since the page was opened
    /// or the alerts changed.
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
