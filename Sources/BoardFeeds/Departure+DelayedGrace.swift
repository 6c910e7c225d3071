internal import BoardCore

extension Departure {
    /// How long one that is late without an estimate is shown after it was last told of: the longest back-off, so that
    /// a failure in passing costs no row.
    static let delayedGrace: Duration = .seconds(300)
}
