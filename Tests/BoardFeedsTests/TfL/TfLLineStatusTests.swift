import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("TfL's line status")
struct TfLLineStatusTests {
    private let eight = Timestamp(rfc3339: "2026-03-02T08:00:00Z") ?? Timestamp(seconds: 0)

    private func read(_ json: String) throws -> [String: [Alert]] {
        try TfLLineStatus(Array(json.utf8), at: eight).alerts
    }

    /// One line with these statuses.
    private func line(_ statuses: String) throws -> [Alert]? {
        try read(#"[{"id":"harbour","name":"Harbour","lineStatuses":[\#(statuses)]}]"#)["harbour"]
    }

    @Test("of several statuses the worst that is valid now counts, with its period and a clean text")
    func worst() throws {
        let alerts = try TfLLineStatus(Fixtures.own("line_status.json"), at: eight).alerts
        #expect(
            alerts["harbour"] == [
                Alert(
                    "Harbour Line: No service between Quay and Mill Park due to flooding.", lines: ["harbour"],
                    severity: .severe, from: Timestamp(rfc3339: "2026-03-02T06:30:00Z"),
                    until: Timestamp(rfc3339: "2026-03-02T10:00:00Z"))
            ])
        #expect(
            alerts["73"] == [Alert("Route 73 is on diversion via Mill Lane.", lines: ["73"], severity: .minor)],
            "dates that are none are no dates")
        #expect(alerts["390"] == [Alert("390: Long delays because of roadworks.", lines: ["390"], severity: .severe)])
        #expect(alerts["n109"] == [])
        #expect(alerts["mildmay"] == [], "no trains at night are no news")
        #expect(
            alerts["elizabeth"] == [
                Alert("Elizabeth line: Trains resume at 05:15.", lines: ["elizabeth"], severity: .information)
            ])
        #expect(alerts.count == 6)
    }

    @Test("at another time another status is the worst")
    func later() throws {
        let noon = try TfLLineStatus(Fixtures.own("line_status.json"), at: eight + .seconds(4 * 3_600)).alerts
        #expect(noon["harbour"]?.map(\.text) == ["Harbour Line: Minor delays due to a faulty train."])
        let night = try TfLLineStatus(Fixtures.own("line_status.json"), at: eight + .seconds(16 * 3_600)).alerts
        #expect(night["harbour"] == [])
    }

    @Test(
        "codes are not ordered: the fewer vehicles come, the worse",
        arguments: [(10, 9), (18, 0), (19, 20), (9, 6), (6, 3), (3, 2), (20, 13), (0, 15), (6, 1), (7, 8), (17, 14)])
    func ranks(better: Int, worse: Int) throws {
        #expect(TfLSeverity(code: worse, word: nil).rank < TfLSeverity(code: better, word: nil).rank)
        let texts = try line(
            #"{"statusSeverity":\#(better),"reason":"Harbour: better"},{"statusSeverity":\#(worse),"reason":"Harbour: worse"}"#
        )
        #expect(texts?.map(\.text) == ["Harbour: worse"])
    }

    @Test("every code of TfL's list has a description and a severity; three of them mean no disruption")
    func table() {
        #expect(TfLSeverity.all.map(\.code).sorted() == Array(0...20))
        #expect(TfLSeverity.all.filter { $0.severity == nil }.map(\.code).sorted() == [10, 18, 19])
        #expect(TfLSeverity(code: 2, word: nil).word == "Suspended")
        #expect(TfLSeverity(code: 99, word: nil).severity == .minor)
    }

    @Test("without a reason the description is used, TfL's own if present")
    func words() throws {
        #expect(try line(#"{"statusSeverity":6}"#)?.map(\.text) == ["Harbour: Severe Delays"])
        #expect(
            try line(#"{"statusSeverity":6,"statusSeverityDescription":"Rather late"}"#)?.map(\.text)
                == ["Harbour: Rather late"])
        #expect(try line(#"{"statusSeverity":77}"#) == [Alert("Harbour: Status 77", lines: ["harbour"])])
    }

    @Test("equally bad statuses with different texts are all listed; equal texts are listed once")
    func several() throws {
        let status = #"{"statusSeverity":5,"reason":"Harbour: closed north of Quay"}"#
        let other = #"{"statusSeverity":5,"reason":"Harbour: closed south of Old Dock"}"#
        #expect(try line("\(status),\(other),\(status)")?.count == 2)
    }

    @Test("a response that is not a list of lines is a fault, not good service")
    func unexpectedStructure() {
        #expect(throws: FormatError.self) { try read(#"{"message":"sorry"}"#) }
        #expect(throws: FormatError.self) { try read("<html>") }
        #expect(throws: FormatError.self) { try read(#"[{"id":"#) }
    }

    @Test(
        "recorded: a strike in 2026; each line has its worst status, in a text that names the line once",
        .needsRecordings)
    func strike() throws {
        for (name, count) in [("line_status_tube_2026", 11), ("line_status_multi_mode_2026", 19)] {
            guard let body = Recordings.read("tfl/\(name).json") else { continue }
            let now = try #require(Timestamp(rfc3339: "2026-04-22T11:18:27Z"))
            let alerts = try TfLLineStatus(body, at: now).alerts
            #expect(alerts.count == count)
            #expect(alerts.values.count { !$0.isEmpty } == 11, "the tube; all else runs")
            #expect(alerts.values.allSatisfy { $0.count <= 1 })
            let district = try #require(alerts["district"]?.first)
            #expect(
                district
                    == Alert(
                        "District Line: Service is operating at a reduced frequency on the entire line due to strike action.",
                        lines: ["district"], severity: .severe, from: Timestamp(rfc3339: "2026-04-22T06:03:24Z"),
                        until: Timestamp(rfc3339: "2026-04-23T00:29:00Z")))
            #expect(alerts["victoria"]?.first?.severity == .minor)
            #expect(alerts["hammersmith-city"]?.first?.text.hasPrefix("Hammersmith and City Line: Service") == true)
            #expect(alerts["waterloo-city"]?.first?.text == "Waterloo and City Line: No service due to strike action.")
            #expect(
                alerts["central"]?.first?.until == Timestamp(rfc3339: "2026-04-22T14:18:27Z"),
                "Part Suspended is worse than Severe Delays")
            let evening = try TfLLineStatus(body, at: now + .seconds(4 * 3_600)).alerts
            #expect(evening["central"]?.first?.until == Timestamp(rfc3339: "2026-04-23T00:29:00Z"))
            #expect(evening["circle"] == [])
        }
    }

    @Test(
        "a line is named once, however the text names it",
        arguments: [
            ("Piccadilly Line: Late.", "Piccadilly", "Piccadilly Line: Late."),
            ("PICCADILLY LINE: Piccadilly Line: Late.", "Piccadilly", "Piccadilly Line: Late."),
            ("Piccadilly: Piccadilly line: PICCADILLY: Late.", "Piccadilly", "PICCADILLY: Late."),
            ("Late.", "Piccadilly", "Piccadilly: Late."),
            ("Hammersmith and City Line: Late.", "Hammersmith & City", "Hammersmith and City Line: Late."),
            ("District and Circle lines: Late.", "Circle", "District and Circle lines: Late."),
            ("Central London is closed.", "73", "73: Central London is closed."),
            ("Routes 13, 73 and 390 are late.", "73", "Routes 13, 73 and 390 are late."),
            ("Late until 10:30 at Quay", "DLR", "DLR: Late until 10:30 at Quay"), ("  ", "DLR", ""),
        ])
    func names(text: String, line: String, reported: String) {
        #expect(TfLText.alertText(text, of: line) == reported)
    }

    @Test("a very long alert ends after a word")
    func long() {
        let reported = AlertText.joined(String(repeating: "delays ", count: 100_000))
        #expect(reported.count <= 1_002)
        #expect(reported.hasSuffix(" delays …"))
    }
}
