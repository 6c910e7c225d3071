import BoardCore
import BoardStore
import Glibc
import Testing

@Suite("The nearest stops")
struct NearTests {
    private func near(
        _ stops: [ListedStop], _ latitude: Double, _ longitude: Double, _ metres: Double, modes: [String] = [],
        limit: Int = 10
    ) throws -> [String] {
        let folder = try DirectoryFolder(stops)
        let point = try #require(Coordinates(latitude: latitude, longitude: longitude))
        return try folder.directory.near(point, within: Metres(metres), modes: modes, limit: limit).found
            .map { "\($0.stop.id.code) \(Int($0.distance.count.rounded()))" }
    }

    @Test("distances are those of a great circle")
    func known() throws {
        let stops = [
            stop("here", "Here", at: (0, 0)), stop("east", "East", at: (0, 1)), stop("north", "North", at: (2, 0)),
        ]
        #expect(try near(stops, 0, 0, 1e6) == ["here 0", "east 111195", "north 222390"])
        // Charing Cross to the middle of Paris with the mean Earth radius: 343.56 km.
        let paris = [stop("PAR", "Paris", at: (48.8566, 2.3522))]
        #expect(try near(paris, 51.5074, -0.1278, 400_000) == ["PAR 343557"])
        #expect(try near(paris, 51.5074, -0.1278, 343_556).isEmpty)
    }

    @Test("nearest first, within the distance, and up to the limit")
    func order() throws {
        let stops = (1...9).map { stop("\($0)", "Stop", at: (51.5 + Double(10 - $0) * 0.001, -0.1)) }
        #expect(try near(stops, 51.5, -0.1, 350) == ["9 111", "8 222", "7 334"])
        #expect(try near(stops, 51.5, -0.1, 5000, limit: 2) == ["9 111", "8 222"])
        #expect(try near(stops, 51.5, -0.1, 5000).count == 9)
        #expect(try near(stops, 51.5, -0.1, 100).isEmpty)
        #expect(try near(stops, 51.5, -0.1, -1).isEmpty)
        #expect(try near(stops, 51.5, -0.1, .nan).isEmpty)
        #expect(try near(stops, 51.5, -0.1, .infinity).count == 9)
        #expect(try near(stops, -51.5, 179.9, .infinity, limit: 1).count == 1)
    }

    @Test("areas, interchanges and stops without coordinates are left out")
    func kinds() throws {
        let stops = [
            stop(.area, "A", "Area", at: (10, 10)), stop(.interchange, "I", "Hub", at: (10, 10)),
            stop(.station, "S", "Station", at: (10, 10)), stop("P", "Pole", at: (10, 10)), stop("N", "Nowhere"),
        ]
        #expect(try near(stops, 10, 10, 100) == ["S 0", "P 0"])
    }

    @Test("only stops with one of the modes, case-insensitive")
    func modes() throws {
        let stops = [
            stop("b", "B", modes: ["bus"], at: (10, 10)), stop("t", "T", modes: ["tube", "dlr"], at: (10, 10.001)),
            stop("n", "N", modes: [], at: (10, 10)),
        ]
        #expect(try near(stops, 10, 10, 1000, modes: ["DLR"]) == ["t 110"])
        #expect(try near(stops, 10, 10, 1000, modes: ["bus", "tube"]) == ["b 0", "t 110"])
        #expect(try near(stops, 10, 10, 1000, modes: ["ferry"]).isEmpty)
    }

    @Test("the search crosses the antimeridian")
    func antimeridian() throws {
        let stops = [stop("W", "Suva", at: (-18, -179.999)), stop("E", "Taveuni", at: (-18, 179.999))]
        #expect(try near(stops, -18, 180, 500).sorted() == ["E 106", "W 106"])
        #expect(try near(stops, -18, 179.999, 500) == ["E 0", "W 212"])
        #expect(try near(stops, -18, -180, 500).count == 2)
    }

    @Test("at the Earth's poles every meridian is near")
    func poles() throws {
        let stops = [
            stop("0", "A", at: (89.999, 0)), stop("180", "B", at: (89.999, 180)), stop("S", "C", at: (-90, 0)),
        ]
        #expect(try Set(near(stops, 90, 45, 200)) == ["0 111", "180 111"])
        #expect(try near(stops, 89.999, 0, 300) == ["0 0", "180 222"])
        #expect(try near(stops, -90, 120, 10) == ["S 0"])
    }

    @Test("among thousands it finds the same as measuring each one, near and far", arguments: [0.0, 0.4, 30, 170])
    func everything(east: Double) throws {
        let stops = (0..<3000).map { (number: Int) -> ListedStop in
            let north = Double(number * 7919 % 3000) / 5000
            let east = Double(number * 104_729 % 3000) / 5000
            return stop("\(number)", "Stop", at: (50 + north, east))
        }
        let folder = try DirectoryFolder(stops)
        let point = try #require(Coordinates(latitude: 50.3, longitude: east))
        let found = try folder.directory.near(point, within: Metres(2e7), limit: 25).found
        let measured = stops.compactMap { stop in stop.coordinates.map { chordal(point, $0) } }.sorted().prefix(25)
        #expect(found.count == 25)
        for (near, metres) in zip(found, measured) { #expect(abs(near.distance.count - metres) < 0.01) }
    }

    /// The distance by another formula: the angle between two directions.
    private func chordal(_ one: Coordinates, _ other: Coordinates) -> Double {
        func vector(_ point: Coordinates) -> (Double, Double, Double) {
            let (phi, lambda) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
            return (cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi))
        }
        let (a, b) = (vector(one), vector(other))
        let chord = ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1) + (a.2 - b.2) * (a.2 - b.2)).squareRoot()
        return 2 * 6_371_008.8 * asin(chord / 2)
    }
}
