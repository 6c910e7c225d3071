extension FavouriteState {
    /// The alerts that are active at `moment`, most severe first.
    func alerts(at moment: Timestamp) -> [Alert] {
        data.alerts.filter { $0.isActive(at: moment) }.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }
        .map(\.element)
    }
}

extension Board {
    /// The number of consecutive missed responses after which data without an end of its own expires.
    private static let missedResponses = 2

    /// When the last response expires for data without an expiry of its own: alerts, and the absence of departures. At
    /// least two quiet intervals, so that neither quiet hours nor a slow feed shorten it.
    func responseExpires(_ favourite: FavouriteState) -> Instant {
        let interval = setup.profiles[favourite.favourite.stop.feed]?.interval ?? .zero
        return favourite.data.lastResponseAt + max(interval, PollPlan.quietInterval) * Self.missedResponses
    }

    /// The active alerts of a favourite, most severe first. Most alerts have no end: they are over when a response
    /// lacks them, and expire with the response when the operator stops responding.
    func alerts(of favourite: FavouriteState, at now: Instant) -> [Alert] {
        now < responseExpires(favourite) ? favourite.alerts(at: clock.timestamp(at: now)) : []
    }
}
