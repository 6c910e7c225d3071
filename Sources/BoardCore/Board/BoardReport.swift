extension Board {
    /// The state of the board for commands and the control socket.
    public struct Report: Hashable, Sendable {
        /// Without the digits of a pairing: see ``Board/render(at:isRemote:)``.
        public let frame: Frame
        public let moment: Timestamp
        public let timeSource: CorrectedClock.Source
        /// The stop of the page in view; nil: the overview or the address.
        public let stopInView: StopID?
        /// Where a browser finds the page that the daemon serves; nil: it is off, or the address is not known yet.
        public let page: PageAddress?
        public let isAddressInView: Bool
        public let light: LightMode
        /// Whether the pages change by themselves now.
        public let isRotating: Bool
        /// The screen of the page in view, from 0.
        public let screen: Int
        public let screens: Int
        public let overviewScreens: Int
        /// The favourites, in the order of their pages.
        public let stops: [StopReport]
        /// The first fault of the newest configuration, if any.
        public let configurationFault: FilePosition?
    }

    public struct StopReport: Hashable, Sendable {
        public let favourite: Favourite
        /// The stop as its operator describes it.
        public let stop: Stop
        /// The full name on the display.
        public let title: String
        public let status: FeedStatus
        /// The text of the last failure, while the status is `failing`; empty after a restart of the program.
        public let failureDetail: String
        /// The time of the last failure; after a restart of the program, that of the last response.
        public let failedAt: Timestamp
        /// The number of departures that have not expired.
        public let departures: Int
        public let screens: Int
        /// When the last response arrived; nil: none yet.
        public let lastResponseAt: Timestamp?
        /// When the newest estimate was made; nil: there is none.
        public let newestEstimate: Timestamp?
        /// The end of the operator's timetable; nil: there is no timetable, or its end is not reported.
        public let timetableEndsAt: Timestamp?
        /// Why part of the last response is missing; nil: complete, or the last poll failed.
        public let partialFailure: FeedError?
        /// The next poll; nil: one is in flight or due.
        public let nextPoll: Timestamp?
    }

    public func report(at now: Instant) -> Report {
        let isAddressInView = isAddressInView(at: now)
        return Report(
            frame: render(at: now, isRemote: true).frame, moment: clock.timestamp(at: now), timeSource: clock.source,
            stopInView: isAddressInView ? nil : favouriteInView?.favourite.stop, page: page,
            isAddressInView: isAddressInView, light: light, isRotating: isRotating(at: now),
            screen: isAddressInView ? 0 : view.screen,
            screens: isAddressInView ? 1 : screenCount(at: now),
            overviewScreens: screenCount(ofRows: favourites.count, at: now),
            stops: favourites.map { report(on: $0, at: now) }, configurationFault: configurationFault)
    }

    func report(on favourite: FavouriteState, at now: Instant) -> StopReport {
        let rows = favourite.visible(at: clock.timestamp(at: now))
        let data = favourite.data
        return StopReport(
            favourite: favourite.favourite, stop: favourite.stop,
            title: Drawing(of: self, at: now).title(of: favourite), status: data.status,
            failureDetail: favourite.failure?.detail ?? "",
            failedAt: clock.timestamp(at: favourite.failure?.at ?? data.lastResponseAt),
            departures: rows.count, screens: screenCount(ofRows: self.rows(of: favourite, at: now).count, at: now),
            lastResponseAt: data.hasResponded ? clock.timestamp(at: data.lastResponseAt) : nil,
            newestEstimate: rows.map(\.departure.madeAt).max(), timetableEndsAt: data.timetableEndsAt,
            partialFailure: data.status.isResponding ? favourite.partialFailure : nil,
            nextPoll: plan.wait(of: favourite.favourite.stop, at: now).map { clock.timestamp(at: $0.until) })
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

extension Board {
    /// What the board holds about a stop, whatever the filters of its page.
    public struct HeldDepartures: Hashable, Sendable {
        public struct Entry: Hashable, Sendable {
            public let departure: Departure
            /// Whole minutes to go as the display counts them: 0 for "due"; nil: no time is known.
            public let minutes: Int?
            public let freshness: Freshness
            /// When the display begins to mark the estimate as stale; nil: there is no estimate.
            public let staleAt: Timestamp?
            /// Whether the stop's page on the display shows it, on any of its screens.
            public let isShown: Bool
            /// Whether a person who leaves now catches it; nil: no walking time is configured, or the departure has no
            /// time within a day.
            public let isCatchable: Bool?
        }

        public let report: StopReport
        public let moment: Timestamp
        /// The departures that have not expired, in the requested order.
        public let entries: [Entry]
        /// All alerts of the last response.
        public let alerts: [Alert]
        /// Whether the operator withholds departures.
        public let isWithheld: Bool
        /// The next departure, when the last response had none.
        public let next: NextDeparture?
        /// What the stop's page on the display says about it, in the display's language; nil: nothing.
        public let notice: String?
        /// The time between two polls; nil: the feed has no profile.
        public let interval: Duration?
    }

    /// Nil: the stop is not on the board now.
    public func departures(of stop: StopID, sorted order: SortOrder, at now: Instant) -> HeldDepartures? {
        guard let favourite = favourites.first(where: { $0.favourite.stop == stop }) else { return nil }
        let moment = clock.timestamp(at: now)
        let staleAfter = staleAfter(stop.feed)
        let rows = favourite.data.rows.filter { !$0.isExpired(at: moment) }
        let shown = Set(self.rows(of: favourite, at: now).joined())
        let entries = order.sorted(rows, by: \.departure).map { row in
            let freshness = row.departure.freshness(at: moment, staleAfter: staleAfter)
            return HeldDepartures.Entry(
                departure: row.departure, minutes: row.minutes(at: now, clock: clock), freshness: freshness,
                staleAt: freshness == .scheduled ? nil : row.departure.becomesStale(after: staleAfter),
                isShown: shown.contains(row),
                isCatchable: favourite.catchStatus(of: row.departure, at: moment).map { $0 != .missed })
        }
        let notice = notice(of: favourite, at: now).flatMap { Drawing(of: self, at: now).forms(of: $0).first }
        return HeldDepartures(
            report: report(on: favourite, at: now), moment: moment, entries: entries, alerts: favourite.data.alerts,
            isWithheld: favourite.data.isWithheld, next: favourite.data.next, notice: notice,
            interval: setup.profiles[stop.feed]?.interval)
    }
}

extension DepartureRow {
    /// Whole minutes to go, even beyond the hour in which the display shows them.
    fileprivate func minutes(at now: Instant, clock: CorrectedClock) -> Int? {
        switch remaining(at: now, clock: clock) {
        case .due: 0
        case .minutes(let count): count
        case .time(let time), .later(let time): Int((time - clock.timestamp(at: now)).wholeSeconds / 60)
        case .delayed, .cancelled: nil
        }
    }
}
