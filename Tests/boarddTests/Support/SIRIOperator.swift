import BoardCore
import BoardFeeds
import Testing

/// A fictitious operator of SIRI with one response.
struct SIRIOperator {
    static let name = FeedName("siri.vale")
    static let stop = StopID(feed: name, code: "S1")

    /// The feed, with one response to every request; its stops are in this zone.
    static func feed(status: Int = 200, _ body: [UInt8], zone: Zone = .utc) throws -> SIRIFeed {
        var settings = FeedSettings(defaultsOf: try #require(SIRIFeed.family.member(name)))
        settings.set("title", to: .text("Vale"))
        settings.set("url", to: .text("https://vale.example/sm"))
        settings.set("zone", to: .text("here"))
        return try SIRIFeed(
            name,
            FeedContext(settings: settings, transport: FixedResponse(status: status, body: body), clock: NoClock()) {
                _ in
                zone
            })
    }
}
