import BoardControl
import BoardCore
import BoardService
import Glibc
import Testing

@testable import boardd

@Suite("A small map of the stops around one")
struct StopMapTests {
    /// A degree of latitude in metres.
    private static let degree = 111_195.0

    /// A place so many metres east and north of another.
    private func place(_ east: Double, _ north: Double, of middle: Coordinates) throws -> Coordinates {
        try #require(
            Coordinates(
                latitude: middle.latitude + north / Self.degree,
                longitude: middle.longitude + east / (Self.degree * cos(middle.latitude * .pi / 180))))
    }

    private func middle(_ latitude: Double = 51.5, _ longitude: Double = -0.1) throws -> Coordinates {
        try #require(Coordinates(latitude: latitude, longitude: longitude))
    }

    /// The rows inside the frame.
    private func picture(
        _ stops: [(Double, Double)], paths: [[(Double, Double)]] = [], around middle: Coordinates? = nil,
        columns: Int = 21, rows: Int = 7
    ) throws -> (map: StopMap, rows: [String]) {
        let middle = try middle ?? self.middle()
        let map = try StopMap(
            around: middle, stops: stops.map { try place($0.0, $0.1, of: middle) },
            paths: paths.map { way in try way.map { try place($0.0, $0.1, of: middle) } }, columns: columns, rows: rows)
        return (
            map,
            map.text().split(separator: "\n").filter { $0.hasPrefix("│") }.map { String($0.dropFirst().dropLast()) }
        )
    }

    @Test("the stop is in the middle, north is up, and a cell is twice as high as wide")
    func points() throws {
        // The farthest stop is 200 m away on the ground: 10 cells to the side, so 20 m each, and 40 m each up.
        let (map, rows) = try picture([(80, 0), (0, 80), (-80, -80), (200, -40)])
        #expect(abs(map.view.metresPerColumn - 20) < 0.1)
        #expect(
            rows == [
                "                     ",
                "          b          ",
                "                     ",
                "          ◆   a      ",
                "                    d",
                "      c              ",
                "                     ",
            ])
        #expect(map.text().hasPrefix("┌─────────────────────┐\n│"))
        #expect(map.text().hasSuffix("└─────────────────────┘\n ├─┤ 50 m, north is up\n"))
    }

    @Test("east and north have the same scale, at any latitude and on either side of the antimeridian")
    func projection() throws {
        for (latitude, longitude) in [(0.0, 0.0), (60, 10), (-33.87, 151.2), (78.2, 15.6), (-17.8, 179.9999)] {
            let middle = try middle(latitude, longitude)
            var east = middle.longitude + 100 / (Self.degree * cos(latitude * .pi / 180))
            if east > 180 { east -= 360 }
            let stops = [
                try #require(Coordinates(latitude: latitude, longitude: east)), try place(0, 100, of: middle),
            ]
            let map = StopMap(around: middle, stops: stops, columns: 21, rows: 21)
            let rows = map.text().split(separator: "\n").dropFirst().map { Array($0.dropFirst()) }
            #expect(rows[10][20] == "a", "\(latitude),\(longitude)\n\(map.text())")
            #expect(rows[5][10] == "b", "\(latitude),\(longitude)\n\(map.text())")
        }
    }

    @Test("a map at a pole of Earth, of one cell or without stops is drawn all the same")
    func edges() throws {
        #expect(try picture([], around: middle(90, 0)).rows[3] == "          ◆          ")
        let poles = try [(-89.999, 0), (-89.999, 90), (-89.999, -180)].map { try middle($0, $1) }
        let south = try StopMap(around: middle(-90, 180), stops: poles, columns: 21, rows: 7)
        #expect(south.text().split(separator: "\n").count == 10)
        #expect(try picture([(10, 10)], columns: 0, rows: -3).rows.count == 3)
        // Without neighbours half a map is still 100 m.
        #expect(abs(try picture([]).map.view.metresPerColumn - 100 / 6) < 0.01)
    }

    @Test("stops in one cell share a letter, those in the middle its sign, and stops without a letter are dots")
    func groups() throws {
        let (map, rows) = try picture([(1, 1), (60, 0), (61, 1), (-60, 0), (200, 0)])
        #expect(map.groups == [[0], [1, 2], [3], [4]])
        #expect(rows[3] == "       b  ◆  a      c")
        #expect(map.unnamed == 0)
        // The nearest twelve determine the scale; others are on the map as far as they are in view.
        let near = (0..<12).map { (Double($0) * 10 - 55, 40.0) }
        let far = (0..<20).map { (Double($0) * 10 - 95, -40.0) }
        let crowd = try picture(near + far + [(5_000, 0)], columns: 61, rows: 21)
        #expect(crowd.map.groups.count == 27)
        #expect(crowd.map.unnamed == 6)
        #expect(crowd.rows.joined().filter { $0 == "·" }.count == 6)
        #expect(crowd.map.groups.joined().allSatisfy { $0 < 32 })
    }

    @Test("a line's path goes from stop to stop in dots, under the letters, and ends at the frame")
    func way() throws {
        let (map, rows) = try picture(
            [(200, 0)], paths: [[(-1_000, 0), (0, 0), (0, 120), (0, 1_000)], [(-200, -120), (200, 100)]])
        #expect(map.hasRoute)
        #expect(
            rows == [
                "          ⢸          ",
                "          ⢸      ⣀⠤⠒⠉",
                "          ⢸  ⢀⡠⠔⠉    ",
                "⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤◆⠔⠊⠁      a",
                "      ⣀⠤⠒⠉           ",
                "  ⢀⡠⠔⠊               ",
                "⠐⠊⠁                  ",
            ], "\n\(rows.joined(separator: "\n"))")
        #expect(try !picture([(200, 0)], paths: [[(-1_000, 900), (1_000, 900)]]).map.hasRoute)
        #expect(try !picture([(200, 0)], paths: [[], [(0, 0)]]).map.hasRoute)
    }

    @Test("a path from the other side of the world is drawn as far as it is in view, without delay")
    func farWay() throws {
        let middle = try middle()
        let ends = [
            try #require(Coordinates(latitude: -90, longitude: 179)), middle,
            try #require(Coordinates(latitude: 90, longitude: -180)),
        ]
        let map = StopMap(around: middle, stops: [], paths: [ends], columns: 60, rows: 20)
        #expect(map.hasRoute)
        #expect(map.text().split(separator: "\n").allSatisfy { $0.count == 62 || $0.hasSuffix("north is up") })
    }

    @Test(
        "the legend describes each letter, and marks the line's stops, favourites and stops that share a cell")
    func page() throws {
        let middle = try middle()
        func stop(_ code: String, _ letter: String, _ metres: Double, isFavourite: Bool = false, parent: String? = nil)
            throws -> StopEntry
        {
            StopEntry(
                SampleDirectory.pole(
                    code, letter: letter, towards: "Old Bridge",
                    at: (middle.latitude, try place(metres, 0, of: middle).longitude), parent: parent),
                distance: Metres(metres), isFavourite: isFavourite)
        }
        let entries = try [
            stop("1", "A", 60, isFavourite: true), stop("2", "B", 61),
            StopEntry(SampleDirectory.pole("0", at: nil), distance: nil, isFavourite: false),
            stop("3", "C", 200), stop("3P", "P", 200, parent: "3"),
        ]
        let calls = try [(1.0, "1"), (3, "3P")].map { number, code in
            LineRoute.RouteStop(
                id: StopID(feed: SampleDirectory.feed, code: code), name: "High Street",
                coordinates: try place(number * 60, 0, of: middle))
        }
        let route = LineRoute(
            line: Line(id: "7", name: "7"),
            directions: [.init(name: "outbound", branches: [LineRoute.Branch(stops: calls)])])
        let here = StopEntry(SampleDirectory.pole("4", "Station", kind: .station), isFavourite: false)
        let platform = StopEntry(
            SampleDirectory.pole("4P", "Platform", at: (middle.latitude, middle.longitude), parent: "4"),
            distance: Metres(0),
            isFavourite: false)
        let page = StopMapPage(
            around: here, at: middle, stops: [platform] + entries,
            route: RouteEntry(route, of: SampleDirectory.feed) { _ in false },
            columns: 21, rows: 5)
        #expect(page.hasRoute)
        #expect(
            page.text() == """
                ┌─────────────────────┐
                │                     │
                │                     │
                │          ◆ a⠤⠤⠤⠤⠤b  │
                │                     │
                │                     │
                └─────────────────────┘
                 ├─┤ 50 m, north is up
                a  ●  ★   60 m  tfl:1  High Street (A)  bus  → Old Bridge
                          60 m  tfl:2  High Street (B)  bus  → Old Bridge
                b  ●     200 m  tfl:3  High Street (C)  bus  → Old Bridge

                """, "\n\(page.text())")
        let coloured = page.text(inColour: true)
        #expect(coloured.contains("\u{1B}[1;33m◆\u{1B}[0m"))
        #expect(!page.text().contains("\u{1B}"))
    }

    @Test("the map fits the terminal, and is 60 by 20 where there is none")
    func size() {
        #expect(StopsShowCommand.size(in: nil) == (60, 20))
        #expect(StopsShowCommand.size(in: (80, 24)) == (78, 20))
        #expect(StopsShowCommand.size(in: (62, 50)) == (60, 20))
        #expect(StopsShowCommand.size(in: (400, 100)) == (120, 40))
        #expect(StopsShowCommand.size(in: (10, 3)) == (20, 7))
    }
}
