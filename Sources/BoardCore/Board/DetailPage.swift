/// The detail page that a user opened on one favourite; it stays open while another page is in view.
struct DetailPage: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case alerts
        /// One departure with its calling points.
        case departure(Departure)
        /// The meaning of the signs.
        case legend
    }

    /// The time between two requests for trip details: operators update the position of trains about as often.
    static let interval = Duration.seconds(30)

    var content: Content
    var screen = 0
    /// The trip details; nil: none received, or none beyond the departure.
    private(set) var details: TripDetails?
    var requestedAt: Instant?
    /// Why the operator rejects requests for trip details until a person fixes the cause; nil: it does not.
    private(set) var rejection: FeedError.Kind?

    init(_ content: Content) { self.content = content }

    /// The departure of the page; nil for the others.
    var departure: Departure? {
        if case .departure(let departure) = content { departure } else { nil }
    }

    /// Stores trip details, if `departure` is still the one on the page.
    mutating func take(_ details: TripDetails?, of departure: Departure) {
        guard let own = self.departure, own.isSameTrip(as: departure) else { return }
        self.details = details
    }

    /// Stores a rejection of a request for the trip details of `departure`. The previous details stay until they
    /// expire.
    mutating func take(_ failure: FeedError, of departure: Departure) {
        guard let own = self.departure, own.isSameTrip(as: departure), failure.kind.isRejection else { return }
        rejection = failure.kind
    }

    /// Clears a rejection that a new configuration may have fixed.
    mutating func clearRejection() {
        guard rejection != nil else { return }
        rejection = nil
        requestedAt = nil
    }

    func isExpired(at moment: Timestamp) -> Bool { expiresAt.isSomeAnd { $0 <= moment } }

    /// When the page closes, by the estimates so far.
    var expiresAt: Timestamp? { departure.map { max($0.expiresAt, details?.expiresAt ?? $0.expiresAt) } }

    /// When the trip details are due; nil for alerts and after a rejection.
    func due(at now: Instant) -> Instant? {
        departure == nil || rejection != nil ? nil : requestedAt.map { $0 + Self.interval } ?? now
    }
}

extension Board {
    func detailPages(_ favourite: FavouriteState, at now: Instant) -> [DetailPage.Content] {
        let moment = clock.timestamp(at: now)
        let alerts: [DetailPage.Content] = self.alerts(of: favourite, at: now).isEmpty ? [] : [.alerts]
        return alerts + favourite.visible(at: moment).map { .departure($0.departure) } + [.legend]
    }

    /// Requests the trip details of the detail page in view, when they are due and the rate limit allows it.
    mutating func fetchDetails(at now: Instant) -> [Command] {
        guard !isDark(at: now), let favourite = favouriteInView, let detailPage = favourite.detailPage,
            let departure = detailPage.departure, let due = detailPage.due(at: now), due <= now,
            plan.takeDetailsRequest(of: departure.stop.feed, at: now)
        else { return [] }
        changeFavouriteInView { $0.detailPage?.requestedAt = now }
        return [.fetchDetails(departure)]
    }

    /// When the trip details of the detail page in view are due next.
    func nextDetailsFetch(after now: Instant) -> Instant? {
        guard !isDark(at: now), let favourite = favouriteInView, let due = favourite.detailPage?.due(at: now),
            let free = plan.nextDetailsRequest(of: favourite.favourite.stop.feed, at: now)
        else { return nil }
        return max(due, free)
    }
}
