import Testing

@testable import BoardCore

@Suite("The polling plan")
struct PollPlanTests {
    private let start = Instant(microseconds: 0)

    private func plan(_ count: Int = 1, quota: Int = 50, seed: UInt64 = 7) -> (PollPlan, [StopID]) {
        let stops = (0..<count).map { StopID(feed: FeedName("tfl"), code: "\(100 + $0)") }
        var plan = PollPlan(seed: seed)
        plan.configure(stops.map { FeedRequest(stop: $0) }, profiles: [FeedName("tfl"): profile(quota)], at: start)
        return (plan, stops)
    }

    private func profile(_ quota: Int) -> FeedProfile {
        FeedProfile(
            name: FeedName("tfl"), title: "TfL", attribution: "", suffixes: [],
            interval: .seconds(30), quota: .init(requests: quota, per: .seconds(60)))
    }

    /// Simulates an operator that responds to each request at once.
    private func simulate(_ plan: inout PollPlan, inView: [StopID], until end: Instant, from start: Instant) -> [(
        StopID, Instant
    )] {
        var polls: [(StopID, Instant)] = []
        plan.inView = inView
        var now = start
        while now <= end {
            for stop in plan.take(at: now).map(\.stop) {
                polls.append((stop, now))
                plan.polled(stop, requests: 1, at: now)
            }
            guard let next = plan.nextDue(at: now) else { break }
            now = max(next, now + .microseconds(1))
        }
        return polls
    }

