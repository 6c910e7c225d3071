import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Situations of SIRI")
struct SIRIAlertTests {
    private func situation(_ more: [Node], _ number: String = "N1") -> Node {
        Node("PtSituationElement", [Node("SituationNumber", number)] + more)
    }

    /// The alerts at a stop where B6 calls and refers to N1, and 12 calls.
    private func alerts(
        _ situations: [Node], _ form: Vale.Form = .json, lines: [String] = [], language: String = "en"
    ) throws -> [Alert] {
        let reference = Node("SituationRef", [Node("SituationSimpleRef", "N1")])
        let visits = [
            Vale.visit(expected: "08:05", attributes: [reference]), Vale.visit("12", id: "2", expected: "08:09"),
        ]
        let exchange = Node("SituationExchangeDelivery", [Node("Situations", situations)])
        return try Vale.feedResponse(
            Vale.body([Vale.delivery(visits), exchange], form), lines: lines, language: language
        ).alerts
    }

    private let words = [Node("Summary", "Delays on B6"), Node("Description", "Delays on B6.\nAllow more time.")]

    @Test("a situation that a visit refers to is an alert of its line, in every format", arguments: Vale.Form.allCases)
    func joined(_ form: Vale.Form) throws {
        let lines = ["VALE_B6", "B6"]
        #expect(try alerts([situation(words)], form) == [Alert("Delays on B6. Allow more time.", lines: lines)])
        #expect(try alerts([situation(words)], form, lines: ["b6"]).count == 1)
        #expect(try alerts([situation(words)], form, lines: ["VALE_B6"]).count == 1)
        #expect(try alerts([situation(words)], form, lines: ["12"]).isEmpty)
    }

    @Test("a situation that is referred to by its full reference, or by the simple one, is found")
    func references() throws {
        for reference in [
            Node("SituationRef", [Node("SituationFullRef", [Node("SituationNumber", "N1")])]),
            Node("SituationRef", "N1"),
        ] {
            let body = Vale.body([
                Vale.delivery([Vale.visit(expected: "08:05", call: [reference])]),
                Node("SituationExchangeDelivery", [Node("Situations", [situation(words)])]),
            ])
            #expect(try Vale.feedResponse(body).alerts.count == 1)
        }
    }

    @Test("a situation that names the stop, or a line that calls there, needs no reference; others are left out")
    func affects() throws {
        func affecting(_ kind: String, _ one: Node) -> Node {
            situation([Node("Summary", "Notice"), Node("Affects", [Node(kind, [one])])], "N2")
        }
        let line = affecting("VehicleJourneys", Node("AffectedVehicleJourney", [Node("LineRef", "VALE_12")]))
        #expect(try alerts([line]).map(\.lines) == [["VALE_12", "12"]])
        let stop = affecting("StopPoints", Node("AffectedStopPoint", [Node("StopPointRef", "S1")]))
        #expect(try alerts([stop], .xml).map(\.lines) == [nil])
        #expect(try alerts([stop], lines: ["12"]).count == 1)
        #expect(try alerts([affecting("StopPoints", Node("AffectedStopPoint", [Node("StopPointRef", "S2")]))]).isEmpty)
        #expect(try alerts([affecting("VehicleJourneys", Node("X", [Node("LineRef", "VALE_99")]))]).isEmpty)
        #expect(try alerts([situation(words, "N2")]).isEmpty)
    }

    @Test("a situation that names the stop is shown even if none of its lines calls: the stop is closed")
    func closed() throws {
        func closed(_ lines: [String], _ visits: [Node] = []) throws -> [[String]?] {
            let affects = Node(
                "Affects",
                [
                    Node("StopPoints", [Node("AffectedStopPoint", [Node("StopPointRef", "S1")])]),
                    Node("VehicleJourneys", lines.map { Node("AffectedVehicleJourney", [Node("LineRef", $0)]) }),
                ])
            let exchange = Node(
                "SituationExchangeDelivery",
                [Node("Situations", [situation([Node("Summary", "Closed until Monday"), affects])])])
            return try Vale.feedResponse(Vale.body([Vale.delivery(visits), exchange]), names: ["VALE_N9": "Night 9"])
                .alerts.map(\.lines)
        }
        #expect(try closed([]) == [nil])
        #expect(try closed(["VALE_99", "VALE_N9"]) == [["VALE_99", "99", "VALE_N9", "Night 9"]])
        let other = Vale.visit("12", expected: "08:05")
        #expect(try closed(["VALE_99", "VALE_12"], [other]) == [["VALE_99", "99", "VALE_12", "12"]])
    }

    @Test(
        "an alert is active in its publication window, else in its validity period; past ones are left out, future ones have a start"
    )
    func periods() throws {
        func period(_ name: String, _ start: String?, _ end: String?) -> Node {
            Node(
                name,
                (start.map { [Node("StartTime", Vale.time($0))] } ?? [])
                    + (end.map { [Node("EndTime", Vale.time($0))] } ?? []))
        }
        func reported(_ periods: Node...) throws -> [String] {
            try alerts([situation(words + periods)]).map { alert in
                "\(alert.from.map(Vale.clock) ?? "")-\(alert.until.map(Vale.clock) ?? "")"
            }
        }
        #expect(try reported() == ["-"])
        #expect(try reported(period("PublicationWindow", "07:00", nil)) == ["-"])
        #expect(
            try reported(period("PublicationWindow", "07:00", "09:00"), period("ValidityPeriod", "10:00", nil)) == [
                "-09:00"
            ])
        #expect(try reported(period("ValidityPeriod", "06:00", "07:00")) == [])
        #expect(
            try reported(period("ValidityPeriod", "06:00", "07:00"), period("ValidityPeriod", "09:00", "10:00"))
                == ["09:00-10:00"])
    }

    @Test(
        "an alert has the operator's severity; unknown values are minor",
        arguments: [
            ("verySlight", Alert.Severity.information), ("noImpact", .information), ("slight", .minor),
            ("normal", .minor),
            ("severe", .severe), ("verySevere", .severe), ("undefined", .minor), ("catastrophic!", .minor),
        ])
    func severities(_ word: String, _ severity: Alert.Severity) throws {
        #expect(try alerts([situation(words + [Node("Severity", word)])]).map(\.severity) == [severity])
    }

    @Test("an alert is in the preferred language", arguments: [Vale.Form.xml, .json, .values])
    func languages(_ form: Vale.Form) throws {
        let both = [Node("Summary", "Retards", in: "fr"), Node("Summary", "Delays", in: "en-GB")]
        #expect(try alerts([situation(both)], form).map(\.text) == ["Delays"])
        #expect(try alerts([situation(both)], form, language: "fr").map(\.text) == ["Retards"])
        #expect(try alerts([situation(both)], form, language: "de").map(\.text) == ["Retards"])
    }

    @Test("a situation without text is left out, and duplicates are one alert")
    func odd() throws {
        #expect(try alerts([situation([])]).isEmpty)
        #expect(try alerts([situation(words), situation(words)]).count == 1)
        #expect(
            try alerts([situation([Node("Summary", "<b>Mind</b> the&nbsp;gap")])], .json).map(\.text) == [
                "Mind the gap"
            ])
    }
}
