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

    /// The page.
    var page: Page
    /// Its screen, from 0.
    var screen = 0
    /// What the operator told of the run; nil: nothing yet, or nothing more than the departure says.
    private(set) var service: Service?
    /// When the operator was asked about the run last.
    private(set) var asked: Instant?

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

    /// Whether nothing of it is true any more.
    func isGone(at moment: Timestamp) -> Bool {
        guard let departure else { return false }
        return departure.void <= moment && (service?.void ?? moment) <= moment
    }

    /// When it is gone, as far as is known now.
    var gone: Timestamp? {
        departure.map { max($0.void, service?.void ?? $0.void) }
    }

    /// When the operator is to be asked about the run; nil on the page of alerts.
    func due(at now: Instant) -> Instant? {
        departure == nil ? nil : asked.map { $0 + Self.interval } ?? now
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
            plan.spare(of: departure.stop.feed, at: now)
        else { return [] }
        changeFavouriteInView { $0.opened?.ask(at: now) }
        return [.follow(departure)]
    }

    /// When the run that a person looks at is to be asked about next.
    func nextFollow(after now: Instant) -> Instant? {
        guard !isDark(at: now), let favourite = favouriteInView, let due = favourite.opened?.due(at: now) else {
            return nil
        }
        // Where the operator's quota is used up, a while later.
        return due <= now ? now + .seconds(1) : due
    }
}
