import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

/// Feeds as the daemon makes them, with the test's own dependencies.
enum Feeds {
    /// London's current rule, so that no test needs the machine's zone files.
    static func london(_ name: String) throws(FeedSettingError) -> Zone {
        guard name == "Europe/London", let zone = try? Zone(posix: "GMT0BST,M3.5.0/1,M10.5.0") else {
            throw FeedSettingError(setting: "zone", detail: "no time zone \"\(name)\": apt install tzdata")
        }
        return zone
    }

    /// The context of a TfL feed.
    static func context(
        _ settings: FeedSettings = FeedSettings(defaultsOf: TfLFeed.declaration), over transport: any HTTPTransport,
        clock: any MachineClock = VirtualClock()
    ) -> FeedContext {
        FeedContext(settings: settings, transport: transport, clock: clock) { name throws(FeedSettingError) in
            try london(name)
        }
    }

    /// TfL's feed on a recording, as the registry makes it.
    static func replayed(_ folder: String, _ clock: VirtualClock) throws -> any DepartureFeed {
        let replay = try ReplayTransport(directory: folder, clock: clock)
        let feedOperator = try #require(FeedRegistry.feedOperator(TfLFeed.name))
        return try feedOperator.feed(context(over: replay, clock: clock), replaying: replay)
    }
}

extension DepartureFeed {
    /// The departures, with the number of requests, as of a feed of the registry.
    func counted(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        try await RequestCount.counting { () throws(FeedError) in try await departures(request) }
    }

    /// The failure of a request; nil if it succeeds.
    func failure(of request: FeedRequest) async -> FeedError? {
        do throws(FeedError) {
            _ = try await counted(request)
            return nil
        } catch {
            return error
        }
    }
}
