import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Which requests a TfL station takes")
struct TfLPlanTests {
    private let elizabeth = Line(id: "elizabeth", name: "Elizabeth line")
    private let mildmay = Line(id: "mildmay", name: "Mildmay")

    private func plan(_ code: String, lines: [String] = []) throws -> TfLRequestPlan {
        TfLRequestPlan(for: code, in: try TfLStopPoint(Fixtures.own("stoppoint_hub.json")), lines: lines)
    }

    @Test("poles and tube stations need no structure; rail stations, interchanges and pairs of poles do")
    func families() {
        #expect(
            ["490008660N", "940GZZLUOXC", "940GZZDLBNK", "930GCAW", "210021001234", "490"].allSatisfy {
                !TfLRequestPlan.needsStructure($0)
            })
        #expect(
            ["910GPADTON", "HUBBAN", "490G00007599", "210G1234", "hubban"].allSatisfy {
                TfLRequestPlan.needsStructure($0)
            })
    }

    @Test("an interchange is its rail lines, its tube station and its poles")
    func hub() throws {
        let plan = try plan("HUBLRH")
        #expect(plan.name == "Larch Hill")
        #expect(
            plan.parts == [
                .rail("910GLARCHH", elizabeth), .rail("910GLARCHH", mildmay), .arrivals("490099901X"),
                .arrivals("490099901Y"), .arrivals("940GZZLUXXA"),
            ])
    }

    @Test("a rail station that is answered with its interchange is its own lines, without the buses before it")
    func rail() throws {
        #expect(try plan("910GLARCHH").parts == [.rail("910GLARCHH", elizabeth), .rail("910GLARCHH", mildmay)])
    }

    @Test("a pair of poles is asked pole by pole")
    func area() throws {
        #expect(try plan("490G0000901").parts == [.arrivals("490099901X"), .arrivals("490099901Y")])
    }

    @Test("poles beyond London's border are asked like those within")
    func border() throws {
        let stop = try TfLStopPoint(
            Array(
                #"{"naptanId":"210G1","children":[{"naptanId":"21002100","stopType":"NaptanPublicBusCoachTram"}]}"#.utf8
            ))
        #expect(TfLRequestPlan(for: "210G1", in: stop, lines: []).parts == [.arrivals("21002100")])
    }

    @Test("only lines of interest are asked for, by identifier or name; all where none of them calls")
    func interest() throws {
        #expect(
            try plan("HUBLRH", lines: ["Elizabeth Line", "390"]).parts == [
                .rail("910GLARCHH", elizabeth), .arrivals("490099901X"),
            ])
        #expect(try plan("HUBLRH", lines: ["bakerloo"]).parts.count == 5)
    }

    @Test("no more than twelve poles are asked for, and a station without lines gets the plain question")
    func bounds() throws {
        let poles = (0..<40).map {
            #"{"naptanId":"4900000\#($0)A","stopType":"NaptanPublicBusCoachTram","lines":[{"id":"\#($0)"}]}"#
        }
        let json = #"{"naptanId":"HUBXXX","children":[\#(poles.joined(separator: ","))]}"#
        let stop = try TfLStopPoint(Array(json.utf8))
        #expect(TfLRequestPlan(for: "HUBXXX", in: stop, lines: []).parts.count == TfLRequestPlan.mostPoles)
        #expect(TfLRequestPlan(for: "HUBXXX", in: stop, lines: ["39"]).parts == [.arrivals("490000039A")])
        let bare = try TfLStopPoint(Array(#"{"naptanId":"910GNOWHERE","stopType":"NaptanRailStation"}"#.utf8))
        #expect(TfLRequestPlan(for: "910GNOWHERE", in: bare, lines: []).parts == [.arrivals("910GNOWHERE")])
    }

    @Test("children inside each other without end are not followed")
    func depth() throws {
        let json =
            String(repeating: #"{"naptanId":"490G1","children":["#, count: 40) + String(repeating: "]}", count: 40)
        #expect(try TfLStopPoint(Array(json.utf8)).find("elsewhere") == nil)
    }

    @Test("recorded: asking for Harrow & Wealdstone's tube station gives its interchange")
    func harrow() throws {
        guard let wrapped = Fixtures.recorded("tfl/recorded_with_headers/stoppoints_two_ids_ASL_HAW.json") else {
            return
        }
        let points = try JSONDocument(RecordedBody(wrapped).content).list().rows { TfLStopPoint($0) }
        let hub = try #require(points.good.last)
        let overground = Line(id: "london-overground", name: "London Overground")
        #expect(hub.code == "HUBHRW")
        #expect(
            TfLRequestPlan(for: "HUBHRW", in: hub, lines: []).parts == [
                .rail("910GHROW", overground), .arrivals("490000101J"), .arrivals("490000101K"),
                .arrivals("490015249M"),
                .arrivals("490015249N"), .arrivals("940GZZLUHAW"),
            ])
        #expect(TfLRequestPlan(for: "910GHROW", in: hub, lines: []).parts == [.rail("910GHROW", overground)])
        #expect(TfLRequestPlan(for: "490G00101J", in: hub, lines: ["h9"]).parts == [.arrivals("490000101J")])
    }
}
