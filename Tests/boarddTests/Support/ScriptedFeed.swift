import BoardCore
import Synchronization

@testable import boardd

/// An operator that answers as a test tells it to.
final class ScriptedFeed: DepartureFeed {
    typealias Script = @Sendable (FeedRequest) async throws(FeedFailure) -> FeedResponse

    static let name = FeedName("demo")
    static let profile: FeedProfile = FeedProfile(
        name: name, title: "Demo", attribution: "Powered by Demo", staleAfter: .seconds(180), suffixes: [],
        interval: .seconds(30), quota: FeedProfile.Quota(requests: 500, per: .seconds(60)))

    let profile: FeedProfile = ScriptedFeed.profile
    typealias RunScript = @Sendable (Departure) async throws(FeedFailure) -> BoardCore.TripDetails?

    private let script: Script
    private let run: RunScript
    private let log = Mutex<[FeedRequest]>([])
    private let runLog = Mutex<[Departure]>([])

    init(run: @escaping RunScript = { _ throws(FeedFailure) in nil }, _ script: @escaping Script) {
        self.script = script
        self.run = run
    }

    /// Of which runs it was asked so far.
    var followed: [Departure] { runLog.withLock { $0 } }

    /// What it was asked so far.
    var asked: [FeedRequest] { log.withLock { $0 } }

    func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        log.withLock { $0.append(question) }
        return try await script(question)
    }

    func tripDetails(of departure: Departure) async throws(FeedFailure) -> BoardCore.TripDetails? {
        runLog.withLock { $0.append(departure) }
        return try await run(departure)
    }

    func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        try await departures(FeedRequest(stop: stop)).departures.map(\.line)
    }

    /// One bus of each line to each place, all due in some minutes by this machine's clock.
    static func answer(_ stop: StopID, _ buses: [(line: String, to: String, minutes: Int64)]) -> FeedResponse {
        let now = SystemClock().reading().wall
        return FeedResponse(
            stop: Stop(id: stop, name: "Oxford Street"),
            departures: buses.map { bus in
                // Half a minute more, so that the number does not change while a test looks.
                let time = now + .seconds(bus.minutes * 60 + 30)
                return Departure(
                    stop: stop, line: Line(id: bus.line, name: bus.line), destination: bus.to,
                    status: .expected(time), madeAt: now, expiresAt: time + .seconds(30))
            })
    }

    /// An operator that accepts a question and never answers it; it ends with its task.
    static func silent() -> ScriptedFeed {
        ScriptedFeed { _ throws(FeedFailure) in
            try? await Task.sleep(for: .seconds(3_600))
            throw FeedFailure(.cancelled, detail: "abandoned")
        }
    }
}
