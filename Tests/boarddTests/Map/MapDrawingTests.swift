import BoardCore
import FoundationEssentials
import Glibc
import Testing

@testable import BoardFeeds
@testable import BoardService

/// Maps of stops, as SVG files in the folder Gallery beside this file. To change one on purpose, run the tests with BOARDD_GALLERY=write and
/// view the files before they are committed.
@Suite("The map of stops")
struct MapDrawingTests {
    // MARK: Gallery

    @Test("has a shape for each kind of stop, letters, names, rings, the scale and the attribution")
    func town() throws {
        try compare(try MapSample.map(MapSample.town, marked: MapSample.town[4]), with: "town.svg")
    }

    @Test("has the way of a line from stop to stop, and its stops that the directory lacks")
    func line() throws {
        let map = try MapSample.map(MapSample.town, route: MapSample.route)
        #expect(map.contains("<title>New Quay · tfl:7") == false)
        #expect(links(map).contains("tfl:new"))
        // A section beyond the edge of the picture is left out.
        #expect(!links(map).contains("tfl:y"))
        try compare(map, with: "line.svg")
    }

    @Test(
        "a favourite's star is beside its stop, and covers no other stop or star", arguments: [0.0, 0.000_2, 0.000_5])
    func stars(apart: Double) throws {
        let stops = (0..<12).map { number -> StopEntry in
            let north: Double = 51.5 + Double(number / 3) * 0.000_9
            let east: Double = -0.1 + Double(number % 3) * (0.000_5 + apart)
            return MapSample.stop("\(number)", "Stop", north, east, isFavourite: number % 2 == 0)
        }
        let map = try MapSample.map(stops)
        let circles = numbers(in: map, between: "<circle cx=\"", and: "r=\"11\"")
        // The first corner is the upper tip.
        let tips = numbers(
            in: map, between: "class=\"favourite\" fill=\"#ffc107\" stroke=\"#3e2f00\" stroke-width=\"1.5\" d=\"M",
            and: "L")
        #expect(circles.count == 12 && tips.count == 6)
        for (index, tip) in tips.enumerated() {
            let star = MapPoint(x: tip.x, y: tip.y + 8)
            for circle in circles { #expect(star.distance(to: circle) > 18.9, "\(star) \(circle)") }
            for other in tips[..<index] { #expect(tip.distance(to: other) > 15.9) }
        }
    }

    @Test("shows interchanges, stations and favourites alone where there are too many stops, and the words")
    func crowded() throws {
        let map = try MapSample.map(MapSample.town, total: 1_234, try MapSample.request(51.5, -0.1, .ten))
        #expect(links(map) == ["tfl:HUBTWN", "tfl:1B"])
        #expect(map.contains(">1234 stops: zoom in to see all</text>"))
        try compare(map, with: "crowded.svg")
    }

    @Test("draws hostile names harmless")
    func names() throws {
        let script = "<script>alert(\"1\")</script>&amp;'"
        let stops = [
            MapSample.stop("<&\"", script, 51.5021, letter: "<\"", lines: ["<a>", "\u{202E}7"]),
            MapSample.stop("rtl", "\u{202E}שדרות רוטשילד \u{2067}12", 51.5012, letter: "ב", lines: ["קו 5"]),
            MapSample.stop("arabic", "محطة القطار", 51.5004, kind: .station),
            MapSample.stop("control", "High\u{0}\u{1B}[2JStreet\n\u{2028}\u{FFFE}", 51.4996),
            MapSample.stop(
                "long", String(repeating: "Ludwigstraße ", count: 80), 51.4987,
                letter: String(repeating: "A", count: 999)),
            MapSample.stop("marks", "Z" + String(repeating: "\u{0301}", count: 1_000), 51.4979),
            MapSample.stop("empty", "", 51.497), MapSample.stop("東京/駅?#%", "東京駅 🚌", 51.4962, isFavourite: true),
        ]
        let map = try MapSample.map(stops, attributions: [script, "\u{202E}x", String(repeating: "y ", count: 1_000)])
        #expect(!map.contains("<script"))
        #expect(
            links(map).contains("tfl:%3C%26%22") && links(map).contains("tfl:%E6%9D%B1%E4%BA%AC%2F%E9%A7%85%3F%23%25"))
        for scalar in map.unicodeScalars where scalar != "\n" {
            #expect(scalar.value >= 0x20 && scalar != "\u{FFFE}" && scalar != "\u{202E}" && scalar != "\u{2067}")
        }
        // In the title and beside the stop: more marks would cover the names above.
        #expect(map.unicodeScalars.count { $0 == "\u{0301}" } == 2 * 3)
        #expect(map.utf8.count < 8_000)
        try compare(map, with: "names.svg")
    }

    @Test("crosses the antimeridian")
    func antimeridian() throws {
        let stops = [
            MapSample.stop("E", "Taveuni East", -16.8, 179.998), MapSample.stop("W", "Taveuni West", -16.801, -179.997),
        ]
        let calls = try stops.map { stop in
            LineRoute.RouteStop(
                id: StopID(stop.stop) ?? StopID(feed: MapSample.feed, code: ""), name: stop.name,
                coordinates: try MapSample.place(stop.latitude ?? 0, stop.longitude ?? 0))
        }
        let line = LineRoute(
            line: Line(id: "1", name: "1"), directions: [.init(name: "east", branches: [.init(stops: calls)])])
        let map = try MapSample.map(
            stops, try MapSample.request(-16.8, -180), route: RouteEntry(line, of: MapSample.feed) { _ in false })
        #expect(links(map).count == 2)
        try compare(map, with: "date-line.svg")
    }

    @Test("a line around the other side of Earth does not cross the picture")
    func otherSide() throws {
        let calls = [("honolulu", 21.3, -157.9), ("tokyo", 35.7, 139.7)].map { code, north, east in
            LineRoute.RouteStop(
                id: StopID(feed: MapSample.feed, code: code), name: code,
                coordinates: Coordinates(latitude: north, longitude: east))
        }
        let line = LineRoute(
            line: Line(id: "1", name: "1"), directions: [.init(name: "west", branches: [.init(stops: calls)])])
        let route = RouteEntry(line, of: MapSample.feed) { _ in false }
        for (east, isDrawn) in [(-0.1, false), (170.2, true)] {
            let map = try MapSample.map([], try MapSample.request(28.5, east, .twenty), route: route)
            #expect(map.contains("class=\"way\"") == isDrawn, "\(east)")
        }
    }

    // MARK: Limits

    @Test("with a thousand stops on one spot it stays small and well-formed", arguments: [150, 1_000])
    func oneSpot(total: Int) throws {
        let stops = (0..<1_000).map { MapSample.stop("\($0)", "Bus Station", 51.5, letter: "\($0)") }
        let map = try MapSample.map(Array(stops.prefix(150)), total: total)
        _ = try JSONDocument(xml: Array(map.utf8))
        #expect(links(map).count == (total > 150 ? 0 : 150))
        #expect(map.split(separator: ">Bus Station<").count == (total > 150 ? 1 : 2), "one name for all")
        #expect(map.utf8.count < 40_000)
    }

    @Test("at most 150 stops are drawn, those of the line and the marked one among them")
    func most() throws {
        let stops = (0..<150).map { MapSample.stop("s\($0)", "S", 51.499 + Double($0) / 100_000) }
        let map = try MapSample.map(stops, marked: MapSample.town[2], route: MapSample.route)
        #expect(links(map).count == 150)
        for code in ["tfl:1A", "tfl:new", "tfl:3", "tfl:4", "tfl:1B"] { #expect(links(map).contains(code)) }
    }

    @Test(
        "at the Earth's poles, beyond the map, there is a picture without stops",
        arguments: [(90.0, 0.0), (-90, 180), (86, -180), (-85.06, 12)], MapRequest.Scale.allCases)
    func poles(place: (Double, Double), scale: MapRequest.Scale) throws {
        let request = try MapSample.request(place.0, place.1, scale)
        let box = try #require(MapPicture.box(of: request))
        #expect(box.north <= 85.06 && box.south >= -85.06 && box.north > box.south)
        let map = try MapSample.map([MapSample.stop("p", "Pole", place.0, place.1)], request)
        _ = try JSONDocument(xml: Array(map.utf8))
        #expect(links(map).isEmpty && !map.contains("nan") && !map.contains("inf"))
    }

    @Test("the largest and the smallest picture are well-formed at every scale", arguments: MapRequest.Scale.allCases)
    func sizes(scale: MapRequest.Scale) throws {
        for (text, width) in [("120x120", 120), ("1024x1024", 1_024), ("120x1024", 120)] {
            var request = try MapSample.request(51.5, -0.1, scale)
            request.size = try #require(MapRequest.Size(written: text))
            let map = try MapSample.map(MapSample.town, request, marked: MapSample.town[3], route: MapSample.route)
            _ = try JSONDocument(xml: Array(map.utf8))
            #expect(map.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" width=\"\(width)\""))
        }
        for wrong in ["", "360", "360x", "119x480", "360x1025", "360x480x1", "360X480", "-360x480", "360 x480"] {
            #expect(MapRequest.Size(written: wrong) == nil, "\(wrong)")
        }
    }

    // MARK: Geometry

    @Test(
        "a metre has the pixels of the scale at the centre, at any latitude, and the box is that of the picture",
        arguments: [0.0, 51.5, -33.9, 70, 85], [-180.0, -0.1, 179.999])
    func scale(latitude: Double, longitude: Double) throws {
        var request = try MapSample.request(latitude, longitude, .five)
        request.size = try #require(MapRequest.Size(written: "300x400"))
        let projection = MapProjection(request)
        let centre = request.centre
        #expect(projection.point(centre) == MapPoint(x: 150, y: 200))
        let box = try #require(projection.box)
        for (north, east, x, y) in [(box.north, box.west, 0.0, 0.0), (box.south, box.east, 300, 400)] {
            let corner = try #require(projection.point(try MapSample.place(north, east)))
            #expect(abs(corner.x - x) < 0.001 && abs(corner.y - y) < 0.001, "\(corner)")
        }
        // 100 pixels to the north and to the east are 500 m, to 1 % as far up as the scale changes over the picture.
        let up = try MapSample.place(latitude + 500 / Coordinates.radiusOfEarth * 180 / .pi, longitude)
        let above = try #require(projection.point(up))
        #expect(abs(centre.distance(to: up).count - 500) < 0.1)
        #expect(abs(above.x - 150) < 0.001 && abs(200 - above.y - 100) < 1, "\(above)")
        let narrowing = cos(latitude * .pi / 180)
        var east = longitude + 500 / Coordinates.radiusOfEarth / narrowing * 180 / .pi
        if east > 180 { east -= 360 }
        let beside = try #require(projection.point(try MapSample.place(latitude, east)))
        #expect(abs(beside.x - 250) < 0.01 && abs(beside.y - 200) < 0.001, "\(beside)")
    }

    @Test("no name covers another, a stop or the edge")
    func overlaps() throws {
        var labels = MapLabels(.standard)
        var taken: [MapRectangle] = []
        for number in 0..<300 {
            let point = MapPoint(x: Double(number * 37 % 360), y: Double(number * 91 % 480))
            guard let found = labels.place("Stop \(number)", size: 11, at: point, clearance: 10) else { continue }
            let width = MapLabels.width(of: "Stop \(number)", size: 11)
            let left = found.origin.x - (found.anchor == "end" ? width : found.anchor == "middle" ? width / 2 : 0)
            let area = MapRectangle(left: left, top: found.origin.y - 11, width: width, height: 11)
            #expect(!taken.contains(where: area.overlaps))
            #expect(MapRectangle(left: 0, top: 0, width: 360, height: 480).contains(area))
            taken.append(area)
        }
        #expect(taken.count > 40)
    }

    // MARK: Help

    /// The pairs of numbers between two texts.
    private func numbers(in map: String, between start: String, and end: String) -> [MapPoint] {
        map.split(separator: start).dropFirst().compactMap { part in
            guard let until = part.firstRange(of: end) else { return nil }
            let both = part[..<until.lowerBound].split { !"-.0123456789".contains($0) }.compactMap { Double($0) }
            return both.count == 2 ? MapPoint(x: both[0], y: both[1]) : nil
        }
    }

    /// The identifiers of the linked stops, as written in the links.
    private func links(_ map: String) -> [String] {
        map.split(separator: "<a href=\"/stop?id=").dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    private func compare(_ map: String, with file: String) throws {
        _ = try JSONDocument(xml: Array(map.utf8))
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Gallery/\(file)")
        if ProcessInfo.processInfo.environment["BOARDD_GALLERY"] == "write" { try Data(map.utf8).write(to: path) }
        let stored = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        #expect(stored == map, "\(file) differs: BOARDD_GALLERY=write writes it again")
    }
}
