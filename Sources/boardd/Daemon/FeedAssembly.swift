internal import BoardCore
internal import BoardFeeds

/// Makes the feeds of a configuration over the transport that was asked for.
struct FeedAssembly: Sendable {
    /// Where answers come from.
    enum Source: Sendable {
        /// From the operators; every exchange is kept in a folder if one is given.
        case live(record: String?)
        /// From a folder of recorded exchanges, which become the present.
        case replay(String)
    }

    private let transport: any HTTPTransport
    private let replay: ReplayTransport?
    private let zones = ZoneDirectory()

    /// Opens the transport.
    ///
    /// - Throws: ``RecordingFailure`` when a recording cannot be read or written.
    init(
        source: Source, clock: any MachineClock, complain: @escaping @Sendable (RecordingFailure) -> Void = { _ in }
    ) throws(RecordingFailure) {
        switch source {
        case .live(let directory):
            let curl = CurlTransport(userAgent: Version.userAgent)
            replay = nil
            guard let directory else {
                transport = curl
                return
            }
            transport = try RecordingTransport(wrapping: curl, directory: directory, complain: complain)
        case .replay(let directory):
            let recorded = try ReplayTransport(directory: directory)
            replay = recorded
            transport = recorded
        }
    }

    /// The feeds of every operator.
    func feeds(_ settings: [FeedName: FeedSettings]) throws(FeedSettingFailure) -> [FeedName: any DepartureFeed] {
        var feeds: [FeedName: any DepartureFeed] = [:]
        for known in FeedRegistry.operators {
            let name = known.declaration.name
            let settings = settings[name] ?? FeedSettings(defaultsOf: known.declaration)
            let feed = try known.feed(settings, over: transport)
            feeds[name] = replay.map { ReplayedFeed(feed, from: $0) } ?? feed
        }
        return feeds
    }
}
