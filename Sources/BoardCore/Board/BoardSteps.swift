extension Board {
    /// How long rotation pauses after a press when the board never returns home.
    private static let rest = Duration.seconds(60)
    /// The time of a screen that turns by itself: three beats, in which each row shows what it has to say.
    private static let rotation = Drawing.beat * 3

    /// Applies the changes that are due by time: a short press without a second one, hours of favourites, expired
    /// detail pages, the return home, rotation.
    mutating func advance(to now: Instant) {
        for index in recognisers.indices {
            if let gesture = recognisers[index].expire(at: now) { perform(gesture, ofButton: index, at: now) }
        }
        if favourites.contains(where: { !isOnBoard($0.favourite, at: now) })
            || inactive.contains(where: { isOnBoard($0.favourite, at: now) })
        {
            applyHours(isAtHome: isAtHome, at: now)
        }
        closeExpiredPages(at: now)
        if let pairing, pairing.until <= now { self.pairing = nil }
        if let message, message.until <= now { self.message = nil }
        if let returning = returnsHome, returning <= now { returnHome(at: now) }
        while let step = nextRotation(at: now), step <= now {
            rotate(at: step)
            // After hours without a wake-up, skips the missed steps.
            if let period = rotationPeriod, now - step > period { view.since = now }
        }
    }

    /// The next instant at which ``advance(to:)`` changes something.
    func nextStep(after now: Instant) -> Instant? {
        let expiry = favouriteInView?.detailPage?.expiresAt.map(clock.instant(of:))
        let steps = [
            returnsHome, nextRotation(at: now), expiry, pairing?.until, message?.until, nextHour(after: now),
            nextDetailsFetch(after: now),
        ]
        return steps.compactMap { $0 }.filter { $0 > now }.min()
    }

    /// The next instant at which a favourite's hours may begin or end: the next minute, when the clock on the display
    /// changes anyway.
    private func nextHour(after now: Instant) -> Instant? {
        setup.favourites.contains { !$0.when.isEmpty } ? nextMinute(after: now) : nil
    }

    /// The next instant at which the minute of the clock changes.
    func nextMinute(after now: Instant) -> Instant {
        // Every zone's offset since 1972 is whole minutes, so all zones share UTC's minutes.
        let seconds = clock.timestamp(at: now).seconds
        return clock.instant(of: Timestamp(seconds: seconds - seconds.remainderDown(by: 60) + 60))
    }

    mutating func stepForward(at now: Instant) {
        if view.screen + 1 < screenCount(at: now) {
            view.turn(to: view.page, screen: view.screen + 1, at: now)
        } else {
            turnPage(by: 1, at: now)
        }
    }

    mutating func stepBack(at now: Instant) {
        if view.screen > 0 {
            view.turn(to: view.page, screen: min(view.screen, screenCount(at: now)) - 1, at: now)
        } else {
            turnPage(by: -1, at: now)
        }
    }

    private mutating func rotate(at now: Instant) {
        let (rounds, pages) = (view.rounds, rotatingPages)
        if turnsScreens, view.screen + 1 < screenCount(at: now) {
            view.turn(to: view.page, screen: view.screen + 1, at: now)
            view.rounds = rounds
        } else {
            let isLast = pages.count < 2 || view.page == pages.last
            if pages.count > 1 { turnPage(by: 1, among: pages, at: now) } else { view.turn(to: view.page, at: now) }
            view.rounds = rounds + (isLast ? 1 : 0)
        }
    }

    /// Whether the screens of the page in view turn by themselves: those of the overview, so that each stop is seen, and
    /// on one row the departures.
    private var turnsScreens: Bool { view.page == .overview || setup.size.rows == 1 }

    /// The pages that turn by themselves: the stops, and the overview where it is the home page.
    private var rotatingPages: [Page] {
        guard case .every = setup.options.rotation else { return [] }
        return pages.filter { $0 != .address && ($0 != .overview || home == .overview) }
    }

    private mutating func turnPage(by step: Int, among pages: [Page]? = nil, at now: Instant) {
        let pages = pages ?? self.pages
        // From a page that is not among them, a step forward leads to the first.
        let index = pages.firstIndex(of: view.page) ?? (step > 0 ? -1 : 0)
        view.turn(to: pages[(index + step + pages.count) % pages.count], at: now)
    }

    private mutating func returnHome(at now: Instant) {
        view.turn(to: home, at: now)
        view.lastPress = nil
        undoPresses()
    }

    /// Closes detail pages and restores the sort orders, even of favourites outside their hours.
    mutating func undoPresses() {
        for index in favourites.indices {
            favourites[index].detailPage = nil
            favourites[index].sort = favourites[index].favourite.sort
        }
        for index in inactive.indices { inactive[index].sort = inactive[index].favourite.sort }
    }

    mutating func closeExpiredPages(at now: Instant) {
        let moment = clock.timestamp(at: now)
        for index in favourites.indices {
            guard let detailPage = favourites[index].detailPage else { continue }
            let isOver = detailPage.content == .alerts && alerts(of: favourites[index], at: now).isEmpty
            guard isOver || detailPage.isExpired(at: moment) else { continue }
            favourites[index].detailPage = nil
        }
    }

    private var returnsHome: Instant? {
        guard let wait = setup.options.returnHome, let press = view.lastPress else { return nil }
        let isChanged = favourites.contains { $0.detailPage != nil || $0.sort != $0.favourite.sort }
        return view.page != home || view.screen != 0 || isChanged ? press + wait : nil
    }

    private var rotationPeriod: Duration? {
        switch setup.options.rotation {
        case .off: nil
        case .every(let period): period
        case .auto: Self.rotation
        }
    }

    /// On one or two rows: until when the stop's name is a page of its own, after a change of the stop.
    var titledUntil: Instant? {
        guard !hasHeader, favouriteInView != nil, favourites.count > 1, view.screen == 0 else { return nil }
        return view.since + Self.announcement
    }

    /// Whether rotation changes the page next; not while it rests after a press.
    func isRotating(at now: Instant) -> Bool {
        guard rotatingPages.count > 1, let period = rotationPeriod, let next = nextRotation(at: now)
        else { return false }
        return next - now <= period + Drawing.beat + Self.announcement
    }

    private func nextRotation(at now: Instant) -> Instant? {
        guard var period = rotationPeriod, !favourites.isEmpty, !isDark(at: now),
            rotatingPages.count > 1 || turnsScreens && screenCount(at: now) > 1
        else { return nil }
        // Without a first row that talks, a page does.
        if !hasHeader, !sayings(at: now).isEmpty { period += Drawing.beat }
        let rested = view.lastPress.map { $0 + (setup.options.returnHome ?? Self.rest) }
        return max(max(titledUntil ?? view.since, view.addressUntil ?? view.since) + period, rested ?? view.since)
    }
}
