import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("TfL's stop disruptions")
struct TfLDisruptionTests {
    private let eight = Timestamp(rfc3339: "2026-03-02T08:00:00Z") ?? Timestamp(seconds: 0)
    private let lift = "LARCH HILL STATION: The lift to the street is out of use."

    /// The alerts for a request for the hub or one of its stops, from the fixture.
    private func alerts(_ code: String, lines: [String] = [], calling: [Line] = []) throws -> [Alert] {
        let request = FeedRequest(stop: .tfl(code), lines: lines)
        let plan =
            TfLRequestPlan.needsStructure(code)
            ? TfLRequestPlan(for: code, in: try TfLStopPoint(Fixtures.own("stoppoint_hub.json")), lines: lines)
            : TfLRequestPlan(forPole: code)
        let disruptions = try TfLDisruption.list(Fixtures.own("stoppoint_disruption_family.json"))
        var list = AlertList()
        list.add(TfLAlertFilter(request, plan, calling: calling).alerts(of: disruptions))
        return list.alerts(at: eight)
    }

    @Test(
        "a tree of stops is decoded to its leaves: each disruption once, at whatever stops it occurs and however it is spaced"
    )
    func family() throws {
        let all = try alerts("HUBLRH")
        #expect(
            all.map(\.text) == [
                "Bus Stop Closed see the notice", "Harbour line trains do not stop here.",
                "The north entrance is closed.", lift,
            ])
        #expect(all.map(\.severity) == [.minor, .minor, .minor, .information])
        #expect(all.map(\.lines) == [nil, ["harbour", "quay"], nil, nil])
        #expect(all.first?.from == Timestamp(rfc3339: "2026-03-02T04:00:00Z"))
        #expect(all.first?.until == Timestamp(rfc3339: "2026-03-03T04:00:00Z"))
    }

    @Test("only disruptions of the lines of interest and the requested stops are selected")
    func interest() throws {
        #expect(try alerts("HUBLRH", lines: ["390"]).map(\.text) == ["Bus Stop Closed see the notice", lift])
        #expect(
            try alerts("HUBLRH", lines: ["Mildmay"]).map(\.text) == [lift],
            "an entrance of a station that is passed over")
        #expect(
            try alerts("HUBLRH", lines: ["Harbour"]).map(\.text)
                == ["Harbour line trains do not stop here.", "The north entrance is closed.", lift])
    }

    @Test("a closure is severe if it covers all of the requested stop")
    func severity() throws {
        #expect(try alerts("HUBLRH", lines: ["390"]).first?.severity == .severe, "the only pole of that line")
        #expect(try alerts("490099901X").first?.severity == .severe)
        #expect(try alerts("HUBLRH", lines: ["73"]).first?.severity == .severe, "both poles")
        let rows = [
            #"{"atcoCode":"1","description":"a","type":"Station Closure"}"#,
            #"{"description":"b","type":"Closure"}"#, #"{"description":"c","type":"Part Closure"}"#,
            #"{"description":"d","type":"Interchange Message"}"#, #"{"description":"e","appearance":"Information"}"#,
            #"{"description":"f"}"#, #"{"atcoCode":"2","description":"g","type":"Closure"}"#,
        ]
        let disruptions = try TfLDisruption.list(Array("[\(rows.joined(separator: ","))]".utf8))
        let alertFilter = TfLAlertFilter(FeedRequest(stop: .tfl("1")), TfLRequestPlan(forPole: "1"), calling: [])
        #expect(
            alertFilter.alerts(of: disruptions).map(\.severity)
                == [.severe, .severe, .minor, .information, .information, .minor, .minor])
    }

    @Test("a disruption is active from its beginning to its end; implausible dates are ignored")
    func periods() throws {
        let rows = [
            #"{"description":"soon","fromDate":"2026-03-02T09:00:00Z"}"#,
            #"{"description":"over","fromDate":"2026-03-01T09:00:00Z","toDate":"2026-03-02T07:00:00Z"}"#,
            #"{"description":"odd","fromDate":"2026-03-05T09:00:00Z","toDate":"2026-03-04T07:00:00Z"}"#,
            #"{"description":"none","fromDate":"0001-01-01T00:00:00","toDate":"tomorrow"}"#,
        ]
        let disruptions = try TfLDisruption.list(Array("[\(rows.joined(separator: ",")),17,null]".utf8))
        let alertFilter = TfLAlertFilter(FeedRequest(stop: .tfl("1")), TfLRequestPlan(forPole: "1"), calling: [])
        var list = AlertList()
        list.add(alertFilter.alerts(of: disruptions))
        #expect(list.alerts(at: eight).map(\.text) == ["none", "odd"])
        #expect(list.alerts(at: eight + .seconds(3_600)).map(\.text) == ["none", "odd", "soon"])
        #expect(list.alerts(at: nil).count == 4, "who does not know the time leaves out nothing")
    }

    @Test("the same text for several lines is one alert for all, with the worst severity")
    func merging() {
        var list = AlertList()
        list.add([
            Alert("a", lines: ["x"], severity: .minor), Alert("a", lines: ["y", "x"], severity: .severe),
            Alert("b", lines: ["x"]), Alert("b"), Alert("a", until: eight),
        ])
        #expect(
            list.alerts(at: nil) == [
                Alert("a", lines: ["x", "y"], severity: .severe), Alert("a", until: eight), Alert("b"),
            ])
    }

    @Test(
        "a response that is neither an array nor a family is a fault; a family of 10 000 generations is decoded to a limited depth"
    )
    func unexpectedStructure() throws {
        #expect(throws: FormatError.self) { try TfLDisruption.list(Array(#"{"message":"sorry"}"#.utf8)) }
        #expect(throws: FormatError.self) { try TfLDisruption.list(Array("<html>".utf8)) }
        let deep =
            String(repeating: #"{"children":["#, count: 60) + #"{"disruptions":[{"description":"deep"}]}"#
            + String(repeating: "]}", count: 60)
        #expect(try TfLDisruption.list(Array(deep.utf8)).isEmpty)
        let deeplyNested = String(repeating: #"{"children":["#, count: 10_000) + String(repeating: "]}", count: 10_000)
        #expect(throws: FormatError.self) { try TfLDisruption.list(Array(deeplyNested.utf8)) }
    }

    @Test("the number of a stop's disruptions is limited")
    func bounded() throws {
        let rows = (0..<500).map { #"{"description":"notice \#($0)"}"# }.joined(separator: ",")
        #expect(try TfLDisruption.list(Array("[\(rows)]".utf8)).count == 100)
    }

    @Test(
        "recorded: a pair of closed bus stops in 2026 as a tree, and a closed platform as a flat array",
        .needsRecordings)
    func recorded() throws {
        if let body = Recordings.read("tfl/stoppoint_disruption_family_bus_closure_2026.json") {
            let disruptions = try TfLDisruption.list(body)
            #expect(disruptions.map(\.place) == ["490003087W1", "490012149N"])
            let area = FeedRequest(stop: .tfl("490G00003087"))
            let json = """
                {"naptanId":"490G00003087","children":[
                {"naptanId":"490003087W1","stopType":"NaptanPublicBusCoachTram","lines":[{"id":"1","name":"1"}]},
                {"naptanId":"490012149N","stopType":"NaptanPublicBusCoachTram","lines":[{"id":"2","name":"2"}]}]}
                """
            let plan = TfLRequestPlan(for: "490G00003087", in: try TfLStopPoint(Array(json.utf8)), lines: [])
            var list = AlertList()
            list.add(TfLAlertFilter(area, plan, calling: []).alerts(of: disruptions))
            #expect(
                list.alerts(at: Timestamp(rfc3339: "2026-09-20T08:00:00Z")) == [
                    Alert(
                        "Bus Stop Closed see tfl.gov.uk/bus/status for more information", severity: .severe,
                        from: Timestamp(rfc3339: "2026-09-14T08:00:00Z"),
                        until: Timestamp(rfc3339: "2026-09-27T17:00:00Z"))
                ])
            #expect(list.alerts(at: Timestamp(rfc3339: "2026-09-28T08:00:00Z")).isEmpty)
        }
        if let body = Recordings.read("tfl/stoppoint_disruption_mode_tube_2026.json") {
            let disruptions = try TfLDisruption.list(body)
            func alerts(_ lines: [String]) -> [Alert] {
                let request = FeedRequest(stop: .tfl("940GZZLUBSC"), lines: lines)
                return TfLAlertFilter(request, TfLRequestPlan(forPole: "940GZZLUBSC"), calling: []).alerts(
                    of: disruptions)
            }
            #expect(alerts([]).map(\.lines) == [["circle", "district", "piccadilly"]])
            #expect(alerts(["District"]).map(\.severity) == [.minor])
            #expect(alerts(["Victoria"]).isEmpty)
            #expect(alerts([]).first?.text.hasPrefix("BARONS COURT STATION: From Monday 6 July") == true)
        }
    }
}
