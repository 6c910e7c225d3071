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
    var hintUntil: Instant?
    /// Until when a press lights a dark board.
    var wokenUntil: Instant?
    /// How often all pages have had their turn since the last press.
    var rounds = 0

    init(page: Page, at now: Instant) {
        self.page = page
        since = now
    }

    mutating func turn(to page: Page, screen: Int = 0, at now: Instant) {
        self.page = page
        self.screen = screen
        since = now
        rounds = 0
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
        case nil where favourites.count > 1: .overview
        case .first, nil: favourites.first.map { .favourite($0.favourite.stop) } ?? .overview
        }
    }

    /// Nil on the overview and the address.
    var favouriteInView: FavouriteState? {
        guard case .favourite(let stop) = view.page else { return nil }
        return favourites.first { $0.favourite.stop == stop }
    }

    var favouritesInView: [FavouriteState] {
        switch view.page {
        case .overview: favourites
        case .favourite(let stop): favourites.filter { $0.favourite.stop == stop }
        case .address: []
        }
    }

    var stopsInView: [StopID] { favouritesInView.map(\.favourite.stop) }

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
    /// How long for a person who takes a phone to set the board up, unless they press.
    static let setupIntroduction = Duration.seconds(120)

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

    func isAddressInView(at now: Instant) -> Bool { view.page == .address || isIntroducing(at: now) }

    func isIntroducing(at now: Instant) -> Bool { view.addressUntil.isSomeAnd { now < $0 } }
}

// MARK: - Rows

/// A row of a page: departures of one favourite, of which the first counts; none: the stop has no departure.
struct BoardRow: Sendable {
    let favourite: FavouriteState
    let departures: [DepartureRow]

    /// The departure that counts: the first one that runs.
    var shown: DepartureRow? { departures.first { $0.departure.status != .cancelled } ?? departures.first }
}

extension Board {
    /// The rows of a favourite's page in its order, or of the overview (nil). The rest is on the detail pages.
    func rows(of favourite: FavouriteState?, at now: Instant) -> [BoardRow] {
        guard let favourite else { return overviewRows(at: now) }
        return stopRows(of: favourite, at: now).map { BoardRow(favourite: favourite, departures: $0) }
    }

    /// They cover the configured reach, and at least one screen if there are enough. Sorted by line, a row has all
    /// departures of a line to one destination; otherwise one. In the order of time the first screen has the soonest of
    /// each direction, in which it is the same on all screens.
    private func stopRows(of favourite: FavouriteState, at now: Instant) -> [[DepartureRow]] {
        let rows = soonestRows(of: favourite, at: now)
        let within = rows.count { reaches($0, at: now, favourite) }
        let count = min(max(within, rowsPerScreen), setup.options.screens * rowsPerScreen)
        guard favourite.sort == .time else {
            return favourite.sort.sorted(Array(rows.prefix(count))) { $0[0].departure }
        }
        let inReach = rows.prefix(max(within, rowsPerScreen))
        let soonest = inReach.first?[0]
        let first = inReach.leading(rowsPerScreen) { row in
            let departure = row[0].departure
            if row[0] == soonest, departure.status == .cancelled { return [""] }
            return [
                departure.status == .cancelled
                    ? nil : departure.direction ?? departure.platform ?? departure.destination
            ]
        }
        return first.map { inReach[$0] }
            + inReach.indices.filter { !first.contains($0) }.map { inReach[$0] }.prefix(count - first.count)
    }

    /// A row for each stop, and on its screens the next departures of other lines; in the order in which a person must
    /// leave. Stops without departures come last.
    private func overviewRows(at now: Instant) -> [BoardRow] {
        let moment = clock.timestamp(at: now)
        let count = screens(of: favourites.count) * rowsPerScreen
        func service(_ row: DepartureRow) -> String { "\(row.departure.line.id) \(row.departure.destination)" }
        var rows: [BoardRow] = []
        for favourite in favourites {
            let soonest = favourite.visible(at: moment, sorted: .time)
            let running = soonest.filter { $0.departure.status != .cancelled }
            let inReach = (running.isEmpty ? Array(soonest.prefix(1)) : running).enumerated()
                .filter { $0 == 0 || reaches([$1], at: now, favourite) }.map(\.element)
            rows += inReach[...].leading(count) { [service($0)] }
                .map { BoardRow(favourite: favourite, departures: [inReach[$0]]) }
        }
        rows = rows.enumerated().sorted { ($0.element.leaving, $0.offset) < ($1.element.leaving, $1.offset) }
            .map(\.element)
        let silent = favourites.filter { favourite in
            !rows.contains { $0.favourite.favourite.stop == favourite.favourite.stop }
        }
        let chosen = rows[...].leading(count - silent.count) { row in
            let stop = row.favourite.favourite.stop.description
            return [stop, stop + " " + service(row.departures[0])]
        }
        return chosen.map { rows[$0] } + silent.map { BoardRow(favourite: $0, departures: []) }
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

    /// Whether the first row is not for departures.
    var hasHeader: Bool { setup.size.rows > 2 * rowHeight }

    /// The rows of cells for a departure.
    var rowHeight: Int { setup.hasDoubleSize ? 2 : 1 }

    /// The departures of a screen.
    var rowsPerScreen: Int { setup.size.rows / rowHeight - (hasHeader ? 1 : 0) }

    func screenCount(at now: Instant) -> Int {
        view.page == .address ? 1 : screenCount(of: favouriteInView, at: now)
    }

    /// Of a favourite's page, or of the overview (nil).
    func screenCount(of favourite: FavouriteState?, at now: Instant) -> Int {
        // The overview's rows are as many as its screens for one of each stop have room for.
        if favourite == nil, favourites.count <= rowsPerScreen { return 1 }
        return screens(of: rows(of: favourite, at: now).count)
    }

    func screens(of rows: Int) -> Int { max(1, (rows + rowsPerScreen - 1) / rowsPerScreen) }
}

extension BoardRow {
    /// When a person must leave for the first departure.
    fileprivate var leaving: Timestamp {
        (shown?.departure.due ?? Timestamp(microseconds: .max)) - (favourite.favourite.walk ?? .zero)
    }
}

extension ArraySlice {
    /// The indices of up to `count` elements in ascending order: the first with each first key, then the first with each
    /// of the next keys, then the others; also those without a key.
    fileprivate func leading(_ count: Int, by keys: (Element) -> [String?]) -> [Int] {
        var chosen: [Int] = []
        var seen: Set<String> = []
        let all = map(keys)
        for rank in 0..<(all.first?.count ?? 0) {
            for (index, keys) in zip(indices, all) where chosen.count < count {
                if let key = keys[rank], seen.insert(key).inserted, !chosen.contains(index) {
                    chosen.append(index)
                    seen.formUnion(keys.compactMap(\.self))
                }
            }
        }
        chosen += indices.filter { !chosen.contains($0) }.prefix(Swift.max(0, count - chosen.count))
        return chosen.sorted()
    }
}

extension Departure {
    /// Whether both are departures of one line to one destination.
    fileprivate func isSameService(as other: Departure) -> Bool {
        (line.id, destination) == (other.line.id, other.destination)
    }
}
