internal import BoardCore
internal import Glibc

/// Draws the parts of a map, from the ground up; its stops and names, and its furniture, are in files of their own.
struct MapDrawing {
    /// The radii of the rings around the centre, in metres: minutes on foot.
    private static let radii = [100.0, 250, 500]
    /// The smallest radius of a ring in pixels, so that its label fits inside.
    private static let smallestRing = 40.0
    static let nameSize = 11.0, smallSize = 9.0
    /// The maximum length of the name of a line.
    private static let longestName = 60

    let request: MapRequest
    let words: MapWords
    let projection: MapProjection
    var labels: MapLabels
    var markers: [MapMarker] = []
    var marked: String?
    /// The radius of a stop in pixels.
    var radius = 6.0
    /// The middle and the radius of each ring, in pixels, and its radius in metres.
    var rings: [(middle: MapPoint, radius: Double, metres: Double)] = []
    var xml = XMLWriter()

    var width: Double { Double(request.size.width) }
    var height: Double { Double(request.size.height) }

    init(_ request: MapRequest, _ words: MapWords) {
        self.request = request
        self.words = words
        projection = MapProjection(request)
        labels = MapLabels(request.size)
    }

    mutating func begin() {
        xml.begin(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "class": "map", "width": width.drawn, "height": height.drawn,
                "viewBox": "0 0 \(width.drawn) \(height.drawn)", "role": "group", "aria-label": words.title,
                "font-family": "sans-serif", "font-size": Self.nameSize.drawn,
            ])
        xml.breakLine()
        xml.empty(
            "rect", ["class": "ground", "width": width.drawn, "height": height.drawn, "fill": "#f4f1ea"])
        xml.breakLine()
    }

    mutating func end() -> String {
        xml.end()
        xml.breakLine()
        return xml.text
    }

    /// The place in the middle, and the rings around it that fit.
    mutating func surroundings() {
        guard let centre = projection.point(request.centre) else { return }
        xml.begin("g", ["class": "rings", "fill": "none", "stroke": "#8a8577", "stroke-dasharray": "4 3"])
        for metres in Self.radii {
            let radius = metres / request.scale.metresPerPixel
            guard radius >= Self.smallestRing, radius < min(width, height) / 2 else { continue }
            xml.empty("circle", ["cx": centre.x.drawn, "cy": centre.y.drawn, "r": radius.drawn])
            rings.append((centre, radius, metres))
        }
        xml.empty(
            "path",
            [
                "class": "place", "stroke": "#1b1b1b", "stroke-width": "2", "stroke-dasharray": "none",
                "d": "M\((centre.x - 6).drawn) \(centre.y.drawn)h12M\(centre.x.drawn) \((centre.y - 6).drawn)v12",
            ])
        xml.end()
        xml.breakLine()
    }

    /// The way of a line from stop to stop, as far as it touches the picture.
    mutating func way(of route: RouteEntry) {
        var path = ""
        for branch in route.directions.flatMap(\.branches) {
            let points = branch.stops.compactMap { call -> MapPoint? in
                guard let latitude = call.latitude, let longitude = call.longitude else { return nil }
                return Coordinates(latitude: latitude, longitude: longitude).flatMap(projection.point)
            }
            var last: MapPoint?
            for (from, to) in zip(points, points.dropFirst()) where touchesPicture(from, to) {
                if last != from { path += "M\(from.x.drawn) \(from.y.drawn)" }
                path += "L\(to.x.drawn) \(to.y.drawn)"
                last = to
            }
        }
        guard !path.isEmpty else { return }
        xml.begin(
            "path",
            [
                "class": "way", "fill": "none", "stroke": "#00897b", "stroke-width": "5", "stroke-linejoin": "round",
                "stroke-linecap": "round", "d": path,
            ])
        xml.element("title", text: route.name.drawn(upTo: Self.longestName))
        xml.end()
        xml.breakLine()
    }

    /// Whether a line may cross the picture: false where both ends are beyond one side of it, and around the other side of Earth.
    private func touchesPicture(_ from: MapPoint, _ to: MapPoint) -> Bool {
        abs(from.x - to.x) <= projection.halfWorld
            && !(max(from.x, to.x) < 0 || min(from.x, to.x) > width || max(from.y, to.y) < 0
                || min(from.y, to.y) > height)
    }

    /// A text without an outline, and takes its place.
    mutating func text(
        _ name: String, _ content: String, at point: MapPoint, _ anchor: String, size: Double
    ) {
        xml.element(
            "text",
            [
                "class": name, "x": point.x.drawn, "y": point.y.drawn, "text-anchor": anchor, "font-size": size.drawn,
                "fill": "#1b1b1b",
            ], text: content)
        let width = MapLabels.width(of: content, size: size)
        let left = anchor == "middle" ? point.x - width / 2 : point.x
        labels.reserve(MapRectangle(left: left, top: point.y - size, width: width, height: size * 1.25))
    }
}
