import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("A feed's responses are bounded", .endsHangs)
struct BoundedFeedTests {
    private let stop = StopID(feed: TfLFeed.name, code: "1")
    private let now = MOTISFixture.madeAt

    private func departure(_ minutes: Int, line: String = "7", vehicle: String = "", id: String? = nil) -> Departure {
        let due = now + .seconds(60 * minutes)
        return Departure(
            stop: stop, line: Line(id: line, name: "7"), destination: "Harbour", vehicle: vehicle,
            status: .expected(due), attributes: id.map { TripAttributes(id: $0) }, madeAt: now, expiresAt: due)
    }

    private func feed(
        _ departures: [Departure], alerts: [Alert] = [], badRows: Int = 0, details: TripDetails? = nil,
        lines: [Line] = []
    ) -> BoundedFeed {
        BoundedFeed(
            FixedFeed(
                profile: TfLFeed.profile(interval: .seconds(30), hasKey: false),
                response: FeedResponse(
                    stop: Stop(id: stop, name: "Mill Lane"), departures: departures, alerts: alerts,
                    next: .laterToday(now), badRows: badRows), details: details, lines: lines))
    }

    @Test("of too many departures the earliest are retained, with the rest of the response")
    func departures() async throws {
        let most = ResponseLimits.departures
        let all = (0..<most + 500).map { departure($0) }
        let alerts = (0..<ResponseLimits.alerts + 50).map { Alert("Notice \($0)") }
        let response = try await feed(all.reversed(), alerts: alerts, badRows: 2).departures(FeedRequest(stop: stop))
        #expect(response.departures == Array(all.prefix(most)))
        #expect(response.alerts == Array(alerts.prefix(ResponseLimits.alerts)))
        #expect(response.badRows == 2 && response.stop.name == "Mill Lane")
        #expect(response.next == .laterToday(now))
    }

    @Test("of too many departures those that the favourite selects are retained first")
    func selected() async throws {
        let most = ResponseLimits.departures
        let all = (0..<most + 500).map { departure($0, line: $0 < most + 400 ? "1" : "2") }
        let response = try await feed(all).departures(FeedRequest(stop: stop, lines: ["2"]))
        #expect(response.departures.count == most)
        #expect(response.departures.prefix(100).map(\.line.id) == Array(repeating: "2", count: 100))
    }

    @Test("a response within the limits is unchanged, in its order")
    func fits() async throws {
        let rows = [departure(9), departure(3, vehicle: "LTZ1000", id: "x"), departure(5)]
        let response = try await feed(rows).departures(FeedRequest(stop: stop))
        #expect(response.departures == rows && response.badRows == 0)
    }

    @Test("a departure with implausibly long identifiers is a bad row")
    func identifiers() async throws {
        let long = String(repeating: "x", count: 513)
        let rows = [
            departure(1), departure(2, line: long), departure(3, vehicle: long), departure(4, id: long),
            departure(
                5, line: String(long.dropFirst()), vehicle: String(long.dropFirst()), id: String(long.dropFirst())),
        ]
        let response = try await feed(rows, badRows: 1).departures(FeedRequest(stop: stop))
        #expect(response.departures == [rows[0], rows[4]] && response.badRows == 4)
    }

    @Test("trip details have a limited number of calling points, and a stop of lines")
    func rest() async throws {
        let calls = (0..<ResponseLimits.calls + 9).map { CallingPoint(name: "Stop \($0)", state: .scheduled(now)) }
        let details = TripDetails(
            calls: calls, portions: [.init(at: "Weir", calls: calls)], location: "Weir", madeAt: now,
            expiresAt: now + .seconds(60))
        let lines = (0..<ResponseLimits.lines + 9).map { Line(id: "\($0)", name: "\($0)") }
        let feed = feed([], details: details, lines: lines)
        let found = try #require(try await feed.tripDetails(of: departure(1)))
        #expect(found.calls == Array(calls.prefix(ResponseLimits.calls)) && found.location == "Weir")
        #expect(found.portions.map(\.calls.count) == [ResponseLimits.calls])
        #expect(found.madeAt == now && found.expiresAt == now + .seconds(60))
        #expect(try await feed.check(stop).lines == Array(lines.prefix(ResponseLimits.lines)))
    }

