import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("A feed's answers fit on a board", .endsHangs)
struct BoundedFeedTests {
    private let stop = StopID(feed: TfLFeed.name, code: "1")
    private let now = MOTISFixture.told

    private func departure(_ minutes: Int, line: String = "7", vehicle: String = "", id: String? = nil) -> Departure {
        let due = now + .seconds(60 * minutes)
        return Departure(
            stop: stop, line: Line(id: line, name: "7"), destination: "Harbour", vehicle: vehicle,
            status: .expected(due),
            attributes: id.map { TripAttributes(id: $0) }, madeAt: now, expiresAt: due)
    }

    private func feed(
        _ departures: [Departure], alerts: [Alert] = [], badRows: Int = 0, run: TripDetails? = nil, lines: [Line] = []
    ) -> BoundedFeed {
        BoundedFeed(
            FixedFeed(
                profile: TfLFeed.profile(interval: .seconds(30), hasKey: false),
                answer: FeedResponse(
                    stop: Stop(id: stop, name: "Mill Lane"), departures: departures, alerts: alerts,
                    next: .laterToday(now), badRows: badRows, requests: 3),
                run: run, lines: lines))
    }

    @Test("of too many departures those that are due first are kept, and all else of the answer")
    func departures() async throws {
        let most = ResponseLimits.departures
        let all = (0..<most + 500).map { departure($0) }
        let alerts = (0..<ResponseLimits.alerts + 50).map { Alert("Notice \($0)") }
        let answer = try await feed(all.reversed(), alerts: alerts, badRows: 2).departures(FeedRequest(stop: stop))
        #expect(answer.departures == Array(all.prefix(most)))
        #expect(answer.alerts == Array(alerts.prefix(ResponseLimits.alerts)))
        #expect(answer.badRows == 2 && answer.requests == 3 && answer.stop.name == "Mill Lane")
        #expect(answer.next == .laterToday(now))
    }

    @Test("an answer that fits stays as it is, in its order")
    func fits() async throws {
        let rows = [departure(9), departure(3, vehicle: "LTZ1000", id: "x"), departure(5)]
        let answer = try await feed(rows).departures(FeedRequest(stop: stop))
        #expect(answer.departures == rows && answer.badRows == 0)
    }

    @Test("a departure whose identifiers are longer than any operator's is a bad row")
    func identifiers() async throws {
        let long = String(repeating: "x", count: 513)
        let rows = [
            departure(1), departure(2, line: long), departure(3, vehicle: long), departure(4, id: long),
            departure(
                5, line: String(long.dropFirst()), vehicle: String(long.dropFirst()), id: String(long.dropFirst())),
        ]
        let answer = try await feed(rows, badRows: 1).departures(FeedRequest(stop: stop))
        #expect(answer.departures == [rows[0], rows[4]] && answer.badRows == 4)
    }

    @Test("an opened departure has as many calling points as anybody pages to, and a stop as many lines")
    func rest() async throws {
        let calls = (0..<ResponseLimits.calls + 9).map { CallingPoint(name: "Stop \($0)", state: .scheduled(now)) }
        let run = TripDetails(
            calls: calls, portions: [.init(at: "Weir", calls: calls)], location: "Weir", madeAt: now, expiresAt: now)
        let lines = (0..<ResponseLimits.lines + 9).map { Line(id: "\($0)", name: "\($0)") }
        let feed = feed([], run: run, lines: lines)
        let found = try #require(try await feed.tripDetails(of: departure(1)))
        #expect(found.calls == Array(calls.prefix(ResponseLimits.calls)) && found.location == "Weir")
        #expect(found.portions.map(\.calls.count) == [ResponseLimits.calls])
        #expect(try await feed.lines(at: stop) == Array(lines.prefix(ResponseLimits.lines)))
    }

    @Test("every operator's feed is bounded", arguments: FeedRegistry.operators.map(\.declaration.name))
    func registry(_ name: FeedName) throws {
        let known = try #require(FeedRegistry.feedOperator(name))
        let context = FeedContext(
            settings: FeedSettings(defaultsOf: known.declaration), transport: CannedTransport { _ in nil },
            clock: ManualClock()
        ) { _ throws(FeedSettingFailure) in .utc }
        #expect(try known.feed(context) is BoundedFeed)
    }

    @Test("a board of a thousand routes asks for the runs of some, and a list of a thousand airports for some zones")
    func lookups() async throws {
        let metro = CannedTransport { path in
            path.hasSuffix("/predictions/")
                ? (
                    200,
                    Flood.body("{\"items\":[", 1_000, "]}") {
                        "{\"route_id\":\"\($0)\",\"run_id\":\"a\",\"seconds\":600}"
                    }
                )
                : nil
        }
        _ = try await LAMetroFeed(LAMetroFixture.context(over: metro)).departures(
            FeedRequest(stop: StopID(feed: LAMetroFeed.name, code: "1")))
        #expect(metro.asked.filter { $0.hasSuffix("/runs/") }.count == ResponseLimits.lookups)
        let trips = CannedTransport { path in
            path.contains("/trips/")
                ? (
                    200,
                    Flood.body("[", 1_000, "]") { index in
                        let code = String(index + 1_000)
                        return
                            #"{"id":"\#(index)","departure_at":1790000000000,"departure":{"city":"A","airport_code":"\#(code)"},"#
                            + #""destination":{"city":"B"},"currency":"GBP","price":1}"#
                    }
                ) : nil
        }
        let answer = try await TripsFeed(TripsFixture.context(over: trips)).departures(
            FeedRequest(stop: StopID(feed: TripsFeed.name, code: "scd")))
        #expect(answer.departures.count == 1_000)
        #expect(trips.asked.filter { $0.contains("/airports/") }.count == ResponseLimits.lookups)
    }
}
