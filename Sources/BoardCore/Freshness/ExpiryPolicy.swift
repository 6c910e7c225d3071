/// How long the departures of a feed are shown: the numbers that a feed declares instead of deciding by itself.
public struct ExpiryPolicy: Hashable, Sendable {
    /// The age of an estimate from which on it is stale: six polls at 30 s.
    public let staleAfter: Duration
    /// From the expected time of a live departure to its expiry: the time to close the doors, and a rounded minute.
    public let liveGrace: Duration
    /// From the time of a scheduled or cancelled departure to its expiry: no report shows whether it has left.
    public let scheduledGrace: Duration
    /// From the last report of a vehicle at the stop to its expiry, although its time has passed.
    public let atStopGrace: Duration
    /// From the last report of a delayed departure without an estimate to its expiry: the longest back-off, so that a
    /// temporary failure removes no row.
    public let delayedGrace: Duration
    /// From the last call of a trip, or the last report of it, to the expiry of its details.
    public let detailsGrace: Duration

    public init(
        staleAfter: Duration = .seconds(180), liveGrace: Duration = .seconds(30),
        scheduledGrace: Duration = .seconds(60), atStopGrace: Duration = .seconds(60),
        delayedGrace: Duration = .seconds(300), detailsGrace: Duration = .seconds(120)
    ) {
        self.staleAfter = staleAfter
        self.liveGrace = liveGrace
        self.scheduledGrace = scheduledGrace
        self.atStopGrace = atStopGrace
        self.delayedGrace = delayedGrace
        self.detailsGrace = detailsGrace
    }
}