    @Test("a train that divides has a bounded number of portions, each with a bounded number of calling points")
    func portions() async throws {
        let call = CallingPoint(name: "Weir", state: .scheduled(now))
        func found(_ portions: [TripDetails.Portion]) async throws -> [TripDetails.Portion]? {
            let details = TripDetails(calls: [call], portions: portions, madeAt: now, expiresAt: now)
            return try await feed([], details: details).tripDetails(of: departure(1))?.portions
        }
        let many = (0...ResponseLimits.lookups).map { TripDetails.Portion(at: "Stop \($0)", calls: [call]) }
        #expect(try await found(many) == Array(many.dropLast()))
        let long = Array(repeating: call, count: ResponseLimits.calls + 1)
        #expect(try await found([.init(at: "Weir", calls: long)]) == [.init(at: "Weir", calls: Array(long.dropLast()))])
    }

    @Test("the rest of a response with too many departures is unchanged")
    func beside() async throws {
        let rows = (0...ResponseLimits.departures).map { departure($0) }
        func response(_ rows: [Departure]) -> FeedResponse {
            FeedResponse(
                stop: Stop(id: stop, name: "Mill Lane"), departures: rows, isWithheld: true, next: .nextDay(now),
                timetableEndsAt: now, partialFailure: FeedError(.timedOut, detail: "late"), badRows: 2, requests: 0,
                age: .seconds(4))
        }
        let feed = BoundedFeed(
            FixedFeed(profile: TfLFeed.profile(interval: .seconds(30), hasKey: false), response: response(rows)))
        #expect(try await feed.departures(FeedRequest(stop: stop)) == response(Array(rows.dropLast())))
    }

    @Test("a feed of the registry counts every request, in a response and in a failure")
    func counted() async throws {
        let known = try #require(FeedRegistry.feedOperator(TfLFeed.name))
        let pole = FeedRequest(stop: StopID(feed: TfLFeed.name, code: "490099901X"))
        let responding = CannedTransport { _ in (200, Array("[]".utf8)) }
        let response = try await known.feed(Feeds.context(over: responding)).departures(pole)
        #expect(response.requests == 2 && responding.requested.count == 2)
        let unresponsive = CannedTransport { _ in nil }
        let feed = try known.feed(Feeds.context(over: unresponsive))
        let failure = await #expect(throws: FeedError.self) { try await feed.departures(pole) }
        #expect(failure?.requests == 2 && unresponsive.requested.count == 2)
    }

    @Test("every operator's feed is bounded", arguments: FeedRegistry.operators.map(\.declaration.name))
    func registry(_ name: FeedName) throws {
        let known = try #require(FeedRegistry.feedOperator(name))
        let context = FeedContext(
            settings: FeedSettings(defaultsOf: known.declaration), transport: CannedTransport { _ in nil },
            clock: VirtualClock()
        ) { _ throws(FeedSettingError) in .utc }
        #expect(try known.feed(context) is BoundedFeed)
    }

    @Test("a board of a thousand routes requests the runs of some")
    func lookups() async throws {
        let metro = CannedTransport { path in
            path.hasSuffix("/predictions/")
                ? (
                    200,
                    ManyRows.body("{\"items\":[", 1_000, "]}") {
                        "{\"route_id\":\"\($0)\",\"run_id\":\"a\",\"seconds\":600}"
                    }
                )
                : nil
        }
        _ = try await LAMetroFeed(LAMetroFixture.context(over: metro)).departures(
            FeedRequest(stop: StopID(feed: LAMetroFeed.name, code: "1")))
        #expect(metro.requested.filter { $0.hasSuffix("/runs/") }.count == ResponseLimits.lookups)
    }
}
