import BoardCore
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("The poll service, asked about a run or about something else of a stop", .endsHangs)
struct PollServiceDetailsTests {
    private let stop = StopID(feed: ScriptedFeed.name, code: "1")
    private let captured = CapturedLog()
    private let heard = Heard()

    /// What the board was told, as words.
    private final class Heard: Sendable {
        private let all = Mutex<[String]>([])

        var words: [String] { all.withLock { $0 } }

        func add(_ event: Board.Event) {
            let word: String? =
                switch event {
                case .polled(let answer): "answered \(answer.departures.first?.destination ?? "")"
                case .failed(_, let failure): "failed \(failure.kind)"
                case .detailsFetched(let departure, _): "followed \(departure.destination)"
                case .detailsFailed(let departure, let failure):
                    "not followed \(departure.destination): \(failure.kind)"
                default: nil
                }
            all.withLock { $0 += word.map { [$0] } ?? [] }
        }
    }

    private func service(_ feed: ScriptedFeed) -> PollService {
        PollService(feeds: [ScriptedFeed.name: feed], clock: SystemClock(), log: captured.rateLimited()) { [heard] in
            heard.add($0)
        }
    }

    private func departure(_ destination: String) -> Departure {
        Departure(
            stop: stop, line: Line(id: "1", name: "1"), destination: destination, status: .delayed,
            madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 60))
    }

    /// An operator of which runs hang until they are abandoned.
    private static func hanging(_ kind: FeedFailure.Kind = .keyRejected) -> ScriptedFeed {
        ScriptedFeed(
            run: { _ throws(FeedFailure) in
                try? await Task.sleep(for: .seconds(3_600))
                throw FeedFailure(kind, detail: "the old key")
            }, { ScriptedFeed.answer($0.stop, []) })
    }

    @Test("a run that old feeds were asked about is asked of new ones, and what the old say is not believed")
    func replaced() async throws {
        let old = Self.hanging()
        let polls = service(old)
        polls.fetchDetails(departure("Oxford"))
        #expect(await eventually { old.followed.count == 1 })
        let new = ScriptedFeed { ScriptedFeed.answer($0.stop, []) }
        polls.replace([ScriptedFeed.name: new])
        #expect(await eventually { heard.words == ["followed Oxford"] })
        #expect(new.followed.count == 1)
        #expect(captured.lines.isEmpty)
    }

    @Test("another run takes the place of the one that was looked at")
    func another() async throws {
        let feed = ScriptedFeed(
            run: { departure throws(FeedFailure) in
                if departure.destination == "Oxford" { try? await Task.sleep(for: .seconds(3_600)) }
                return nil
            }, { ScriptedFeed.answer($0.stop, []) })
        let polls = service(feed)
        polls.fetchDetails(departure("Oxford"))
        polls.fetchDetails(departure("Oxford"))
        polls.fetchDetails(departure("Exeter"))
        #expect(await eventually { heard.words == ["followed Exeter"] })
        #expect(feed.followed.count { $0.destination == "Exeter" } == 1)
        #expect(feed.followed.count { $0.destination == "Oxford" } <= 1)
    }

    @Test("when it ends, a run that hangs is abandoned and none is asked about")
    func ended() async throws {
        let feed = Self.hanging(.cancelled)
        let polls = service(feed)
        let running = Task { try await polls.run() }
        polls.fetchDetails(departure("Oxford"))
        #expect(await eventually { feed.followed.count == 1 })
        running.cancel()
        try await running.value
        #expect(await eventually { heard.words == ["not followed Oxford: cancelled"] })
        polls.fetchDetails(departure("Exeter"))
        #expect(feed.followed.count == 1)
    }

    @Test("another question about a stop takes the place of the one that is under way, whose answer is not believed")
    func anotherWish() async throws {
        let feed = ScriptedFeed { question throws(FeedFailure) in
            if question.towards == "PAD" { try? await Task.sleep(for: .seconds(3_600)) }
            return ScriptedFeed.answer(question.stop, [("1", question.towards ?? "", 5)])
        }
        let polls = service(feed)
        polls.poll(FeedRequest(stop: stop, towards: "PAD"))
        #expect(await eventually { feed.asked.count == 1 })
        polls.poll(FeedRequest(stop: stop, towards: "RDG"))
        #expect(await eventually { heard.words == ["answered RDG"] })
        polls.poll(FeedRequest(stop: stop, towards: "RDG"))
        #expect(await eventually { heard.words.count == 2 })
        #expect(heard.words.last == "answered RDG")
    }

    @Test("a refused run is told to the board each time, and said in the log once, and once when it is mended")
    func refused() async throws {
        let isMended = Mutex(false)
        let feed = ScriptedFeed(
            run: { _ throws(FeedFailure) in
                if isMended.withLock({ $0 }) { return nil }
                throw FeedFailure(.keyRejected, detail: "the details' key is refused")
            }, { ScriptedFeed.answer($0.stop, []) })
        let polls = service(feed)
        for count in 1...2 {
            polls.fetchDetails(departure("Oxford"))
            #expect(await eventually { heard.words.count { $0.hasPrefix("not") } == count })
            // The departures come with another key: they say nothing of this one.
            polls.poll(FeedRequest(stop: stop))
            #expect(await eventually { heard.words.count { $0.hasPrefix("answered") } == count })
        }
        #expect(heard.words.count { $0 == "not followed Oxford: keyRejected" } == 2)
        isMended.withLock { $0 = true }
        polls.fetchDetails(departure("Oxford"))
        #expect(await eventually { heard.words.last == "followed Oxford" })
        #expect(
            captured.lines == [
                "warning: Demo: the details' key is refused. Detail pages show no calling points until this is fixed.",
                "notice: Demo: calling points available again",
            ])
    }
}
