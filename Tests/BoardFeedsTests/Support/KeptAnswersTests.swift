import BoardCore
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("What operators tell once for several questions", .endsHangs)
struct KeptAnswersTests {
    /// An operator that answers when it is let, and counts what it is asked.
    private final class Operator: Sendable {
        private struct State {
            var asked = 0
            var isOpen: Bool
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Mutex<State>

        init(isOpen: Bool = true) {
            state = Mutex(State(isOpen: isOpen))
        }

        var asked: Int { state.withLock { $0.asked } }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for one in waiting { one.resume() }
        }

        /// The number of the question, or a failure: `cancelled` where whoever asks has to stop.
        func answer(_ failure: FeedFailure? = nil) async throws(FeedFailure) -> Int {
            let number = state.withLock { state in
                state.asked += 1
                return state.asked
            }
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
            if Task.isCancelled { throw FeedFailure(.cancelled, detail: "stopped", requests: 0) }
            if let failure { throw failure }
            return number
        }
    }

    private static let down = FeedFailure(.status(502), detail: "out of order")

    private let clock = ManualClock()

    private func kept(patience: Duration = .seconds(600)) -> KeptAnswers<Int> {
        KeptAnswers(life: .seconds(900), patience: patience, clock: clock)
    }

    @Test("an answer is believed for its life, and is as old as it is")
    func life() async {
        let (kept, one) = (kept(), Operator())
        let first = await kept.known("a") { () throws(FeedFailure) in try await one.answer() }
        #expect(first.value == 1 && first.age == .zero && first.cost == 1 && first.trouble == nil)
        clock.go(to: .seconds(899))
        let again = await kept.known("a") { () throws(FeedFailure) in try await one.answer() }
        #expect(again.value == 1 && again.age == .seconds(899) && again.cost == 0)
        #expect(kept.kept("a") == 1 && kept.kept("b") == nil)
        clock.go(to: .seconds(900))
        let newer = await kept.known("a") { () throws(FeedFailure) in try await one.answer() }
        #expect(newer.value == 2 && newer.age == .zero && newer.cost == 1)
    }

    @Test("a failure is repeated for as long as patience lasts, beside what was told before, which grows old")
    func failures() async {
        let (kept, one) = (kept(), Operator())
        _ = await kept.known("a") { () throws(FeedFailure) in try await one.answer() }
        clock.go(to: .seconds(1_000))
        let failed = await kept.known("a") { () throws(FeedFailure) in try await one.answer(Self.down) }
        #expect(failed.value == 1 && failed.trouble == Self.down && failed.age == .seconds(1_000) && failed.cost == 1)
        clock.go(to: .seconds(1_599))
        let again = await kept.known("a") { () throws(FeedFailure) in try await one.answer() }
        #expect(again.value == 1 && again.trouble == Self.down && again.age == .seconds(1_599) && again.cost == 0)
        clock.go(to: .seconds(1_600))
        #expect(await kept.known("a") { () throws(FeedFailure) in try await one.answer() }.value == 3)
    }

    @Test("without patience a failure is no answer to the next question")
    func impatient() async {
        let (kept, one) = (kept(patience: .zero), Operator())
        #expect(await kept.known("a") { () throws(FeedFailure) in try await one.answer(Self.down) }.value == nil)
        #expect(await kept.known("a") { () throws(FeedFailure) in try await one.answer() }.value == 2)
    }

    @Test("an answer without what is looked for is asked for again sooner")
    func insufficient() async {
        let (kept, one) = (kept(), Operator())
        for (at, expected) in [(0, 1), (599, 1), (600, 2)] {
            clock.go(to: .seconds(at))
            let known = await kept.known("a") {
                $0 > 5
            } ask: { () throws(FeedFailure) in
                try await one.answer()
            }
            #expect(known.value == expected && known.trouble == nil, "\(at)")
        }
    }

    @Test("who wants what is being asked for waits for that, and it costs and fails once", arguments: [nil, down])
    func together(failure: FeedFailure?) async {
        let (kept, one) = (kept(patience: .zero), Operator(isOpen: false))
        let arrivals = Operator()
        let all = await withTaskGroup(of: KeptAnswers<Int>.Known.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    _ = try? await arrivals.answer()
                    return await kept.known("a") { () throws(FeedFailure) in try await one.answer(failure) }
                }
            }
            _ = await eventually { arrivals.asked == 6 && one.asked > 0 }
            try? await Task.sleep(for: .milliseconds(50))
            // Of something else another question is asked at once.
            let other = Operator()
            #expect(await kept.known("b") { () throws(FeedFailure) in try await other.answer() }.value == 1)
            one.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(one.asked == 1)
        #expect(all.map(\.cost).sorted() == [0, 0, 0, 0, 0, 1])
        #expect(all.allSatisfy { $0.value == (failure == nil ? 1 : nil) && $0.trouble == failure && $0.age == .zero })
    }

    @Test("who has to stop waits no longer, and where it is who asked another one asks")
    func stopping() async {
        let (kept, one) = (kept(), Operator(isOpen: false))
        let ask = { @Sendable in await kept.known("a") { () throws(FeedFailure) in try await one.answer() } }
        let asking = Task { await ask() }
        _ = await eventually { one.asked == 1 }
        let leaving = Task { await ask() }
        let staying = Task { await ask() }
        try? await Task.sleep(for: .milliseconds(50))
        leaving.cancel()
        #expect(await leaving.value.trouble?.kind == .cancelled)
        #expect(one.asked == 1)
        asking.cancel()
        one.open()
        #expect(await asking.value.trouble?.kind == .cancelled)
        let known = await staying.value
        #expect(known.value == 2 && known.trouble == nil && known.cost == 1 && one.asked == 2)
    }
}
