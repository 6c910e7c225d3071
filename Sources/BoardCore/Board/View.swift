enum Page: Hashable, Sendable, Codable {
    case overview
    case favourite(StopID)
    /// The address of the page that the daemon serves, while it is on.
    case address
}

/// The page in view, and the temporary effects of the last presses.
struct View: Hashable, Sendable {
    var page: Page
    var screen = 0
    /// When the page or screen last changed, by a press or automatically.
    var since: Instant
    /// Nil before the first press.
    var lastPress: Instant?
    var splashUntil: Instant?
    /// Until when the address is in view after the start.
    var addressUntil: Instant?
    /// The end of the announcement of position and order.
    var announcedUntil: Instant?
    var hintUntil: Instant?
    /// Until when a press lights a dark board.
    var wokenUntil: Instant?
    /// The end of the message that the departure of the detail page has left.
    var departedUntil: Instant?

    init(page: Page, at now: Instant) {
        self.page = page
        since = now
    }

    mutating func turn(to page: Page, screen: Int = 0, at now: Instant) {
        self.page = page
        self.screen = screen
        since = now
    }
}

extension Board {
    /// All pages, in the order in which a button steps through them.
    var pages: [Page] {
        [.overview] + favourites.map { .favourite($0.favourite.stop) } + (page == nil ? [] : [.address])
    }

    var home: Page {
        switch setup.options.home {
        case .overview: .overview
        case .first: favourites.first.map { .favourite($0.favourite.stop) } ?? .overview
        }
    }

    /// Nil on the overview and the address.
    var favouriteInView: FavouriteState? {
        guard case .favourite(let stop) = view.page else { return nil }
        return favourites.first { $0.favourite.stop == stop }
    }

    var stopsInView: [StopID] {
        switch view.page {
        case .overview: favourites.map(\.favourite.stop)
        case .favourite(let stop): [stop]
        case .address: []
        }
    }

    /// Changes the favourite in view; does nothing on other pages.
    mutating func changeFavouriteInView(_ change: (inout FavouriteState) -> Void) {
        guard case .favourite(let stop) = view.page,
            let index = favourites.firstIndex(where: { $0.favourite.stop == stop })
        else { return }
        change(&favourites[index])
    }
}

/// Where a browser on the network finds the page that the daemon serves.
public struct PageAddress: Hashable, Sendable {
    /// "192.168.178.201", with ":8480" if the port is not 80; nil: the machine has no address on a network.
    public let address: String?
    /// The machine's name on the network ("boardpi.local").
    public let name: String?

    public init(address: String?, name: String?) {
        self.address = address
        self.name = name
    }
}

extension Board {
    /// How long the address is in view after a start that restored no snapshot.
    static let introduction = Duration.seconds(20)

    /// - Parameter page: nil: the page is off.
    mutating func take(_ page: PageAddress?, at now: Instant) {
        self.page = page
        if page == nil {
            view.addressUntil = nil
            if view.page == .address { view.turn(to: home, at: now) }
        }
        // After a power cut the router takes longer to start than the board.
        guard introducesAddress, page?.address != nil else { return }
        introducesAddress = false
        // The overview of a board without favourites contains the address.
        if !favourites.isEmpty { view.addressUntil = now + Self.introduction }
    }

    func isAddressInView(at now: Instant) -> Bool {
        view.page == .address || isIntroducing(at: now)
    }

    func isIntroducing(at now: Instant) -> Bool { view.addressUntil.isSomeAnd { now < $0 } }
}

// MARK: - Rows

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
