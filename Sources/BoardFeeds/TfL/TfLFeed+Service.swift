public import BoardCore

extension TfLFeed {
    /// Nothing: what is known of the run is in the departure.
    public func service(of departure: Departure) async throws(FeedFailure) -> Service? {
        nil
    }
}
