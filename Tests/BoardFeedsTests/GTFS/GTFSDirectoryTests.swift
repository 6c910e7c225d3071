import BoardCore
import Glibc
import Synchronization
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("Stops and routes of a GTFS archive")
struct GTFSDirectoryTests {
    private let fixture = GTFSFixture()

    @Test("all names have single blanks")
    func blanks() throws {
        var fixture = fixture
        fixture.files["stops.txt"] = fixture.files["stops.txt"]?.replacing("Central", with: "Central \t Station ")
            .replacing("Park", with: "\"City  \n Park\"").replacing("Quay", with: "The   Quay")
        fixture.files["routes.txt"] = fixture.files["routes.txt"]?.replacing("Second", with: "The  Second")
            .replacing("1,1,", with: "1,1  A,")
        fixture.files["trips.txt"] = fixture.files["trips.txt"]?.replacing("via Park", with: "via   Park")
        fixture.files["stop_times.txt"] = fixture.files["stop_times.txt"]?.replacing("20,Quay", with: "20,To  Quay")
        let timetable = try fixture.read(["C", "P"]).timetable
        #expect(Set(timetable.places.map(\.name)) == ["Central Station", "City Park", "The Quay", "Ridge"])
        #expect(timetable.routes.map(\.name) == ["1 A", "The Second", "3"])
        #expect(timetable.trips.map(\.headsign) == ["Quay via Park", "Ridge", "Ridge"])
        #expect(timetable.headsigns == ["To Quay"])
        #expect(try fixture.read(["R"]).timetable.otherStops["P"] == nil)
        #expect(try fixture.read([]).timetable.otherStops["P"] == "City Park")
        let archive = try GTFSFixture.archive(fixture.zip().bytes)
        let found = Mutex<[ListedStop]>([])
        _ = try GTFSListing(archive, feed: GTFSTestServer.feed).stops { stop in found.withLock { $0.append(stop) } }
        let listed = found.withLock(\.self)
        #expect(listed.filter { $0.name.contains("  ") }.isEmpty)
        #expect(listed.first { $0.id.code == "P" }?.name == "City Park")
        #expect(listed.flatMap(\.lines).allSatisfy { !$0.line.name.contains("  ") })
    }

    @Test(
        "the route patterns by direction, the most frequent first, in any order of rows"
    )
    func patterns() throws {
        var fixture = fixture
        fixture.files["trips.txt"] = """
            route_id,service_id,trip_id,direction_id,trip_headsign
            1,week,a,1,Out
            1,week,b,1,Out
            1,week,c,0,In
            1,week,d,1,
            2,week,e,1,Else
            """
        fixture.files["stop_times.txt"] = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            d,8:00:00,8:00:00,P,1
            a,8:00:00,8:00:00,P,1
            a,8:10:00,8:10:00,R,9
            b,8:00:00,8:00:00,P,1
            b,8:10:00,8:10:00,R,5
            e,8:00:00,8:00:00,C1,1
            c,8:10:00,8:10:00,P,30
            c,8:00:00,8:00:00,R,4
            d,8:10:00,8:10:00,Q,2
            """
        let archive = try GTFSFixture.archive(fixture.zip().bytes)
        #expect(
            try archive.patterns(of: "1") == [
                RoutePattern(direction: 0, stops: ["R", "P"], trips: 1, headsign: "In"),
                RoutePattern(direction: 1, stops: ["P", "R"], trips: 2, headsign: "Out"),
                RoutePattern(direction: 1, stops: ["P", "Q"], trips: 1, headsign: nil),
            ])
        #expect(try archive.patterns(of: "nowhere") == [])
    }

    @Test("the routes and patterns of New York's subway", .needsRecordings)
    func newYork() throws {
        let path = Recordings.folder + "/gtfs/nyc_subway.zip"
        let archive = try GTFSArchive(path: path)
        let routes = try RoutesByStop(archive)
        #expect(Set(routes.routes(at: "127")).isSuperset(of: ["1", "2", "3"]))
        #expect(routes.routes(at: "R01") == routes.routes(at: "R01N"))
        let seven = try archive.patterns(of: "7")
        #expect(seven.first?.direction == 0)
        #expect(seven.allSatisfy { ($0.direction == 0) == $0.stops.allSatisfy { $0.hasSuffix("N") } })
        #expect(seven.contains { $0.stops.first == "726N" && $0.stops.last == "701N" })
    }
}
