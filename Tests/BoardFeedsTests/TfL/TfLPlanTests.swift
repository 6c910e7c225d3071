import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("The requests for a TfL station")
struct TfLPlanTests {
    private let elizabeth = Line(id: "elizabeth", name: "Elizabeth line")
    private let mildmay = Line(id: "mildmay", name: "Mildmay")

    private func plan(_ code: String, lines: [String] = []) throws -> TfLRequestPlan {
        TfLRequestPlan(for: code, in: try TfLStopPoint(Fixtures.own("stoppoint_hub.json")), lines: lines)
    }

    @Test("bus stops and tube stations need no structure; rail stations, interchanges and pairs of bus stops do")
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

    @Test("an interchange takes its rail lines, its tube station and its bus stops")
    func hub() throws {
        let plan = try plan("HUBLRH")
        #expect(plan.name == "Larch Hill")
        #expect(
            plan.requests == [
                .rail("910GLARCHH", elizabeth), .rail("910GLARCHH", mildmay), .arrivals("490099901X"),
                .arrivals("490099901Y"), .arrivals("940GZZLUXXA"),
            ])
    }

    @Test("a rail station that is returned with its interchange takes its own lines, without the buses in front of it")
    func rail() throws {
        #expect(try plan("910GLARCHH").requests == [.rail("910GLARCHH", elizabeth), .rail("910GLARCHH", mildmay)])
    }

    @Test("a pair of bus stops takes a request for each")
    func area() throws {
        #expect(try plan("490G0000901").requests == [.arrivals("490099901X"), .arrivals("490099901Y")])
    }

    @Test("bus stops beyond London's border are requested like those within")
    func border() throws {
        let stop = try TfLStopPoint(
            Array(
                #"{"naptanId":"210G1","children":[{"naptanId":"21002100","stopType":"NaptanPublicBusCoachTram"}]}"#.utf8
            ))
        #expect(TfLRequestPlan(for: "210G1", in: stop, lines: []).requests == [.arrivals("21002100")])
    }

    @Test("only lines of interest are requested, by identifier or name; all if none of them calls")
    func interest() throws {
        #expect(
            try plan("HUBLRH", lines: ["Elizabeth Line", "390"]).requests == [
                .rail("910GLARCHH", elizabeth), .arrivals("490099901X"),
            ])
        #expect(try plan("HUBLRH", lines: ["bakerloo"]).requests.count == 5)
    }

    @Test("no more than twelve bus stops are requested, and a station without lines takes the plain request")
    func bounds() throws {
        let poles = (0..<40).map {
            #"{"naptanId":"4900000\#($0)A","stopType":"NaptanPublicBusCoachTram","lines":[{"id":"\#($0)"}]}"#
        }
        let json = #"{"naptanId":"HUBXXX","children":[\#(poles.joined(separator: ","))]}"#
        let stop = try TfLStopPoint(Array(json.utf8))
        #expect(TfLRequestPlan(for: "HUBXXX", in: stop, lines: []).requests.count == TfLRequestPlan.maximumPoles)
        #expect(TfLRequestPlan(for: "HUBXXX", in: stop, lines: ["39"]).requests == [.arrivals("490000039A")])
        let bare = try TfLStopPoint(Array(#"{"naptanId":"910GNOWHERE","stopType":"NaptanRailStation"}"#.utf8))
        #expect(TfLRequestPlan(for: "910GNOWHERE", in: bare, lines: []).requests == [.arrivals("910GNOWHERE")])
    }

    @Test("deeply nested children are not followed")
    func depth() throws {
        let json =
            String(repeating: #"{"naptanId":"490G1","children":["#, count: 40) + String(repeating: "]}", count: 40)
        #expect(try TfLStopPoint(Array(json.utf8)).find("elsewhere") == nil)
    }
}
