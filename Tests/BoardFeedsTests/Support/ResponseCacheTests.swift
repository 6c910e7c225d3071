import BoardCore
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("What operators tell once for several questions", .endsHangs)
struct ResponseCacheTests {
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

    private func makeCache(backOff: Duration = .seconds(600)) -> ResponseCache<Int> {
        ResponseCache(ttl: .seconds(900), backOff: backOff, clock: clock)
    }

    @Test("an answer is believed for its life, and is as old as it is")
    func ttl() async {
        let (cache, one) = (makeCache(), Operator())
        let first = await cache.value("a") { () throws(FeedFailure) in try await one.answer() }
        #expect(first.value == 1 && first.age == .zero && first.requests == 1 && first.failure == nil)
        clock.go(to: .seconds(899))
        let again = await cache.value("a") { () throws(FeedFailure) in try await one.answer() }
        #expect(again.value == 1 && again.age == .seconds(899) && again.requests == 0)
        #expect(cache.cached("a") == 1 && cache.cached("b") == nil)
        clock.go(to: .seconds(900))
        let newer = await cache.value("a") { () throws(FeedFailure) in try await one.answer() }
        #expect(newer.value == 2 && newer.age == .zero && newer.requests == 1)
    }

    @Test("a failure is repeated for as long as patience lasts, beside what was told before, which grows old")
    func failures() async {
        let (cache, one) = (makeCache(), Operator())
        _ = await cache.value("a") { () throws(FeedFailure) in try await one.answer() }
        clock.go(to: .seconds(1_000))
        let failed = await cache.value("a") { () throws(FeedFailure) in try await one.answer(Self.down) }
        #expect(
            failed.value == 1 && failed.failure == Self.down && failed.age == .seconds(1_000) && failed.requests == 1)
        clock.go(to: .seconds(1_599))
        let again = await cache.value("a") { () throws(FeedFailure) in try await one.answer() }
        #expect(again.value == 1 && again.failure == Self.down && again.age == .seconds(1_599) && again.requests == 0)
        clock.go(to: .seconds(1_600))
        #expect(await cache.value("a") { () throws(FeedFailure) in try await one.answer() }.value == 3)
    }

    @Test("without patience a failure is no answer to the next question")
    func impatient() async {
        let (cache, one) = (makeCache(backOff: .zero), Operator())
        #expect(await cache.value("a") { () throws(FeedFailure) in try await one.answer(Self.down) }.value == nil)
        #expect(await cache.value("a") { () throws(FeedFailure) in try await one.answer() }.value == 2)
    }

    @Test("an answer without what is looked for is asked for again sooner")
    func insufficient() async {
        let (cache, one) = (makeCache(), Operator())
        for (at, expected) in [(0, 1), (599, 1), (600, 2)] {
            clock.go(to: .seconds(at))
            let known = await cache.value("a") {
                $0 > 5
            } fetch: { () throws(FeedFailure) in
                try await one.answer()
            }
            #expect(known.value == expected && known.failure == nil, "\(at)")
        }
    }

    @Test("who wants what is being asked for waits for that, and it costs and fails once", arguments: [nil, down])
    func together(failure: FeedFailure?) async {
        let (cache, one) = (makeCache(backOff: .zero), Operator(isOpen: false))
        let arrivals = Operator()
        let all = await withTaskGroup(of: ResponseCache<Int>.Lookup.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    _ = try? await arrivals.answer()
                    return await cache.value("a") { () throws(FeedFailure) in try await one.answer(failure) }
                }
            }
            _ = await eventually { arrivals.asked == 6 && one.asked > 0 }
            try? await Task.sleep(for: .milliseconds(50))
            // Of something else another question is asked at once.
            let other = Operator()
            #expect(await cache.value("b") { () throws(FeedFailure) in try await other.answer() }.value == 1)
            one.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(one.asked == 1)
        #expect(all.map(\.requests).sorted() == [0, 0, 0, 0, 0, 1])
        #expect(all.allSatisfy { $0.value == (failure == nil ? 1 : nil) && $0.failure == failure && $0.age == .zero })
    }

    @Test("who has to stop waits no longer, and where it is who asked another one asks")
    func stopping() async {
        let (cache, one) = (makeCache(), Operator(isOpen: false))
        let fetch = { @Sendable in await cache.value("a") { () throws(FeedFailure) in try await one.answer() } }
        let asking = Task { await fetch() }
        _ = await eventually { one.asked == 1 }
        let leaving = Task { await fetch() }
        let staying = Task { await fetch() }
        try? await Task.sleep(for: .milliseconds(50))
        leaving.cancel()
        #expect(await leaving.value.failure?.kind == .cancelled)
        #expect(one.asked == 1)
        asking.cancel()
        one.open()
        #expect(await asking.value.failure?.kind == .cancelled)
        let known = await staying.value
        #expect(known.value == 2 && known.failure == nil && known.requests == 1 && one.asked == 2)
    }
}
