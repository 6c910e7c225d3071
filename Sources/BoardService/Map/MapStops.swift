import BoardCore
import Glibc

// The stops of a map: shapes, letters and names.
extension MapDrawing {
    /// Up to this number of stops, their shapes are large enough for a finger and have letters.
    private static let spacious = 60
    /// The maximum length of a name beside its stop.
    private static let maximumLabelLength = 26
    /// Where a star may stand beside its stop, in order of preference: directions in eighths of a turn from north.
    private static let directions = [1.0, 7, 3, 5, 0, 2, 6, 4]

    /// The stops, the calls of the line that are not among them, and the marked stop.
    mutating func stops(_ stops: [StopEntry], calls: [StopEntry], marked: StopEntry?) {
        var seen: Set<String> = []
        let onLine = Set(calls.map(\.stop))
        // A stop from the directory has more data than a call of the line.
        let listed = stops.filter { onLine.contains($0.stop) }
        for stop in (marked.map { [$0] } ?? []) + listed + calls + stops where seen.insert(stop.stop).inserted {
            guard markers.count < MapRequest.maximumStops else { break }
            let isCall = onLine.contains(stop.stop)
            if let marker = MapMarker(stop, isCall: isCall, on: projection, from: request.centre) {
                markers.append(marker)
            }
        }
        self.marked = marked?.stop
        radius = markers.count <= Self.spacious ? 11 : 6
        for marker in markers where marker.isFavourite { placeStar(beside: marker) }
        for isFavourite in [false, true] {
            for shape in MapMarker.Shape.allCases {
                let own = markers.filter {
                    $0.shape == shape && $0.isFavourite == isFavourite && $0.stop != marked?.stop
                }
                if !own.isEmpty { group(own, shape) }
            }
        }
        if let chosen = markers.first(where: { $0.stop == marked?.stop }) {
            xml.empty(
                "circle",
                [
                    "class": "marked", "cx": chosen.point.x.drawn, "cy": chosen.point.y.drawn, "r": (radius + 5).drawn,
                    "fill": "none", "stroke": "#1b1b1b", "stroke-width": "3",
                ])
            group([chosen], chosen.shape)
        }
        for marker in markers {
            let reach = radius + 1
            labels.reserve(
                MapRectangle(
                    left: marker.point.x - reach, top: marker.point.y - reach, width: 2 * reach, height: 2 * reach))
        }
    }

    private mutating func group(_ markers: [MapMarker], _ shape: MapMarker.Shape) {
        let (fill, stroke) = shape.paints
        xml.begin("g", ["class": shape.rawValue, "fill": fill, "stroke": stroke, "stroke-width": "2"])
        xml.breakLine()
        for marker in markers {
            xml.begin("a", ["href": "/stop?id=" + PercentEncoding.encoded(marker.stop, except: ":")])
            xml.element("title", text: marker.title)
            outline(of: shape, at: marker.point)
            if radius > 10, shape == .pole, let letter = marker.letter, letter.count <= 2 {
                xml.element(
                    "text",
                    [
                        "x": marker.point.x.drawn, "y": (marker.point.y + 4).drawn, "text-anchor": "middle",
                        "fill": "#fff",
                        "stroke": "none", "font-weight": "bold",
                    ], text: letter)
            }
            if let star = stars[marker.stop] { draw(star: star) }
            xml.end()
            xml.breakLine()
        }
        xml.end()
        xml.breakLine()
    }

    /// The radius of a favourite's star in pixels.
    private var starRadius: Double { radius > 10 ? 8 : 6 }

    /// Places a favourite's star where it covers no stop and no other star, if there is such a place.
    private mutating func placeStar(beside marker: MapMarker) {
        let ring = marker.stop == marked ? 6.5 : 0
        let distance = radius + 1 + ring + starRadius
        let choices = Self.directions.map { direction in
            MapPoint(
                x: marker.point.x + distance * sin(direction * .pi / 4),
                y: marker.point.y - distance * cos(direction * .pi / 4))
        }
        let (reach, width, height) = (starRadius, width, height)
        let isFree = { [markers, stars, radius] (choice: MapPoint) in
            choice.x >= reach && choice.x <= width - reach && choice.y >= reach && choice.y <= height - reach
                && markers.allSatisfy { choice.distance(to: $0.point) >= radius + reach }
                && stars.values.allSatisfy { choice.distance(to: $0) >= 2 * reach }
        }
        let star = choices.first(where: isFree) ?? choices[0]
        stars[marker.stop] = star
        labels.reserve(MapRectangle(left: star.x - reach, top: star.y - reach, width: 2 * reach, height: 2 * reach))
    }

