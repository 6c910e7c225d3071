import BoardCore
import Glibc

/// Draws the parts of a map, from the ground up. Its stops and their names are in MapStops.swift.
struct MapDrawing {
    /// The radii of the rings around the centre, in metres: a few minutes on foot.
    private static let radii = [100.0, 250, 500]
    /// The smallest radius of a ring in pixels, so that its label fits inside.
    private static let smallestRing = 40.0
    static let nameSize = 11.0, smallSize = 9.0
    /// The maximum length of a line's name.
    private static let maximumNameLength = 60

    let request: MapRequest
    let words: Words
    let projection: MapProjection
    var labels: MapLabels
    var markers: [MapMarker] = []
    var marked: String?
    /// The radius of a stop in pixels.
    var radius = 6.0
    /// The middles of the favourites' stars, by stop.
    var stars: [String: MapPoint] = [:]
    /// The middle and the radius of each ring, in pixels, and its radius in metres.
    var rings: [(middle: MapPoint, radius: Double, metres: Double)] = []
    var xml = XMLWriter()

    var width: Double { Double(request.size.width) }
    var height: Double { Double(request.size.height) }

    init(_ request: MapRequest, _ words: Words) {
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
                "viewBox": "0 0 \(width.drawn) \(height.drawn)", "role": "group", "aria-label": words.text(.mapTitle),
                "font-family": "sans-serif", "font-size": Self.nameSize.drawn,
            ])
        xml.breakLine()
        xml.empty("rect", ["class": "ground", "width": width.drawn, "height": height.drawn, "fill": "#f4f1ea"])
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

    /// The route of a line from stop to stop, as far as it touches the picture.
    mutating func way(of route: RouteEntry) {
        var path = ""
        for branch in route.directions.flatMap(\.branches) {
            let points = branch.stops.compactMap { call in
                Coordinates(latitude: call.latitude, longitude: call.longitude).flatMap(projection.point)
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
        xml.element("title", text: route.name.drawn(upTo: Self.maximumNameLength))
        xml.end()
        xml.breakLine()
    }

    /// Whether a line may cross the picture: not if both ends are beyond one side of it, or it goes around the Earth.
    private func touchesPicture(_ from: MapPoint, _ to: MapPoint) -> Bool {
        abs(from.x - to.x) <= projection.halfWorld
            && !(max(from.x, to.x) < 0 || min(from.x, to.x) > width || max(from.y, to.y) < 0
                || min(from.y, to.y) > height)
    }

    /// Draws a text without an outline and reserves its place.
    mutating func text(_ name: String, _ content: String, at point: MapPoint, _ anchor: String, size: Double) {
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

// What a map says about itself: a notice, north, the scale, the lengths of its rings, attributions.
extension MapDrawing {
    /// The lengths of the scale bar in metres, and its maximum in pixels.
    private static let bars = [10.0, 20, 50, 100, 200, 500, 1_000, 2_000], maximumBarLength = 110.0
    /// The maximum length of an attribution; no operator's exceeds a third of it.
    private static let maximumAttributionLength = 300

    /// A sentence at the top.
    mutating func notice(_ sentence: String) {
        let width = min(MapLabels.width(of: sentence, size: Self.nameSize) + 12, self.width)
        let area = MapRectangle(left: 0, top: 0, width: width, height: 22)
        xml.empty(
            "rect", ["class": "board", "width": width.drawn, "height": "22", "fill": "#fff", "fill-opacity": ".85"])
        text("notice", sentence, at: MapPoint(x: 6, y: 15), "start", size: Self.nameSize)
        labels.reserve(area)
        xml.breakLine()
    }

    /// North, the scale bar and the attributions.
    mutating func furniture(attributions: [String]) {
        let lines = Self.wrapped(
            attributions.map { $0.drawn(upTo: Self.maximumAttributionLength) }.joined(separator: " · "),
            width: width - 8)
        let line = Self.smallSize + 2
        let top = height - Double(lines.count) * line - 4
        if !lines.isEmpty {
            xml.empty(
                "rect",
                [
                    "class": "board", "y": top.drawn, "width": width.drawn, "height": (height - top).drawn,
                    "fill": "#fff",
                    "fill-opacity": ".85",
                ])
            labels.reserve(MapRectangle(left: 0, top: top, width: width, height: height - top))
        }
        for (index, part) in lines.enumerated() {
            let baseline = top + Double(index + 1) * line
            text("attribution", part, at: MapPoint(x: 4, y: baseline), "start", size: Self.smallSize)
        }
        let right = width - 14
        xml.empty("path", ["class": "north", "d": "M\(right.drawn) 6l6 15-6-4-6 4z", "fill": "#1b1b1b"])
        text("north", words.text(.mapNorth), at: MapPoint(x: right, y: 32), "middle", size: Self.nameSize)
        labels.reserve(MapRectangle(left: right - 8, top: 4, width: 16, height: 30))
        let lengths = Self.bars.filter { $0 / request.scale.metresPerPixel <= Self.maximumBarLength }
        guard let metres = lengths.last else { return }
        let length = metres / request.scale.metresPerPixel
        let bar = lines.isEmpty ? height - 8 : top - 6
        xml.empty(
            "path",
            [
                "class": "scale", "d": "M8 \((bar - 5).drawn)v5h\(length.drawn)v-5", "fill": "none",
                "stroke": "#1b1b1b",
                "stroke-width": "1.5",
            ])
        text("scale", "\(Metres(metres))", at: MapPoint(x: 8 + length / 2, y: bar - 3), "middle", size: Self.smallSize)
        labels.reserve(MapRectangle(left: 4, top: bar - 14, width: length + 8, height: 18))
        xml.breakLine()
    }

    /// The lengths of the rings, where there is no stop.
    mutating func lengths() {
        for ring in rings {
            let length = "\(Metres(ring.metres))"
            let width = MapLabels.width(of: length, size: Self.smallSize)
            for side in [-1.0, 1] {
                let middle = ring.middle.y + side * (ring.radius - Self.smallSize)
                let area = MapRectangle(
                    left: ring.middle.x - width / 2, top: middle - Self.smallSize / 2, width: width,
                    height: Self.smallSize)
                guard labels.take(area) else { continue }
                let baseline = middle + Self.smallSize * 0.35
                text("ring", length, at: MapPoint(x: ring.middle.x, y: baseline), "middle", size: Self.smallSize)
                break
            }
        }
        if !rings.isEmpty { xml.breakLine() }
    }

    /// A text in lines that fit.
    private static func wrapped(_ text: String, width: Double) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = (lines.last.map { "\($0) " } ?? "") + word
            if let last = lines.indices.last, MapLabels.width(of: longer, size: smallSize) <= width {
                lines[last] = longer
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension String {
    /// The maximum number of marks on one letter. Without it, a name could cover the whole picture.
    private static let maximumMarks = 3
    /// The maximum number of Unicode scalars for each character of the length.
    private static let maximumScalars = 8

    /// An operator's text on a map: one line of at most `length` characters, the last an ellipsis if it was longer.
    func drawn(upTo length: Int) -> String {
        var letters = String.UnicodeScalarView()
        var (count, marks) = (0, 0)
        for scalar in asPrintedLine.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            guard marks <= Self.maximumMarks else { continue }
            letters.append(scalar)
            count += 1
            // Joined letters, too, can put many scalars into one character.
            if count > Self.maximumScalars * length { break }
        }
        let line = String(letters)
        return line.count > length || count > Self.maximumScalars * length ? "\(line.prefix(length - 1))…" : line
    }
}
