import Testing

@testable import BoardCore

@Suite("The polling plan of a hub")
struct SharedPollPlanTests {
    private let start = Instant(microseconds: 0)
    private let tfl = FeedName("tfl")

    private func profile(quota: Int = 500) -> FeedProfile {
        FeedProfile(
            name: tfl, title: "TfL", attribution: "", suffixes: [], interval: .seconds(30),
            quota: .init(requests: quota, per: .seconds(60)))
    }

    private func request(_ code: String, lines: [String] = []) -> FeedRequest {
        FeedRequest(stop: StopID(feed: tfl, code: code), lines: lines)
    }

    /// The requests in a span, of an operator that responds at once.
    private func requests(_ plan: inout PollPlan, for duration: Duration) -> [(FeedRequest, Instant)] {
        var polls: [(FeedRequest, Instant)] = []
        var now = start
        while now <= start + duration {
            for request in plan.take(at: now) {
                polls.append((request, now))
                plan.polled(request.stop, for: plan.isForOthers(request) ? request.query : nil, requests: 1, at: now)
            }
            guard let next = plan.nextDue(at: now) else { break }
            now = max(next, now + .microseconds(1))
        }
        return polls
    }

    @Test("queries of other boards are polled at their interval, several of one stop apart from each other")
    func others() {
        var plan = PollPlan(seed: 1)
        let all = request("1")
        let some = request("1", lines: ["73"])
        plan.configure(
            [], others: [PollQuery(all, every: .seconds(30)), PollQuery(some, every: .seconds(300))],
            profiles: [tfl: profile()], at: start)
        let polls = requests(&plan, for: .seconds(600))
        #expect((18...21).contains(polls.filter { $0.0 == all }.count))
        #expect((2...3).contains(polls.filter { $0.0 == some }.count))
    }

    @Test("no board makes a hub poll more often than the feed's own interval")
    func interval() {
        var plan = PollPlan(seed: 1)
        plan.configure([], others: [PollQuery(request("1"), every: .seconds(1))], profiles: [tfl: profile()], at: start)
        #expect(requests(&plan, for: .seconds(600)).count <= 21)
    }

    @Test("a stop of the hub that others need, too, is polled once, in quiet hours as often as they need it")
    func both() {
        var plan = PollPlan(seed: 1)
        plan.configure(
            [request("1")], others: [PollQuery(request("1"), every: .seconds(30))], profiles: [tfl: profile()],
            at: start)
        plan.isQuiet = true
        let polls = requests(&plan, for: .seconds(600))
        #expect((18...21).contains(polls.count))
        #expect(!plan.isForOthers(request("1")))
    }

    @Test("queries of a feed that the hub does not have are passed over")
    func unknownFeed() {
        var plan = PollPlan(seed: 1)
        let foreign = FeedRequest(stop: StopID(feed: FeedName("other"), code: "1"))
        plan.configure([], others: [PollQuery(foreign, every: .seconds(30))], profiles: [tfl: profile()], at: start)
        #expect(plan.nextDue(at: start) == nil)
    }

    @Test("a poll to which another board responded takes nothing of the quota, and gives nothing of other polls back")
    func refund() {
        var plan = PollPlan(seed: 1)
        let stops = ["1", "2"].map { request($0) }
        plan.configure(stops, profiles: [tfl: profile(quota: 2)], at: start)
        #expect(plan.take(at: start).count == 2)
        plan.polled(stops[0].stop, requests: 1, at: start)
        plan.polled(stops[1].stop, requests: 0, at: start + .seconds(1))
        // One request of two is left.
        let isFirst = plan.takeDetailsRequest(of: tfl, at: start + .seconds(2))
        let isSecond = plan.takeDetailsRequest(of: tfl, at: start + .seconds(2))
        #expect(isFirst && !isSecond)
        // A response that comes by itself was not recorded.
        plan.polled(stops[1].stop, requests: 0, at: start + .seconds(3))
        let isThird = plan.takeDetailsRequest(of: tfl, at: start + .seconds(3))
        #expect(!isThird)
    }
}
