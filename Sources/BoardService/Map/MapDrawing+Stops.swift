internal import BoardCore
internal import Glibc

// The stops of a map: shapes, letters and names.
extension MapDrawing {
    /// Up to this number of stops their shapes are large enough for a finger and have letters.
    private static let spacious = 60
    /// The maximum length of a name beside its stop.
    private static let longestLabel = 26

    /// The stops, the calls of the line that are not among them, and the marked stop.
    mutating func stops(_ stops: [StopEntry], calls: [StopEntry], marked: StopEntry?) {
        var seen: Set<String> = []
        let onLine = Set(calls.map(\.stop))
        // A stop of the directory has more facts than a call of the line.
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
        for shape in MapMarker.Shape.allCases {
            let own = markers.filter { $0.shape == shape && $0.stop != marked?.stop }
            if !own.isEmpty { group(own, shape) }
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
            xml.end()
            xml.breakLine()
        }
        xml.end()
        xml.breakLine()
    }

    private mutating func outline(of shape: MapMarker.Shape, at point: MapPoint) {
        let (x, y, r) = (point.x, point.y, radius)
        switch shape {
        case .pole, .call:
            xml.empty("circle", ["cx": x.drawn, "cy": y.drawn, "r": (shape == .call ? r * 0.75 : r).drawn])
        case .station:
            let side = (2 * r - 2).drawn
            xml.empty(
                "rect", ["x": (x - r + 1).drawn, "y": (y - r + 1).drawn, "width": side, "height": side])
        case .interchange:
            let (half, back) = ((r + 1).drawn, (-r - 1).drawn)
            xml.empty(
                "path",
                ["d": "M\(x.drawn) \((y - r - 1).drawn)l\(half) \(half) \(back) \(half) \(back) \(back)z"])
        case .favourite:
            // Ten corners, by turns at the tips and between them.
            let corners = (0..<10).map { corner -> String in
                let angle = Double(corner) * .pi / 5
                let reach = corner % 2 == 0 ? r + 3 : (r + 3) * 0.45
                return "\((x + reach * sin(angle)).drawn) \((y - reach * cos(angle)).drawn)"
            }
            xml.empty("path", ["d": "M\(corners.joined(separator: "L"))z"])
        }
    }

    /// The names of the stops, the most important and the nearest first.
    mutating func names() {
        let order: [MapMarker.Shape] = [.favourite, .interchange, .station, .call, .pole]
        let sorted = markers.sorted { left, right in
            let (first, second) = (order.firstIndex(of: left.shape) ?? 0, order.firstIndex(of: right.shape) ?? 0)
            return (first, left.distance.count, left.stop) < (second, right.distance.count, right.stop)
        }
        xml.begin(
            "g",
            [
                "class": "names", "fill": "#1b1b1b", "stroke": "#fff", "stroke-width": "3", "stroke-linejoin": "round",
                "paint-order": "stroke", "pointer-events": "none",
            ])
        for marker in sorted {
            let label = marker.name.drawn(upTo: Self.longestLabel)
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
