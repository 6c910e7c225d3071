extension Board {
    /// The state of the board for commands, the page and other boards.
    public struct Report: Hashable, Sendable {
        /// Without the digits of a pairing: see ``Board/render(at:isRemote:)``.
        public let frame: Frame
        public let moment: Timestamp
        public let timeSource: CorrectedClock.Source
        public let pageInView: PageInView
        /// Every page, in the order in which a button steps through them.
        public let pages: [PageReport]
        /// Where a browser finds the page that the daemon serves; nil: it is off, or the address is not known yet.
        public let address: PageAddress?
        public let light: LightMode
        /// The favourites, in the order of their pages, each in its own order of departures.
        public let stops: [StopReport]
        /// The first fault of the newest configuration, if any.
        public let configurationFault: FilePosition?
    }

    public func report(at now: Instant) -> Report {
        let isAddress = isAddressInView(at: now)
        let stopPages = favourites.map { favourite in
            PageReport(
                id: favourite.favourite.stop.description, title: Drawing(of: self, at: now).title(of: favourite),
                screens: screenCount(of: favourite, at: now))
        }
        let overview = PageReport(id: PageReport.overview, title: "All stops", screens: screenCount(of: nil, at: now))
        let addressPage = PageReport(id: PageReport.address, title: "Address in the network", screens: 1)
        return Report(
            frame: render(at: now, isRemote: true).frame, moment: clock.timestamp(at: now), timeSource: clock.source,
            pageInView: PageInView(
                id: isAddress ? PageReport.address : favouriteInView?.favourite.stop.description ?? PageReport.overview,
                screen: isAddress ? 0 : view.screen, screens: isAddress ? 1 : screenCount(at: now),
                isRotating: isRotating(at: now)), pages: [overview] + stopPages + (page == nil ? [] : [addressPage]),
            address: page, light: light, stops: favourites.map { report(on: $0, sorted: $0.favourite.sort, at: now) },
            configurationFault: configurationFault)
    }

    /// What the board holds about a stop. Nil: the stop is not on the board now.
    public func report(on stop: StopID, sorted order: SortOrder, at now: Instant) -> StopReport? {
        favourites.first { $0.favourite.stop == stop }.map { report(on: $0, sorted: order, at: now) }
    }

    private func report(on favourite: FavouriteState, sorted order: SortOrder, at now: Instant) -> StopReport {
        let moment = clock.timestamp(at: now)
        let (data, profile) = (favourite.data, setup.profiles[favourite.favourite.stop.feed])
        let lastResponseAt = data.hasResponded ? clock.timestamp(at: data.lastResponseAt) : nil
        let drawing = Drawing(of: self, at: now)
        let shown = Set(rows(of: favourite, at: now).flatMap(\.departures))
        let departures = order.sorted(data.rows.filter { !$0.isExpired(at: moment) }, by: \.departure).map { row in
            ReportedDeparture(
                row.departure.located(in: favourite.stop.zone), of: favourite.favourite,
                minutes: row.minutes(at: now, clock: clock),
                hold: row.hold.map { .init(minutes: $0.minutes, until: clock.timestamp(at: $0.until)) },
                isShown: shown.contains(row),
                shortDestination: drawing.shortDestination(of: row.departure, in: favourite),
                facts: drawing.facts(of: row.departure, in: favourite).compactMap(\.first),
                lateMinutes: drawing.minutesLate(row.departure, in: favourite))
        }
        var lastError: StopReport.Failure?
        if case .failing(let kind, _) = data.status {
            // After a restart of the program, only the time of the last response is known.
            lastError = StopReport.Failure(
                kind, detail: favourite.failure?.detail ?? "",
                at: clock.timestamp(at: favourite.failure?.at ?? data.lastResponseAt))
        }
        // The departures are those of the last response, and so is the partial failure.
        let partialFailure = data.status.isResponding ? favourite.partialFailure : nil
        return StopReport(
            stop: favourite.favourite.stop, name: favourite.stop.name ?? favourite.favourite.stop.description,
            letter: favourite.stop.letter, label: favourite.favourite.label, lines: favourite.favourite.lines,
            distanceMetres: favourite.favourite.distance?.count, time: moment,
            attribution: profile?.attribution ?? "", status: StopReport.Status(data.status),
            notice: notice(of: favourite, at: now).flatMap { drawing.forms(of: $0).first },
            lastResponseAt: lastResponseAt,
            nextPollAt: plan.wait(of: favourite.favourite.stop, at: now).map { clock.timestamp(at: $0.until) },
            intervalSeconds: profile.map { $0.interval / .seconds(1) }, lastError: lastError,
            partialFailure: partialFailure.flatMap { failure in
                lastResponseAt.map { StopReport.Failure(failure.kind, detail: failure.detail, at: $0) }
            }, withheld: data.isWithheld, nextDepartureAt: data.next?.time, timetableEndsAt: data.timetableEndsAt,
            departures: departures, alerts: data.alerts)
    }

    /// The wait until an operator's quota has room for a viewer's request besides the polls of all stops; nil: none.
    public func lookWait(of feed: FeedName, at now: Instant) -> Duration? { plan.lookWait(of: feed, at: now) }

    /// One sentence for `systemctl status`, in English like the log: the state of each stop.
    public var summary: String {
        guard !favourites.isEmpty else { return "no favourites yet" }
        let states = favourites.map { "\($0.favourite.stop) \($0.data.status.summary)" }
        let fault = configurationFault.map { "; faulty configuration (\($0))" } ?? ""
        return states.joined(separator: ", ") + fault
    }
}

