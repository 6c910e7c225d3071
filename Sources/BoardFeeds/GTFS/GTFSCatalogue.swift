public import BoardCore
internal import BoardFormats
internal import BoardIO

/// All stops and lines of a GTFS timetable; ``GTFSFeed`` reads only what favourites need.
public struct GTFSCatalogue: StopCatalogue {
    private let name: FeedName
    private let title: String
    private let timetableStore: TimetableStore
    private let names: NameChoice
    private let zone: FeedContext.ZoneSource

    /// - Parameter context: with the settings of ``GTFSFeed/family``.
    /// - Throws: ``FeedSettingFailure`` as for the feed.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let configuration = try GTFSConfiguration(name, context)
        self.name = name
        title = configuration.title
        timetableStore = configuration.timetableStore(context)
        names = configuration.names
        zone = context.zone
    }

    public var isOneFile: Bool { true }

    /// Downloads the archive if the operator has another one, and passes its stops to `take`. Only page 1 has stops.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let (path, name, names, zone) = (try await timetableStore.downloadedNewest(), name, names, zone)
        return try await reading { () throws(TableFailure) in
            let archive = try GTFSArchive(path: path, names: names)
            // Stops of a timetable without usable departures would be misleading.
            try TimetableReader.check(archive, zone: zone)
            return try GTFSListing(archive, feed: name).stops(take)
        }
    }

    /// The stops of a route in each direction: one pass over the stored archive, without a request.
    ///
    /// - Parameter line: `route_id`, or the name of a route; the first of several with that name.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? {
        let (path, name, names) = (try await timetableStore.storedOrDownloaded(), name, names)
        return try await reading { () throws(TableFailure) in
            try GTFSListing(GTFSArchive(path: path, names: names), feed: name).route(of: line)
        }
    }

    /// Runs `body` on a dedicated thread, since reading an archive blocks.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TableFailure) -> Value
    ) async throws(FeedFailure) -> Value {
        try await DedicatedThread.run("stops", "\(title): reading stops", body) { failure in
            FeedFailure(
                failure.kind == .cancelled ? .cancelled : failure.kind == .noZone ? .noZone : .unreadable,
                detail: "\(title): reading stops failed: \(failure)")
        }
    }
}
