internal import BoardCore

extension StopCatalogue {
    /// Passes on the stops of a list that is one page.
    ///
    /// - Throws: ``FeedFailure`` of kind `cancelled` if `take` threw.
    static func emit(
        _ stops: [ListedStop], from source: some CustomStringConvertible, to take: StopReceiver
    ) throws(FeedFailure) {
        do {
            for stop in stops { try take(stop) }
        } catch {
            throw FeedFailure(.cancelled, detail: "\(source): reading stopped: \(error)")
        }
    }
}
