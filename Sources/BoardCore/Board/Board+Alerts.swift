extension Board {
    /// So many questions in a row must have gone without an answer before nothing is believed any more that has no end of
    /// its own.
    private static let missedResponses = 2

    /// Until when an answer is believed where it does not say so itself, as departures do: of alerts, and of there being no
    /// departures. Quiet hours and a slow feed cost nothing of it.
    func responseExpires(_ favourite: FavouriteState) -> Instant {
        let interval = setup.profiles[favourite.favourite.stop.feed]?.interval ?? .zero
        return favourite.lastResponseAt + max(interval, PollPlan.quietInterval) * Self.missedResponses
    }

    /// The alerts of a favourite that hold now, the gravest first. Operators tell of most no end: they are over when they are
    /// told no more, and an operator that tells nothing does not tell them either.
    func alerts(of favourite: FavouriteState, at now: Instant) -> [Alert] {
        now < responseExpires(favourite) ? favourite.alerts(at: clock.timestamp(at: now)) : []
    }
}
