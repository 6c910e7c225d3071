import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("Routes of TfL's lines")
struct TfLRouteTests {
    /// The independently decoded routes of a recording: complete paths of a line, end to end.
    private struct PlainRoute: Decodable {
        struct Way: Decodable { let naptanIds: [String] }
        let orderedLineRoutes: [Way]
    }

    private func route(_ body: [UInt8]) throws -> LineRoute { try LineRoute(tfl: body) }

    private func recorded(_ name: String) throws -> [UInt8]? {
        guard let bytes = Recordings.read("tfl/recorded_with_headers/\(name).json") else { return nil }
        return try RecordedBody(bytes).content
    }

    /// Branches from "id: stops > next", with their successors; a stop is one letter.
    private func branches(
        _ written: [(id: Int, stops: String, next: [Int], previous: [Int])], _ direction: String = "outbound"
    ) -> String {
        written.map { branch in
            let stops = branch.stops.map { #"{"id":"490\#($0)","name":"Stop \#($0)","lat":51.5,"lon":-0.1}"# }
            return #"""
                {"direction":"\#(direction)","branchId":\#(branch.id),"nextBranchIds":\#(branch.next),
                "prevBranchIds":\#(branch.previous),"serviceType":"Regular","stopPoint":[\#(stops.joined(separator: ","))]}
                """#
        }.joined(separator: ",")
    }

    private func route(_ branches: String) throws -> LineRoute {
        try route(Array(#"{"lineId":"n73","lineName":"N73","mode":"bus","stopPointSequences":[\#(branches)]}"#.utf8))
    }

    /// A direction as letters: the branches in sequence with the indices of their successors.
    private func picture(_ direction: LineRoute.Direction) -> [String] {
        direction.branches.map { branch in
            branch.stops.map { $0.id.code.dropFirst(3) }.joined() + branch.next.map { " >\($0)" }.joined()
        }
    }

    /// Whether some path through the branches has exactly these stops.
    private func leads(_ direction: LineRoute.Direction, _ path: [String]) -> Bool {
        func follow(_ place: Int, _ rest: ArraySlice<String>) -> Bool {
            let branch = direction.branches[place]
            let codes = branch.stops.map(\.id.code)
            guard rest.starts(with: codes) else { return false }
            // The last stop of a branch is the first of the next.
            let after = rest.dropFirst(codes.count - 1)
            return after.count == 1 || branch.next.contains { follow($0, after) }
        }
        return direction.branches.indices.contains { follow($0, path[...]) }
    }

    @Test(
        "the Northern line: both directions, every branch after its predecessors, and every path possible",
        .needsRecordings)
    func northern() throws {
        guard let body = try recorded("route_sequence_northern_all_branches") else { return }
        let route = try route(body)
        #expect(route.line == Line(id: "northern", name: "Northern"))
        #expect(route.mode == "tube")
        #expect(route.directions.map(\.name) == ["inbound", "outbound"])
        #expect(route.directions.map(\.branches.count) == [10, 10])
        for direction in route.directions {
            for (place, branch) in direction.branches.enumerated() {
                #expect(branch.next.allSatisfy { $0 > place })
                for next in branch.next { #expect(direction.branches[next].stops.first?.id == branch.stops.last?.id) }
            }
        }
        let inbound = route.directions[0].branches
        #expect(
            inbound.prefix(4).map { $0.stops.first?.name.prefix(9) } == [
                "High Barn", "Mill Hill", "Edgware U", "Finchley ",
            ])
        #expect(inbound[0].stops.first?.id == .tfl("940GZZLUHBT"))
        #expect(inbound[0].stops.first?.coordinates != nil)
        let paths = try FoundationJSON.decode(PlainRoute.self, from: body).orderedLineRoutes
        #expect(paths.count == 16)
        for path in paths {
            #expect(route.directions.filter { leads($0, path.naptanIds) }.count == 1, "\(path.naptanIds)")
        }
    }

    @Test(
        "lines without junctions are one branch: a tube line and a bus line, whose stops are the bus stops",
        .needsRecordings)
    func plain() throws {
        if let body = try recorded("route_sequence_victoria_inbound") {
            let route = try route(body)
            #expect(route.directions.count == 1)
            let paths = try FoundationJSON.decode(PlainRoute.self, from: body).orderedLineRoutes
            #expect(route.directions[0].branches.map { $0.stops.map(\.id.code) } == paths.map(\.naptanIds))
            #expect(route.directions[0].branches[0].stops.last?.name == "Brixton Underground Station")
        }
        if let body = try recorded("route_sequence_14_outbound") {
            let direction = try #require(try route(body).directions.first)
            #expect(direction.name == "outbound")
            #expect(direction.branches.map(\.stops.count) == [40])
            let first = try #require(direction.branches[0].stops.first)
            #expect(first.id == .tfl("490011285E2"))
            #expect(first.letter == "L")
            let paths = try FoundationJSON.decode(PlainRoute.self, from: body).orderedLineRoutes
            #expect(leads(direction, paths[0].naptanIds))
        }
    }

    @Test("unordered branches are put into sequence; a line that runs one way has one direction")
    func sequence() throws {
        let route = try route(
            branches([(7, "CD", [], [3, 4]), (4, "BC", [7], [1]), (1, "AB", [3, 4], []), (3, "BXC", [7], [1])]))
        #expect(route.directions.map(picture) == [["AB >1 >2", "BXC >3", "BC >3", "CD"]])
    }

    @Test("a reference from one of two neighbours suffices; references to missing branches are ignored")
    func neighbours() throws {
        let route = try route(branches([(1, "BC", [99], [5]), (5, "AB", [-3], [99]), (2, "CD", [], [1])]))
        #expect(route.directions.map(picture) == [["AB >1", "BC >2", "CD"]])
    }

    @Test("a loop has its stop twice, and a branch may lead to itself")
    func loop() throws {
        let route = try route(branches([(0, "ABCDA", [0], [0])]))
        #expect(route.directions.map(picture) == [["ABCDA >0"]])
    }

    @Test("a circle of branches is entered where something leads into it, or at its lowest number")
    func circle() throws {
        let entered = try route(
            branches([(1, "DB", [2], [3]), (2, "BC", [3], [1]), (3, "CD", [1], [2, 9]), (9, "AC", [3], [])]))
        #expect(entered.directions.map(picture) == [["AC >1", "CD >2", "DB >3", "BC >1"]])
        let closed = try route(branches([(3, "CA", [1], [2]), (2, "BC", [3], [1]), (1, "AB", [2], [3])]))
        #expect(closed.directions.map(picture) == [["AB >1", "BC >2", "CA >0"]])
    }

    @Test("each direction is put into sequence alone; night branches that repeat day branches are left out")
    func directions() throws {
        let both = branches([(0, "AB", [], [])], "inbound") + "," + branches([(1, "BA", [], []), (2, "", [], [1])])
        #expect(try route(both).directions.map(\.name) == ["inbound", "outbound"])
        #expect(try route(both).directions.map(picture) == [["AB"], ["BA"]])
        let night = branches([(0, "AXB", [], [])]).replacing("Regular", with: "Night")
        #expect(try route(both + "," + night).directions.map(picture) == [["AB"], ["BA"]])
        #expect(try route(night).directions.map(picture) == [["AXB"]])
    }

    @Test("a stop has a code for departures: a station for its interchange or platform")
    func codes() throws {
        let stops = #"""
            {"id":"HUBLRH","stationId":"940GZZLULRH","name":" Larch  Hill "},{"id":"9400ZZLULRH1","stationId":"940GZZLULRH","name":"a"},
            {"id":"490000001N","stationId":"490G00000001","name":"b","stopLetter":"->N","lat":0,"lon":0},{"stationId":"910GLRH","name":"c"},
            {"id":"490/1","name":"d"},{"id":"4901"},17
            """#
        let route = try route(#"{"direction":"inbound","stopPoint":[\#(stops)]}"#)
        let found = try #require(route.directions.first?.branches.first?.stops)
        #expect(found.map(\.id.code) == ["940GZZLULRH", "940GZZLULRH", "490000001N", "910GLRH"])
        #expect(found[0].name == "Larch Hill")
        #expect(found[2].letter == nil)
        #expect(found[2].coordinates == nil)
    }

    @Test("a response that is not a route is a fault; one without branches has no direction")
    func faults() throws {
        for text in ["[]", "{}", "{\"message\":\"sorry\"}", "<html>", ""] {
            #expect(throws: FormatError.self) { try route(Array(text.utf8)) }
        }
        #expect(try route("").directions.isEmpty)
        #expect(try route("17,null,{}").directions.isEmpty)
    }
}
