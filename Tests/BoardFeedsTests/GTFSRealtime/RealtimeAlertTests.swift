import BoardCore
import SwiftProtobuf
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime: alerts")
struct RealtimeAlertTests {
    private func alert(_ text: String, _ change: (inout TransitRealtime_Alert) -> Void = { _ in }) -> Town.Entity {
        Town.alert(text, stop: "B", change)
    }

    private func alerts(_ entities: [Town.Entity], at code: String, _ language: String = "en") throws -> [Alert] {
        try Town.overlay(entities, now: "08:00").alerts(
            at: Town.stop(code), language: language, now: Town.time("08:00"))
    }

    @Test("one selector must match, and all fields of a selector")
    func scope() throws {
        func scopes(_ selectors: [TransitRealtime_EntitySelector], at code: String = "B") throws -> [[String]?] {
            try alerts([alert("x") { $0.informedEntity = selectors }], at: code).map(\.lines)
        }
        #expect(try scopes([.with { $0.stopID = "B" }]) == [nil])
        #expect(try scopes([.with { $0.stopID = "D" }]).isEmpty)
        // An alert of a station applies to its platforms, and the reverse.
        #expect(try scopes([.with { $0.stopID = "C" }], at: "C1") == [nil])
        #expect(try scopes([.with { $0.stopID = "C2" }], at: "C") == [nil])
        #expect(try scopes([.with { $0.routeID = "R1" }]) == [["R1", "1"]])
        #expect(try scopes([.with { $0.routeID = "R9" }]).isEmpty)
        #expect(try scopes([.with { $0.routeID = "R9" }, .with { $0.routeID = "R2" }]) == [["R2", "2"]])
        #expect(try scopes([.with { ($0.routeID, $0.stopID) = ("R1", "D") }]).isEmpty)
        #expect(try scopes([.with { ($0.routeID, $0.stopID) = ("R2", "E") }], at: "E").isEmpty)
        #expect(try scopes([.with { $0.agencyID = "town" }]) == [nil])
        #expect(try scopes([.with { $0.agencyID = "elsewhere" }]).isEmpty)
        #expect(try scopes([.with { $0.routeType = 1 }]) == [["R2", "2"]])
        #expect(try scopes([.with { $0.trip.tripID = "T2" }]) == [["R1", "1"]])
        #expect(try scopes([.with { $0.trip.tripID = "T2" }], at: "F").isEmpty)
        #expect(try scopes([.with { ($0.routeID, $0.directionID) = ("R1", 1) }]).isEmpty)
        #expect(try scopes([.with { $0.directionID = 0 }]) == [nil])
        #expect(try scopes([.with { _ in }]).isEmpty)
        #expect(try scopes([]).isEmpty)
    }

    @Test("an alert for the agency alone concerns the stops of a timetable with one agency", arguments: [false, true])
    func oneAgency(isNamedByRoutes: Bool) throws {
        var fixture = GTFSFixture()
        if isNamedByRoutes {
            fixture.files["routes.txt"] = "route_id,agency_id,route_short_name,route_type\n1,A,1,0\n2,A,2,3\n3,A,3,1\n"
        }
        let index = RealtimeIndex(try fixture.read(["P"]).timetable, stops: ["P"])
        let now = try Town.time("08:00")
        for change: (inout TransitRealtime_EntitySelector) -> Void in [
            { $0.agencyID = "A" }, { ($0.agencyID, $0.routeType) = ("A", 3) },
            { ($0.agencyID, $0.stopID) = ("A", "P") },
        ] {
            let entity = alert("Strike") { $0.informedEntity = [.with(change)] }
            let message = try RealtimeMessage(Town.bytes([entity], madeAt: now), entityFilter: index.entityFilter)
            let overlay = RealtimeOverlay([message], over: index, now: now)
            #expect(overlay.alerts(at: Town.stop("P"), language: "en", now: now).map(\.text) == ["Strike"])
        }
        let foreign = alert("Elsewhere") { $0.informedEntity = [.with { ($0.agencyID, $0.routeID) = ("A", "R77") }] }
        let message = try RealtimeMessage(Town.bytes([foreign], madeAt: now), entityFilter: index.entityFilter)
        #expect(RealtimeOverlay([message], over: index, now: now).realtimeAlerts.isEmpty, "it is not decoded")
    }

