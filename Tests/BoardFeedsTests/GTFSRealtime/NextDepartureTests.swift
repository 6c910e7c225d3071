import BoardCore
import Testing

@testable import BoardFeeds

@Suite("GTFS: the next departure beyond the window")
struct NextDepartureTests {
    /// The next departure after `window` as text: `later 00:02`, `nextDay 08:10`.
    private func next(
        _ code: String, now: String, lines: [String] = [], towards: String? = nil, directions: [String] = [],
        platforms: [String] = [], window: Duration = .seconds(7_200)
    ) throws -> String? {
        let request = FeedRequest(
            stop: Town.stop(code), lines: lines, towards: towards, platforms: platforms,
            directions: directions)
        let moment = try Town.time(now)
        return try Town.timetable().next(for: request, from: moment + window, now: moment).map { next in
            switch next {
            case .laterToday(let time): "later " + Town.clock(time)
            case .nextDay(let time): "nextDay " + Town.clock(time)
            }
        }
    }

    @Test("a later departure of the same service day is later today, also past midnight")
    func evening() throws {
        #expect(try next("B", now: "20:00") == "later 00:02")
        #expect(try next("B", now: "21:30") == "later 00:02")
        // The same for a gap at midday.
        #expect(try next("B", now: "10:41", lines: ["1"]) == "later 00:02")
    }

    @Test("a departure of another service day is next day")
    func night() throws {
        #expect(try next("B", now: "24:03") == "nextDay 08:10")
        #expect(try next("B", now: "28:00") == "nextDay 08:10")
        #expect(try next("C", now: "08:31", lines: ["1"], window: .seconds(3_600)) == "later 00:10")
        #expect(try next("B", now: "15:00", lines: ["2"]) == "nextDay 10:10")
        // Before the first departure of the day, the last one is yesterday's.
        #expect(try next("B", now: "09:11", lines: ["3"]) == "nextDay 12:05")
    }

    @Test("departures that do not match the request are ignored")
    func filters() throws {
        #expect(try next("B", now: "24:03", directions: ["0"]) == "nextDay 08:10")
        #expect(try next("B", now: "24:03", directions: ["1"]) == nil)
        #expect(try next("C", now: "24:12", platforms: ["1"]) == "nextDay 08:22")
        #expect(try next("C", now: "24:12", platforms: ["2"]) == nil)
        #expect(try next("B", now: "24:03", towards: "E") == "nextDay 08:10")
        #expect(try next("B", now: "20:00", towards: "E") == "nextDay 08:10")
        #expect(try next("D", now: "20:00", towards: "B") == nil)
    }
}
