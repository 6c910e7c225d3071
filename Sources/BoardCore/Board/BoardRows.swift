extension Board {
    /// The rows of a favourite's page, in its order. Sorted by line, a row has all departures of a line to one
    /// destination; otherwise one.
    ///
    /// They cover the configured reach, and at least one screen if there are enough. The rest is on the detail pages.
    func rows(of favourite: FavouriteState, at now: Instant) -> [[DepartureRow]] {
        let rows = soonestRows(of: favourite, at: now)
        let perScreen = rowsPerScreen(at: now)
        let within = rows.count { reaches($0, at: now, favourite) }
        let onPage = rows.prefix(min(max(within, perScreen), setup.options.screens * perScreen))
        return favourite.sort.sorted(Array(onPage)) { $0[0].departure }
    }

    /// The next instant at which a later departure joins a page.
    func nextInReach(of favourite: FavouriteState, after now: Instant) -> Instant? {
        soonestRows(of: favourite, at: now).first { !reaches($0, at: now, favourite) }
            .map { clock.instant(of: $0[0].departure.due - setup.options.reach) }
    }

    /// All rows, by the time of their first departure.
    private func soonestRows(of favourite: FavouriteState, at now: Instant) -> [[DepartureRow]] {
        let departures = favourite.visible(at: clock.timestamp(at: now), sorted: .time)
        guard favourite.sort == .line, listsSoon(favourite) else { return departures.map { [$0] } }
        var rows: [[DepartureRow]] = []
        for row in departures {
            let group = rows.firstIndex { $0[0].departure.isSameService(as: row.departure) }
            if let group { rows[group].append(row) } else { rows.append([row]) }
        }
        return rows
    }

    private func reaches(_ row: [DepartureRow], at now: Instant, _ favourite: FavouriteState) -> Bool {
        !listsSoon(favourite) || row[0].departure.due - clock.timestamp(at: now) <= setup.options.reach
    }

    /// Whether a favourite lists the next departures, not offers for the days ahead.
    private func listsSoon(_ favourite: FavouriteState) -> Bool {
        setup.profiles[favourite.favourite.stop.feed]?.leadingColumn != .day
    }

    /// The number of rows on a screen of the page in view: without header, message and bar.
    func rowsPerScreen(at now: Instant) -> Int {
        var rows = setup.size.rows
        if setup.size.rows > 2 {
            rows -= 1
            if let notice = notice(at: now), notice.accompaniesRows {
                rows -= 1
            } else if showsAlertsRow(at: now) {
                rows -= 1
            }
        }
        if hasRefreshRow { rows -= 1 }
        return max(1, rows)
    }

    /// Whether the last row is the refresh bar; the only row never is.
    var hasRefreshRow: Bool { setup.options.refreshBar == .row && setup.size.rows > 1 }

    func screenCount(at now: Instant) -> Int {
        guard view.page != .address else { return 1 }
        return screenCount(ofRows: favouriteInView.map { rows(of: $0, at: now).count } ?? favourites.count, at: now)
    }

    func screenCount(ofRows rows: Int, at now: Instant) -> Int {
        let perScreen = rowsPerScreen(at: now)
        return max(1, (rows + perScreen - 1) / perScreen)
    }
}

extension Departure {
    /// Whether both are departures of one line to one destination.
    fileprivate func isSameService(as other: Departure) -> Bool {
        (line.id, destination) == (other.line.id, other.destination)
    }
}