    @Test("polls a stop every 30 s, up to a tenth later and never earlier")
    func interval() {
        var (plan, stops) = plan()
        let times = simulate(&plan, inView: stops, until: start + .seconds(3_600), from: start).map(\.1)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 >= .seconds(30) && $0 <= .seconds(33) })
        #expect(Set(gaps).count > 50)
    }

    @Test("polls stops together once they are due together, none before its 30 s")
    func together() {
        var (plan, stops) = plan(3)
        let polls = simulate(&plan, inView: [stops[0]], until: start + .seconds(3_600), from: start)
        let times = Set(polls.map(\.1))
        #expect(polls.count == 3 * times.count)
        for stop in stops {
            let own = polls.filter { $0.0 == stop }.map(\.1)
            #expect(zip(own, own.dropFirst()).allSatisfy { $1 - $0 >= .seconds(30) && $1 - $0 <= .seconds(33) })
        }
    }

    @Test("never exceeds the operator's quota in any minute, and polls every stop", arguments: [50, 12, 3])
    func quota(requests: Int) {
        var (plan, stops) = plan(40, quota: requests)
        let polls = simulate(&plan, inView: [stops[7]], until: start + .seconds(1_800), from: start)
        for (index, first) in polls.enumerated() {
            let window = polls[index...].prefix { $0.1 < first.1 + .seconds(60) }
            #expect(window.count <= requests)
        }
        #expect(Set(polls.map(\.0)).count == 40)
        #expect(polls.filter { $0.0 == stops[7] }.count >= min(50, 12 * requests))
    }

    @Test("polls the stop in view first")
    func inViewFirst() {
        var (plan, stops) = plan(5)
        plan.inView = [stops[3]]
        #expect(plan.take(at: start).map(\.stop).first == stops[3])
    }

    @Test("backs off 5, 10, 20 … 300 s plus up to a quarter, and never gives up")
    func backoff() {
        var (plan, stops) = plan()
        var now = start
        var waits: [Duration] = []
        for _ in 0..<12 {
            #expect(plan.take(at: now).map(\.stop) == stops)
            plan.failed(stops[0], FeedError(.timedOut, detail: ""), at: now)
            let next = plan.nextDue(at: now) ?? now
            waits.append(next - now)
            now = next
        }
        for (wait, base) in zip(waits, [5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300]) {
            #expect(wait >= .seconds(base) && wait <= .seconds(base) * 5 / 4)
        }
    }

    @Test("waits for Retry-After, for every stop of that operator")
    func retryAfter() {
        var (plan, stops) = plan(3)
        _ = plan.take(at: start)
        plan.polled(stops[1], requests: 1, at: start)
        plan.polled(stops[2], requests: 1, at: start)
        plan.failed(stops[0], FeedError(.rateLimited(retryAfter: .seconds(97)), detail: ""), at: start)
        #expect(plan.take(at: start + .seconds(96)).map(\.stop) == [])
        #expect(plan.take(at: start + .seconds(97)).count == 3)
    }

    @Test(
        "retries after 15 minutes when a person must act, and at once after a reload",
        arguments: [FeedError.Kind.keyRejected, .keyMissing, .unknownStop])
    func rejected(kind: FeedError.Kind) {
        var (plan, stops) = plan()
        _ = plan.take(at: start)
        plan.failed(stops[0], FeedError(kind, detail: ""), at: start)
        #expect(plan.nextDue(at: start) == start + .seconds(900))
        plan.pollSoon(stops[0], at: start + .seconds(20))
        #expect(plan.nextDue(at: start + .seconds(20)) == start + .seconds(900))
        plan.configure(
            stops.map { FeedRequest(stop: $0) }, profiles: [FeedName("tfl"): profile(50)], at: start + .seconds(60))
        #expect(plan.take(at: start + .seconds(60)).map(\.stop) == stops)
    }

    @Test("polls an operator's other stops at once when one of them responds again")
    func recovery() {
        var (plan, stops) = plan(2)
        var now = start
        for _ in 0..<8 {
            for stop in plan.take(at: now).map(\.stop) { plan.failed(stop, FeedError(.noNetwork, detail: ""), at: now) }
            now = plan.nextDue(at: now) ?? now
        }
        let first = plan.take(at: now).map(\.stop)
        #expect(first.count == 1)
        plan.polled(first[0], requests: 1, at: now)
        #expect(plan.take(at: now).map(\.stop) == stops.filter { $0 != first[0] })
    }

    @Test("backs off from one failing stop although the other one responds")
    func oneBadStop() {
        var (plan, stops) = plan(2)
        var now = start
        var failures = 0
        while now < start + .seconds(3_600) {
            for stop in plan.take(at: now).map(\.stop) {
                if stop == stops[0] {
                    plan.polled(stop, requests: 1, at: now)
                } else {
                    failures += 1
                    plan.failed(stop, FeedError(.status(500), detail: ""), at: now)
                }
            }
            now = max(plan.nextDue(at: now) ?? now, now + .microseconds(1))
        }
        #expect((14...20).contains(failures))
    }

    @Test("limits a Retry-After of zero or of more than an hour")
    func extremeRetryAfter() {
        for (sent, effective) in [(Duration.zero, Duration.seconds(5)), (.seconds(90_000), .seconds(3_600))] {
            var (plan, stops) = plan()
            _ = plan.take(at: start)
            plan.failed(stops[0], FeedError(.rateLimited(retryAfter: sent), detail: ""), at: start)
            #expect(plan.nextDue(at: start) == start + effective)
        }
    }

    @Test("the Retry-After of a failing operator applies to all of its stops")
    func retryAfterOfFailure() {
        var (plan, stops) = plan(3)
        _ = plan.take(at: start)
        plan.polled(stops[1], requests: 1, at: start)
        plan.polled(stops[2], requests: 1, at: start)
        plan.failed(stops[0], FeedError(.status(503), detail: "", retryAfter: .seconds(97)), at: start)
        #expect(plan.take(at: start + .seconds(96)).map(\.stop) == [])
        #expect(plan.take(at: start + .seconds(97)).count == 3)
        plan.detailsFailed(of: stops[0].feed, FeedError(.status(503), detail: "", retryAfter: .seconds(50)), at: start)
        #expect((plan.nextDetailsRequest(of: stops[0].feed, at: start) ?? start) >= start + .seconds(50))
        // Retry-After is the minimum: the back-off may be longer.
        var again = self.plan().0
        for _ in 0..<10 {
            again.failed(stops[0], FeedError(.status(503), detail: "", retryAfter: .seconds(6)), at: start)
        }
        #expect((again.wait(of: stops[0], at: start)?.until ?? start) >= start + .seconds(300))
    }

    @Test("polls every five minutes in quiet hours, and soon after their end")
    func quiet() {
        var (plan, stops) = plan()
        plan.isQuiet = true
        _ = plan.take(at: start)
        plan.polled(stops[0], requests: 1, at: start)
        let next = plan.nextDue(at: start) ?? start
        #expect(next >= start + .seconds(300) && next <= start + .seconds(330))
        plan.isQuiet = false
        #expect((plan.nextDue(at: start + .seconds(100)) ?? next) <= start + .seconds(100))
    }

    @Test("counts the actual number of requests of a poll")
    func cost() {
        var (plan, stops) = plan(1, quota: 10)
        _ = plan.take(at: start)
        plan.polled(stops[0], requests: 8, at: start)
        // Eight of ten are used: another eight are allowed only when the first have left the window.
        plan.pollSoon(stops[0], evenIfFresh: true, at: start + .seconds(20))
        #expect(plan.nextDue(at: start + .seconds(20)) == start + .seconds(60))
    }

    @Test("retries when a request was lost without a result")
    func lost() {
        var (plan, stops) = plan()
        _ = plan.take(at: start)
        #expect(plan.take(at: start + .seconds(119)).map(\.stop) == [])
        #expect(plan.take(at: start + .seconds(120)).map(\.stop) == stops)
    }

    @Test("lets a viewer's request through only while the quota has room for a poll of every stop beside it")
    func looks() {
        var (plan, stops) = plan(3, quota: 5)
        let tfl = stops[0].feed
        #expect(plan.lookWait(of: tfl, at: start) == nil)
        plan.looked(at: tfl, at: start)
        #expect(plan.lookWait(of: tfl, at: start) == nil)
        plan.looked(at: tfl, at: start + .seconds(10))
        // Two are used, and three polls and one more request would be six.
        #expect(plan.lookWait(of: tfl, at: start + .seconds(10)) == .seconds(50))
        #expect(plan.take(at: start + .seconds(10)).count == 3, "the polls themselves are not delayed")
        #expect(plan.lookWait(of: FeedName("other"), at: start) == nil)
    }
}