    @Test(
        "an alert applies in its periods: no period is always, a start or end of 0 is open, an ended alert is left out")
    func periods() throws {
        func period(_ start: String?, _ end: String?) throws -> TransitRealtime_TimeRange {
            var range = TransitRealtime_TimeRange()
            range.start = try start.map { UInt64(try Town.time($0).seconds) } ?? 0
            if let end { range.end = UInt64(try Town.time(end).seconds) }
            return range
        }
        func shown(_ periods: [TransitRealtime_TimeRange]) throws -> [String] {
            try alerts([alert("x") { $0.activePeriod = periods }], at: "B").map {
                "\($0.from.map(Town.clock) ?? "")-\($0.until.map(Town.clock) ?? "")"
            }
        }
        #expect(try shown([]) == ["-"])
        #expect(try shown([period("07:00", "09:00")]) == ["-09:00"])
        #expect(try shown([period(nil, nil)]) == ["-"])
        #expect(try shown([period("06:00", "08:00")]).isEmpty)
        #expect(
            try shown([period("12:00", nil), period("10:00", "11:00"), period("06:00", "07:00")]) == ["10:00-11:00"])
        #expect(try shown([period("10:00", "11:00"), period("07:00", "09:00")]) == ["-09:00"])
    }

    @Test(
        "the text is in the preferred language, else without a language, else the first; plain text is preferred to HTML"
    )
    func language() throws {
        func text(_ texts: [(String, String)], _ language: String) throws -> String? {
            let entity = alert("") { alert in
                alert.headerText.translation = texts.map { text in
                    .with {
                        $0.text = text.0; if !text.1.isEmpty { $0.language = text.1 }
                    }
                }
            }
            return try alerts([entity], at: "B", language).first?.text
        }
        let all = [("eins", "de"), ("un", "fr-CA"), ("none", ""), ("<p>one</p>", "en-html"), ("one", "en")]
        #expect(try text(all, "en") == "one")
        #expect(try text(all, "de") == "eins")
        #expect(try text(all, "fr") == "un")
        #expect(try text(all, "es") == "none")
        #expect(try text([("eins", "de"), ("un", "fr")], "es") == "eins")
        #expect(try text([("<p>one &amp; two</p>", "en-html")], "en") == "one & two")
        #expect(try text([(#"one\ntwo"#, "")], "en") == "one two")
        #expect(try text([], "en") == nil)
    }

    @Test("the description follows the header, unless it repeats it")
    func description() throws {
        func text(_ header: String, _ description: String) throws -> String? {
            let entity = alert(header) { alert in
                alert.descriptionText.translation = [.with { $0.text = description }]
            }
            return try alerts([entity], at: "B").first?.text
        }
        #expect(try text("Delays", "A tree fell.") == "Delays. A tree fell.")
        #expect(try text("Delays!", "A tree fell.") == "Delays! A tree fell.")
        #expect(try text("Delays", "Delays because of a tree") == "Delays because of a tree")
        #expect(try text("Delays", "") == "Delays")
        let long = try #require(try text("Delays", String(repeating: "word ", count: 1_000)))
        #expect(long.count <= 1_000 && long.hasSuffix("word …"))
        let half = String(repeating: "a", count: 500)
        #expect(try text("", "\(half) \(half.dropLast())") == "\(half) \(half.dropLast())")
        #expect(try text("", "\(half) \(half)") == "\(half) …")
    }

    @Test("the severity is the operator's, else derived from the effect")
    func severity() throws {
        func severity(_ change: (inout TransitRealtime_Alert) -> Void) throws -> Alert.Severity? {
            try alerts([alert("x", change)], at: "B").first?.severity
        }
        #expect(
            try severity {
                $0.severityLevel = .info; $0.effect = .noService
            } == .information)
        #expect(try severity { $0.severityLevel = .severe } == .severe)
        #expect(try severity { $0.effect = .noService } == .severe)
        #expect(try severity { $0.effect = .detour } == .minor)
        #expect(try severity { $0.effect = .accessibilityIssue } == .information)
        #expect(try severity { _ in } == .minor)
    }

    @Test("an empty translation does not hide another one", arguments: ["", " ", "\n", "<p>&nbsp;</p>", "\\n"])
    func emptyTranslation(_ empty: String) throws {
        func text(_ header: [(String, String)], _ description: [(String, String)] = []) throws -> [String] {
            func translations(_ pairs: [(String, String)]) -> [TransitRealtime_TranslatedString.Translation] {
                pairs.map { pair in .with { ($0.text, $0.language) = pair } }
            }
            return try alerts(
                [
                    alert("x") {
                        $0.headerText.translation = translations(header)
                        $0.descriptionText.translation = translations(description)
                    }
                ], at: "B"
            ).map(\.text)
        }
        #expect(try text([(empty, "en"), ("Changed", "bg")]) == ["Changed"])
        #expect(try text([("Changed", "bg"), (empty, "en")]) == ["Changed"])
        #expect(try text([(empty, "en"), ("Changed", "en-html")]) == ["Changed"])
        #expect(try text([("Line 1", "en")], [(empty, "en"), ("Moved", "bg")]) == ["Line 1. Moved"])
        #expect(try text([(empty, "en")]) == [])
    }

    @Test("the alerts of a stop are limited")
    func bounded() throws {
        let many = (0..<300).map { alert("Alert \($0)") }
        #expect(try alerts(many, at: "B").count == 200)
    }
}