    private mutating func draw(star: MapPoint) {
        // Ten corners, alternately at the tips and between them.
        let corners = (0..<10).map { corner -> String in
            let angle = Double(corner) * .pi / 5
            let reach = corner % 2 == 0 ? starRadius : starRadius * 0.45
            return "\((star.x + reach * sin(angle)).drawn) \((star.y - reach * cos(angle)).drawn)"
        }
        xml.empty(
            "path",
            [
                "class": "favourite", "fill": "#ffc107", "stroke": "#3e2f00", "stroke-width": "1.5",
                "d": "M\(corners.joined(separator: "L"))z",
            ])
    }

    private mutating func outline(of shape: MapMarker.Shape, at point: MapPoint) {
        let (x, y, r) = (point.x, point.y, radius)
        switch shape {
        case .pole, .call:
            xml.empty("circle", ["cx": x.drawn, "cy": y.drawn, "r": (shape == .call ? r * 0.75 : r).drawn])
        case .station:
            let side = (2 * r - 2).drawn
            xml.empty("rect", ["x": (x - r + 1).drawn, "y": (y - r + 1).drawn, "width": side, "height": side])
        case .interchange:
            let (half, back) = ((r + 1).drawn, (-r - 1).drawn)
            xml.empty(
                "path",
                ["d": "M\(x.drawn) \((y - r - 1).drawn)l\(half) \(half) \(back) \(half) \(back) \(back)z"])
        }
    }

    /// The names of the stops, the most important and the nearest first.
    mutating func names() {
        let order: [MapMarker.Shape] = [.interchange, .station, .call, .pole]
        let rank = { (marker: MapMarker) in marker.isFavourite ? -1 : order.firstIndex(of: marker.shape) ?? 0 }
        let sorted = markers.sorted { left, right in
            let (first, second) = (rank(left), rank(right))
            return (first, left.distance.count, left.stop) < (second, right.distance.count, right.stop)
        }
        xml.begin(
            "g",
            [
                "class": "names", "fill": "#1b1b1b", "stroke": "#fff", "stroke-width": "3", "stroke-linejoin": "round",
                "paint-order": "stroke", "pointer-events": "none",
            ])
        for marker in sorted {
            let label = marker.name.drawn(upTo: Self.maximumLabelLength)
            let clearance = radius + (marker.stop == marked ? 9 : 4)
            guard let position = labels.place(label, size: Self.nameSize, at: marker.point, clearance: clearance) else {
                continue
            }
            xml.element(
                "text",
                ["x": position.origin.x.drawn, "y": position.origin.y.drawn, "text-anchor": position.anchor],
                text: label)
            xml.breakLine()
        }
        xml.end()
        xml.breakLine()
    }
}

/// A rectangle of the picture, in pixels.
struct MapRectangle {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    func overlaps(_ other: MapRectangle) -> Bool {
        left < other.left + other.width && other.left < left + width && top < other.top + other.height
            && other.top < top + height
    }

    func contains(_ other: MapRectangle) -> Bool {
        other.left >= left && other.left + other.width <= left + width && other.top >= top
            && other.top + other.height <= top + height
    }
}

/// The places of names on a map: beside their stops, where they cover nothing.
struct MapLabels {
    struct Position {
        /// The start of the text and its baseline.
        let origin: MapPoint
        /// The SVG value of `text-anchor`.
        let anchor: String
    }

    /// Two stops with the same name share a label within this distance, in pixels.
    private static let sharedWithin = 120.0

    private let picture: MapRectangle
    private var taken: [MapRectangle] = []
    private var names: [String: [MapPoint]] = [:]

    init(_ size: MapRequest.Size) {
        picture = MapRectangle(left: 0, top: 0, width: Double(size.width), height: Double(size.height))
    }

