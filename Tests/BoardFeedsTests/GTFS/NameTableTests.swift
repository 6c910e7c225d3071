import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Names of stops and routes without selected trips")
struct NameTableTests {
    @Test("a name is found by its ID only")
    func lookup() {
        let table = Town.names([
            ("A", "Alder"), ("B", "Birch"), ("B2", "Birch"), ("", "none"), ("C", ""), ("Ä 1", "Äpfel"),
        ])
        #expect(["A", "B", "B2", "Ä 1"].map { table[$0] } == ["Alder", "Birch", "Birch", "Äpfel"])
        #expect(["", "C", "a", "B3", "AB"].allSatisfy { table[$0] == nil })
        #expect(NameTable()["A"] == nil)
    }

    @Test("each of many IDs has its own name")
    func many() {
        let table = Town.names((0..<20_000).map { ("S\($0)", "Stop \($0 / 2)") })
        #expect((0..<20_000).allSatisfy { table["S\($0)"] == "Stop \($0 / 2)" })
        #expect((20_000..<40_000).allSatisfy { table["S\($0)"] == nil })
    }

    @Test("a timetable has the names of all other stops and routes of its archive, without doubled quotes")
    func read() throws {
        var fixture = GTFSFixture()
        fixture.files["stops.txt", default: ""] += "\nX,\"The \"\"Other\"\" Side\",40,-74,0,,"
        fixture.files["stops.txt"]?.replace("C2,Central,40,-74,0,C,2", with: "C2,Central,40,-74,0,,2")
        let timetable = try fixture.read(["C2"]).timetable
        #expect(timetable.otherStops["X"] == "The \"Other\" Side")
        // Only Second calls there, so it and its stops are in the timetable.
        #expect(["Q", "P", "C2", "R"].allSatisfy { code in timetable.places.contains { $0.id == code } })
        #expect(timetable.routes.map(\.id) == ["2"])
        #expect(timetable.otherRoutes["1"] == "1")
        #expect(timetable.otherRoutes["3"] == nil, "its name is its identifier")
        fixture.files["routes.txt"] = "route_id,route_short_name,route_long_name,route_type\n1,,First,0\n2,,Second,3\n"
        #expect(try fixture.read(["C2"]).timetable.otherRoutes["1"] == "First")
    }
}
