/// What a person has opened on one favourite; it stays there while they look at another one.
struct Opened: Hashable, Sendable, Codable {
    /// A page behind a favourite's own.
    enum Page: Hashable, Sendable, Codable {
        /// What people there should know.
        case alerts
        /// One departure with its calling points.
        case service(Departure)
    }

    /// The time between two questions about a run: as often as operators move trains on.
    static let interval = Duration.seconds(30)

    // A refusal is asked about anew after a restart.
    private enum CodingKeys: String, CodingKey {
        case page, screen, service, asked
    }

    /// The page.
    var page: Page
    /// Its screen, from 0.
    var screen = 0
    /// What the operator told of the run; nil: nothing yet, or nothing more than the departure says.
    private(set) var service: Service?
    /// When the operator was asked about the run last.
    private(set) var asked: Instant?
    /// What the operator refuses to tell of the run for, until a person mends it; nil: it does not.
    private(set) var refusal: FeedFailure.Kind?

    init(_ page: Page) {
        self.page = page
    }

    /// The departure of the page; nil on the page of alerts.
    var departure: Departure? {
        if case .service(let departure) = page { departure } else { nil }
    }

    /// Takes a newer estimate of the same departure.
    mutating func take(_ departure: Departure) {
        page = .service(departure)
    }

    /// The operator is asked about the run now.
    mutating func ask(at now: Instant) {
        asked = now
    }

    /// Takes what the operator told of the run of `departure`, if that is still the one that is opened.
    mutating func take(_ service: Service?, of departure: Departure) {
        guard let own = self.departure, own.isSameService(as: departure) else { return }
        self.service = service
    }

    /// Takes what a question about the run of `departure` failed with. What was told stays, and ages.
    mutating func take(_ failure: FeedFailure, of departure: Departure) {
        guard let own = self.departure, own.isSameService(as: departure), failure.kind.isRefusal else { return }
        refusal = failure.kind
    }

    /// Forgets a refusal that a new configuration may have mended.
    mutating func forgive() {
        guard refusal != nil else { return }
        refusal = nil
        asked = nil
    }

    /// Whether nothing of it is true any more.
    func isGone(at moment: Timestamp) -> Bool {
        guard let departure else { return false }
        return departure.void <= moment && (service?.void ?? moment) <= moment
    }

    /// When it is gone, as far as is known now.
    var gone: Timestamp? {
        departure.map { max($0.void, service?.void ?? $0.void) }
    }

    /// When the operator is to be asked about the run; nil on the page of alerts, and where it refuses.
    func due(at now: Instant) -> Instant? {
        departure == nil || refusal != nil ? nil : asked.map { $0 + Self.interval } ?? now
    }
}

extension Board {
    /// What can be opened on the favourite in view, in order.
    func openable(_ favourite: FavouriteState, at now: Instant) -> [Opened.Page] {
        let moment = clock.timestamp(at: now)
        let alerts: [Opened.Page] = self.alerts(of: favourite, at: now).isEmpty ? [] : [.alerts]
        return alerts + favourite.visible(at: moment).map { .service($0.departure) }
    }

    /// Asks about the run that a person looks at, when it is time and the operator allows it.
    mutating func follow(at now: Instant) -> [Command] {
        guard !isDark(at: now), let favourite = favouriteInView, let opened = favourite.opened,
            let departure = opened.departure, let due = opened.due(at: now), due <= now,
            plan.takeRun(of: departure.stop.feed, at: now)
        else { return [] }
        changeFavouriteInView { $0.opened?.ask(at: now) }
        return [.follow(departure)]
    }

    /// When the run that a person looks at is to be asked about next.
    func nextFollow(after now: Instant) -> Instant? {
        guard !isDark(at: now), let favourite = favouriteInView, let due = favourite.opened?.due(at: now),
            let free = plan.freeForRun(of: favourite.favourite.stop.feed, at: now)
        else { return nil }
        return max(due, free)
    }
}
