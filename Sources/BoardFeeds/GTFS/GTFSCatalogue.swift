public import BoardCore
internal import BoardThreads

/// A city's stops and lines, from its timetable: the whole of it, while the feed reads only what favourites need.
public struct GTFSCatalogue: StopCatalogue {
    private let name: FeedName
    private let title: String
    private let timetableStore: TimetableStore
    private let zone: FeedContext.ZoneSource

    /// A catalogue of what it is given; the settings are those of the city's feed.
    ///
    /// - Throws: ``FeedSettingFailure`` as for the feed.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let configuration = try GTFSConfiguration(name, context)
        self.name = name
        title = configuration.title
        timetableStore = configuration.timetableStore(context)
        zone = context.zone
    }

    /// It is the city's archive.
    public var isOneFile: Bool { true }

    /// Takes the archive if the operator has another one, and hands over its stops: one page, nothing on the others.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let (path, name, zone) = (try await timetableStore.downloadedNewest(), name, zone)
        return try await reading { () throws(GTFSFailure) in
            let archive = try GTFSArchive(path: path)
            // Stops of a timetable without usable departures would mislead people.
            try TimetableReader.check(archive, zone: zone)
            return try GTFSListing(archive, feed: name).stops(take)
        }
    }

    /// Reads where a line runs: one pass over the kept archive, without asking anybody.
    ///
    /// - Parameter line: `route_id`, or the name of a route; of namesakes the first.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? {
        let (path, name) = (try await timetableStore.storedOrDownloaded(), name)
        return try await reading { () throws(GTFSFailure) in
            try GTFSListing(GTFSArchive(path: path), feed: name).route(of: line)
        }
    }

    /// Reads the archive on a thread of its own, since that blocks.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable () throws(GTFSFailure) -> Value
    ) async throws(FeedFailure) -> Value {
        let result: Result<Value, GTFSFailure>
        do {
            result = try await DedicatedThread.run("stops") { Result { () throws(GTFSFailure) in try body() } }
        } catch {
            throw FeedFailure(.cancelled, detail: "the stops of \(title) are not read: \(error)", requests: 0)
        }
        do throws(GTFSFailure) {
            return try result.get()
        } catch {
            throw FeedFailure(
                error.kind == .cancelled ? .cancelled : .unreadable, detail: "the stops of \(title): \(error)",
                requests: 0)
        }
    }
}