extension FeedStatus {
    fileprivate var summary: String {
        switch self {
        case .loading, .failing(.cancelled, _): "is loading"
        case .live: "is live"
        case .frozen: "is frozen"
        case .failing(.noNetwork, _): "has no network"
        case .failing(.certificateDate, _): "is waiting for clock synchronisation"
        case .failing(.certificate, _): "has a bad certificate"
        case .failing(.timedOut, _): "does not respond (timeout)"
        case .failing(.keyRejected, _): "rejects the key"
        case .failing(.keyMissing, _): "needs a key"
        case .failing(.unknownStop, _): "is an unknown stop"
        case .failing(.rateLimited, _): "is rate limited"
        case .failing(.status(let code), _): "fails with HTTP \(code)"
        case .failing(.unreadable, _): "sends unreadable responses"
        case .failing(.noZone, _): "is in a time zone that this machine lacks"
        }
    }
}

/// The page and screen that the display shows.
public struct PageInView: Hashable, Sendable, Codable {
    /// "overview", "address", or a stop identifier.
    public var id: String
    /// The index of the screen within the page, from 0.
    public var screen: Int
    /// The number of screens of the page, at least 1.
    public var screens: Int
    /// Whether the board turns the pages by itself now.
    public var isRotating: Bool

    public init(id: String, screen: Int, screens: Int, isRotating: Bool = false) {
        self.id = id
        self.screen = screen
        self.screens = screens
        self.isRotating = isRotating
    }
}

/// A page of the display.
public struct PageReport: Hashable, Sendable, Codable {
    /// The identifier of the overview of all favourites.
    public static let overview = "overview"
    /// The identifier of the address of the page that the daemon serves.
    public static let address = "address"

    /// "overview", "address", or a stop identifier.
    public var id: String
    /// The page's name on the display.
    public var title: String
    /// The number of screens, at least 1.
    public var screens: Int

    public init(id: String, title: String, screens: Int) {
        self.id = id
        self.title = title
        self.screens = screens
    }
}

extension DepartureRow {
    /// Whole minutes to go, even beyond the hour in which the display shows them.
    fileprivate func minutes(at now: Instant, clock: CorrectedClock) -> Int? {
        switch remaining(at: now, clock: clock) {
        case .due: 0
        case .minutes(let count): count
        case .time(let time), .later(let time): Int((time - clock.timestamp(at: now)).wholeSeconds / 60)
        default: nil
        }
    }
}
