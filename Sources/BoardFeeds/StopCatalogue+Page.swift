internal import BoardCore
internal import BoardIO

extension StopCatalogue {
    /// Passes on the stops of a page, on a thread of its own: `take` may write to a disk.
    ///
    /// - Throws: ``FeedFailure`` of kind `cancelled` if `take` threw.
    static func emit(
        _ stops: [ListedStop], from source: some CustomStringConvertible, to take: @escaping StopReceiver
    ) async throws(FeedFailure) {
        try await DedicatedThread.run("stops", "\(source): reading stops") {
            for stop in stops { try take(stop) }
        } failure: { error in
            FeedFailure(.cancelled, detail: "\(source): reading stopped: \(error)")
        }
    }
}
