import BoardCore
import Testing

@testable import BoardFeeds

@Suite("National Rail's times without a date")
struct RailTimesTests {
    private func times(_ madeAt: String) throws -> RailTimes {
        RailTimes(madeAt: try Rail.time(madeAt), zone: try Rail.zone())
    }

    @Test(
        "a booked time lies between nineteen hours before and five hours after the board was made",
        arguments: [
            ("2026-03-02T12:00:00Z", "12:45", "2026-03-02T12:45:00Z"),
            ("2026-03-02T12:00:00Z", "10:00", "2026-03-02T10:00:00Z"),
            // Hours late, and still listed.
            ("2026-03-02T12:00:00Z", "09:59", "2026-03-02T09:59:00Z"),
            ("2026-03-03T01:30:00Z", "17:05", "2026-03-02T17:05:00Z"),
            // The latest time that a board can list: 119 minutes ahead plus two hours.
            ("2026-03-02T12:00:00Z", "15:59", "2026-03-02T15:59:00Z"),
            ("2026-03-02T22:00:00Z", "01:59", "2026-03-03T01:59:00Z"),
            ("2026-03-02T12:00:30Z", "12:00", "2026-03-02T12:00:00Z"),
            // Midnight, from both sides.
            ("2026-03-02T23:50:10Z", "00:04", "2026-03-03T00:04:00Z"),
            ("2026-03-02T23:50:10Z", "23:41", "2026-03-02T23:41:00Z"),
            ("2026-03-03T00:05:00Z", "23:58", "2026-03-02T23:58:00Z"),
            ("2026-03-03T00:05:00Z", "01:10", "2026-03-03T01:10:00Z"),
            // Summer time, and its midnight, which is 23:00 UTC.
            ("2026-07-02T12:00:00+01:00", "12:45", "2026-07-02T11:45:00Z"),
            ("2026-07-02T23:55:00+01:00", "00:10", "2026-07-02T23:10:00Z"),
            ("2026-12-31T23:59:00Z", "00:30", "2027-01-01T00:30:00Z"),
            // Clocks go forward at 01:00 on 29 March: 01:30 is skipped, and becomes 02:30.
            ("2026-03-29T00:30:00Z", "00:50", "2026-03-29T00:50:00Z"),
            ("2026-03-29T00:30:00Z", "01:30", "2026-03-29T01:30:00Z"),
            ("2026-03-29T00:30:00Z", "02:10", "2026-03-29T01:10:00Z"),
            ("2026-03-28T23:30:00Z", "02:10", "2026-03-29T01:10:00Z"),
            ("2026-03-29T03:00:00+01:00", "00:59", "2026-03-29T00:59:00Z"),
            // Clocks go back at 02:00 on 25 October: 01:30 is repeated, and the nearer one is chosen.
            ("2026-10-25T00:50:00+01:00", "01:10", "2026-10-25T00:10:00Z"),
            ("2026-10-25T01:05:00+01:00", "01:50", "2026-10-25T00:50:00Z"),
            ("2026-10-25T01:50:00+01:00", "01:10", "2026-10-25T01:10:00Z"),
            ("2026-10-25T01:10:00Z", "01:40", "2026-10-25T01:40:00Z"),
            ("2026-10-25T01:10:00Z", "02:40", "2026-10-25T02:40:00Z"),
            ("2026-10-25T02:30:00Z", "01:40", "2026-10-25T01:40:00Z"),
            ("2026-10-24T21:30:00+01:00", "01:29", "2026-10-25T00:29:00Z"),
            ("2026-10-25T09:00:00Z", "01:40", "2026-10-25T01:40:00Z"),
        ])
    func booked(_ madeAt: String, _ text: String, _ expected: String) throws {
        #expect(try times(madeAt).booked(text) == Rail.time(expected))
    }

