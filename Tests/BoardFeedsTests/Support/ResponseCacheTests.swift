import BoardCore
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("Response cache", .endsHangs)
struct ResponseCacheTests {
    /// A server that responds when allowed to, and counts its requests.
    private final class GatedOperator: Sendable {
        private let count = Mutex(0)
        private let gate = Latch()

        init(isOpen: Bool = true) { if isOpen { gate.open() } }

        var requested: Int { count.withLock { $0 } }

        func open() { gate.open() }

        /// The number of the request, or a failure: `cancelled` if the task was cancelled.
        func respond(_ failure: FeedError? = nil) async throws(FeedError) -> Int {
            let number = count.withLock { count in
                count += 1
                return count
            }
            await gate.passUncancelled()
            if Task.isCancelled { throw FeedError(.cancelled, detail: "stopped") }
            if let failure { throw failure }
            return number
        }
    }

    private static let down = FeedError(.status(502), detail: "out of order")

    private let clock = VirtualClock()

    private func makeCache(backOff: Duration = .seconds(600)) -> ResponseCache<Int> {
        ResponseCache(ttl: .seconds(900), backOff: backOff, clock: clock)
    }

    @Test("a value is cached for its TTL, and has an age")
    func ttl() async {
        let (cache, server) = (makeCache(), GatedOperator())
        let first = await cache.value("a") { try await server.respond() }
        #expect(first.value == 1 && first.age == .zero && first.failure == nil)
        clock.go(to: .seconds(899))
        let again = await cache.value("a") { try await server.respond() }
        #expect(again.value == 1 && again.age == .seconds(899))
        #expect(cache.cached("a") == 1 && cache.cached("b") == nil)
        clock.go(to: .seconds(900))
        let newer = await cache.value("a") { try await server.respond() }
        #expect(newer.value == 2 && newer.age == .zero)
    }

    @Test("a failure is repeated until the end of the back-off, with the earlier value, which ages")
    func failures() async {
        let (cache, server) = (makeCache(), GatedOperator())
        _ = await cache.value("a") { try await server.respond() }
        clock.go(to: .seconds(1_000))
        let failed = await cache.value("a") { try await server.respond(Self.down) }
        #expect(failed.value == 1 && failed.failure == Self.down && failed.age == .seconds(1_000))
        clock.go(to: .seconds(1_599))
        let again = await cache.value("a") { try await server.respond() }
        #expect(again.value == 1 && again.failure == Self.down && again.age == .seconds(1_599))
        clock.go(to: .seconds(1_600))
        #expect(await cache.value("a") { try await server.respond() }.value == 3)
    }

    @Test("without a back-off the next request fetches again")
    func impatient() async {
        let (cache, server) = (makeCache(backOff: .zero), GatedOperator())
        #expect(await cache.value("a") { try await server.respond(Self.down) }.value == nil)
        #expect(await cache.value("a") { try await server.respond() }.value == 2)
    }

    @Test("a value that does not suffice is fetched again sooner")
    func insufficient() async {
        let (cache, server) = (makeCache(), GatedOperator())
        for (at, expected) in [(0, 1), (599, 1), (600, 2)] {
            clock.go(to: .seconds(at))
            let lookup = await cache.value("a") {
                $0 > 5
            } fetch: {
                try await server.respond()
            }
            #expect(lookup.value == expected && lookup.failure == nil, "\(at)")
        }
    }

    @Test("concurrent requests share one fetch, which fails once", arguments: [nil, down])
    func together(failure: FeedError?) async {
        let (cache, server) = (makeCache(backOff: .zero), GatedOperator(isOpen: false))
        let all = await withTaskGroup(of: ResponseCache<Int>.Lookup.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    await cache.value("a") { try await server.respond(failure) }
                }
            }
            #expect(await eventually { server.requested == 1 && cache.waiting(for: "a") == 5 })
            // Another key is fetched at once.
            let other = GatedOperator()
            #expect(await cache.value("b") { try await other.respond() }.value == 1)
            server.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(server.requested == 1)
        #expect(all.allSatisfy { $0.value == (failure == nil ? 1 : nil) && $0.failure == failure && $0.age == .zero })
    }

    @Test("a cancelled waiter stops waiting, and after a cancelled fetch another waiter fetches")
    func stopping() async {
        let (cache, server) = (makeCache(), GatedOperator(isOpen: false))
        let fetch = { @Sendable in await cache.value("a") { try await server.respond() } }
        let requesting = Task { await fetch() }
        _ = await eventually { server.requested == 1 }
        let leaving = Task { await fetch() }
        let staying = Task { await fetch() }
        #expect(await eventually { cache.waiting(for: "a") == 2 })
        leaving.cancel()
        #expect(await leaving.value.failure?.kind == .cancelled)
        #expect(server.requested == 1)
        requesting.cancel()
        server.open()
        #expect(await requesting.value.failure?.kind == .cancelled)
        let lookup = await staying.value
        #expect(lookup.value == 2 && lookup.failure == nil && server.requested == 2)
    }

    @Test("an operator's Retry-After lengthens the pause after a failure, unless the caller has its own pauses")
    func retryAfter() async {
        for (backOff, requests) in [(Duration.seconds(600), 2), (.zero, 4)] {
            let cache = makeCache(backOff: backOff)
            let count = Mutex(0)
            let start = clock.now() - Instant(microseconds: 0)
            for seconds in [0, 600, 1_199, 1_200] {
                clock.go(to: start + .seconds(seconds))
                _ = await cache.value("a") { () -> Int in
                    count.withLock { $0 += 1 }
                    throw FeedError(.unavailable, detail: "", retryAfter: .seconds(1_200))
                }
            }
            #expect(count.withLock { $0 } == requests)
        }
    }
}
