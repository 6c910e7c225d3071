import BoardCore
import BoardIO
import Synchronization
import Waiting

@testable import boardd

/// An operator with scripted responses.
final class ScriptedFeed: DepartureFeed {
    typealias Script = @Sendable (FeedRequest) async throws(FeedError) -> FeedResponse

    static let name = FeedName("demo")
    static let profile: FeedProfile = FeedProfile(
        name: name, title: "Demo", attribution: "Powered by Demo", suffixes: [],
        interval: .seconds(30), quota: FeedProfile.Quota(requests: 500, per: .seconds(60)))

    let profile: FeedProfile = ScriptedFeed.profile
    typealias DetailsScript = @Sendable (Departure) async throws(FeedError) -> BoardCore.TripDetails?

    private let script: Script
    private let details: DetailsScript
    private let log = Mutex<[FeedRequest]>([])
    private let detailsLog = Mutex<[Departure]>([])

    init(details: @escaping DetailsScript = { _ throws(FeedError) in nil }, _ script: @escaping Script) {
        self.script = script
        self.details = details
    }

    /// The departures whose details were requested so far.
    var detailRequests: [Departure] { detailsLog.withLock { $0 } }

    /// The requests so far.
    var requests: [FeedRequest] { log.withLock { $0 } }

    func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        log.withLock { $0.append(request) }
        return try await script(request)
    }

    func tripDetails(of departure: Departure) async throws(FeedError) -> BoardCore.TripDetails? {
        detailsLog.withLock { $0.append(departure) }
        return try await details(departure)
    }

    func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        StopCheck(lines: try await departures(FeedRequest(stop: stop)).departures.map(\.line))
    }

    /// One bus of each line to each place, due in some minutes by this machine's clock.
    static func response(_ stop: StopID, _ buses: [(line: String, to: String, minutes: Int64)]) -> FeedResponse {
        let now = SystemClock().reading().wall
        return FeedResponse(
            stop: Stop(id: stop, name: "Oxford Street"),
            departures: buses.map { bus in
                // Half a minute more, so that the number does not change during a test.
                let time = now + .seconds(bus.minutes * 60 + 30)
                return Departure(
                    stop: stop, line: Line(id: bus.line, name: bus.line), destination: bus.to,
                    status: .expected(time), madeAt: now, expiresAt: time + .seconds(30))
            })
    }

    /// An operator that accepts a request and never responds; it ends with its task.
    static func unresponsive() -> ScriptedFeed {
        ScriptedFeed { _ throws(FeedError) in
            await untilCancelled()
            throw FeedError(.cancelled, detail: "abandoned")
        }
    }
}