    /// The estimated width of a text in a sans-serif font, in pixels: too wide rather than too narrow.
    static func width(of text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar {
            case "i", "j", "l", "t", "f", "r", "I", ".", ",", ":", ";", "'", "|", "!", "(", ")", " ":
                width + 0.38 * size
            case "m", "w", "M", "W", "@", "%", "…": width + 0.95 * size
            case _ where scalar.value >= 0x1100: width + 1.05 * size
            case _ where scalar.properties.generalCategory == .nonspacingMark: width
            case _ where scalar.properties.isUppercase: width + 0.72 * size
            default: width + 0.6 * size
            }
        }
    }

    /// Takes a part of the picture, so that no label covers it.
    mutating func reserve(_ rectangle: MapRectangle) { taken.append(rectangle) }

    /// Takes an area; false if it is not all in the picture, or something else has a part of it.
    mutating func take(_ area: MapRectangle) -> Bool {
        guard picture.contains(area), !taken.contains(where: area.overlaps) else { return false }
        taken.append(area)
        return true
    }

    /// Finds a position for a label and takes it; nil if it fits nowhere, or a stop nearby has the same.
    ///
    /// - Parameter clearance: the distance from the point to the end of its drawing.
    mutating func place(_ label: String, size: Double, at point: MapPoint, clearance: Double) -> Position? {
        let near = names[label, default: []].contains { other in
            abs(other.x - point.x) < Self.sharedWithin && abs(other.y - point.y) < Self.sharedWithin
        }
        guard !label.isEmpty, !near else { return nil }
        let width = Self.width(of: label, size: size)
        // The left end, the baseline, and where the text is anchored, in order of preference.
        let choices: [(x: Double, left: Double, baseline: Double, anchor: String)] = [
            (point.x + clearance, point.x + clearance, point.y + size * 0.35, "start"),
            (point.x - clearance, point.x - clearance - width, point.y + size * 0.35, "end"),
            (point.x, point.x - width / 2, point.y + clearance + size * 0.8, "middle"),
            (point.x, point.x - width / 2, point.y - clearance - size * 0.2, "middle"),
        ]
        for choice in choices {
            let area = MapRectangle(left: choice.left, top: choice.baseline - size, width: width, height: size * 1.25)
            guard take(area) else { continue }
            names[label, default: []].append(point)
            return Position(origin: MapPoint(x: choice.x, y: choice.baseline), anchor: choice.anchor)
        }
        return nil
    }
}

/// A stop on the map.
struct MapMarker {
    /// The shapes of stops, in the order in which they cover each other.
    enum Shape: String, CaseIterable {
        case pole
        /// A stop of the line on the map.
        case call
        case station, interchange

        /// The colours of the shape and its edge. A style sheet may set others by class.
        var paints: (fill: String, stroke: String) {
            switch self {
            case .pole: ("#0b57d0", "#fff")
            case .call: ("#fff", "#00695c")
            case .station: ("#b3261e", "#fff")
            case .interchange: ("#6a1b9a", "#fff")
            }
        }
    }

    /// The maximum length of a name, and of the names of the lines together, in a title. Bounds the size of a map.
    private static let maximumNameLength = 60, maximumLinesLength = 48

    let stop: String
    let name: String
    let letter: String?
    /// Name, letter, lines and distance.
    let title: String
    let shape: Shape
    let isFavourite: Bool
    let point: MapPoint
    let distance: Metres

    /// Nil for a stop without a place in the picture.
    init?(_ stop: StopEntry, isCall: Bool = false, on projection: MapProjection, from centre: Coordinates) {
        guard let place = Coordinates(latitude: stop.latitude, longitude: stop.longitude),
            let point = projection.point(place),
            (0...Double(projection.size.width)).contains(point.x),
            (0...Double(projection.size.height)).contains(point.y)
        else { return nil }
        self.stop = stop.stop
        self.point = point
        name = stop.name.drawn(upTo: Self.maximumNameLength)
        letter = stop.letter.map { $0.drawn(upTo: Self.maximumNameLength) }
        distance = centre.distance(to: place)
        isFavourite = stop.isFavourite
        shape =
            if isCall { .call } else {
                switch stop.kind {
                case .pole: .pole
                case .station: .station
                case .area, .interchange: .interchange
                }
            }
        let lines = stop.lines.prefix(Self.maximumLinesLength).map(\.name).joined(separator: ", ")
            .drawn(upTo: Self.maximumLinesLength)
        title =
            name.asIsolatedLine + (letter.map { " (\($0.asIsolatedLine))" } ?? "")
            + (lines.isEmpty ? "" : " · \(lines.asIsolatedLine)") + " · \(distance)"
    }
}