    @Test(
        "an estimate lies between an hour before and twelve hours after the booked time",
        arguments: [
            ("2026-03-02T12:00:00Z", "12:45", 12, 59, "2026-03-02T12:59:00Z"),
            ("2026-03-02T23:59:00Z", "23:58", 0, 7, "2026-03-03T00:07:00Z"),
            ("2026-03-03T00:04:00Z", "23:58", 0, 7, "2026-03-03T00:07:00Z"),
            ("2026-03-03T00:01:00Z", "00:04", 23, 59, "2026-03-02T23:59:00Z"),
            ("2026-03-02T12:00:00Z", "12:45", 0, 45, "2026-03-03T00:45:00Z"),
            // Of two, the one nearer to now; the train of 00:50 is more than an hour late.
            ("2026-10-25T01:05:00Z", "00:50", 1, 10, "2026-10-25T01:10:00Z"),
            ("2026-10-25T00:55:00+01:00", "00:50", 1, 10, "2026-10-25T00:10:00Z"),
            // No train leaves an hour early.
            ("2026-10-25T00:30:00+01:00", "02:00", 2, 3, "2026-10-25T02:03:00Z"),
        ])
    func estimate(_ madeAt: String, _ booked: String, _ hour: Int, _ minute: Int, _ expected: String) throws {
        let times = try times(madeAt)
        let booked = try #require(times.booked(booked))
        #expect(try times.estimate(hour: hour, minute: minute, of: booked) == Rail.time(expected))
    }

    @Test(
        "of a repeated time a board has the first one that is neither before the row above nor in the past",
        arguments: [
            // At 00:40 of summer time: below 01:50 it is an hour later than it would be above.
            ("2026-10-25T00:40:00+01:00", "01:20", nil, "On time", "2026-10-25T00:20:00Z"),
            ("2026-10-25T00:40:00+01:00", "01:20", "2026-10-25T00:50:00Z", "On time", "2026-10-25T01:20:00Z"),
            ("2026-10-25T00:40:00+01:00", "01:50", "2026-10-25T00:50:00Z", "On time", "2026-10-25T00:50:00Z"),
            // At 01:45 of summer time: a train that has not left and is not late belongs to the next hour.
            ("2026-10-25T01:45:00+01:00", "01:20", nil, "On time", "2026-10-25T01:20:00Z"),
            ("2026-10-25T01:45:00+01:00", "01:20", nil, "Cancelled", "2026-10-25T01:20:00Z"),
            ("2026-10-25T01:45:00+01:00", "01:20", nil, "Delayed", "2026-10-25T00:20:00Z"),
            ("2026-10-25T01:45:00+01:00", "01:20", nil, "01:50", "2026-10-25T00:20:00Z"),
            ("2026-10-25T01:45:00+01:00", "01:44", nil, "On time", "2026-10-25T00:44:00Z"),
            // Half an hour into winter time: 01:55 of summer time, late until 01:40.
            ("2026-10-25T01:30:00Z", "01:55", nil, "01:40", "2026-10-25T00:55:00Z"),
            ("2026-10-25T01:30:00Z", "01:55", nil, "On time", "2026-10-25T01:55:00Z"),
            ("2026-10-25T01:30:00Z", "01:55", nil, "Delayed", "2026-10-25T00:55:00Z"),
            // Half an hour late rather than an hour and a half.
            ("2026-10-25T01:45:00+01:00", "01:50", nil, "02:20", "2026-10-25T01:50:00Z"),
            // Hours later, a train that is hours late.
            ("2026-10-25T05:00:00Z", "01:20", nil, "05:10", "2026-10-25T01:20:00Z"),
            ("2026-10-25T05:00:00Z", "00:50", nil, "05:10", "2026-10-24T23:50:00Z"),
            // None fits: the nearer one.
            ("2026-10-25T01:30:00Z", "01:20", "2026-10-25T02:00:00Z", "On time", "2026-10-25T01:20:00Z"),
            // On any other day it has no effect.
            ("2026-10-26T01:30:00Z", "01:20", "2026-10-26T02:00:00Z", "On time", "2026-10-26T01:20:00Z"),
        ])
    func repeated(_ madeAt: String, _ text: String, _ above: String?, _ estimated: String, _ expected: String) throws {
        let above = try above.map { try Rail.time($0) }
        let booked = try times(madeAt).booked(text, below: above, estimated: RailTimes.Text(estimated))
        #expect(try booked == Rail.time(expected))
    }

