extension Board {
    /// What the board holds about a stop, whatever the filters of its page.
    public struct HeldDepartures: Hashable, Sendable {
        public struct Entry: Hashable, Sendable {
            public let departure: Departure
            /// Whole minutes to go as the display counts them: 0 for "due"; nil: no time is known.
            public let minutes: Int?
            public let freshness: Freshness
            /// From then on the display marks the estimate as stale; nil: there is no estimate.
            public let staleAt: Timestamp?
            /// Whether the stop's page on the display shows it, on any of its screens.
            public let isShown: Bool
            /// Whether a person who sets out now catches it; nil: no walking time is configured, or the departure has
            /// no time within a day.
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
        /// What the stop's page on the display states about it, in the display's language; nil: nothing.
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
    /// Whole minutes to go, also beyond the hour in which the display shows them.
    fileprivate func minutes(at now: Instant, clock: CorrectedClock) -> Int? {
        switch remaining(at: now, clock: clock) {
        case .due: 0
        case .minutes(let count): count
        case .time(let time), .later(let time): Int((time - clock.timestamp(at: now)).wholeSeconds / 60)
        case .delayed, .cancelled: nil
        }
    }
}
