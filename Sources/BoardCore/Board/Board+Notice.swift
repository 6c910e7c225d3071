extension Board {
    /// Within this time the next departure is shown by its time of day alone: less than a night and a morning.
    static let timeAloneWithin = Duration.seconds(22 * 3_600)

    /// The notice with the highest priority on the page in view; nil when there is none.
    func notice(at now: Instant) -> Notice? {
        let inView = favouriteInView.map { [$0] } ?? favourites
        var notices = inView.compactMap { notice(of: $0, at: now) }
        if inView.count > 1, notices.count < inView.count || Set(notices).count > 1 {
            // On the overview a favourite without departures needs no notice: its row shows it.
            notices.removeAll { !$0.accompaniesRows }
        }
        if let place = configurationFault { notices.append(.faultyConfiguration(place)) }
        if let fleetFault { notices.append(.fleet(fleetFault)) }
        if favourites.isEmpty { notices.append(.noFavourites) }
        return notices.min { $0.order < $1.order }
    }

    func title(of feed: FeedName) -> String {
        setup.profiles[feed]?.shortTitle ?? feed.description
    }

    /// The notice about one favourite.
    func notice(of favourite: FavouriteState, at now: Instant) -> Notice? {
        let title = title(of: favourite.favourite.stop.feed)
        let moment = clock.timestamp(at: now)
        let hasRows = favourite.hasVisible(at: moment)
        switch favourite.data.status {
        case .loading:
            return .loading
        case .frozen(let since):
            return .frozen(title, since: since)
        case .live:
            if let kind = favourite.rejection,
                let rejected = notice(
                    of: kind, title: title, isRepeated: true, hasRows: hasRows, since: favourite.data.lastResponseAt)
            {
                return rejected
            }
            // Also beside the buses of a station whose trains are withheld.
            if favourite.data.isWithheld, now < responseExpires(favourite) { return .withheld(title) }
            if hasRows { return nil }
            // After a restart the stored response has expired and there is no newer one.
            guard now < responseExpires(favourite) else { return .loading }
            if favourite.hasMissed(at: moment) { return .nothingToCatch }
            if let next = favourite.data.next, next.time > moment {
                return next.time - moment < Self.timeAloneWithin
                    ? .next(next, from: favourite.stop) : .notBefore(next.time, from: favourite.stop)
            }
            if let end = favourite.data.timetableEndsAt, end <= moment {
                return .timetableEnded(title, end, at: favourite.stop)
            }
            return .nothingPredicted
        case .failing(let kind, let count):
            return notice(
                of: kind, title: title, isRepeated: count > 1, hasRows: hasRows, since: favourite.data.lastResponseAt)
        }
    }

    private func notice(
        of kind: FeedFailure.Kind, title: String, isRepeated: Bool, hasRows: Bool, since: Instant
    ) -> Notice? {
        let since = clock.timestamp(at: since)
        switch kind {
        case .keyRejected: return .keyRejected(title)
        case .keyMissing: return .keyMissing(title)
        case .unknownStop: return .unknownStop(title)
        case .cancelled: return hasRows ? nil : .loading
        // A single failure shows in the refresh bar; it needs no notice while there are rows.
        case _ where hasRows && !isRepeated: return nil
        case .noNetwork: return .noNetwork(since: since)
        case .certificateDate where clock.source != .kernel: return .waitingForTime
        case .certificateDate, .certificate: return .failing(title, .certificate, since: since)
        // Stops with different waits have one notice.
        case .rateLimited: return .failing(title, .rateLimited(retryAfter: nil), since: since)
        case .timedOut, .status, .unreadable, .noZone: return .failing(title, kind, since: since)
        }
    }
}