    @Test("an estimate too far from its booked time is ignored")
    func farEstimate() throws {
        let times = try times("2026-03-02T12:00:00Z")
        let booked = try Rail.time("2026-03-02T12:45:00Z")
        #expect(times.estimate(hour: 11, minute: 44, of: booked) == nil)
        #expect(times.estimate(hour: 0, minute: 46, of: booked) == nil)
    }

    @Test("calls are in order through the night, and a list that is not in order stays within its day")
    func calls() throws {
        let times = try times("2026-03-02T20:00:00Z")
        let start = try Rail.time("2026-03-02T21:15:00Z")
        let crewe = try #require(times.booked("23:57", after: start))
        let carlisle = try #require(times.booked("02:40", after: crewe))
        let inverness = try #require(times.booked("08:42", after: carlisle))
        #expect(inverness == (try Rail.time("2026-03-03T08:42:00Z")))
        // A train of twelve hours or more began before the board's range.
        #expect(times.booked("21:15", before: crewe) == start)
        #expect(try times.booked("23:57", before: carlisle) == Rail.time("2026-03-02T23:57:00Z"))
        // 11:27 and then 10:53, in one recording.
        let pancras = try Rail.time("2026-03-19T11:27:00Z")
        #expect(try times.booked("10:53", after: pancras) == Rail.time("2026-03-19T10:53:00Z"))
    }

    @Test("a night train's calls are in order through the repeated hour")
    func repeatedHour() throws {
        let times = try times("2026-10-25T00:40:00+01:00")
        let first = try #require(times.booked("01:50", after: try Rail.time("2026-10-25T00:45:00+01:00")))
        #expect(first == (try Rail.time("2026-10-25T00:50:00Z")))
        #expect(try times.booked("01:20", after: first) == Rail.time("2026-10-25T01:20:00Z"))
        let last = try Rail.time("2026-10-25T02:10:00Z")
        let before = try #require(times.booked("01:20", before: last))
        #expect(before == (try Rail.time("2026-10-25T01:20:00Z")))
        #expect(try times.booked("01:50", before: before) == Rail.time("2026-10-25T00:50:00Z"))
    }

    @Test("a text is a time, a known word, or unknown")
    func texts() {
        #expect(RailTimes.Text("10:42") == .time(hour: 10, minute: 42))
        #expect(RailTimes.Text("10:42*") == .time(hour: 10, minute: 42))
        #expect(RailTimes.Text("On time") == .onTime)
        #expect(RailTimes.Text("Delayed") == .delayed)
        #expect(RailTimes.Text("CANCELLED") == .cancelled)
        #expect(RailTimes.Text("No report") == .noReport)
        for text in [nil, "24:00", "10:60", "1042", "10:4", "10:42?", "10:42**", "ab:cd", "-1:30", "１０:４２"] {
            #expect(RailTimes.Text(text) == .unknown, "\(text ?? "nil")")
        }
    }

    @Test("every minute of every half hour of both nights has a booked time within the range")
    func everyMinute() throws {
        for night in ["2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z", "2026-12-31T20:00:00Z"] {
            for step in 0..<24 {
                let madeAt = try Rail.time(night) + .seconds(1_800 * step)
                let times = RailTimes(madeAt: madeAt, zone: try Rail.zone())
                for minute in stride(from: 0, to: 1_440, by: 7) {
                    let text =
                        "\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
                    let booked = try #require(times.booked(text))
                    // On a day of 23 or 25 hours the range is an hour off at its far end.
                    #expect((.seconds(-20 * 3_600)...(.seconds(6 * 3_600))).contains(booked - madeAt), "\(text)")
                }
            }
        }
    }
}
