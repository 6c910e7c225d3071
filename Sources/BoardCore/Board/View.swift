/// A page of the board.
enum Page: Hashable, Sendable, Codable {
    case overview
    case favourite(StopID)
}

/// What a person looks at, and what their last presses left on the glass.
struct View: Hashable, Sendable {
    /// The page.
    var page: Page
    /// The screen of the page, from 0.
    var screen = 0
    /// When the page or screen was last changed, by a press or by itself.
    var since: Instant
    /// The last press; nil before the first one.
    var lastPress: Instant?
    /// The presses of the last seconds, for the hint.
    var recentPresses: [Instant] = []
    /// Until when the attributions are shown.
    var splashUntil: Instant?
    /// Until when position and order are shown.
    var announcedUntil: Instant?
    /// Until when the hint is shown.
    var hintUntil: Instant?
    /// Until when a press keeps a dark board lit.
    var wokenUntil: Instant?
    /// Until when it is said that the opened service has gone.
    var departedUntil: Instant?

    init(page: Page, at now: Instant) {
        self.page = page
        since = now
    }

    /// Turns to another page and screen.
    mutating func turn(to page: Page, screen: Int = 0, at now: Instant) {
        self.page = page
        self.screen = screen
        since = now
    }
}

extension Board {
    /// Every page, in the order in which a button steps through them.
    var pages: [Page] {
        [.overview] + favourites.map { .favourite($0.favourite.stop) }
    }

    /// The page that the board returns to.
    var home: Page {
        switch setup.options.home {
        case .overview: .overview
        case .first: favourites.first.map { .favourite($0.favourite.stop) } ?? .overview
        }
    }

    /// The favourite in view; nil on the overview.
    var favouriteInView: FavouriteState? {
        guard case .favourite(let stop) = view.page else { return nil }
        return favourites.first { $0.favourite.stop == stop }
    }

    /// The stops whose departures are in view.
    var stopsInView: [StopID] {
        switch view.page {
        case .overview: favourites.map(\.favourite.stop)
        case .favourite(let stop): [stop]
        }
    }

    /// Changes the favourite in view; does nothing on the overview.
    mutating func changeFavouriteInView(_ change: (inout FavouriteState) -> Void) {
        guard case .favourite(let stop) = view.page,
            let index = favourites.firstIndex(where: { $0.favourite.stop == stop })
        else { return }
        change(&favourites[index])
    }

    /// Whether it is a quiet hour in which no press has lit the board. While the time is unsure nothing is dark.
    func isDark(at now: Instant) -> Bool {
        isQuietHour(at: now) && (view.wokenUntil ?? now) <= now
    }

    /// Whether the clock lies in one of the quiet windows.
    func isQuietHour(at now: Instant) -> Bool {
        guard !setup.options.quiet.isEmpty, !clock.isUncertain else { return false }
        let time = setup.zone.timeOfDay(at: clock.timestamp(at: now))
        return setup.options.quiet.contains { $0.covers(minute: time.minute, weekday: time.weekday) }
    }
}
