/// What a person has opened on one favourite; it stays there while they look at another one.
struct DetailPage: Hashable, Sendable, Codable {
    /// A page behind a favourite's own.
    enum Page: Hashable, Sendable, Codable {
        /// What people there should know.
        case alerts
        /// One departure with its calling points.
        case departure(Departure)
    }

    /// The time between two questions about a run: as often as operators move trains on.
    static let interval = Duration.seconds(30)

    // A refusal is asked about anew after a restart.
    private enum CodingKeys: String, CodingKey {
        case page, screen, details, requestedAt
    }

    /// The page.
    var page: Page
    /// Its screen, from 0.
    var screen = 0
    /// What the operator told of the run; nil: nothing yet, or nothing more than the departure says.
    private(set) var details: TripDetails?
    /// When the operator was asked about the run last.
    private(set) var requestedAt: Instant?
    /// What the operator refuses to tell of the run for, until a person mends it; nil: it does not.
    private(set) var rejection: FeedFailure.Kind?

    init(_ page: Page) {
        self.page = page
    }

    /// The departure of the page; nil on the page of alerts.
    var departure: Departure? {
        if case .departure(let departure) = page { departure } else { nil }
    }

    /// Takes a newer estimate of the same departure.
    mutating func take(_ departure: Departure) {
        page = .departure(departure)
    }

    /// The operator is asked about the run now.
    mutating func markRequested(at now: Instant) {
        requestedAt = now
    }

    /// Takes what the operator told of the run of `departure`, if that is still the one that is opened.
    mutating func take(_ details: TripDetails?, of departure: Departure) {
        guard let own = self.departure, own.isSameTrip(as: departure) else { return }
        self.details = details
    }

    /// Takes what a question about the run of `departure` failed with. What was told stays, and ages.
    mutating func take(_ failure: FeedFailure, of departure: Departure) {
        guard let own = self.departure, own.isSameTrip(as: departure), failure.kind.isRejection else { return }
        rejection = failure.kind
    }

    /// Forgets a refusal that a new configuration may have mended.
    mutating func clearRejection() {
        guard rejection != nil else { return }
        rejection = nil
        requestedAt = nil
    }

    /// Whether nothing of it is true any more.
    func isExpired(at moment: Timestamp) -> Bool {
        guard let departure else { return false }
        return departure.expiresAt <= moment && (details?.expiresAt ?? moment) <= moment
    }

    /// When it is gone, as far as is known now.
    var expiresAt: Timestamp? {
        departure.map { max($0.expiresAt, details?.expiresAt ?? $0.expiresAt) }
    }

    /// When the operator is to be asked about the run; nil on the page of alerts, and where it refuses.
    func due(at now: Instant) -> Instant? {
        departure == nil || rejection != nil ? nil : requestedAt.map { $0 + Self.interval } ?? now
    }
}

extension Board {
    /// What can be opened on the favourite in view, in order.
    func detailPages(_ favourite: FavouriteState, at now: Instant) -> [DetailPage.Page] {
        let moment = clock.timestamp(at: now)
        let alerts: [DetailPage.Page] = self.alerts(of: favourite, at: now).isEmpty ? [] : [.alerts]
        return alerts + favourite.visible(at: moment).map { .departure($0.departure) }
    }

    /// Asks about the run that a person looks at, when it is time and the operator allows it.
    mutating func fetchDetails(at now: Instant) -> [Command] {
        guard !isDark(at: now), let favourite = favouriteInView, let detailPage = favourite.detailPage,
            let departure = detailPage.departure, let due = detailPage.due(at: now), due <= now,
            plan.takeDetailsRequest(of: departure.stop.feed, at: now)
        else { return [] }
        changeFavouriteInView { $0.detailPage?.markRequested(at: now) }
        return [.fetchDetails(departure)]
    }

    /// When the run that a person looks at is to be asked about next.
    func nextDetailsFetch(after now: Instant) -> Instant? {
        guard !isDark(at: now), let favourite = favouriteInView, let due = favourite.detailPage?.due(at: now),
            let free = plan.nextDetailsRequest(of: favourite.favourite.stop.feed, at: now)
        else { return nil }
        return max(due, free)
    }
}
