internal import BoardCore

extension Departure {
    /// How long a delayed departure without an estimate stays after the last report: the longest back-off, so that a
    /// temporary failure removes no row.
    static let delayedGrace: Duration = .seconds(300)
}
