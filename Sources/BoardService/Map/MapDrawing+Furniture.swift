internal import BoardCore

// What a map states about itself: a sentence, north, the scale, the lengths of its rings, attributions.
extension MapDrawing {
    /// The lengths of the scale bar in metres, and its maximum in pixels.
    private static let bars = [10.0, 20, 50, 100, 200, 500, 1_000, 2_000], longestBar = 110.0
    /// The maximum length of an attribution; no operator's exceeds a third of it.
    private static let longestAttribution = 300

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

    /// The direction north, the scale bar, and the attributions.
    mutating func furniture(attributions: [String]) {
        let lines = Self.wrapped(
            attributions.map { $0.drawn(upTo: Self.longestAttribution) }.joined(separator: " · "),
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
        text("north", words.north, at: MapPoint(x: right, y: 32), "middle", size: Self.nameSize)
        labels.reserve(MapRectangle(left: right - 8, top: 4, width: 16, height: 30))
        let lengths = Self.bars.filter { $0 / request.scale.metresPerPixel <= Self.longestBar }
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
        text(
            "scale", "\(Metres(metres))", at: MapPoint(x: 8 + length / 2, y: bar - 3), "middle", size: Self.smallSize)
        labels.reserve(MapRectangle(left: 4, top: bar - 14, width: length + 8, height: 18))
        xml.breakLine()
    }

    /// The lengths of the rings, where no stop is.
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
