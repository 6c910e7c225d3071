import BoardCore
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("The poll service: trip details, and changed requests of a stop", .endsHangs)
struct PollServiceDetailsTests {
    private let stop = StopID(feed: ScriptedFeed.name, code: "1")
    private let captured = CapturedLog()
    private let recorder = EventRecorder()

    /// The events reported to the board, as words.
    private final class EventRecorder: Sendable {
        private let all = Mutex<[String]>([])

        var words: [String] { all.withLock { $0 } }

        func add(_ event: Board.Event) {
            let word: String? =
                switch event {
                case .polled(let response): "polled \(response.departures.first?.destination ?? "")"
                case .failed(_, let failure): "failed \(failure.kind)"
                case .detailsFetched(let departure, _): "fetched \(departure.destination)"
                case .detailsFailed(let departure, let failure):
                    "not fetched \(departure.destination): \(failure.kind)"
                default: nil
                }
            all.withLock { $0 += word.map { [$0] } ?? [] }
        }
    }

    private func service(_ feed: ScriptedFeed) -> PollService {
        PollService(feeds: [ScriptedFeed.name: feed], log: captured.rateLimited()) { [recorder] in
            recorder.add($0)
        }
    }

    private func departure(_ destination: String) -> Departure {
        Departure(
            stop: stop, line: Line(id: "1", name: "1"), destination: destination, status: .delayed,
            madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 60))
    }

    /// An operator whose trip details hang until they are cancelled.
    private static func hanging(_ kind: FeedError.Kind = .keyRejected) -> ScriptedFeed {
        ScriptedFeed(
            details: { _ throws(FeedError) in
                await untilCancelled()
                throw FeedError(kind, detail: "the old key")
            }, { ScriptedFeed.response($0.stop, []) })
    }

    @Test("trip details in flight are requested again from new feeds, and results of the old ones are ignored")
    func replaced() async throws {
        let old = Self.hanging()
        let polls = service(old)
        let running = Task { try await polls.run() }
        defer { running.cancel() }
        polls.fetchDetails(departure("Oxford"))
        #expect(await eventually { old.detailRequests.count == 1 })
        let new = ScriptedFeed { ScriptedFeed.response($0.stop, []) }
        polls.replace([ScriptedFeed.name: new])
        #expect(await eventually { recorder.words == ["fetched Oxford"] })
        #expect(new.detailRequests.count == 1)
        #expect(captured.lines.isEmpty)
    }

    @Test("details of another trip replace those in flight")
    func another() async throws {
        let feed = ScriptedFeed(
            details: { departure throws(FeedError) in
                if departure.destination == "Oxford" { await untilCancelled() }
                return nil
            }, { ScriptedFeed.response($0.stop, []) })
        let polls = service(feed)
        let running = Task { try await polls.run() }
        defer { running.cancel() }
        polls.fetchDetails(departure("Oxford"))
        polls.fetchDetails(departure("Oxford"))
        polls.fetchDetails(departure("Exeter"))
        #expect(await eventually { recorder.words == ["fetched Exeter"] })
        #expect(feed.detailRequests.count { $0.destination == "Exeter" } == 1)
        #expect(feed.detailRequests.count { $0.destination == "Oxford" } <= 1)
    }

    @Test("when it ends, details in flight are cancelled and none are requested")
    func ended() async throws {
        let feed = Self.hanging(.cancelled)
        let polls = service(feed)
        let running = Task { try await polls.run() }
        polls.fetchDetails(departure("Oxford"))
        #expect(await eventually { feed.detailRequests.count == 1 })
        running.cancel()
        try await running.value
        #expect(await eventually { recorder.words == ["not fetched Oxford: cancelled"] })
        polls.fetchDetails(departure("Exeter"))
        #expect(feed.detailRequests.count == 1)
    }

    @Test("another request of a stop replaces the one in flight, whose response is ignored")
    func changedRequest() async throws {
        let feed = ScriptedFeed { request throws(FeedError) in
            if request.towards == ["PAD"] { await untilCancelled() }
            return ScriptedFeed.response(request.stop, [("1", request.towards.first ?? "", 5)])
        }
        let polls = service(feed)
        let running = Task { try await polls.run() }
        defer { running.cancel() }
        polls.poll(FeedRequest(stop: stop, towards: ["PAD"]))
        #expect(await eventually { feed.requests.count == 1 })
        polls.poll(FeedRequest(stop: stop, towards: ["RDG"]))
        #expect(await eventually { recorder.words == ["polled RDG"] })
        polls.poll(FeedRequest(stop: stop, towards: ["RDG"]))
        #expect(await eventually { recorder.words.count == 2 })
        #expect(recorder.words.last == "polled RDG")
    }

    @Test("failed trip details are reported to the board each time, and logged once, and once when they are fixed")
    func rejected() async throws {
        let isFixed = Mutex(false)
        let feed = ScriptedFeed(
            details: { _ throws(FeedError) in
                if isFixed.withLock({ $0 }) { return nil }
                throw FeedError(.keyRejected, detail: "the details' key is rejected")
            }, { ScriptedFeed.response($0.stop, []) })
        let polls = service(feed)
        let running = Task { try await polls.run() }
        defer { running.cancel() }
        for count in 1...2 {
            polls.fetchDetails(departure("Oxford"))
            #expect(await eventually { recorder.words.count { $0.hasPrefix("not") } == count })
            // Departures use another key, and do not resolve this fault.
            polls.poll(FeedRequest(stop: stop))
            #expect(await eventually { recorder.words.count { $0.hasPrefix("polled") } == count })
        }
        #expect(recorder.words.count { $0 == "not fetched Oxford: keyRejected" } == 2)
        isFixed.withLock { $0 = true }
        polls.fetchDetails(departure("Oxford"))
        #expect(await eventually { recorder.words.last == "fetched Oxford" })
        #expect(
            captured.lines == [
                "warning: Demo: the details' key is rejected. Detail pages show no calling points until this is fixed.",
                "notice: Demo: calling points available again",
            ])
    }
}
